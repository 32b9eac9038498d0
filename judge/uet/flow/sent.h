/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/sent.h -- how a request, or a control packet with a PSN,
 * changes its flow.
 */
#ifndef JUDGE_UET_FLOW_SENT_H
#define JUDGE_UET_FLOW_SENT_H

#include "judge/uet/pkt_ctx.h"

/*
 * pkt_cause returns the cause of a retransmission; l->old is the state of its
 * PSN.
 */
enum pkt_cause pkt_cause(const struct pkt_ctx *l);

/*
 * sent_cause returns the cause of a retransmission at |at| of the PSN |s| in
 * direction |d|.
 *
 * rod: the mode of the PDC.
 */
enum pkt_cause sent_cause(const struct judge_conf *conf, bool rod,
			  const struct dir *d, const struct psn_state *s,
			  vtime at);

/*
 * sent_count_repeat counts a retransmission, before step_copy() records it as
 * the last copy.
 */
void sent_count_repeat(struct psn_state *s, enum pkt_cause cause);

/*
 * sent_note_retries records that a PSN was sent as often as allowed, after
 * step_copy().
 */
void sent_note_retries(const struct judge_conf *conf, struct dir *d,
		       const struct psn_state *s);

/* sent_take updates the flow by a packet that uses a PSN. */
void sent_take(struct pkt_ctx *l);

/* flow_take_out_of_window records a packet for which the flow has no slot. */
void flow_take_out_of_window(struct pkt_ctx *l, bool foreign);

/*
 * sent_retries returns how often a source retransmits before it may give up.
 * |declared| is 0 if the device declares no limit.  A device that declares no
 * timer either may give up after any retransmission.
 */
unsigned sent_retries(const struct judge_conf *conf, unsigned declared);

/*
 * sent_is_outside returns true if a packet arrives outside the PSN range that
 * its destination tracks: certainly below the last CACK_PSN that it sent, or
 * above the PSNs that were sent to it.
 */
bool sent_is_outside(const struct pkt_ctx *l);

/*
 * sent_may_be_trimmed returns true if a switch may have trimmed a control
 * packet: codepoints are unknown, and its codepoint differs from that of
 * others.
 */
bool sent_may_be_trimmed(const struct pkt_ctx *l);

#endif
