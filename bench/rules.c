/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/rules.c -- measures the cost of rules: ns per packet for 0 to 10,000
 * rules that match different PSNs, and for rules that have to be asked one by
 * one.
 *
 * The packets are requests with the PSNs of the rules in turn, so that each
 * matches a rule; the rule's n-th packet never comes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "bench/bench.h"
#include "suite/craft/rules.h"
#include "suite/decl/decl_parse.h"
#include "wire/packet.h"

#define ROUND 4096 /* packets between two clock readings */

/* Writes the PSN of a request: bytes 4 to 7. */
static void psn_put(struct dgram *d, uint32_t psn)
{
	for (unsigned i = 0; i < 4; i++)
		d->data[4 + i] = (uint8_t)(psn >> (24 - 8 * i));
}

static int bench_rules_request(struct dgram *d)
{
	const struct packet_spec spec = {
		.type = "rud_req", .ses = "std", .payload_len = 8};
	int n = packet_build(d->data, DGRAM_MAX, &spec, NULL);

	if (n > 0)
		d->len = (size_t)n;
	else
		d->len = 0;
	d->src = ip_addr_v4(1);
	d->dst = ip_addr_v4(2);
	return n;
}

static double bench_rules_run(struct imp *imp, uint32_t rules)
{
	static struct dgram d;
	static struct imp_out out;
	double began, now;
	uint64_t n = 0;

	if (bench_rules_request(&d) < 0)
		return -1;
	began = bench_now();
	do {
		for (unsigned i = 0; i < ROUND; i++, n++) {
			psn_put(&d, (uint32_t)(n % (rules ? rules : 1)));
			if (imp_push(imp, IMP_TO_DUT, &d, 0, 0, false))
				return -1;
			while (imp_poll(imp, 0, &out))
				bench_keep(out.d.len);
		}
		now = bench_now();
	} while (now - began < bench_seconds() / 4);
	return (now - began) * 1e9 / (double)n;
}

static void bench_rules_measure(const char *name, uint32_t n, bool keyed,
				bool last)
{
	struct text t = {0};
	struct decl *decl = NULL;
	struct rules *rules = NULL;
	struct diag diag = {0};
	struct imp *imp = NULL;
	double ns = -1;

	for (uint32_t i = 0; i < n; i++) {
		text_puts(&t, "drop > rud_req ");
		if (keyed)
			text_printf(&t, "psn=%" PRIu32 " ", i);
		text_puts(&t, "nth=4294967295\n");
	}
	if (!decl_parse(&decl, "bench", "name x\n", 7, &diag) &&
	    !rules_parse(&rules, "bench", text_cstr(&t), t.len, &diag) &&
	    !imp_new(&imp) && !rules_load(rules, decl, imp))
		ns = bench_rules_run(imp, n);
	printf("  {\"rules\": \"%s\", \"n\": %" PRIu32
	       ", \"ns_per_packet\": %.1f}%s\n",
	       name, n, ns, last ? "" : ",");
	imp_free(imp);
	rules_free(rules);
	decl_free(decl);
	text_free(&t);
}

int main(void)
{
	static const uint32_t counts[] = {0, 1, 10, 100, 1000, 10000};

	printf("{\"bench\": \"rules\", \"packets\": [\n");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		bench_rules_measure("psn", counts[i], true, false);
	bench_rules_measure("scanned", 10, false, false);
	bench_rules_measure("scanned", 100, false, true);
	printf("]}\n");
	return 0;
}
