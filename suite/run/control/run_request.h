/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_request.h -- sends a control request, waits for its
 * answer and handles a refusal.
 */
#ifndef SUITE_RUN_CONTROL_RUN_REQUEST_H
#define SUITE_RUN_CONTROL_RUN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/event.h"
#include "oracle/op.h"
#include "suite/lang/case.h"
#include "suite/run/run_state.h"
#include "suite/verdict/space.h"

/*
 * run_request_number evaluates a parameter; false if it is a word, or its
 * symbol is unbound.
 */
bool run_request_number(struct runner *r, const struct param *p,
			enum psn_space space, uint64_t *ret);

/* run_request_psn evaluates a PSN of the PDC that the line names. */
bool run_request_psn(struct runner *r, const struct step *step,
		     const struct param *p, uint64_t *ret);

/*
 * run_request_of_pdc returns true if an event has the DUT's PDCID of the PDC
 * that the line names.
 */
bool run_request_of_pdc(struct runner *r, const struct step *step,
			const struct orc_event *ev);

/* run_request sends r->ctl and waits for its answer. */
enum flow_control run_request(struct runner *r, const struct step *step);

/*
 * run_request_begin clears the request except for its packet buffer, whose
 * length tells how much is valid.
 */
void run_request_begin(struct runner *r, enum op_kind kind);

/* control_prepare exposes the declared memory, for cases that read or write. */
enum flow_control control_prepare(struct runner *r);

/*
 * order_await lets the device read the tester's last answer before the next
 * control request.  It waits for a report, at most for ack_time and its
 * tolerance since the answer; if requests of the device are unacknowledged, and
 * beyond ack_time, at most for half the RTO.
 */
enum flow_control order_await(struct runner *r);

#endif
