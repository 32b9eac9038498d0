/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/reach.c -- the transitions and orders of a record.
 */
#include "suite/explore/reach/reach.h"

#include <string.h>

#include "base/rng.h"

/* The state of one direction. */
struct reach_side {
	uint64_t last; /* hash of the kind of its last packet */
	uint32_t newest;
	bool any;
};

#define REACH_FLAGS 17

/* Fields whose values are states or flags, then those that number packets. */
static const char *const reach_names[] = {
	"ar",       "retx",     "syn",       "som",         "eom",      "req",
	"next_hdr", "ctl_type", "nack_code", "return_code", "syndrome", "p",
	"m",        "opcode",   "more",      "k",           "ackreq",   "psn",
	"ack_psn",  "nack_psn", "pkt_id",    "nack_pkt_id"};

#define REACH_NAMES (sizeof(reach_names) / sizeof(reach_names[0]))

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
	r->orders++;
	return true;
}

/* Returns the hash of a packet; *ret_number is NULL if it has no number. */
static uint64_t reach_kind(struct explore_reach *r, const struct packet *pkt,
			   struct reach_side *s, uint32_t *number,
			   const uint32_t **ret_number)
{
	uint64_t h = rng_mix(1, packet_word(pkt)), v[REACH_NAMES];
	const uint32_t has =
		packet_values(&r->layouts, reach_names, REACH_NAMES, pkt, v);

	for (unsigned i = 0; i < REACH_FLAGS; i++)
		if (has >> i & 1)
			h = reach_mix(h, (uint64_t)i << 32 | v[i]);
	*ret_number = NULL;
	for (unsigned i = REACH_FLAGS; i < REACH_NAMES; i++) {
		if (!(has >> i & 1))
			continue;
		*number = (uint32_t)v[i];
		*ret_number = number;
		return reach_mix(h, (uint64_t)(i - REACH_FLAGS) << 8 |
					    reach_relation(s, *number));
	}
	return h;
}

size_t reach_take(struct explore_reach *r, enum draft_subject subject,
		  const struct record *rec)
{
	struct reach_side side[2] = {{0}};
	size_t before = r->transitions + r->orders;
	struct transition_run run;

	transition_begin(&run, &r->sets[subject], subject, rec->chair);
	for (size_t i = 0; i < rec->nrecs; i++) {
		const struct rec *e = &rec->recs[i];
		const bool received = e->kind == REC_RX;
		struct reach_side *s = &side[received];
		const uint32_t *number;
		struct packet pkt;
		uint32_t n;

		if (!e->frame)
			continue;
		record_packet(rec, e, &pkt);
		s->last = reach_kind(r, &pkt, s, &n, &number);
		reach_add(r, reach_mix(side[0].last,
				       side[1].last + (uint64_t)e->kind +
					       ((uint64_t)e->fate << 8) +
					       ((uint64_t)rec->chair << 16)));
		/* what is lost on its way to the device changes no state */
		if (received || e->fate != FATE_DROPPED)
			r->transitions += transition_step(&run, &pkt, received,
							  e->pdc, number);
	}
	for (size_t i = 0; i < rec->nreqs; i++)
		if (rec->reqs[i].wire || rec->reqs[i].control)
			r->seen[rec->reqs[i].req] |=
				rec->reqs[i].role == REQ_DST ? 2 : 1;
	return r->transitions + r->orders - before;
}

size_t reach_requirements(const struct explore_reach *r)
{
	size_t n = 0;

	for (int i = 0; i < REQ_COUNT; i++)
		n += (size_t)(r->seen[i] & 1) + (size_t)(r->seen[i] >> 1);
	return n;
}
