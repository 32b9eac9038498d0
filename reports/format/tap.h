/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/tap.h -- the run as TAP 14, with YAML diagnostics.
 *
 * na is a skipped test; fail, error and inconclusive are "not ok".
 */
#ifndef REPORTS_FORMAT_TAP_H
#define REPORTS_FORMAT_TAP_H

#include <stddef.h>

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/* tap_begin appends the version line. */
void tap_begin(struct text *t, const struct about *a);

/* tap_case appends test point |number|, counted from 1. */
void tap_case(struct text *t, const struct summary_case *c, size_t number);

/*
 * tap_end appends a failed test point for each claim that the device does not
 * keep, and the plan or, if the run was interrupted, a note of it.  It requires
 * that a test point was written for each case.
 */
void tap_end(struct text *t, const struct summary *s, const struct about *a);

#endif
