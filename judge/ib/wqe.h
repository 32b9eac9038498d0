/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/wqe.h -- connections of the WQE extension, as packets show them, and
 * the rules about them.
 *
 * A connection is one direction: a sender, a receiver, the receiver's QP.  What
 * is known of it is which PSNs were sent, their place in a WQE, what was asked
 * for, and how far the acknowledgements have come.  Answers name the sender's
 * QP, which the first of them that fits a connection tells.  PSNs have 32 bits
 * here.
 *
 *	WQE-01 what is new has the next PSN                 sender
 *	WQE-02 a repeated packet has the same extension     sender
 *	WQE-04 a WQE has one SN                             sender
 *	WQE-06 and one LEN                                  sender
 *	WQE-09 which goes up by one                         sender
 *	WQE-10 OFF begins at 0                              sender
 *	WQE-11 and goes on by the MTU                       sender
 *	WQE-14 nothing new leaves before what was listed    sender
 *	WQE-16 what is repeated was listed, or is a probe   sender
 *	I7     nothing is sent after it was acknowledged    sender
 *	I5     nothing is acknowledged that did not arrive  receiver
 *	WQE-34 what is asked for is of a WQE that is known  receiver
 *	WQE-35 and was not acknowledged before              receiver
 *
 * A read takes the PSNs of what it brings, and who brings it is the sender:
 * WQE-04, 06 and 11 are asked of it, WQE-34 and 35 of the requester.  How many
 * PSNs they are follows from the MTU, which the first full packet tells; until
 * then a connection that reads is not known as a whole.
 *
 * Spec: srd_wqe.md B.1, B.10, C.4
 */
#ifndef JUDGE_IB_WQE_H
#define JUDGE_IB_WQE_H

#include "judge/ib/wqe_link.h"

/* rules_wqe judges a packet, and then updates its connection. */
void rules_wqe(struct judge *j, void *state, const struct judge_packet *p);

#endif
