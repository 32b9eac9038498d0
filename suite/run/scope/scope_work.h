/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_work.h -- the tester's requests that the SES of the
 * device may still be working on.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_WORK_H
#define SUITE_RUN_SCOPE_SCOPE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/run/scope/scope_state.h"

/* The copies of one PSN that the tester sent, and the state of their answer. */
struct scope_work {
	uint32_t
		copies; /* requests that reached the device, ACK Requests too */
	bool asked;     /* one of them asked for an ACK: ar, syn or retx */
	bool open; /* no ACK_PSN or CACK_PSN covers it, and no answer is overdue
		    */
};

/*
 * scope_work_of returns the state of |psn| when the device sent entry |index|.
 * An answer is overdue when the declared ack_time and its tolerance have passed
 * since the first copy arrived, or since the first one after a NACK (uet.md
 * 7.4, 9).
 */
struct scope_work scope_work_of(const struct scope *s, uint32_t psn,
				size_t index);

#endif
