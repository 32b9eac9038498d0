/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_differs.h -- what an expecting line finds wrong: a packet that
 * is late, missing or different.
 */
#ifndef SUITE_RUN_RUN_DIFFERS_H
#define SUITE_RUN_RUN_DIFFERS_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"
#include "suite/verdict/blame.h"

/* The limits of an expecting line, counted from the rung before. */
struct limits {
	vtime earliest, due, latest, hard; /* due: before any tolerance */
};

/*
 * run_limits_of fills *ret with the limits of the time in which a line's
 * packet must come.
 */
void run_limits_of(struct runner *r, const struct step *step,
		   struct limits *ret);

/* The next packet for a line; the limits move while the stimulus is held. */
struct inbox *run_differs_await(struct runner *r, const struct step *step,
				struct limits *lim);

/* run_line_class returns the class of the packets that a line names. */
const char *run_line_class(const struct step *step);

/*
 * run_missing records that no packet came for a line.  Whose fault that is
 * depends on whether the DUT ever spoke.
 */
enum flow_control run_missing(struct runner *r, const struct step *step);

/* Records the fields in which the packet differs from the line. */
void run_expect_differs(struct runner *r, const struct step *step, size_t index,
			struct blame *ret);

/*
 * run_mismatch records that a packet differs from a line. |over| says
 * whether the case goes on behind the packet, as if it were the line's.
 */
enum flow_control run_mismatch(struct runner *r, const struct step *step,
			       const struct inbox *in, enum over over);

/*
 * run_claim_broken ends a case of a device that does not keep |claim|, a
 * capability or a line of its declaration, as |pkt| shows: no row of the case
 * is about that, and what builds on the claim is not reached.
 */
enum flow_control run_claim_broken(struct runner *r, const char *claim,
				   const struct packet *pkt);

/*
 * run_can_go_over says how the case goes on as if the packet were the
 * line's.
 */
enum over run_can_go_over(struct runner *r, const struct step *step,
			  size_t index);

#endif
