/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/sent.h -- what a request, or a control packet with a PSN,
 * changes in its flow.
 */
#ifndef JUDGE_UET_FLOW_SENT_H
#define JUDGE_UET_FLOW_SENT_H

#include "judge/uet/pkt_ctx.h"

/* pkt_cause is that of a repeated packet; l->old is its PSN. */
enum pkt_cause pkt_cause(const struct pkt_ctx *l);

/* sent_take notes a packet that uses a PSN. */
void sent_take(struct pkt_ctx *l);

/* flow_take_out_of_window notes a packet that the flow cannot follow. */
void flow_take_out_of_window(struct pkt_ctx *l, bool foreign);

/*
 * sent_retries returns how often a source retransmits before it may give up.
 * |declared| is 0 if the device declares no limit.  A device that declares no
 * timer either may give up after any retransmission.
 */
unsigned sent_retries(const struct judge_conf *conf, unsigned declared);

/* sent_is_outside returns whether a packet arrives outside the PSN range that
 * its destination tracks: certainly below the last CACK_PSN that it told, or
 * above what was sent to it. */
bool sent_is_outside(const struct pkt_ctx *l);

/* sent_may_be_trimmed returns whether a control packet may be one that a switch
 * trimmed: the codepoints are not known, and this one differs from others. */
bool sent_may_be_trimmed(const struct pkt_ctx *l);

#endif
