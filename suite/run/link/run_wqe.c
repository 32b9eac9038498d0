/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_wqe.c -- packets that a device of the WQE extension or of
 * plain RoCEv2 may send although no line names them.
 *
 * A receiver chooses how often it acknowledges and repeats an indication that
 * was not answered; a sender may retransmit when its timer has expired.
 *
 * Spec: srd_wqe.md B.7, WQE-16
 */
#include "suite/run/link/run_wqe.h"

#include <string.h>

#include "base/serial.h"
#include "suite/run/link/run_allow.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_wqe.h"
#include "suite/verdict/record.h"
#include "wire/ib/ib.h"

/* Returns true for an indication that repeats the entries of an earlier one. */
static bool repeated_indication(const struct record *r, size_t index,
				const struct packet *pkt)
{
	const size_t n = pkt->len - pkt->payload;

	for (size_t i = 0; i < index; i++) {
		struct packet old;

		if (r->recs[i].kind != REC_RX || !r->recs[i].frame)
			continue;
		record_packet(r, &r->recs[i], &old);
		if (old.len && old.p[0] == IB_WQE_RTX_IND &&
		    old.len - old.payload == n &&
		    memcmp(old.p + old.payload, pkt->p + pkt->payload, n) == 0)
			return true;
	}
	return false;
}

/*
 * Returns true for an ACK of a packet that the tester sent.  A new QP answers
 * packets of the one before it by an ACK below its own first PSN.
 */
static bool on_the_way(const struct runner *r, uint64_t syndrome, uint64_t psn)
{
	const struct scope *s = &r->scope;

	if (!ib_is_ack((uint8_t)syndrome))
		return false;
	return scope_wqe_was_sent(s, (uint32_t)psn) ||
	       (s->rq_begun && psn == ((s->rq_start - 1) & SERIAL24_MASK));
}

const char *wqe_allowance(struct runner *r, size_t index)
{
	const struct rec *rec = &r->rec->recs[index];
	const struct scope_psn *p;
	struct packet pkt;
	uint64_t psn, syndrome = 0;

	record_packet(r->rec, rec, &pkt);
	if (pkt.fault != PACKET_OK || !packet_value(&pkt, "psn", &psn))
		return NULL;
	packet_value(&pkt, "syndrome", &syndrome);
	if (pkt.p[0] == IB_WQE_ACK || pkt.p[0] == IB_RC_ACK)
		return on_the_way(r, syndrome, psn) ? "ACK on the way" : NULL;
	if (pkt.p[0] == IB_WQE_RTX_IND)
		return repeated_indication(r->rec, index, &pkt)
			       ? "repeated indication"
			       : NULL;
	p = scope_psn_find(&r->scope, false, (uint32_t)psn);
	if (run_timer_permits(r, rec->at, p))
		return run_timer_repeat;
	return NULL;
}
