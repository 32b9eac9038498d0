/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_judge.c -- decoding and judging, for rung.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/text.h"
#include "lib/lib_finding.h"
#include "lib/lib_inside.h"
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

enum { LIB_FOUND = 64 }; /* most findings of a packet */

struct rung_judge {
	struct judge *judge;
	struct dgram d;
	struct finding found[LIB_FOUND];
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

int rung_judge_new_conf(struct rung_judge **ret, const struct rung_conf *conf)
{
	struct rung_judge *j;
	struct judge_conf c;

	if (lib_conf(&c, conf))
		return RUNG_VALUE;
	j = memory_calloc(1, sizeof(*j));
	if (!j)
		return RUNG_NOMEM;
	if (judge_new(&j->judge, &c, conf->max_flows)) {
		free(j);
		return RUNG_NOMEM;
	}
	*ret = j;
	return 0;
}

int rung_judge_new(struct rung_judge **ret, int complete)
{
	struct rung_conf conf;

	rung_conf_default(&conf, complete);
	return rung_judge_new_conf(ret, &conf);
}

void rung_judge_free(struct rung_judge *j)
{
	if (!j)
		return;
	judge_free(j->judge);
	free(j);
}

static int lib_judge_told(const struct rung_judge *j, size_t n,
			  struct rung_finding *ret, size_t max)
{
	for (size_t i = 0; i < n && i < max && i < LIB_FOUND; i++)
		lib_finding_judged(&ret[i], &j->found[i]);
	return (int)n;
}

int lib_judge_push(struct rung_judge *j, const struct judge_packet *p,
		   struct rung_finding *ret, size_t max)
{
	const size_t n = judge_push(j->judge, p, j->found, LIB_FOUND);

	if (likely(!n))
		return 0;
	return lib_judge_told(j, n, ret, max);
}

int rung_judge_packet(struct rung_judge *j, enum rung_family family,
		      const struct rung_packet *p, struct rung_finding *ret,
		      size_t max)
{
	struct dgram *d = &j->d;
	struct packet pkt;
	const struct judge_packet in = {.pkt = &pkt,
					.d = d,
					.at = (vtime)p->at_ns,
					.frame = p->frame,
					.cut = p->cut,
					.copy = p->copy};

	if (!lib_knows(family) || p->len > DGRAM_MAX)
		return RUNG_VALUE;
	dgram_plain(d);
	memcpy(&d->src, &p->src, sizeof(d->src));
	memcpy(&d->dst, &p->dst, sizeof(d->dst));
	d->family = (uint8_t)family;
	d->entropy = p->entropy;
	d->dscp = p->dscp;
	d->ecn = p->ecn;
	d->native = p->native;
	d->len = p->len;
	packet_parse((enum family)family, &pkt, p->bytes, p->len);
	return lib_judge_push(j, &in, ret, max);
}

int rung_judge_push(struct rung_judge *j, enum rung_family family,
		    const struct rung_datagram *d, struct rung_finding *ret,
		    size_t max)
{
	struct ip_addr src, dst;
	struct rung_packet p = {.bytes = d->bytes,
				.len = d->len,
				.at_ns = d->at_ns,
				.frame = d->frame,
				.entropy = d->entropy,
				.dscp = d->dscp,
				.ecn = d->ecn};

	if (ip_addr_parse(&src, d->src, strlen(d->src)) ||
	    ip_addr_parse(&dst, d->dst, strlen(d->dst)))
		return RUNG_VALUE;
	memcpy(&p.src, &src, sizeof(p.src));
	memcpy(&p.dst, &dst, sizeof(p.dst));
	return rung_judge_packet(j, family, &p, ret, max);
}

int rung_judge_end(struct rung_judge *j, uint64_t at_ns,
		   struct rung_finding *ret, size_t max)
{
	const size_t n = judge_end(j->judge, (vtime)at_ns, j->found, LIB_FOUND);

	return lib_judge_told(j, n, ret, max);
}

void rung_judge_facts(const struct rung_judge *j, struct rung_facts *ret)
{
	lib_facts(ret, judge_facts(j->judge), 0);
}

uint32_t rung_judge_frame(const struct rung_judge *j, int own, uint32_t psn)
{
	return judge_frame(j->judge, own, psn);
}
