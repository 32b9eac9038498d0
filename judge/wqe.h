/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/wqe.h -- connections of the WQE extension, as packets show them, and
 * the rules about them.
 *
 * A connection is one direction: a sender, a receiver, the receiver's QP.  What
 * is known of it is which PSNs were sent, as what of which WQE, what was asked
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
#ifndef JUDGE_WQE_H
#define JUDGE_WQE_H

#include "judge/ib.h"

enum {
	WQE_LINKS = 64,    /* followed at a time */
	WQE_WINDOW = 4096, /* PSNs of each that are remembered; a power of 2 */
};

/* Numbers of connections, which are flows as well, have this bit. */
#define WQE_FLOW 0x40000000u

struct wqe_seen;

/* wqe_seen_new makes room for connections.  Errors: ERR_NOMEM. */
int wqe_seen_new(struct wqe_seen **ret);
void wqe_seen_free(struct wqe_seen *s);

/* wqe_seen_flows is each connection as a flow.  NULL has none. */
struct ib_flows *wqe_seen_flows(struct wqe_seen *s);

/*
 * wqe_seen_frame is the last transmission of a PSN, of 24 bits or more, in the
 * connection of the packet that was judged last; 0: none is remembered.
 */
uint32_t wqe_seen_frame(const struct wqe_seen *s, uint32_t psn);

/* rules_wqe judges a packet, and then takes it in. */
void rules_wqe(struct judge *j, struct wqe_seen *s,
	       const struct judge_packet *p);

#endif
