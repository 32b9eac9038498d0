/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/tally.c -- what a flow did, in numbers, for summaries.
 *
 * Nothing is judged by these.
 */
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "judge/roce.h"
#include "judge/srd.h"
#include "judge/state.h"
#include "judge/wqe.h"

/* Buckets of |per| to an octave; the last one takes all that is longer. */
static unsigned bucket(vspan rtt, unsigned per, unsigned n)
{
	const uint64_t us = rtt > 0 ? (uint64_t)rtt / VSPAN_US : 0;
	unsigned octave, k;

	if (us < 1)
		return 0;
	octave = 63u - (unsigned)__builtin_clzll(us);
	/* How far into the octave, in steps of 1/per of it. */
	k = (unsigned)(((us << 8 >> octave) - 256) * per >> 8);
	k += 1 + octave * per;
	return k < n ? k : n - 1;
}

/* The longest span of a bucket. */
static vspan longest(unsigned k, unsigned per)
{
	const unsigned octave = k ? (k - 1) / per : 0;
	const unsigned part = k ? (k - 1) % per + 1 : 0;

	if (!k)
		return VSPAN_US;
	return (vspan)(((uint64_t)VSPAN_US << octave) * (per + part) / per);
}

static vspan nth(uint64_t (*count)(const void *, unsigned), const void *of,
		 unsigned n, unsigned per, unsigned permille)
{
	uint64_t all = 0, up = 0;

	for (unsigned k = 0; k < n; k++)
		all += count(of, k);
	if (!all)
		return -1;
	for (unsigned k = 0; k < n; k++) {
		up += count(of, k);
		if (up * 1000 >= all * permille)
			return longest(k, per);
	}
	return longest(n - 1, per);
}

static uint64_t of_flow(const void *of, unsigned k)
{
	return ((const struct judge_tally *)of)->rtt[k];
}

static uint64_t of_all(const void *of, unsigned k)
{
	return ((const struct judge_totals *)of)->rtt[k];
}

vspan judge_flow_rtt(const struct judge_tally *t, unsigned permille)
{
	return nth(of_flow, t, JUDGE_RTT, JUDGE_RTT_PER, permille);
}

vspan judge_rtt(const struct judge_totals *t, unsigned permille)
{
	return nth(of_all, t, JUDGE_RTT_ALL, JUDGE_RTT_ALL_PER, permille);
}

/* The bucket of a flow that holds one of all flows. */
static unsigned wider(unsigned k)
{
	k = k ? 1 + (k - 1) / (JUDGE_RTT_ALL_PER / JUDGE_RTT_PER) : 0;
	return k < JUDGE_RTT ? k : JUDGE_RTT - 1;
}

static void count_rtt(uint16_t rtts[JUDGE_RTT], unsigned k)
{
	if (rtts[k] < UINT16_MAX)
		rtts[k]++;
}

/* Counts it with those of all flows.  Return: the bucket of its own. */
static unsigned sort_rtt(struct judge *j, vspan rtt)
{
	const unsigned k = bucket(rtt, JUDGE_RTT_ALL_PER, JUDGE_RTT_ALL);

	j->totals.rtt[k]++;
	return wider(k);
}

void tally_rtt(struct judge *j, uint16_t rtts[JUDGE_RTT], vspan rtt)
{
	count_rtt(rtts, sort_rtt(j, rtt));
}

/* What waits is counted. */
static void count_late(const struct flow *f, uint16_t rtts[JUDGE_RTT])
{
	for (unsigned i = 0; i < f->nlate; i++)
		count_rtt(rtts, f->late[i]);
}

HOT void tally_rtt_of(struct judge *j, struct flow *f, vspan rtt)
{
	if (unlikely(f->nlate == FLOW_LATE)) {
		count_late(f, f->rtt);
		f->nlate = 0;
	}
	f->late[f->nlate++] = (uint8_t)sort_rtt(j, rtt);
}

/* The answer to a PSN that was sent once, as it comes first. */
static void take_rtt(struct look *l)
{
	const struct psn_state *s = l->old;

	if (likely(s && s->copies == 1 &&
		   !(s->flags & (PSN_ACKED | PSN_OWN_ACK))))
		tally_rtt_of(l->j, l->f, l->at - s->sent_at);
}

static void take_ack(struct look *l)
{
	struct dir *d = l->peer;
	const int32_t n = serial_diff(l->ack.cack_psn, d->cack);

	d->tally.acks++;
	if (d->cack_known && n > 0 && n <= FLOW_WINDOW)
		d->tally.covered += (uint32_t)n;
	if (l->has_ack_psn)
		take_rtt(l);
}

static void take_source(struct look *l)
{
	struct end_rare *r = &l->f->rare[l->from];

	if (unlikely(l->kind == LOOK_CP))
		r->cps++;
	else
		l->own->tally.requests++;
	if (likely(!l->takes_psn || !l->old))
		return;
	if (l->twin)
		r->twins++;
	else
		r->again[look_cause(l)]++;
}

HOT void tally_take(struct look *l)
{
	l->f->last_at = l->at;
	switch (l->kind) {
	case LOOK_ACK:
		take_ack(l);
		break;
	case LOOK_NACK:
		l->f->rare[l->from].nacks++;
		l->j->totals.nacks[l->nack.nack_code]++;
		break;
	default:
		take_source(l);
		break;
	}
}

/* ---- Without a PDC ---- */

static void loose_show(const struct loose_flow *f, struct judge_flow *ret)
{
	*ret = (struct judge_flow){
		.number = JUDGE_NO_FLOW,
		.loose = f->what,
		.addr = {f->addr[0], f->addr[1]},
		.began = true,
		.first_frame = f->first_frame,
		.first_at = f->first_at,
		.tally = &f->tally,
	};
}

static size_t loose_size(uint32_t mask)
{
	return (mask + (size_t)1) * sizeof(struct loose_flow);
}

int loose_flows_new(struct judge *j)
{
	j->loose_mask = LOOSE_FIRST - 1;
	j->loose = pool_large(j->conf.memory, loose_size(j->loose_mask));
	return j->loose ? 0 : ERR_NOMEM;
}

void loose_flows_free(struct judge *j)
{
	pool_large_free(j->conf.memory, j->loose, loose_size(j->loose_mask));
}

void loose_flows_reset(struct judge *j)
{
	memset(j->loose, 0, loose_size(j->loose_mask));
	j->nloose = 0;
	j->loose_forgotten = 0;
}

static uint32_t loose_hash(const struct loose_flow *f)
{
	return ip_addr_hash(ip_addr_hash(f->what, &f->addr[0]), &f->addr[1]);
}

/* The flow between these addresses, or the free slot that would be its. */
static struct loose_flow *loose_slot(const struct judge *j,
				     const struct loose_flow *like)
{
	for (uint32_t at = loose_hash(like);; at++) {
		struct loose_flow *f = &j->loose[at & j->loose_mask];

		if (!f->used || (f->what == like->what &&
				 ip_addr_equal(&f->addr[0], &like->addr[0]) &&
				 ip_addr_equal(&f->addr[1], &like->addr[1])))
			return f;
	}
}

static bool more_loose(struct judge *j)
{
	const uint32_t mask = j->loose_mask, twice = 2 * mask + 1;
	struct loose_flow *old = j->loose;
	struct loose_flow *p = pool_large(j->conf.memory, loose_size(twice));

	if (!p)
		return false;
	j->loose = p;
	j->loose_mask = twice;
	for (uint32_t i = 0; i <= mask; i++)
		if (old[i].used)
			*loose_slot(j, &old[i]) = old[i];
	pool_large_free(j->conf.memory, old, loose_size(mask));
	return true;
}

/* They are shown as they are, and begin anew. */
static void forget_loose(struct judge *j)
{
	const uint64_t before = j->loose_forgotten + j->nloose;
	struct judge_flow view;

	for (uint32_t i = 0; j->conf.over && i <= j->loose_mask; i++) {
		if (!j->loose[i].used)
			continue;
		loose_show(&j->loose[i], &view);
		j->conf.over(j->conf.arg, &view);
	}
	loose_flows_reset(j);
	j->loose_forgotten = before;
}

/* Half of the slots stay free; there are no more flows than there are PDCs. */
static void make_loose_room(struct judge *j)
{
	const size_t most =
		j->table.max > LOOSE_FIRST / 2 ? j->table.max : LOOSE_FIRST / 2;

	if (j->nloose >= most ||
	    (2 * j->nloose > j->loose_mask && !more_loose(j)))
		forget_loose(j);
}

static struct loose_flow *loose_flow(struct look *l)
{
	const bool asks = l->kind == LOOK_RUDI || l->kind == LOOK_UUD;
	const struct dgram *d = l->in->d;
	const struct loose_flow new = {
		.used = true,
		.what = l->kind == LOOK_UUD ? JUDGE_UUD : JUDGE_RUDI,
		.addr = {asks ? d->src : d->dst, asks ? d->dst : d->src},
		.first_frame = l->in->frame,
		.first_at = l->at,
	};
	struct loose_flow *f = loose_slot(l->j, &new);

	if (f->used)
		return f;
	make_loose_room(l->j);
	f = loose_slot(l->j, &new);
	*f = new;
	l->j->nloose++;
	return f;
}

static void loose_request(struct look *l, struct judge_side_tally *s)
{
	const struct rudi_pkt *p = l->rudi;

	s->requests++;
	if (l->kind == LOOK_RUDI && !loose_is_another(l))
		s->again[p->flags & RUDI_NACKED ? CAUSE_NACK : CAUSE_TIMER]++;
}

static void loose_response(const struct look *l, struct judge_tally *t)
{
	const struct rudi_pkt *p = l->rudi;
	unsigned k;

	t->side[1].acks++;
	if (!p || p->copies != 1 || p->answers)
		return;
	k = bucket(l->at - p->sent_at, JUDGE_RTT_PER, JUDGE_RTT);
	if (t->rtt[k] < UINT16_MAX)
		t->rtt[k]++;
}

void tally_loose(struct look *l)
{
	struct loose_flow *f = loose_flow(l);
	const bool asks = l->kind == LOOK_RUDI || l->kind == LOOK_UUD;

	if (l->kind == LOOK_RUDI_NACK)
		l->j->totals.nacks[l->nack.nack_code]++;
	f->tally.last_at = l->at;
	f->tally.side[!asks].packets++;
	if (asks)
		loose_request(l, &f->tally.side[0]);
	else if (l->kind == LOOK_RUDI_NACK)
		f->tally.side[1].nacks++;
	else
		loose_response(l, &f->tally);
}

/* ---- Showing ---- */

void dir_tally_add(struct dir_tally *to, const struct dir_tally *t)
{
	to->requests += t->requests;
	to->acks += t->acks;
	to->covered += t->covered;
}

static void show_end(const struct flow *f, unsigned end,
		     struct judge_side_tally *ret)
{
	const struct end_rare *r = &f->rare[end];
	struct dir_tally own = f->tally[end], peer = f->tally[!end];

	if (f->home) {
		dir_tally_add(&own, &f->home->dir[end].tally);
		dir_tally_add(&peer, &f->home->dir[!end].tally);
	}
	*ret = (struct judge_side_tally){.requests = own.requests,
					 .cps = r->cps,
					 .acks = peer.acks,
					 .nacks = r->nacks,
					 .twins = r->twins,
					 .covered = peer.covered};
	ret->packets = ret->requests + ret->cps + ret->acks + ret->nacks;
	memcpy(ret->again, r->again, sizeof(ret->again));
}

void tally_ends(const struct flow *f, struct judge_side_tally ret[2])
{
	for (unsigned i = 0; i < 2; i++)
		show_end(f, i, &ret[i]);
}

void tally_show(const struct flow *f, struct judge_flow *ret,
		struct judge_tally *ret_tally)
{
	*ret = (struct judge_flow){
		.number = f->number,
		.initiator = f->initiator,
		.whole = f->whole,
		.rod = f->rod,
		.slept = f->slept,
		.began = f->began,
		.closed = f->closed || f->fatal_at,
		.first_frame = f->first_frame,
		.first_at = f->first_at,
		.tally = ret_tally,
	};
	ret_tally->last_at = f->last_at;
	memcpy(ret_tally->rtt, f->rtt, sizeof(f->rtt));
	count_late(f, ret_tally->rtt);
	for (unsigned i = 0; i < 2; i++) {
		ret->addr[i] = f->end[i].addr;
		ret->pdcid[i] = f->end[i].pdcid;
	}
	tally_ends(f, ret_tally->side);
}

void judge_flows(const struct judge *j,
		 void (*see)(void *arg, const struct judge_flow *f), void *arg)
{
	struct judge_tally tally;
	struct judge_flow view;

	for (size_t i = 0; i < j->table.n; i++) {
		if (!j->table.flows[i].used)
			continue;
		tally_show(&j->table.flows[i], &view, &tally);
		see(arg, &view);
	}
	ib_flows_each(srd_seen_flows(j->srd), see, arg);
	ib_flows_each(wqe_seen_flows(j->wqe), see, arg);
	ib_flows_each(roce_seen_flows(j->roce), see, arg);
	for (uint32_t i = 0; i <= j->loose_mask; i++) {
		if (!j->loose[i].used)
			continue;
		loose_show(&j->loose[i], &view);
		see(arg, &view);
	}
}

const struct judge_totals *judge_totals(struct judge *j)
{
	j->totals.forgotten =
		j->table.forgotten + j->ib_forgotten + j->loose_forgotten;
	j->totals.slept = j->table.slept;
	return &j->totals;
}
