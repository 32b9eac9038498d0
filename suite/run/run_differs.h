/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_differs.h -- records the faults that an expecting line finds: a
 * packet that is late, missing or different.
 */
#ifndef SUITE_RUN_RUN_DIFFERS_H
#define SUITE_RUN_RUN_DIFFERS_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"
#include "suite/verdict/blame.h"

/* The time limits of an expecting line, relative to the previous rung. */
struct limits {
	vtime earliest, due, latest, hard; /* due: without any tolerance */
};

/* run_limits_of fills in the time limits of a line's packet. */
void run_limits_of(struct runner *r, const struct step *step,
		   struct limits *ret);

/*
 * run_has_waited returns whether the previous rung is followed by the wait of a
 * "never" line.  |after| counts from that rung, |within| from the end of the
 * wait.
 */
bool run_has_waited(const struct runner *r);

/*
 * run_differs_await returns the next packet for a line; the limits shift while
 * an impairment holds the stimulus.
 */
struct inbox *run_differs_await(struct runner *r, const struct step *step,
				struct limits *lim);

/* run_line_class returns the class of the packets that a line names. */
const char *run_line_class(const struct step *step);

/*
 * run_missing records that no packet came for a line.  If the DUT never sent a
 * packet, the set-up may be at fault.
 */
enum flow_control run_missing(struct runner *r, const struct step *step);

/*
 * run_expect_differs records the fields in which the packet differs from the
 * line.
 */
void run_expect_differs(struct runner *r, const struct step *step, size_t index,
			struct blame *ret);

/*
 * run_says_failed returns true if an ACK says by its return code that its
 * request failed.  A line "acked" takes no such ACK: no case asks for an error
 * and awaits it that way.
 */
bool run_says_failed(const struct runner *r, size_t index);

/*
 * run_mismatch records that a packet differs from a line.  |over| tells whether
 * the case continues as if the packet matched the line.
 */
enum flow_control run_mismatch(struct runner *r, const struct step *step,
			       const struct inbox *in, enum over over);

/*
 * run_claim_broken ends the case because |pkt| shows that the device violates
 * |claim|, a capability or a line of its declaration.  No row of the case
 * covers that, and lines that depend on the claim are not reached.
 */
enum flow_control run_claim_broken(struct runner *r, const char *claim,
				   const struct packet *pkt);

/*
 * run_can_go_over returns how the case continues if the packet counts as the
 * line's.
 */
enum over run_can_go_over(struct runner *r, const struct step *step,
			  size_t index);

#endif
