/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_request.h -- send a control request, wait for its
 * answer and handle a refusal.
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
 * run_request_number evaluates a parameter; false: it is a word, or its
 * symbol is not bound.
 */
bool run_request_number(struct runner *r, const struct param *p,
			enum psn_space space, uint64_t *ret);

/* A PSN of the PDC that the line names. */
bool run_request_psn(struct runner *r, const struct step *step,
		     const struct param *p, uint64_t *ret);

/*
 * Returns true if an event is about the PDC that the line names, by the DUT's
 * PDCID.
 */
bool run_request_of_pdc(struct runner *r, const struct step *step,
			const struct orc_event *ev);

/* Sends r->ctl and waits for its answer. */
enum flow_control run_request(struct runner *r, const struct step *step);

/* Clears the request but for its packet buffer, which has its length. */
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
