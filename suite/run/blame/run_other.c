/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_other.c -- finds out whether a line counts on a choice
 * that the device has made otherwise: one PDC for all messages, or a window of
 * several packets.
 */
#include "suite/run/blame/run_other.h"

#include <string.h>

#include "base/serial.h"
#include "suite/run/run_settle.h"
#include "suite/verdict/blame.h"
#include "wire/packet.h"

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
