/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_error.c -- judges the handles of pds_ses_error.
 *
 * An error may name a received packet by its rx_pkt_handle.  No line of a case
 * asks for this comparison, because the name is optional.
 *
 * Spec: UET 3.5.4 table 3-27, pds_ses_error
 */
#include "suite/run/control/run_error.h"

#include <inttypes.h>
#include <stdio.h>

#include "suite/lang/case.h"
#include "suite/run/blame/run_blame.h"
#include "suite/verdict/record.h"

static bool is_handed_up(const struct orc_event *ev)
{
	return ev->kind == EV_PDS_SES_RX_REQ || ev->kind == EV_PDS_SES_RX_RET;
}

const struct orc_event *control_handed_up(const struct runner *r,
					  uint32_t rx_pkt_handle)
{
	for (size_t i = r->nevents; i-- > 0;)
		if (is_handed_up(&r->events[i]) &&
		    r->events[i].handle == rx_pkt_handle)
			return &r->events[i];
	return NULL;
}

/*
 * Returns how many packets were handed up under a handle and had no error.  A
 * device may use a handle again.
 */
static uint32_t packets_left(const struct runner *r, uint32_t rx_pkt_handle,
			     const struct orc_event *end)
{
	uint32_t left = 0;

	for (size_t i = r->posted.from_event; i < r->nevents; i++) {
		const struct orc_event *ev = &r->events[i];

		if (ev == end)
			break;
		if (is_handed_up(ev) && ev->handle == rx_pkt_handle)
			left++;
		else if (ev->kind == EV_PDS_SES_ERROR && left &&
			 ev->rx_pkt_handle == rx_pkt_handle)
			left--;
	}
	return left;
}

static void error_of_nothing(struct runner *r, const struct orc_event *ev)
{
	const struct req_ref ref = {
		.id = REQ_PDS_IF_10, .role = REQ_SRC, .items = "error.handle"};
	const struct step line = {
		.kind = STEP_REPORT, .reqs = &ref, .nreqs = 1};
	const struct flaw flaw = {.step = &line,
				  .kind = KIND_PROTOCOL,
				  .expected = "",
				  .actual = ""};
	char text[160];

	snprintf(text, sizeof(text),
		 "pds_ses_error names rx_pkt_handle %" PRIu32
		 ": no packet without an error was handed up under it",
		 ev->rx_pkt_handle);
	run_event(r, &flaw, "error", "handle", text);
}

void control_errors(struct runner *r)
{
	for (size_t i = r->posted.from_event; i < r->nevents; i++) {
		const struct orc_event *ev = &r->events[i];

		if (ev->kind == EV_PDS_SES_ERROR && ev->rx_pkt_handle &&
		    !packets_left(r, ev->rx_pkt_handle, ev))
			error_of_nothing(r, ev);
	}
}
