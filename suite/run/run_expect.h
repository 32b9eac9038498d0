/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_expect.h -- executes the lines that expect packets: <, acked,
 * never and any.
 */
#ifndef SUITE_RUN_RUN_EXPECT_H
#define SUITE_RUN_RUN_EXPECT_H

#include <stdbool.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/* run_pass_over skips a packet that needs no line. */
bool run_pass_over(struct runner *r, const struct step *step,
		   const struct inbox *in);

/*
 * run_fits returns whether a packet is one that a line expects.  |again|: the
 * line has already counted others, and a timer's repeat of one of them does not
 * fit.
 */
bool run_fits(const struct runner *r, const struct step *step, size_t index,
	      bool again);

/* expect_step executes a "<" line. */
enum flow_control expect_step(struct runner *r, const struct step *step);
enum flow_control expect_acked(struct runner *r, const struct step *step);
enum flow_control expect_never(struct runner *r, const struct step *step);
enum flow_control expect_any(struct runner *r, const struct step *step);

#endif
