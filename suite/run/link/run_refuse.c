/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_refuse.c -- makes a device without ses_policy refuse a
 * request by a NACK.
 *
 * Nothing on the wire makes a device run out of packet buffers at will.  But a
 * device that claims "trim" answers every trimmed request with a NACK and does
 * not deliver it, which is what a refused request has in common with any other.
 * The tester plays the switch in front of the device.  A line that waits for
 * the NACK accepts its code, and the row of the code that the line has is not
 * observed.
 *
 * Spec: UET 3.5.12.7, table 3-61 (uet.md 4)
 */
#include "suite/run/link/run_refuse.h"

#include <string.h>

#include "suite/run/run_settle.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"

#define KEPT 16 /* bytes of a trimmed packet, from its PDS header on */

static bool refuse_is_request(const struct packet *pkt)
{
	static const char *const types[] = {"rud_req", "rod_req", "rud_cc_req",
					    "rod_cc_req", "rudi_req"};
	const char *type = packet_word(pkt);

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

/* Counts down "respond nack=... times=N", which ends at 0. */
static void refuse_count(struct scope *s)
{
	if (s->trims_left && !--s->trims_left)
		s->trims = false;
}

/* Returns the request's entry of the scope, in the PDC of the packet. */
static struct scope_psn *refuse_known(struct scope *s, const struct rec *rec,
				      const struct packet *pkt)
{
	struct scope_pdc *now = s->pdc;
	struct scope_psn *p;

	if (rec->pdc < s->npdcs)
		s->pdc = &s->pdcs[rec->pdc];
	p = scope_known(s, true, pkt);
	s->pdc = now;
	return p;
}

bool refuse_trim(struct runner *r, size_t index, struct imp_out *out)
{
	const struct rec *rec = &r->rec->recs[index];
	struct scope *s = &r->scope;
	struct scope_psn *p;
	struct packet pkt;
	uint64_t syn = 0;

	s->trimmed = false;
	if (!s->trims || out->fate == IMP_INJECTED || out->d.len <= KEPT)
		return false;
	record_packet(r->rec, rec, &pkt);
	if (!refuse_is_request(&pkt))
		return false;
	packet_value(&pkt, "syn", &syn);
	if (syn && !s->pdcs[rec->pdc].dpdcid) {
		run_settle(r, REASON_NO_CAUSE,
			   "the device has no ses_policy, and it may drop a "
			   "trimmed SYN");
		return false;
	}
	p = refuse_known(s, rec, &pkt);
	if (!p)
		return false;
	p->trimmed = true;
	s->trimmed = s->any_trimmed = true;
	refuse_count(s);
	imp_trim(&out->d, KEPT, r->decl->dscp_trimmed, false);
	if (out->fate == IMP_PASSED)
		out->fate = IMP_CHANGED;
	return true;
}
