/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_flow.h -- finds the flow that a packet belongs to.
 */
#ifndef JUDGE_UET_PKT_FLOW_H
#define JUDGE_UET_PKT_FLOW_H

#include "judge/uet/pkt_ctx.h"

enum pkt_found {
	PKT_FLOW, /* l->f is its flow */
	/* l->f resembles its flow, but one of its PDCIDs is wrong */
	PKT_FOREIGN,
	PKT_UNMATCHED, /* it belongs to no flow */
	PKT_PDCLESS,   /* RUDI or UUD, which belong to no flow */
};

/*
 * pkt_find_flow finds or begins the flow of a packet, and sets l->f, l->from,
 * l->own and l->peer.
 */
enum pkt_found pkt_find_flow(struct pkt_ctx *l);

/*
 * pkt_unread does the same as pkt_find_flow for a packet whose header cannot be
 * parsed: it reads PDCIDs at their offset in most headers to find the sender.
 */
void pkt_unread(struct pkt_ctx *l);

#endif
