/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/reach.c -- the transitions of a record.
 */
#include "suite/explore/reach/reach.h"

#include <stdbool.h>
#include <string.h>

#include "base/rng.h"
#include "wire/packet.h"

/* The state of one direction. */
struct reach_side {
	uint64_t last; /* hash of the kind of its last packet */
	uint32_t newest;
	bool any;
};

/* The fields whose values are states or flags. */
static const char *const reach_flags[] = {
	"ar",       "retx",     "syn",       "som",         "eom",      "req",
	"next_hdr", "ctl_type", "nack_code", "return_code", "syndrome", "p",
	"m",        "opcode",   "more",      "k",           "ackreq"};

/* Returns the relation of a sequence number to the newest of its direction. */
static uint64_t reach_relation(struct reach_side *s, uint32_t psn)
{
	const int32_t d = (int32_t)(psn - s->newest);

	if (!s->any || d > 0)
		s->newest = psn;
	if (!s->any) {
		s->any = true;
		return 0;
	}
	if (d == 0 || d == 1 || d == -1)
		return (uint64_t)(d + 2);
	if (d > 0)
		return d < 128 ? 4 : 5;
	return d > -128 ? 6 : 7;
}

static uint64_t reach_mix(uint64_t h, uint64_t v)
{
	struct rng r = {h ^ v};

	return rng_next(&r);
}

static bool reach_add(struct explore_reach *r, uint64_t h)
{
	const uint64_t bit = h >> (64 - REACH_BITS);
	const uint64_t mask = (uint64_t)1 << (bit & 63);

	if (r->set[bit / 64] & mask)
		return false;
	r->set[bit / 64] |= mask;
	r->transitions++;
	return true;
}

static uint64_t reach_kind(const struct packet *pkt, struct reach_side *s)
{
	static const char *const numbers[] = {"psn", "ack_psn", "nack_psn"};
	uint64_t h = rng_mix(1, packet_word(pkt)), v;

	for (size_t i = 0; i < sizeof(reach_flags) / sizeof(reach_flags[0]);
	     i++)
		if (packet_value(pkt, reach_flags[i], &v))
			h = reach_mix(h, i << 32 | v);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (packet_value(pkt, numbers[i], &v))
			return reach_mix(
				h, i << 8 | reach_relation(s, (uint32_t)v));
	return h;
}

size_t reach_take(struct explore_reach *r, const struct record *rec)
{
	struct reach_side side[2] = {{0}};
	size_t before = r->transitions;

	for (size_t i = 0; i < rec->nrecs; i++) {
		const struct rec *e = &rec->recs[i];
		struct reach_side *s = &side[e->kind == REC_RX];
		struct packet pkt;

		if (!e->frame)
			continue;
		record_packet(rec, e, &pkt);
		s->last = reach_kind(&pkt, s);
		reach_add(r, reach_mix(side[0].last,
				       side[1].last + (uint64_t)e->kind +
					       ((uint64_t)e->fate << 8) +
					       ((uint64_t)rec->chair << 16)));
	}
	for (size_t i = 0; i < rec->nreqs; i++)
		if (rec->reqs[i].wire || rec->reqs[i].control)
			r->seen[rec->reqs[i].req] |=
				rec->reqs[i].role == REQ_DST ? 2 : 1;
	return r->transitions - before;
}

size_t reach_requirements(const struct explore_reach *r)
{
	size_t n = 0;

	for (int i = 0; i < REQ_COUNT; i++)
		n += (size_t)(r->seen[i] & 1) + (size_t)(r->seen[i] >> 1);
	return n;
}
