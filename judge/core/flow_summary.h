/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_summary.h -- the summary of a flow.
 */
#ifndef JUDGE_CORE_FLOW_SUMMARY_H
#define JUDGE_CORE_FLOW_SUMMARY_H

#include "judge/types.h"
#include "judge/uet/flow.h"

/* flow_stats_count_rtt adds one to a bucket, up to 65535. */
void flow_stats_count_rtt(uint16_t rtts[JUDGE_RTT], unsigned bucket);

/*
 * flow_stats_count_late adds the round trips of |f| that are not counted yet.
 */
void flow_stats_count_late(const struct flow *f, uint16_t rtts[JUDGE_RTT]);

/* dir_stats_add adds |t| to |to|. */
void dir_stats_add(struct dir_stats *to, const struct dir_stats *t);

/* flow_stats_ends returns the counts of both ends of a flow. */
void flow_stats_ends(const struct flow *f, struct judge_side_stats ret[2]);

/*
 * flow_stats_mode returns the kind of a UET flow: "rud", "rod", "rudi", "uud".
 */
const char *flow_stats_mode(const struct judge_flow *f);

/* flow_stats_show makes the summary of a flow; ret->stats is |ret_stats|. */
void flow_stats_show(const struct flow *f, struct judge_flow *ret,
		     struct judge_flow_stats *ret_stats);

#endif
