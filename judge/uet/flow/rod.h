/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/rod.h -- the order of packets on a ROD PDC.
 */
#ifndef JUDGE_UET_FLOW_ROD_H
#define JUDGE_UET_FLOW_ROD_H

#include "judge/uet/pkt_ctx.h"

/* rod_take_arrival notes that a packet reaches the destination of a ROD PDC: in
 * order, or out of order. */
void rod_take_arrival(struct pkt_ctx *l);

/* rod_take_departure notes that a packet leaves its source.
 *
 * back:      it is a retransmission to which the source goes back;
 * asked_for: a NACK asked for this packet alone. */
void rod_take_departure(struct pkt_ctx *l, bool back, bool asked_for);

/* rod_take_nack notes what a NACK says about the order. */
void rod_take_nack(struct pkt_ctx *l);

/* rod_take_ack notes the highest PSN that an ACK acknowledged in order. */
void rod_take_ack(struct pkt_ctx *l);

/* rod_take_return notes up to where read data was returned. */
void rod_take_return(struct pkt_ctx *l);

#endif
