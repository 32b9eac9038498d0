/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_figure.h -- rewrites findings of monitors with the
 * figure's numbers.
 */
#ifndef SUITE_RUN_LINK_RUN_FIGURE_H
#define SUITE_RUN_LINK_RUN_FIGURE_H

#include "suite/run/run_state.h"
#include "suite/verdict/record.h"

/*
 * link_figure rewrites the texts of a monitor's finding with the figure's
 * numbers.
 */
void link_figure(struct runner *r, struct rec_finding *f);

#endif
