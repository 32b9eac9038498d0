/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/rules.c -- libFuzzer target: any bytes as a file of rules, and as a
 * sweep of "rung gen".
 *
 * Rules that parse are printed and parsed again to the same rules; then packets
 * pass them, both ways.  Rules that do not parse give an error with its place.
 */
#include "suite/craft/rules.h"
#include "fuzz/text.h"
#include "suite/decl/decl_parse.h"
#include "suite/lang/case_print.h"
#include "suite/lang/case_same.h"
#include "suite/lang/sweep_parse.h"
#include "wire/packet.h"

#define PACKETS 8
#define OUT_MAX                                                       \
	64 /* datagrams polled at a time; there are up to 1000 copies \
	    */

static void fuzz_rules_check_print(const struct rules *r)
{
	struct diag d = {0};
	struct text t = {0};
	struct rules *again;

	for (size_t i = 0; i < rules_count(r); i++)
		step_print(&t, rules_at(r, i));
	if (rules_parse(&again, "printed", text_cstr(&t), t.len, &d)) {
		fprintf(stderr, "%s\n%u:%u: %s\n", text_cstr(&t), d.line, d.col,
			d.text);
		abort();
	}
	CHECK(rules_count(r) == rules_count(again));
	for (size_t i = 0; i < rules_count(r); i++)
		CHECK(step_flat_same(rules_at(r, i), rules_at(again, i)));
	rules_free(again);
	text_free(&t);
}

static void fuzz_rules_make(struct dgram *d, unsigned n)
{
	static const char *const types[] = {"rud_req", "ack", "nack", "cp"};
	const struct field_value set[] = {{"spdcid", n, false},
					  {"dpdcid", 3, false}};
	const struct packet_spec spec = {
		.type = types[n % 4],
		.ses = n % 4 == 0   ? "std"
		       : n % 4 == 1 ? "response"
				    : NULL,
		.set = set,
		.nset = 2,
		.payload_len = 8,
	};
	int len = packet_build(d->data, DGRAM_MAX, &spec, NULL);

	if (len > 0)
		d->len = (size_t)len;
	else
		d->len = 0;
	d->src = ip_addr_v4(1);
	d->dst = ip_addr_v4(2);
	d->crc = DGRAM_CRC_RIGHT;
}

static void traffic(struct imp *imp)
{
	static struct dgram d;
	static struct imp_out out;

	for (unsigned n = 0; n < PACKETS; n++) {
		fuzz_rules_make(&d, n);
		if (imp_push(imp, n % 3 ? IMP_TO_DUT : IMP_FROM_DUT, &d,
			     n * VSPAN_MS, n, false))
			return;
		for (unsigned i = 0;
		     i < OUT_MAX && imp_poll(imp, n * VSPAN_MS, &out); i++)
			CHECK(out.d.len <= DGRAM_MAX && out.tag <= n);
	}
}

static void try_traffic(struct rules *r)
{
	struct decl *decl = NULL;
	struct diag d = {0};
	struct imp *imp = NULL;

	if (!decl_parse(&decl, "decl", "name x\n", 7, &d) && !imp_new(&imp) &&
	    !rules_load(r, decl, imp))
		traffic(imp);
	imp_free(imp);
	decl_free(decl);
}

static void try_rules(const char *text, size_t size)
{
	struct diag d = {0};
	struct rules *r;
	char shown[1024];

	if (rules_parse(&r, "fuzz", text, size, &d)) {
		CHECK(d.line && d.text[0]);
		diag_format(&d, shown, sizeof(shown));
		return;
	}
	fuzz_rules_check_print(r);
	try_traffic(r);
	rules_free(r);
}

static void try_sweep(const char *text)
{
	struct diag d = {0};
	struct sweep w;

	if (sweep_parse(&w, "--set", text, &d))
		CHECK(d.text[0]);
	else
		CHECK(w.name[0] && w.n <= SWEEP_VALUES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text_of(data, size);

	if (!text)
		return 0;
	try_rules(text, size);
	try_sweep(text);
	free(text);
	return 0;
}
