/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_summary.c -- makes the summary of a flow from its counters.
 */
#include "judge/core/flow_summary.h"

#include <string.h>

void flow_stats_count_rtt(uint16_t rtts[JUDGE_RTT], unsigned k)
{
	if (rtts[k] < UINT16_MAX)
		rtts[k]++;
}

/* Counts the round trips that are still queued in |late|. */
void flow_stats_count_late(const struct flow *f, uint16_t rtts[JUDGE_RTT])
{
	for (unsigned i = 0; i < f->nlate; i++)
		flow_stats_count_rtt(rtts, f->late[i]);
}

void dir_stats_add(struct dir_stats *to, const struct dir_stats *t)
{
	to->requests += t->requests;
	to->acks += t->acks;
	to->covered += t->covered;
}

static void show_end(const struct flow *f, unsigned end,
		     struct judge_side_stats *ret)
{
	const struct end_rare *r = &f->rare->end[end];
	struct dir_stats own = f->stats[end], peer = f->stats[!end];

	if (f->hot) {
		dir_stats_add(&own, &f->hot->dir[end].stats);
		dir_stats_add(&peer, &f->hot->dir[!end].stats);
	}
	*ret = (struct judge_side_stats){.requests = own.requests,
					 .cps = r->cps,
					 .acks = peer.acks,
					 .nacks = r->nacks,
					 .net_dups = r->net_dups,
					 .covered = peer.covered};
	ret->packets = ret->requests + ret->cps + ret->acks + ret->nacks;
	memcpy(ret->again, r->again, sizeof(ret->again));
}

void flow_stats_ends(const struct flow *f, struct judge_side_stats ret[2])
{
	for (unsigned i = 0; i < 2; i++)
		show_end(f, i, &ret[i]);
}

const char *flow_stats_mode(const struct judge_flow *f)
{
	if (f->pdcless != JUDGE_PDC)
		return f->pdcless == JUDGE_RUDI ? "rudi" : "uud";
	if (f->rod)
		return "rod";
	return "rud";
}

void flow_stats_show(const struct flow *f, struct judge_flow *ret,
		     struct judge_flow_stats *ret_stats)
{
	*ret = (struct judge_flow){
		.number = f->number,
		.initiator = f->initiator,
		.complete = f->complete,
		.rod = f->rod,
		.idle_evicted = f->idle_evicted,
		.began = f->began,
		.closed = f->closed || f->rare->fatal_at,
		.first_frame = f->first_frame,
		.first_at = f->first_at,
		.stats = ret_stats,
	};
	ret_stats->last_at = f->last_at;
	memcpy(ret_stats->rtt, f->rtt, sizeof(f->rtt));
	flow_stats_count_late(f, ret_stats->rtt);
	for (unsigned i = 0; i < 2; i++) {
		ret->addr[i] = f->end[i].addr;
		ret->pdcid[i] = f->end[i].pdcid;
	}
	flow_stats_ends(f, ret_stats->side);
}
