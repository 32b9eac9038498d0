/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/rod.h -- the order of packets on a ROD PDC.
 */
#ifndef JUDGE_UET_FLOW_ROD_H
#define JUDGE_UET_FLOW_ROD_H

#include "judge/uet/pkt_ctx.h"

/*
 * rod_take_arrival records that a packet reaches the destination of a ROD PDC,
 * in order or out of order.
 */
void rod_take_arrival(struct pkt_ctx *l);

/*
 * rod_take_departure records that a packet leaves its source.
 *
 * back:      it is a retransmission to which the source goes back;
 * asked_for: a NACK requested only this packet.
 */
void rod_take_departure(struct pkt_ctx *l, bool back, bool asked_for);

/* rod_take_nack records the information of a NACK about the order. */
void rod_take_nack(struct pkt_ctx *l);

/* rod_take_ack records the highest PSN that an ACK acknowledged in order. */
void rod_take_ack(struct pkt_ctx *l);

/* rod_take_return records the last PSN of returned read data. */
void rod_take_return(struct pkt_ctx *l);

#endif
