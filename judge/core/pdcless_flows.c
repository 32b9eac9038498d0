/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/pdcless_flows.c -- statistics of the packets without a PDC between
 * two addresses.
 *
 * No rule uses them.
 */
#include "judge/core/pdcless_flows.h"

#include <string.h>

#include "base/memory.h"
#include "judge/core/flow_stats.h"
#include "judge/core/state.h"
#include "judge/uet/pdcless/pdcless.h"
#include "judge/uet/pkt_ctx.h"

static void pdcless_show(const struct pdcless_flow *f, struct judge_flow *ret)
{
	*ret = (struct judge_flow){
		.number = JUDGE_NO_FLOW,
		.pdcless = f->what,
		.addr = {f->addr[0], f->addr[1]},
		.began = true,
		.first_frame = f->first_frame,
		.first_at = f->first_at,
		.stats = &f->stats,
	};
}

static size_t pdcless_size(uint32_t mask)
{
	return (mask + (size_t)1) * sizeof(struct pdcless_flow);
}

/* Returns a zeroed table for pool_large_free(); NULL if there is no memory. */
static struct pdcless_flow *pdcless_table(const struct judge *j, uint32_t mask)
{
	if (!j->conf.memory)
		return memory_calloc(1, pdcless_size(mask));
	return pool_large(j->conf.memory, pdcless_size(mask));
}

/* Allocates the table on first use: many judges never see such a packet. */
static bool pdcless_ready(struct judge *j)
{
	if (j->pdcless)
		return true;
	j->pdcless_mask = PDCLESS_FIRST - 1;
	j->pdcless = pdcless_table(j, j->pdcless_mask);
	return j->pdcless;
}

void pdcless_flows_free(struct judge *j)
{
	if (!j->pdcless)
		return;
	pool_large_free(j->conf.memory, j->pdcless,
			pdcless_size(j->pdcless_mask));
}

void pdcless_flows_reset(struct judge *j)
{
	if (j->nloose)
		memset(j->pdcless, 0, pdcless_size(j->pdcless_mask));
	j->nloose = 0;
	j->pdcless_forgotten = 0;
}

static uint32_t pdcless_hash(const struct pdcless_flow *f)
{
	return ip_addr_hash(ip_addr_hash(f->what, &f->addr[0]), &f->addr[1]);
}

/*
 * Returns the flow between these addresses, or the free slot where it would be.
 */
static struct pdcless_flow *pdcless_slot(const struct judge *j,
					 const struct pdcless_flow *like)
{
	for (uint32_t at = pdcless_hash(like);; at++) {
		struct pdcless_flow *f = &j->pdcless[at & j->pdcless_mask];

		if (!f->used || (f->what == like->what &&
				 ip_addr_equal(&f->addr[0], &like->addr[0]) &&
				 ip_addr_equal(&f->addr[1], &like->addr[1])))
			return f;
	}
}

static bool more_pdcless(struct judge *j)
{
	const uint32_t mask = j->pdcless_mask, twice = 2 * mask + 1;
	struct pdcless_flow *old = j->pdcless;
	struct pdcless_flow *p = pdcless_table(j, twice);

	if (!p)
		return false;
	j->pdcless = p;
	j->pdcless_mask = twice;
	for (uint32_t i = 0; i <= mask; i++)
		if (old[i].used)
			*pdcless_slot(j, &old[i]) = old[i];
	pool_large_free(j->conf.memory, old, pdcless_size(mask));
	return true;
}

/* Reports all flows as they are, and clears the table. */
static void forget_pdcless(struct judge *j)
{
	const uint64_t before = j->pdcless_forgotten + j->nloose;
	struct judge_flow view;

	for (uint32_t i = 0; j->conf.over && i <= j->pdcless_mask; i++) {
		if (!j->pdcless[i].used)
			continue;
		pdcless_show(&j->pdcless[i], &view);
		j->conf.over(j->conf.arg, &view);
	}
	pdcless_flows_reset(j);
	j->pdcless_forgotten = before;
}

/*
 * Grows the table, since half of the slots must stay free.  It holds at most as
 * many flows as there may be PDCs.
 */
static void make_pdcless_room(struct judge *j)
{
	const size_t most = j->table.max > PDCLESS_FIRST / 2
				    ? j->table.max
				    : PDCLESS_FIRST / 2;

	if (j->nloose >= most ||
	    (2 * j->nloose > j->pdcless_mask && !more_pdcless(j)))
		forget_pdcless(j);
}

static struct pdcless_flow *pdcless_flow(struct pkt_ctx *l)
{
	const bool asks = l->kind == PKT_RUDI || l->kind == PKT_UUD;
	const struct dgram *d = l->in->d;
	const struct pdcless_flow new = {
		.used = true,
		.what = l->kind == PKT_UUD ? JUDGE_UUD : JUDGE_RUDI,
		.addr = {asks ? d->src : d->dst, asks ? d->dst : d->src},
		.first_frame = l->in->frame,
		.first_at = l->at,
	};
	struct pdcless_flow *f = pdcless_slot(l->j, &new);

	if (f->used)
		return f;
	make_pdcless_room(l->j);
	f = pdcless_slot(l->j, &new);
	*f = new;
	l->j->nloose++;
	return f;
}

static void pdcless_request(struct pkt_ctx *l, struct judge_side_stats *s)
{
	const struct judge_rudi_pkt *p = l->rudi;

	s->requests++;
	if (l->kind == PKT_RUDI && !pdcless_is_another(l))
		s->again[p->flags & RUDI_NACKED ? CAUSE_NACK : CAUSE_TIMER]++;
}

static void pdcless_response(const struct pkt_ctx *l,
			     struct judge_flow_stats *t)
{
	const struct judge_rudi_pkt *p = l->rudi;
	unsigned k;

	t->side[1].acks++;
	if (!p || p->copies != 1 || p->answers)
		return;
	k = flow_stats_bucket(l->at - p->sent_at, JUDGE_RTT_PER, JUDGE_RTT);
	if (t->rtt[k] < UINT16_MAX)
		t->rtt[k]++;
}

void tally_pdcless(struct pkt_ctx *l)
{
	const bool asks = l->kind == PKT_RUDI || l->kind == PKT_UUD;
	struct pdcless_flow *f;

	if (l->kind == PKT_RUDI_NACK)
		l->j->totals.nacks[l->nack.nack_code]++;
	if (!pdcless_ready(l->j)) {
		l->j->pdcless_forgotten++;
		return;
	}
	f = pdcless_flow(l);
	f->stats.last_at = l->at;
	f->stats.side[!asks].packets++;
	if (asks)
		pdcless_request(l, &f->stats.side[0]);
	else if (l->kind == PKT_RUDI_NACK)
		f->stats.side[1].nacks++;
	else
		pdcless_response(l, &f->stats);
}

void pdcless_flows_each(const struct judge *j,
			void (*see)(void *arg, const struct judge_flow *f),
			void *arg)
{
	struct judge_flow view;

	for (uint32_t i = 0; j->pdcless && i <= j->pdcless_mask; i++) {
		if (!j->pdcless[i].used)
			continue;
		pdcless_show(&j->pdcless[i], &view);
		see(arg, &view);
	}
}
