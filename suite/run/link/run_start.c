/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_start.c -- makes a device that cannot be configured begin
 * its PDC at the Start_PSN that the case needs.
 *
 * A device that claims "new_start_psn" renumbers its packets when the target
 * asks for it.  The tester therefore answers the SYNs that begin elsewhere by
 * NACK NEW_START_PSN, before any line of the case sees them.  The case counts
 * from the SYNs that follow.  A device that does not follow fails the case
 * about this NACK; here its behaviour cannot be provoked.
 *
 * Spec: UET 3.5.8.2, 3.5.12.7 (uet.md 4.3, 6.4)
 */
#include "suite/run/link/run_start.h"

#include "suite/run/link/run_link.h"
#include "suite/run/run_settle.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

void start_want(struct runner *r, uint32_t psn)
{
	r->start.wanted = true;
	r->start.psn = psn;
}

/* Sends the NACK that answers a SYN, entry |index| of the record. */
static void start_tell(struct runner *r, size_t index, uint64_t dpdcid,
		       uint64_t nack_psn)
{
	const struct rec *syn = &r->rec->recs[index];
	const struct field_value set[] = {
		{.name = "nack_code", .value = NACK_NEW_START_PSN},
		{.name = "nack_psn", .value = nack_psn},
		{.name = "payload", .value = r->start.psn},
		{.name = "spdcid", .value = r->scope.pdc->spdcid},
		{.name = "dpdcid", .value = dpdcid},
	};

	if (link_build_own(r, "nack", set, sizeof(set) / sizeof(set[0]),
			   syn->entropy))
		link_send_own(r, "asks for the Start_PSN of the case");
	else
		run_settle(r, REASON_CASE_WRONG, "no NACK can be built");
}

bool start_refuses(struct runner *r, size_t index, const struct dgram *d)
{
	static const char why[] = "begins at another PSN than the case needs";
	uint64_t syn = 0, start = 0, spdcid = 0, psn = 0, retx = 0;
	struct packet pkt;

	if (!r->start.wanted)
		return false;
	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (!packet_value(&pkt, "syn", &syn) || !syn ||
	    !packet_value(&pkt, "start_psn", &start) ||
	    !packet_value(&pkt, "spdcid", &spdcid) ||
	    !packet_value(&pkt, "psn", &psn))
		return false;
	if (r->start.told && spdcid != r->start.pdcid) {
		run_settle(
			r, REASON_NO_CAUSE,
			"the device cannot be configured, and it opens "
			"another PDC than the one whose Start_PSN the tester "
			"chose");
		return false;
	}
	if (start == r->start.psn) {
		r->start.pdcid = spdcid;
		r->start.told = r->start.taken = true;
		return false;
	}
	r->rec->recs[index].allowed = why;
	r->rec->recs[index].fate = FATE_CROSSED;
	link_judge_own(r, index, d);
	packet_value(&pkt, "retx", &retx);
	if (!r->start.told || retx) /* the first NACK may be lost */
		start_tell(r, index, spdcid, psn);
	r->start.told = true;
	r->start.pdcid = spdcid;
	return true;
}

bool start_awaited(struct runner *r)
{
	if (!r->start.told || r->start.taken)
		return false;
	run_settle(r, REASON_NO_CAUSE,
		   "the device cannot be configured, and after NACK "
		   "NEW_START_PSN it does not begin at the PSN that the case "
		   "needs");
	return true;
}
