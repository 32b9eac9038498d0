/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_allow.c -- packets that a device may send without a line
 * of the case: retransmissions after a full RTO and NACKs.
 */
#include "suite/run/link/run_allow.h"

#include <stdlib.h>

#include "base/serial.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_work.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_pds.h"

const char run_copy_in_work[] = "copy of a request in work";
const char run_unasked_control[] = "control packet that may come unasked";

bool run_timer_permits(const struct runner *r, vtime at,
		       const struct scope_psn *p)
{
	const struct span rto = {.set = true, .unit = SPAN_RTO, .milli = 1000};

	return p && at - p->last >= scope_span_early(&r->scope, &rto);
}

/*
 * Returns why a time-out or a NACK permits a retransmission; NULL if none does.
 */
static const char *repeat_allowed(struct runner *r, vtime at,
				  const struct packet *pkt)
{
	const struct scope_psn *p = scope_known(&r->scope, false, pkt);

	if (run_timer_permits(r, at, p))
		return run_timer_repeat;
	if (p && p->nacked)
		return "repeat after a NACK";
	if (p && p->overtaken)
		return run_inferred_repeat;
	return NULL;
}

/* ROD: packets after a retransmitted one are retransmitted too (Go-Back-N). */
static const char *run_link_repeat(struct runner *r, vtime at,
				   const struct packet *pkt, uint32_t psn)
{
	struct scope_pdc *pdc = r->scope.pdc;
	const bool along = pdc->rx_back && psn == pdc->rx_sent + 1;
	const char *why = repeat_allowed(r, at, pkt);

	if (!why && along)
		why = "repeat behind a missing packet";
	pdc->rx_back = pdc->rod && why;
	return why;
}

/*
 * Returns whether the SES has not answered |psn| and the device has received a
 * second copy, which it answers by RCVD_SES_PROCG (uet.md 7.4, 3c).
 */
static bool is_copy_in_work(const struct runner *r, size_t index, uint32_t psn)
{
	const struct scope_work work = scope_work_of(&r->scope, psn, index);

	return work.open && work.copies > 1;
}

/*
 * "One NACK for a gap is enough", but each packet after the gap may cause one.
 * A destination may infer a loss from any later PSN.
 */
static const char *nack_allowed(struct runner *r, size_t index,
				const struct packet *pkt)
{
	struct scope_pdc *pdc = r->scope.pdc;
	uint64_t code = 0, psn = 0;

	packet_value(pkt, "nack_code", &code);
	packet_value(pkt, "nack_psn", &psn);
	if (code == NACK_RCVD_SES_PROCG &&
	    is_copy_in_work(r, index, (uint32_t)psn))
		return run_copy_in_work;
	if (code == NACK_RCVR_INFER_LOSS &&
	    serial_after(pdc->tx_next - 1, (uint32_t)psn))
		return "loss that the device infers";
	if (code != NACK_ROD_OOO)
		return NULL;
	if (pdc->ooo_told)
		return "ROD_OOO for one more packet";
	pdc->ooo_told = true;
	return NULL;
}

const char *run_allowance(struct runner *r, size_t index)
{
	const struct suite_family *row = suite_families[r->rec->family];
	const struct rec *rec = &r->rec->recs[index];
	const char *why;
	struct packet pkt;
	uint64_t id, retx = 0, ctl;

	if (row->allowance)
		return row->allowance(r, index);
	record_packet(r->rec, rec, &pkt);
	if (packet_value(&pkt, "retx", &retx) && retx) {
		if (packet_value(&pkt, "psn", &id))
			why = run_link_repeat(r, rec->at, &pkt, (uint32_t)id);
		else
			why = repeat_allowed(r, rec->at, &pkt);
		if (why)
			return why;
	}
	if (pds_is_nack(pds_type_of(pkt.p)))
		return nack_allowed(r, index, &pkt);
	if (pds_type_of(pkt.p) != PDS_CP ||
	    !packet_value(&pkt, "ctl_type", &ctl))
		return NULL;
	/*
	 * each end is the source in one direction and the target in the other
	 */
	switch (ctl) {
	case PDS_CP_ACK_REQUEST:
	case PDS_CP_CLEAR_COMMAND:
	case PDS_CP_CLEAR_REQUEST:
	case PDS_CP_PROBE:
	case PDS_CP_CREDIT:
	case PDS_CP_CREDIT_REQUEST:
		return run_unasked_control;
	default:
		return NULL;
	}
}
