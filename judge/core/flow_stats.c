/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_stats.c -- statistics of a flow, for summaries.
 *
 * No rule uses them.
 */
#include "judge/core/flow_stats.h"

#include "base/hot.h"
#include "judge/core/flow_summary.h"
#include "judge/core/state.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/pkt_ctx.h"

/* |per| buckets for each octave; the last bucket takes all longer times. */
unsigned flow_stats_bucket(vspan rtt, unsigned per, unsigned n)
{
	const uint64_t us = rtt > 0 ? (uint64_t)rtt / VSPAN_US : 0;
	unsigned octave, k;

	if (us < 1)
		return 0;
	octave = 63u - (unsigned)__builtin_clzll(us);
	/* The position within the octave, in steps of 1/per. */
	k = (unsigned)(((us << 8 >> octave) - 256) * per >> 8);
	k += 1 + octave * per;
	if (k < n)
		return k;
	return n - 1;
}

/* Returns the longest time of a bucket. */
static vspan flow_stats_longest(unsigned k, unsigned per)
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
	unsigned last = 0;

	for (unsigned k = 0; k < n; k++)
		all += count(of, k);
	if (!all)
		return -1;
	while (last + 1 < n) {
		up += count(of, last);
		if (up * 1000 >= all * permille)
			break;
		last++;
	}
	return flow_stats_longest(last, per);
}

static uint64_t of_flow(const void *of, unsigned k)
{
	return ((const struct judge_flow_stats *)of)->rtt[k];
}

static uint64_t of_all(const void *of, unsigned k)
{
	return ((const struct judge_totals *)of)->rtt[k];
}

vspan judge_flow_rtt(const struct judge_flow_stats *t, unsigned permille)
{
	return nth(of_flow, t, JUDGE_RTT, JUDGE_RTT_PER, permille);
}

vspan judge_rtt(const struct judge_totals *t, unsigned permille)
{
	return nth(of_all, t, JUDGE_RTT_ALL, JUDGE_RTT_ALL_PER, permille);
}

/* Returns the bucket of a flow that contains bucket |k| of all flows. */
static unsigned wider(unsigned k)
{
	k = k ? 1 + (k - 1) / (JUDGE_RTT_ALL_PER / JUDGE_RTT_PER) : 0;
	if (k < JUDGE_RTT)
		return k;
	return JUDGE_RTT - 1;
}

/* Counts a round trip for all flows.  Return: its bucket of the flow. */
static unsigned sort_rtt(struct judge *j, vspan rtt)
{
	const unsigned k =
		flow_stats_bucket(rtt, JUDGE_RTT_ALL_PER, JUDGE_RTT_ALL);

	j->totals.rtt[k]++;
	return wider(k);
}

void flow_stats_rtt(struct judge *j, uint16_t rtts[JUDGE_RTT], vspan rtt)
{
	flow_stats_count_rtt(rtts, sort_rtt(j, rtt));
}

HOT void flow_stats_rtt_of(struct judge *j, struct flow *f, vspan rtt)
{
	if (j->conf.no_rtt)
		return;
	if (unlikely(f->nlate == FLOW_LATE)) {
		flow_stats_count_late(f, f->rtt);
		f->nlate = 0;
	}
	f->late[f->nlate++] = (uint8_t)sort_rtt(j, rtt);
}

/* Counts the first answer to a PSN that was sent once. */
static void take_rtt(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (likely(s && step_has_rtt(s)))
		flow_stats_rtt_of(l->j, l->f, l->at - s->sent_at);
}

static void flow_stats_take_ack(struct pkt_ctx *l)
{
	step_count_ack(l->peer, l->ack.cack_psn);
	if (l->has_ack_psn)
		take_rtt(l);
}

/* Returns the counts of rare packets of the sender. */
static struct end_rare *counts_of_rare(struct pkt_ctx *l)
{
	return &flow_rare(l->j, l->f)->end[l->from];
}

static void flow_stats_take_source(struct pkt_ctx *l)
{
	if (unlikely(l->kind == PKT_CP))
		counts_of_rare(l)->cps++;
	else
		l->own->stats.requests++;
	if (likely(!l->takes_psn || !l->old))
		return;
	if (l->net_dup)
		counts_of_rare(l)->net_dups++;
	else
		counts_of_rare(l)->again[pkt_cause(l)]++;
}

HOT void flow_stats_take(struct pkt_ctx *l)
{
	l->f->last_at = l->at;
	switch (l->kind) {
	case PKT_ACK:
		flow_stats_take_ack(l);
		break;
	case PKT_NACK:
		counts_of_rare(l)->nacks++;
		l->j->totals.nacks[l->nack.nack_code]++;
		break;
	default:
		flow_stats_take_source(l);
		break;
	}
}
