/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/roce.h -- reliable connections of plain RoCEv2, as packets show
 * them, and the rules about them.
 *
 * A connection is one direction: a requester, a responder, the responder's QP.
 * Its state: the PSNs that were sent, the PSNs that each read uses for its
 * answer, how far the answers have come, and the PSN that a NAK
 * refused.  Answers carry the requester's QP number; the first answer that fits
 * the PSNs of only one connection shows it.  The set-up is not visible: if PSNs
 * jump, or a QP was in error, another connection may have begun, and the judge
 * follows it like a midstream one.  PSNs have 32 bits here.
 *
 *	ROCE-01 a new request has the next PSN              requester
 *	ROCE-02 messages are not interleaved                requester
 *	ROCE-03 first and middle packets have the path MTU  requester
 *	ROCE-04 after a sequence NAK it goes back           requester
 *	ROCE-05 after an RNR NAK it waits                   requester
 *	ROCE-06 a sequence NAK names a missing PSN          responder
 *	ROCE-07 and is sent once for a gap                  responder
 *	ROCE-09 the MSN does not decrease                   responder
 *	ROCE-10 read data and atomic ACKs answer a request  responder
 *	I6      a retransmission has the same bytes         requester
 *	I7      no retransmission after the ACK            requester
 *	I5      an acknowledged packet has arrived          responder
 *
 * UC, UD and congestion notifications are not followed.
 *
 * Spec: InfiniBand 1, 9.7 (srd_wqe.md B.3); srd_wqe.md C.4
 */
#ifndef JUDGE_IB_ROCE_H
#define JUDGE_IB_ROCE_H

#include "judge/ib/ib.h"

/* This bit is set in the numbers of connections, which are flows as well. */
#define ROCE_FLOW 0x20000000u

/*
 * roce_seen_new allocates the connections; memory_free() frees them.  Errors:
 * ERR_NOMEM.
 */
int roce_seen_new(void **ret, enum family family);

/*
 * roce_seen_frame returns the last transmission of a PSN, of 24 bits or more,
 * in the connection of the packet judged last; 0 if none is remembered.
 */
uint32_t roce_seen_frame(const void *state, uint32_t psn);

/* rules_roce judges a packet, and then updates its connection. */
void rules_roce(struct judge *j, void *state, const struct judge_packet *p);

#endif
