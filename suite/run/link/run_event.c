/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_event.c -- checks events that no line names: messages must
 * be delivered in order.
 */
#include "suite/run/link/run_event.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/serial.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_ses.h"

/* Returns the ROD PDC on which a packet reached the DUT's SES, or NULL. */
static struct scope_pdc *ordered_pdc(struct runner *r,
				     const struct orc_event *ev)
{
	if (ev->kind != EV_PDS_SES_RX_REQ && ev->kind != EV_PDS_SES_RX_RET)
		return NULL;
	for (uint8_t i = r->scope.npdcs; i-- > 0;)
		if (r->scope.pdcs[i].dpdcid == ev->orig_pdcid)
			return r->scope.pdcs[i].rod ? &r->scope.pdcs[i] : NULL;
	return NULL;
}

/*
 * Returns true for a read that the SES executes again for a retransmission:
 * the target need not keep data that its ACK carried (3.5.20.1-3b).
 */
static bool reads_again(const struct runner *r, const struct scope_pdc *pdc,
			const struct orc_event *ev)
{
	const struct scope_psn *p;

	if (ev->kind != EV_PDS_SES_RX_REQ || ev->opcode != SES_READ ||
	    ev->len > r->decl->max_ack_data)
		return false;
	p = scope_look_up(&r->scope, true, (uint8_t)(pdc - r->scope.pdcs),
			  ev->orig_psn);
	return p && p->newest != p->first;
}

/* "exactly once, in the order in which the source SES handed it over" */
void control_event(struct runner *r, const struct orc_event *ev)
{
	static const struct req_ref ref = {.id = REQ_MODE_ROD_1,
					   .role = REQ_DST};
	static const struct step line = {
		.kind = STEP_REPORT, .reqs = &ref, .nreqs = 1};
	const struct flaw flaw = {.step = &line,
				  .kind = KIND_PROTOCOL,
				  .expected = "",
				  .actual = ""};
	char text[160];
	struct scope_pdc *pdc = ordered_pdc(r, ev);
	const uint32_t last = pdc ? pdc->up_psn : 0;
	const bool any = pdc && pdc->up_any;

	if (!pdc || !ev->orig_psn || reads_again(r, pdc, ev))
		return;
	pdc->up_any = true;
	pdc->up_psn = ev->orig_psn;
	if (!any || serial_after(ev->orig_psn, last)) {
		run_observed(r, &line, false, true);
		return;
	}
	snprintf(text, sizeof(text),
		 "PSN %" PRIu32 " reaches the SES after PSN %" PRIu32
		 " of the same ROD PDC",
		 ev->orig_psn, last);
	run_event(r, &flaw, "delivered", "order", text);
}
