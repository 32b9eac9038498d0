/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/tap.h -- the run as TAP 14, with YAML diagnostics.
 *
 * na is a skipped test; fail, error and inconclusive are "not ok".
 */
#ifndef REPORTS_TAP_H
#define REPORTS_TAP_H

#include <stddef.h>

#include "base/text.h"
#include "reports/about.h"
#include "reports/summary.h"

/* tap_begin appends the version line. */
void tap_begin(struct text *t, const struct about *a);

/* tap_case appends test point |number|, counted from 1. */
void tap_case(struct text *t, const struct summary_case *c, size_t number);

/*
 * tap_end appends the plan, |n| test points were written, or that the run was
 * interrupted.
 */
void tap_end(struct text *t, size_t n, const struct about *a);

#endif
