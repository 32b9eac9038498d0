/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_other.c -- finds out whether a line counts on a choice
 * that the device has made otherwise: one PDC for all messages, a window of
 * several packets, or a PDC that stays open while it is idle.
 */
#include "suite/run/blame/run_other.h"

#include <string.h>

#include "base/serial.h"
#include "suite/run/run_settle.h"
#include "suite/verdict/blame.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

bool run_split(struct runner *r, unsigned line, const char *text)
{
	if (!r->scope.split || run_is_guilty(r->rec))
		return false;
	run_settle(r, REASON_SEVERAL_PDCS,
		   "line %u counts on one PDC for all messages, and the device "
		   "opened another one: %.160s",
		   line, text);
	return true;
}

/* Returns when the DUT sent its last request on the PDC of entry |i|. */
static vtime last_request(const struct record *rec, size_t i)
{
	const uint8_t pdc = rec->recs[i].pdc;
	struct packet pkt;

	for (size_t j = i; j-- > 0;) {
		const struct rec *one = &rec->recs[j];

		if (one->kind != REC_RX || !one->frame || one->pdc != pdc)
			continue;
		record_packet(rec, one, &pkt);
		if (strcmp(blame_class(packet_word(&pkt)), "req") == 0)
			return one->at;
	}
	return 0;
}

/*
 * Returns whether entry |i| is a Close Command that the DUT sent when its last
 * request was as old as it declares.
 */
static bool closes_idle(const struct runner *r, size_t i)
{
	const struct decl_time *idle = &r->decl->close_idle;
	const struct rec *rec = &r->rec->recs[i];
	struct packet pkt;
	uint64_t type;

	if (rec->kind != REC_RX || !rec->frame)
		return false;
	record_packet(r->rec, rec, &pkt);
	if (!packet_value(&pkt, "ctl_type", &type) ||
	    type != PDS_CP_CLOSE_COMMAND)
		return false;
	return rec->at - last_request(r->rec, i) >=
	       idle->value - idle->tolerance;
}

bool run_closed_idle(struct runner *r, unsigned line, const char *text)
{
	if (!r->decl->close_idle.value || r->rec->chair != CHAIR_INITIATOR ||
	    run_is_guilty(r->rec))
		return false;
	for (size_t i = 0; i < r->rec->nrecs; i++) {
		if (!closes_idle(r, i))
			continue;
		run_settle(r, REASON_CLOSED_IDLE,
			   "line %u counts on an open PDC, and the device "
			   "closed it after \"timer close_idle\" of the "
			   "declaration: %.120s",
			   line, text);
		return true;
	}
	return false;
}

static bool is_new_request(const struct step *step)
{
	if (step->kind != STEP_EXPECT || step->to_dut || !step->rung.type ||
	    strcmp(blame_class(step->rung.type), "req") != 0)
		return false;
	for (size_t i = 0; i < step->rung.npds; i++)
		if (strcmp(step->rung.pds[i].name, "retx") == 0 &&
		    step->rung.pds[i].ranges[0].lo.value)
			return false;
	return true;
}

/* Returns whether a packet that the tester sent acknowledges a PSN. */
static bool acknowledges(const struct runner *r, const struct rec *rec,
			 uint32_t psn)
{
	struct packet pkt;
	uint64_t ack, cack;

	if (rec->kind != REC_TX)
		return false;
	record_packet(r->rec, rec, &pkt);
	return packet_value(&pkt, "ack_psn", &ack) &&
	       packet_value(&pkt, "cack_psn", &cack) &&
	       (ack == psn || !serial_after(psn, (uint32_t)cack));
}

static bool is_acked(const struct runner *r, const struct scope_psn *p)
{
	for (size_t i = p->first + 1; i < r->rec->nrecs; i++)
		if (r->rec->recs[i].pdc == p->pdc &&
		    acknowledges(r, &r->rec->recs[i], p->psn))
			return true;
	return false;
}

/* Returns how many requests of the DUT on a PDC have no ACK. */
static uint32_t run_unacked(const struct runner *r, uint8_t pdc)
{
	uint32_t n = 0;

	for (size_t i = 0; i < r->scope.npsns; i++) {
		const struct scope_psn *p = &r->scope.psns[i];

		n += !p->to_dut && p->pdc == pdc && !is_acked(r, p);
	}
	return n;
}

bool run_waits_for_acks(struct runner *r, const struct step *step,
			const char *text)
{
	const uint32_t most = r->decl->in_flight;

	if (most == DECL_IN_FLIGHT_MAX || !is_new_request(step) ||
	    run_is_guilty(r->rec))
		return false;
	for (uint8_t pdc = 0; pdc < r->scope.npdcs; pdc++) {
		if (run_unacked(r, pdc) < most)
			continue;
		run_settle(r, REASON_SMALL_WINDOW,
			   "line %u counts on more requests without an ACK "
			   "than \"size in_flight\" of the declaration: %.120s",
			   step->line, text);
		return true;
	}
	return false;
}
