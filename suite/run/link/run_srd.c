/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_srd.c -- packets that an SRD device may send although no
 * line names them.
 *
 * "How [lost packets are detected] is not prescribed: count extra
 * retransmissions, do not fail on them" (SRD-19).  A SYNC is never required
 * and never wrong; an answer may come again.
 *
 * Spec: srd_wqe.md A.1.3, A.4.4
 */
#include "suite/run/link/run_srd.h"

#include "suite/run/link/run_allow.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/verdict/record.h"
#include "wire/ib/ib.h"

static const char srd_retransmission[] = "retransmission";

/* Returns true for an answer that repeats an earlier one to the same PSN. */
static bool repeated_answer(const struct record *r, size_t index,
			    const struct packet *pkt)
{
	const struct rec *now = &r->recs[index];
	uint64_t psn = 0, syndrome = 0, v;
	struct packet old;

	packet_value(pkt, "psn", &psn);
	packet_value(pkt, "syndrome", &syndrome);
	for (size_t i = 0; i < index; i++) {
		const struct rec *rec = &r->recs[i];

		if (rec->kind != REC_RX || !rec->frame || rec->pdc != now->pdc)
			continue;
		record_packet(r, rec, &old);
		if (old.len && old.p[0] == IB_SRD_ACK &&
		    packet_value(&old, "psn", &v) && v == psn &&
		    packet_value(&old, "syndrome", &v) && v == syndrome)
			return true;
	}
	return false;
}

const char *srd_allowance(struct runner *r, size_t index)
{
	const struct rec *rec = &r->rec->recs[index];
	const struct scope_psn *p;
	struct packet pkt;
	uint64_t psn;

	record_packet(r->rec, rec, &pkt);
	if (pkt.fault != PACKET_OK || !packet_value(&pkt, "psn", &psn))
		return NULL;
	if (pkt.p[0] == IB_SRD_SYNC)
		return "SYNC that may come unasked";
	if (pkt.p[0] == IB_SRD_ACK)
		return repeated_answer(r->rec, index, &pkt) ? "repeated answer"
							    : NULL;
	p = scope_psn_find(&r->scope, false, (uint32_t)psn);
	if (run_timer_permits(r, rec->at, p))
		return run_timer_repeat;
	return p ? srd_retransmission : NULL;
}

bool srd_crossed_repeat(const struct runner *r, size_t index, vspan span)
{
	const struct rec *recs = r->rec->recs;
	struct packet pkt;
	uint64_t psn, acked;
	bool settled = false;

	if (recs[index].allowed != srd_retransmission)
		return false;
	record_packet(r->rec, &recs[index], &pkt);
	if (!packet_value(&pkt, "psn", &psn))
		return false;
	for (size_t i = index; i-- > 0;) {
		if (recs[i].kind != REC_TX || recs[i].pdc != recs[index].pdc)
			continue;
		if (recs[index].at - recs[i].at > span)
			return false;
		record_packet(r->rec, &recs[i], &pkt);
		if (pkt.p[0] != IB_SRD_ACK ||
		    !packet_value(&pkt, "psn", &acked))
			continue;
		if (acked == psn)
			settled = true;
		else if (settled &&
			 ib_is_ack((uint8_t)packet_number(&pkt, "syndrome")))
			return true;
	}
	return false;
}
