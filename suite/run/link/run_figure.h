/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_figure.h -- write the findings of monitors in the numbers
 * of the figure.
 */
#ifndef SUITE_RUN_LINK_RUN_FIGURE_H
#define SUITE_RUN_LINK_RUN_FIGURE_H

#include "suite/run/run_state.h"
#include "suite/verdict/record.h"

/* link_figure writes the texts of a monitor's finding in the figure's numbers.
 */
void link_figure(struct runner *r, struct rec_finding *f);

#endif
