/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/ledger_close.c -- checks what can only be checked at the end of a
 * run: operations, packets, PDCs, memory, counters.
 */
#include "tests/soak/ledger_close.h"

#include "base/pattern.h"
#include "tests/soak/bytes.h"

/* ---- Operations ---- */

/* Returns true if EV_RECV cannot tell two messages apart: they have no id. */
static bool alike(const struct plan_op *a, const struct plan_op *b)
{
	return !plan_is_loose(a) && !plan_is_loose(b) && !a->op.message_id &&
	       !b->op.message_id && a->side == b->side &&
	       a->op.kind == b->op.kind && a->op.header == b->op.header &&
	       a->op.len == b->op.len && a->op.amo.fetch == b->op.amo.fetch;
}

static bool mangled(const struct plan_op *o)
{
	return o->error || o->failed || o->refused;
}

/*
 * Assigns receptions to messages that look alike: those that succeeded were
 * received; an abandoned one may have been.
 */
static void hand_on(struct plan *p, struct plan_op *o, bool given_up)
{
	for (unsigned i = 0; o->received && mangled(o) && i < p->n; i++) {
		struct plan_op *other = &p->ops[i];

		if (!other->received && !other->error &&
		    other->failed == given_up && alike(o, other)) {
			o->received--;
			other->received++;
		}
	}
}

static void hand_all_on(struct plan *p)
{
	for (unsigned i = 0; i < p->n; i++)
		hand_on(p, &p->ops[i], false);
	for (unsigned i = 0; i < p->n; i++)
		if (p->ops[i].error)
			hand_on(p, &p->ops[i], true);
}

/*
 * A target that abandons return data cannot report it to the initiator, and no
 * timer of the PDS ends the wait of a read whose requests were all answered.
 */
static bool waits_for_ever(const struct ledger *l, const struct plan_op *o)
{
	return (o->op.kind == OP_READ || o->op.amo.fetch) && l->data_lost &&
	       o->answers == o->npackets;
}

/*
 * Without a PDC a message may come more than once, or not at all; one without
 * an id may be taken for another.
 */
static void close_loose(struct ledger *l, const struct plan_op *o)
{
	const bool rudi = o->op.mode == OP_RUDI;

	if (!o->completed)
		ledger_wrong(l, "operation %u never completed", o->op.handle);
	if (o->answers + o->failures != (rudi ? o->npackets : 0))
		ledger_wrong(l, "operation %u: %u packets of %u answered",
			     o->op.handle, o->answers, o->npackets);
	if (rudi && o->op.kind == OP_WRITE && o->npackets == 1 && !mangled(o) &&
	    o->op.message_id && !o->received)
		ledger_wrong(l, "the write of operation %u never arrived",
			     o->op.handle);
}

static void close_op(struct ledger *l, const struct plan_op *o)
{
	const bool arrives = plan_receives(o) && !o->error;

	if (!o->completed && !waits_for_ever(l, o))
		ledger_wrong(l, "operation %u never completed", o->op.handle);
	if (o->received != arrives && !(o->failed && o->received <= 1))
		ledger_wrong(l, "message of operation %u received %u times",
			     o->op.handle, o->received);
	if (o->late && o->answers == 2 * o->npackets)
		return; /* a target that deferred it answers twice */
	if (o->answers + o->failures != o->npackets && !o->failed)
		ledger_wrong(l, "operation %u: %u packets of %u answered",
			     o->op.handle, o->answers, o->npackets);
	if (o->answers + o->failures > o->npackets)
		ledger_wrong(l, "operation %u: more answers than packets",
			     o->op.handle);
}

/* Returns how many packets of an operation a target was handed. */
static uint32_t handed_packets(const struct plan_op *o)
{
	return o->late ? o->answers : o->npackets;
}

static void close_ops(struct ledger *l)
{
	uint32_t packets = 0;

	hand_all_on(l->plan);
	for (unsigned i = 0; i < l->plan->n; i++) {
		if (plan_is_loose(&l->plan->ops[i])) {
			close_loose(l, &l->plan->ops[i]);
			continue;
		}
		close_op(l, &l->plan->ops[i]);
		packets += handed_packets(&l->plan->ops[i]);
	}
	if (packets != l->forward && !l->plan->frail)
		ledger_wrong(l, "%u request packets delivered instead of %u",
			     l->forward, packets);
}

/* ---- Packets and PDCs ---- */

/* A datagram is not retransmitted. */
static void close_datagrams(struct ledger *l, unsigned side)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < l->plan->n; i++)
		n += l->plan->ops[i].side == side &&
		     l->plan->ops[i].op.mode == OP_UUD;
	if (n != l->datagrams[side])
		ledger_wrong(l, "%u datagrams sent instead of %u",
			     l->datagrams[side], n);
}

static void close_packets(struct ledger *l)
{
	for (uint32_t i = 0; i < l->nused; i++) {
		const struct entry *e = &l->v[l->used[i]];

		if (l->plan->frail || e->rudi
			    ? e->delivered < e->answered
			    : e->delivered != 1 || e->answered != 1)
			ledger_wrong(l,
				     "psn %u was delivered %u times and "
				     "answered %u times",
				     (uint32_t)e->key, e->delivered,
				     e->answered);
	}
}

static void close_pdcs(struct ledger *l)
{
	for (unsigned i = 0; i < l->ntouched; i++) {
		const unsigned side = l->touched[i].side;
		const uint16_t pdcid = l->touched[i].pdcid;
		const struct pdcid *p = &l->pdcids[side][pdcid];

		if (p->asked && p->open && !l->plan->frail)
			ledger_wrong(l, "pdc %u was asked to close and has not",
				     pdcid);
	}
}

/* ---- Memory ---- */

/* Writes are laid out one behind the other; the gaps must be untouched. */
static void close_memory(struct ledger *l, unsigned side,
			 const struct orc_api *api, const struct orc *end)
{
	const uint64_t memory = pattern_memory(PLAN_KEY_WRITES);
	const uint8_t *p;
	size_t len, at = 0;

	if (api->memory(end, PLAN_KEY_WRITES, &p, &len)) {
		ledger_wrong(l, "the exposed memory is gone");
		return;
	}
	for (unsigned i = 0; i < l->plan->n; i++) {
		const struct plan_op *o = &l->plan->ops[i];
		const size_t to = o->op.offset;

		if (o->side == side || o->op.kind != OP_WRITE ||
		    o->op.key != PLAN_KEY_WRITES || to + o->op.len > len)
			continue;
		if (!bytes_fit(p + at, to - at, memory, (uint32_t)at) ||
		    (!mangled(o) &&
		     !bytes_fit(p + to, o->op.len, o->op.handle, 0)))
			ledger_wrong(l, "the memory of operation %u is wrong",
				     i);
		at = to + o->op.len;
	}
	if (!bytes_fit(p + at, len - at, memory, (uint32_t)at))
		ledger_wrong(l, "memory was written that nobody wrote");
}

/*
 * Each operand was added once; that of a failed operation may have been added.
 */
static void close_count(struct ledger *l, unsigned side, uint32_t offset,
			uint64_t count)
{
	uint64_t least = bytes_first_count(PLAN_KEY_COUNTS, offset);
	uint64_t most = least;

	for (unsigned i = 0; i < l->plan->n; i++) {
		const struct plan_op *o = &l->plan->ops[i];
		const bool sure = o->completed && !o->failed;

		if (o->side == side || o->op.kind != OP_ATOMIC || o->error ||
		    o->op.offset != offset)
			continue;
		if (sure)
			least += o->op.amo.operand;
		most += o->op.amo.operand;
	}
	if (count - least > most - least)
		ledger_wrong(l,
			     "the count at %u is not the sum of what was "
			     "added",
			     offset);
}

static void close_counts(struct ledger *l, unsigned side,
			 const struct orc_api *api, const struct orc *end)
{
	const uint8_t *p;
	size_t len;

	if (api->memory(end, PLAN_KEY_COUNTS, &p, &len) ||
	    len != PLAN_MEM_COUNTS) {
		ledger_wrong(l, "the counts are gone");
		return;
	}
	for (uint32_t at = 0; at < len; at += 8)
		close_count(l, side, at, bytes_count(p + at));
}

void ledger_close(struct ledger *l, const struct orc_api *const *api,
		  struct orc *const *end)
{
	close_ops(l);
	close_packets(l);
	close_pdcs(l);
	for (unsigned i = 0; i < SIDES; i++) {
		close_datagrams(l, i);
		close_memory(l, i, api[i], end[i]);
		close_counts(l, i, api[i], end[i]);
	}
}
