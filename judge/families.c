/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/families.c -- the registry of the judge's families: one row for each.
 *
 * No other file of this folder names the families (wire/families.c describes
 * how a program can have others).
 */

#include "base/memory.h"
#include "judge/core/flow_summary.h"
#include "judge/ib/roce.h"
#include "judge/ib/srd.h"
#include "judge/ib/wqe.h"
#include "judge/transport.h"

static const struct judge_family judge_uet = {
	.mode = flow_stats_mode,
};

static const struct judge_family judge_srd = {
	.prefixes = {"SRD-", "DER-"},
	.invariants = true,
	.flow_bit = SRD_FLOW,
	.start = srd_seen_new,
	.end = memory_free,
	.push = rules_srd,
	.reset = ib_flows_reset,
	.mark_incomplete = ib_flows_mark_incomplete,
	.each = ib_flows_each,
	.frame = srd_seen_frame,
};

static const struct judge_family judge_wqe = {
	.prefixes = {"WQE-"},
	.invariants = true,
	.flow_bit = WQE_FLOW,
	.start = wqe_seen_new,
	.end = memory_free,
	.push = rules_wqe,
	.reset = ib_flows_reset,
	.mark_incomplete = ib_flows_mark_incomplete,
	.each = ib_flows_each,
	.frame = wqe_seen_frame,
};

static const struct judge_family judge_roce = {
	.prefixes = {"ROCE-"},
	.invariants = true,
	.flow_bit = ROCE_FLOW,
	.start = roce_seen_new,
	.end = memory_free,
	.push = rules_roce,
	.reset = ib_flows_reset,
	.mark_incomplete = ib_flows_mark_incomplete,
	.each = ib_flows_each,
	.frame = roce_seen_frame,
};

const struct judge_family *const judge_families[] = {
	FAMILY_LIST(FAMILY_ROW, judge_)};
