/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_stats.h -- statistics of a flow.
 */
#ifndef JUDGE_CORE_FLOW_STATS_H
#define JUDGE_CORE_FLOW_STATS_H

#include "judge/types.h"

struct pkt_ctx;

/*
 * flow_stats_take counts a packet.  Call it before the packet changes the flow.
 */
void flow_stats_take(struct pkt_ctx *l);

/*
 * flow_stats_rtt counts the time from a request to its answer, in |rtts| and in
 * the totals of all flows.
 */
void flow_stats_rtt(struct judge *j, uint16_t rtts[JUDGE_RTT], vspan rtt);

/* flow_stats_rtt_of does the same for a PDC. */
void flow_stats_rtt_of(struct judge *j, struct flow *f, vspan rtt);

/*
 * flow_stats_bucket returns the bucket of a round trip, with |per| buckets for
 * each doubling of the time and |n| buckets in total.  The last bucket takes
 * everything longer.
 */
unsigned flow_stats_bucket(vspan rtt, unsigned per, unsigned n);

/*
 * judge_flow_rtt and judge_rtt return the round-trip time that |permille| of a
 * thousand requests did not exceed; -1 if there was none.  Only requests that
 * were sent once count, with times from the judge's vantage point.  The result
 * is rounded up, by at most a half (flow) or an eighth (all flows).
 */
vspan judge_flow_rtt(const struct judge_flow_stats *t, unsigned permille);
vspan judge_rtt(const struct judge_totals *t, unsigned permille);

#endif
