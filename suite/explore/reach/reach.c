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

/* Fields whose values are states or flags. */
static const enum packet_name reach_flags[] = {
	KNOWN_ar,        KNOWN_retx,        KNOWN_syn,      KNOWN_som,
	KNOWN_eom,       KNOWN_req,         KNOWN_next_hdr, KNOWN_ctl_type,
	KNOWN_nack_code, KNOWN_return_code, KNOWN_syndrome, KNOWN_p,
	KNOWN_m,         KNOWN_opcode,      KNOWN_more,     KNOWN_k,
	KNOWN_ackreq,
};

/* Fields that number packets. */
static const enum packet_name reach_numbers[] = {
	KNOWN_psn,    KNOWN_ack_psn,     KNOWN_nack_psn,
	KNOWN_pkt_id, KNOWN_nack_pkt_id,
};

#define REACH_FLAGS   (sizeof(reach_flags) / sizeof(reach_flags[0]))
#define REACH_NUMBERS (sizeof(reach_numbers) / sizeof(reach_numbers[0]))

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

/* Mixes a value into a hash that reach_mix() will finish. */
static uint64_t reach_fold(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
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
static uint64_t reach_kind(const struct packet *pkt, struct reach_side *s,
			   uint32_t *number, const uint32_t **ret_number)
{
	const struct packet_known *k = pkt->known;
	uint64_t h = 1;

	for (const char *word = packet_word(pkt); *word; word++)
		h = reach_fold(h, (uint8_t)*word);
	*ret_number = NULL;
	if (!k) /* there was no memory to read it */
		return h;
	for (unsigned i = 0; i < REACH_FLAGS; i++)
		if (packet_knows(k, reach_flags[i]))
			h = reach_fold(h, (uint64_t)i << 32 |
						  k->v[reach_flags[i]]);
	for (unsigned i = 0; i < REACH_NUMBERS; i++) {
		if (!packet_knows(k, reach_numbers[i]))
			continue;
		*number = (uint32_t)k->v[reach_numbers[i]];
		*ret_number = number;
		return reach_mix(h,
				 (uint64_t)i << 8 | reach_relation(s, *number));
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
		const struct packet *pkt;
		struct packet own;
		uint32_t n;

		if (!e->frame)
			continue;
		pkt = record_packet_of(rec, e, &own);
		s->last = reach_kind(pkt, s, &n, &number);
		reach_add(r, reach_mix(side[0].last,
				       side[1].last + (uint64_t)e->kind +
					       ((uint64_t)e->fate << 8) +
					       ((uint64_t)rec->chair << 16)));
		/* what is lost on its way to the device changes no state */
		if (received || e->fate != FATE_DROPPED)
			r->transitions += transition_step(&run, pkt, received,
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
