/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_judge.c -- decoding and judging, for rung.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "judge/judge.h"
#include "lib/lib_finding.h"
#include "lib/rung.h"
#include "rung_version.h"
#include "wire/packet.h"

_Static_assert(RUNG_SPACE == (int)ERR_SPACE && RUNG_VALUE == (int)ERR_VALUE &&
		       RUNG_NOMEM == (int)ERR_NOMEM &&
		       RUNG_SYNTAX == (int)ERR_SYNTAX,
	       "the errors of rung.h are those of base/err.h");
_Static_assert(RUNG_UET == (int)FAMILY_UET && RUNG_SRD == (int)FAMILY_SRD &&
		       RUNG_WQE == (int)FAMILY_WQE &&
		       RUNG_ROCE == (int)FAMILY_ROCE,
	       "the families of rung.h are those of wire/family.h");

#define LIB_FLOWS 65536 /* followed at a time */

struct rung_judge {
	struct judge *judge;
	struct dgram d;
	struct finding found[64];
};

const char *rung_version(void)
{
	return RUNG_VERSION;
}

static bool lib_knows(enum rung_family family)
{
	return (unsigned)family < FAMILIES;
}

int rung_decode(enum rung_family family, const void *bytes, size_t len,
		char *text, size_t size)
{
	struct packet pkt;
	struct text t = {0};
	int ret;

	if (!lib_knows(family) || len > DGRAM_MAX)
		return RUNG_VALUE;
	packet_parse((enum family)family, &pkt, bytes, len);
	packet_print(&t, &pkt, PACKET_FULL, NULL);
	if (text_err(&t))
		ret = RUNG_NOMEM;
	else if (t.len >= size)
		ret = RUNG_SPACE;
	else
		ret = snprintf(text, size, "%s", text_cstr(&t));
	text_free(&t);
	return ret;
}

int rung_field(enum rung_family family, const void *bytes, size_t len,
	       const char *name, uint64_t *ret)
{
	struct packet pkt;

	if (!lib_knows(family) || len > DGRAM_MAX)
		return RUNG_VALUE;
	packet_parse((enum family)family, &pkt, bytes, len);
	return packet_value(&pkt, name, ret) ? 0 : RUNG_VALUE;
}

int rung_encode(enum rung_family family, const char *type, const char *ses,
		const struct rung_value *values, size_t n, void *bytes,
		size_t size)
{
	struct field_value set[32];
	struct packet_spec spec = {
		.type = type, .ses = ses, .set = set, .nset = n};
	int ret;

	if (!lib_knows(family) || n > sizeof(set) / sizeof(set[0]))
		return RUNG_VALUE;
	for (size_t i = 0; i < n; i++)
		set[i] = (struct field_value){values[i].name, values[i].value,
					      values[i].ses};
	ret = packet_build(bytes, size, &spec, NULL);
	return ret == ERR_SUPPORT ? RUNG_VALUE : ret;
}

int rung_judge_new(struct rung_judge **ret, int complete)
{
	struct rung_judge *j = memory_calloc(1, sizeof(*j));
	struct judge_conf conf;

	if (!j)
		return RUNG_NOMEM;
	if (complete)
		judge_conf_default(&conf);
	else
		judge_conf_capture(&conf);
	conf.complete = complete;
	if (judge_new(&j->judge, &conf, LIB_FLOWS)) {
		free(j);
		return RUNG_NOMEM;
	}
	*ret = j;
	return 0;
}

void rung_judge_free(struct rung_judge *j)
{
	if (!j)
		return;
	judge_free(j->judge);
	free(j);
}

static int lib_told(const struct rung_judge *j, size_t n,
		    struct rung_finding *ret, size_t max)
{
	for (size_t i = 0; i < n && i < max && i < 64; i++) {
		const struct finding *f = &j->found[i];

		lib_finding(&ret[i], f->req, f->role, f->frame);
		ip_addr_print(&f->side, ret[i].side);
		snprintf(ret[i].text, sizeof(ret[i].text), "%s", f->text);
		snprintf(ret[i].expected, sizeof(ret[i].expected), "%s",
			 f->expected);
		snprintf(ret[i].actual, sizeof(ret[i].actual), "%s", f->actual);
	}
	return (int)n;
}

int rung_judge_push(struct rung_judge *j, enum rung_family family,
		    const struct rung_datagram *d, struct rung_finding *ret,
		    size_t max)
{
	struct packet pkt;
	const struct judge_packet in = {.pkt = &pkt,
					.d = &j->d,
					.at = (vtime)d->at_ns,
					.frame = d->frame};

	dgram_plain(&j->d);
	if (!lib_knows(family) || d->len > DGRAM_MAX ||
	    ip_addr_parse(&j->d.src, d->src, strlen(d->src)) ||
	    ip_addr_parse(&j->d.dst, d->dst, strlen(d->dst)))
		return RUNG_VALUE;
	j->d.family = (uint8_t)family;
	j->d.entropy = d->entropy;
	j->d.dscp = d->dscp;
	j->d.ecn = d->ecn;
	j->d.len = d->len;
	memcpy(j->d.data, d->bytes, d->len);
	packet_parse((enum family)family, &pkt, j->d.data, d->len);
	return lib_told(j, judge_push(j->judge, &in, j->found, 64), ret, max);
}

int rung_judge_end(struct rung_judge *j, uint64_t at_ns,
		   struct rung_finding *ret, size_t max)
{
	return lib_told(j, judge_end(j->judge, (vtime)at_ns, j->found, 64), ret,
			max);
}
