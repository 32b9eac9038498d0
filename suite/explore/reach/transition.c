/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/transition.c -- follows the contexts of a run, and keeps
 * the transitions that runs reached.
 */
#include "suite/explore/reach/transition.h"

#include <string.h>

#include "wire/ib/ib.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

/* ---- Numbers ---- */

/* Returns the signed distance of two numbers of a transport. */
static int32_t place_from(enum draft_subject s, uint32_t a, uint32_t b)
{
	const uint32_t mask = wire_families[draft_family(s)]->psn_mask;
	const uint32_t d = (a - b) & mask;

	return d > mask / 2 ? (int32_t)(d - mask - 1) : (int32_t)d;
}

static unsigned place_find(const struct transition_side *side, uint32_t n)
{
	unsigned i = 0;

	while (i < side->nopen && side->open[i] != n)
		i++;
	return i;
}

static bool place_done(const struct transition_side *side, uint32_t n)
{
	const unsigned size = sizeof(side->done) / sizeof(side->done[0]);

	for (unsigned i = 0; i < size && i < side->ndone; i++)
		if (side->done[i] == n)
			return true;
	return false;
}

static enum number_place place_of(enum draft_subject s,
				  const struct transition_side *side,
				  const uint32_t *n)
{
	int32_t d;

	if (!n)
		return PLACE_NONE;
	if (!side->any)
		return PLACE_FIRST;
	if (place_find(side, *n) < side->nopen)
		return PLACE_OPEN;
	if (s == DRAFT_RUDI)
		return place_done(side, *n) ? PLACE_DONE : PLACE_NEXT;
	d = place_from(s, *n, side->newest);
	if (d == 1)
		return PLACE_NEXT;
	if (d > 1)
		return d <= PLACE_WINDOW ? PLACE_GAP : PLACE_BEYOND;
	return d >= -PLACE_WINDOW ? PLACE_DONE : PLACE_STALE;
}

static void place_add(struct transition_side *side, enum number_place place,
		      uint32_t n)
{
	if (place != PLACE_FIRST && place != PLACE_NEXT && place != PLACE_GAP)
		return;
	side->any = true;
	side->newest = n;
	if (side->nopen < sizeof(side->open) / sizeof(side->open[0]))
		side->open[side->nopen++] = n;
}

/* Answers one request, or those up to it. */
static void place_answer(enum draft_subject s, struct transition_side *side,
			 uint32_t n, bool up_to)
{
	side->done[side->ndone++ % (sizeof(side->done) / sizeof(n))] = n;
	for (unsigned i = side->nopen; i-- > 0;)
		if (side->open[i] == n ||
		    (up_to && place_from(s, side->open[i], n) < 0))
			side->open[i] = side->open[--side->nopen];
}

/* ---- States ---- */

static enum context_state context_state(const struct transition_context *c)
{
	if (c->closed)
		return CONTEXT_CLOSED;
	if (c->closing)
		return CONTEXT_CLOSING;
	if (!c->begun)
		return CONTEXT_NONE;
	if (!c->opened)
		return CONTEXT_OPENING;
	if (c->hole)
		return CONTEXT_HOLE;
	return c->side[0].nopen + c->side[1].nopen ? CONTEXT_BUSY
						   : CONTEXT_IDLE;
}

static void context_request(struct transition_run *run,
			    struct transition_context *c, unsigned from,
			    unsigned class, enum number_place place,
			    const uint32_t *number)
{
	const bool handshake = run->subject == DRAFT_RUD ||
			       run->subject == DRAFT_ROD ||
			       run->subject == DRAFT_SRD;

	if (class == CLASS_SYN && c->closed)
		*c = (struct transition_context){.begun = true};
	if (class == CLASS_SYN)
		c->begun = true;
	if (!handshake)
		c->begun = c->opened = true;
	if (!number)
		return;
	if (place == PLACE_OPEN)
		c->hole = false;
	place_add(&c->side[from], place, *number);
	if (class != CLASS_CLOSE || !c->begun)
		return;
	c->closing = true;
	c->close = *number;
}

/* Returns whether the packet answers all older requests, up to |*ret|. */
static bool context_cumulative(enum draft_subject s, const struct packet *pkt,
			       uint32_t number, uint32_t *ret)
{
	uint64_t cack;
	struct pds_ack ack;

	*ret = number;
	switch (s) {
	case DRAFT_RUD:
	case DRAFT_ROD:
		pds_ack_get(&ack, pkt->p);
		*ret = ack.cack_psn;
		return true;
	case DRAFT_SRD:
		if (!packet_value(pkt, "cack", &cack))
			return false;
		*ret = (uint32_t)cack;
		return true;
	default:
		return s != DRAFT_RUDI;
	}
}

static void context_answer(struct transition_run *run,
			   struct transition_context *c, unsigned from,
			   const struct packet *pkt, uint32_t number)
{
	struct transition_side *side = &c->side[!from];
	uint32_t up_to;

	/* read data has the number of each of its packets */
	if ((run->subject == DRAFT_WQE || run->subject == DRAFT_ROCE) &&
	    place_from(run->subject, number, side->newest) == 1)
		side->newest = number;
	if (context_cumulative(run->subject, pkt, number, &up_to))
		place_answer(run->subject, side, up_to, true);
	place_answer(run->subject, side, number, false);
	c->opened |= c->begun;
	if (!c->side[0].nopen && !c->side[1].nopen)
		c->hole = false;
	if (c->closing && place_find(side, c->close) == side->nopen)
		c->closed = true;
}

static void context_packet(struct transition_run *run,
			   struct transition_context *c, unsigned from,
			   const struct packet *pkt, unsigned kind,
			   enum number_place place, const uint32_t *number)
{
	const struct transition_table *t = &run->set->table;

	switch (t->class[kind]) {
	case CLASS_ANSWER:
		if (number && c->side[!from].any)
			context_answer(run, c, from, pkt, *number);
		break;
	case CLASS_REFUSAL:
		if (place == PLACE_OPEN && c->opened)
			c->hole = true;
		break;
	case CLASS_FATAL:
		if (place == PLACE_OPEN || place == PLACE_DONE)
			c->closed = true;
		break;
	case CLASS_CONTROL:
		if (number && t->asks[kind] && t->number[kind] == NUMBER_TAKES)
			place_add(&c->side[from], place, *number);
		break;
	default:
		context_request(run, c, from, t->class[kind], place, number);
	}
}

/* ---- The set ---- */

static size_t transition_index(const struct transition *x)
{
	size_t i = (size_t)x->chair * 2 + x->from_device;

	i = i * TRANSITION_KINDS + x->kind;
	i = i * PLACES + x->place;
	i = i * CONTEXT_STATES + x->before;
	return i * CONTEXT_STATES + x->after;
}

static void transition_members(size_t i, struct transition *ret)
{
	ret->after = (enum context_state)(i % CONTEXT_STATES);
	i /= CONTEXT_STATES;
	ret->before = (enum context_state)(i % CONTEXT_STATES);
	i /= CONTEXT_STATES;
	ret->place = (enum number_place)(i % PLACES);
	i /= PLACES;
	ret->kind = (uint16_t)(i % TRANSITION_KINDS);
	i /= TRANSITION_KINDS;
	ret->from_device = i % 2;
	ret->chair = (enum chair)(i / 2);
}

void transition_begin(struct transition_run *run, struct transition_set *t,
		      enum draft_subject s, enum chair chair)
{
	if (!t->made)
		transition_table(&t->table, s);
	t->made = true;
	*run = (struct transition_run){.set = t, .subject = s, .chair = chair};
}

bool transition_step(struct transition_run *run, const struct packet *pkt,
		     bool from_device, unsigned context, const uint32_t *number)
{
	struct transition_set *t = run->set;
	struct transition_context *c = &run->contexts[context % RECORD_PDCS];
	struct transition x = {.chair = run->chair, .from_device = from_device};
	unsigned kind;
	bool answers;
	size_t i;

	if (pkt->fault == PACKET_TYPE ||
	    !transition_kind(&t->table, pkt, &kind))
		return false;
	if (t->table.number[kind] == NUMBER_NONE)
		number = NULL;
	answers = t->table.class[kind] >= CLASS_ANSWER &&
		  t->table.class[kind] <= CLASS_FATAL;
	x.kind = (uint16_t)kind;
	x.before = context_state(c);
	x.place = place_of(run->subject, &c->side[from_device != answers],
			   number);
	context_packet(run, c, from_device, pkt, kind, x.place, number);
	x.after = context_state(c);
	i = transition_index(&x);
	if (t->set[i / 8] >> (i % 8) & 1)
		return false;
	t->set[i / 8] = (uint8_t)(t->set[i / 8] | 1u << (i % 8));
	if (transition_possible(&t->table, run->subject, &x))
		return true;
	t->beyond++;
	return false;
}

/* Returns the first transition of a chair. */
static size_t transition_first(enum chair chair)
{
	return TRANSITIONS / CHAIR_COUNT * (size_t)chair;
}

/* Returns whether a transition of the set's transport is possible. */
static bool transition_exists(const struct transition_set *t,
			      enum draft_subject s, size_t i,
			      struct transition *ret)
{
	transition_members(i, ret);
	return ret->kind < t->table.kinds &&
	       transition_possible(&t->table, s, ret);
}

void transition_count(const struct transition_set *t, enum draft_subject s,
		      enum chair chair, struct transition_counts *ret)
{
	const size_t first = transition_first(chair);
	/* of each end; the packets of a kind stand together */
	const size_t each = TRANSITIONS / CHAIR_COUNT / 2;
	const size_t used = each / TRANSITION_KINDS * t->table.kinds;
	struct transition x;

	*ret = (struct transition_counts){0};
	for (size_t k = 0; k < 2 * used; k++) {
		const size_t i = first + k / used * each + k % used;

		if (!transition_exists(t, s, i, &x))
			continue;
		ret->possible++;
		ret->reached += t->set[i / 8] >> (i % 8) & 1;
	}
}

bool transition_left(const struct transition_set *t, enum draft_subject s,
		     enum chair chair, size_t *at, struct transition *ret)
{
	const size_t first = transition_first(chair);

	while (*at < TRANSITIONS / CHAIR_COUNT) {
		const size_t i = first + (*at)++;

		if (!(t->set[i / 8] >> (i % 8) & 1) &&
		    transition_exists(t, s, i, ret))
			return true;
	}
	return false;
}
