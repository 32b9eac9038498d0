/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/roce.h -- reliable connections of plain RoCEv2, as packets show
 *them, and the rules about them.
 *
 * A connection is one direction: a requester, a responder, the responder's QP.
 * Of it are known the PSNs that were sent, those that a read takes for its
 * answer, how far the answers have come, and what a NAK sent back.  Answers
 * name the requester's QP, which the first of them tells that fits the PSNs of
 * one connection.  The set-up is not visible: where PSNs jump, or
 * a QP was in error, another connection may have begun, and it is followed as
 * one that had begun before.  PSNs have 32 bits here.
 *
 *	ROCE-01 a new request has the next PSN              requester
 *	ROCE-02 a message is not mixed with another         requester
 *	ROCE-03 first and middle packets have the path MTU  requester
 *	ROCE-04 after a sequence NAK it goes back           requester
 *	ROCE-05 after an RNR NAK it waits                   requester
 *	ROCE-06 a sequence NAK names what is missing        responder
 *	ROCE-07 and comes once for a gap                    responder
 *	ROCE-09 the MSN does not go back                    responder
 *	ROCE-10 what answers a read or atomic answers one   responder
 *	I6      a repeated PSN has the same bytes           requester
 *	I7      nothing is sent after it was acknowledged   requester
 *	I5      nothing is acknowledged that did not arrive responder
 *
 * Of UC, UD and congestion notifications nothing is followed.
 *
 * Spec: InfiniBand 1, 9.7 (srd_wqe.md B.3); srd_wqe.md C.4
 */
#ifndef JUDGE_IB_ROCE_H
#define JUDGE_IB_ROCE_H

#include "judge/ib/ib.h"

/* Numbers of connections, which are flows as well, have this bit. */
#define ROCE_FLOW 0x20000000u

/*
 * roce_seen_new allocates the connections; free() frees them.  Errors:
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
