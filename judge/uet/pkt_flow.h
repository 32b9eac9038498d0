/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_flow.h -- the flow that a packet belongs to.
 */
#ifndef JUDGE_UET_PKT_FLOW_H
#define JUDGE_UET_PKT_FLOW_H

#include "judge/uet/pkt_ctx.h"

enum pkt_found {
	PKT_FLOW,      /* l->f is its flow */
	PKT_FOREIGN,   /* l->f is near it, but one of its PDCIDs is wrong */
	PKT_UNMATCHED, /* it belongs to no flow */
	PKT_PDCLESS,   /* it never does: RUDI, UUD */
};

/*
 * pkt_find_flow finds the flow of a packet, or begins it, and sets l->f,
 * l->from, l->own and l->peer.
 */
enum pkt_found pkt_find_flow(struct pkt_ctx *l);

/*
 * pkt_unread is pkt_find_flow for a packet whose header cannot be read: PDCIDs
 * that stand where most headers have them tell who sent it.
 */
void pkt_unread(struct pkt_ctx *l);

#endif
