/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_print.h -- prints the progress of an exploration and its
 * summary.
 */
#ifndef CLI_EXPLORE_EXPLORE_PRINT_H
#define CLI_EXPLORE_EXPLORE_PRINT_H

#include "cli/explore/exploring.h"

/*
 * explore_print_progress draws the line of the progress anew, if standard error
 * is a terminal and the line is not a new one.
 */
void explore_print_progress(struct exploring *e, double now);

/*
 * explore_print_summary prints what was run, reached and discarded, and the
 * differences from the reference; with --unreached, also what was not reached.
 */
void explore_print_summary(const struct exploring *e);

#endif
