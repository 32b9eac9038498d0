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

/* The fields whose values are states or flags. */
static const char *const reach_flags[REACH_FLAGS] = {
	"ar",       "retx",     "syn",       "som",         "eom",      "req",
	"next_hdr", "ctl_type", "nack_code", "return_code", "syndrome", "p",
	"m",        "opcode",   "more",      "k",           "ackreq"};
static const char *const reach_numbers[REACH_NUMBERS] = {
	"psn", "ack_psn", "nack_psn", "pkt_id", "nack_pkt_id"};

static bool reach_is_layout(const struct reach_layout *l,
			    const struct packet *pkt)
{
	if (l->format != pkt->format || l->nsec != pkt->nsec)
		return false;
	for (unsigned i = 0; i < pkt->nsec; i++)
		if (l->h[i] != pkt->sec[i].h)
			return false;
	return true;
}

static void reach_layout_make(struct reach_layout *l, const struct packet *pkt)
{
	*l = (struct reach_layout){.format = pkt->format, .nsec = pkt->nsec};
	for (unsigned i = 0; i < pkt->nsec; i++)
		l->h[i] = pkt->sec[i].h;
	for (uint8_t i = 0; i < REACH_FLAGS; i++)
		if (packet_find(pkt, 0, pkt->nsec, reach_flags[i],
				strlen(reach_flags[i]), &l->flag_at[l->nflags]))
			l->flag[l->nflags++] = i;
	for (uint8_t i = 0; i < REACH_NUMBERS && !l->numbered; i++) {
		l->number = i;
		l->numbered =
			packet_find(pkt, 0, pkt->nsec, reach_numbers[i],
				    strlen(reach_numbers[i]), &l->number_at);
	}
}

/*
 * Returns the layout of a packet, remembered by its headers; the last entry is
 * made anew for each other layout when all are taken.
 */
static const struct reach_layout *reach_layout(struct explore_reach *r,
					       const struct packet *pkt)
{
	unsigned i = 0;

	while (i < REACH_LAYOUTS - 1 && r->layouts[i].format &&
	       !reach_is_layout(&r->layouts[i], pkt))
		i++;
	if (!reach_is_layout(&r->layouts[i], pkt))
		reach_layout_make(&r->layouts[i], pkt);
	return &r->layouts[i];
}

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
	const struct reach_layout *l = reach_layout(r, pkt);
	uint64_t h = rng_mix(1, packet_word(pkt)), v;

	for (unsigned i = 0; i < l->nflags; i++) {
		v = packet_get(pkt, &l->flag_at[i]);
		h = reach_mix(h, (uint64_t)l->flag[i] << 32 | v);
	}
	*ret_number = NULL;
	if (!l->numbered)
		return h;
	*number = (uint32_t)packet_get(pkt, &l->number_at);
	*ret_number = number;
	return reach_mix(h,
			 (uint64_t)l->number << 8 | reach_relation(s, *number));
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
