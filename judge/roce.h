/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/roce.h -- reliable connections of plain RoCEv2, as packets show them,
 * and the rules about them.
 *
 * A connection is one direction: a requester, a responder, the responder's QP.
 * Of it are known the PSNs that were sent, those that a read takes for its
 * answer, how far the answers have come, and what a NAK sent back.  Answers
 * name the requester's QP, which the first of them tells that fits the PSNs of
 * one connection.  Nobody negotiates where it can be seen: where PSNs jump, or
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
#ifndef JUDGE_ROCE_H
#define JUDGE_ROCE_H

#include "judge/ib.h"

enum {
	ROCE_LINKS = 256,   /* followed at a time */
	ROCE_WINDOW = 1024, /* PSNs of each that are remembered; a power of 2 */
};

/* Numbers of connections, which are flows as well, have this bit. */
#define ROCE_FLOW 0x20000000u

struct roce_seen;

/* roce_seen_new makes room for connections.  Errors: ERR_NOMEM. */
int roce_seen_new(struct roce_seen **ret);
void roce_seen_free(struct roce_seen *s);

/* roce_seen_flows is each connection as a flow.  NULL has none. */
struct ib_flows *roce_seen_flows(struct roce_seen *s);

/*
 * roce_seen_frame is the last transmission of a PSN, of 24 bits or more, in the
 * connection of the packet that was judged last; 0: none is remembered.
 */
uint32_t roce_seen_frame(const struct roce_seen *s, uint32_t psn);

/* rules_roce judges a packet, and then takes it in. */
void rules_roce(struct judge *j, struct roce_seen *s,
		const struct judge_packet *p);

#endif
