/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/wqe.h -- connections of the WQE extension, as packets show them, and
 * the rules about them.
 *
 * A connection is one direction: a sender, a receiver, the receiver's QP.  Its
 * state: the PSNs that were sent, their place in a WQE, the PSNs that were
 * requested again, and how far the acknowledgements have come.  Answers carry
 * the sender's QP number; the first answer that fits only one connection shows
 * it.  PSNs have 32 bits here.
 *
 *	WQE-01 a new packet has the next PSN                sender
 *	WQE-02 a retransmission has the same extension      sender
 *	WQE-04 a WQE has one SN                             sender
 *	WQE-06 and one LEN                                  sender
 *	WQE-09 SN increases by one                          sender
 *	WQE-10 OFF begins at 0                              sender
 *	WQE-11 and increases by the payload length          sender
 *	WQE-14 no new packet before the requested ones      sender
 *	WQE-16 a retransmission was requested or is a probe sender
 *	I7     no retransmission after the ACK              sender
 *	I5     an acknowledged packet has arrived           receiver
 *	WQE-34 a requested packet is of a known WQE         receiver
 *	WQE-35 and is not acknowledged                      receiver
 *
 * A read uses one PSN for each packet of its data, and the responder is the
 * sender of these packets: WQE-04, 06 and 42 apply to it, WQE-34 and 35 to the
 * requester.  The number of PSNs follows from the MTU, which the first full
 * packet shows; until then the judge does not know the whole of a connection
 * that reads.
 *
 * Spec: srd_wqe.md B.1, B.10, C.4
 */
#ifndef JUDGE_IB_WQE_H
#define JUDGE_IB_WQE_H

#include "judge/ib/wqe_link.h"

/* rules_wqe judges a packet, and then updates its connection. */
void rules_wqe(struct judge *j, void *state, const struct judge_packet *p);

#endif
