/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_expect.h -- execute the lines that look at packets: <, acked,
 * never and any.
 */
#ifndef SUITE_RUN_RUN_EXPECT_H
#define SUITE_RUN_RUN_EXPECT_H

#include <stdbool.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/* Passes over a packet that no line has to name. */
bool run_pass_over(struct runner *r, const struct step *step,
		   const struct inbox *in);

/* run_expect.c */
enum flow_control expect_step(struct runner *r, const struct step *step);
enum flow_control expect_acked(struct runner *r, const struct step *step);
enum flow_control expect_never(struct runner *r, const struct step *step);
enum flow_control expect_any(struct runner *r, const struct step *step);

#endif
