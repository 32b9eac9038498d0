/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_slowest.h -- the cases of a run that took longest.
 */
#ifndef REPORTS_TEXT_TEXT_SLOWEST_H
#define REPORTS_TEXT_TEXT_SLOWEST_H

#include <stddef.h>

#include "base/text.h"
#include "reports/result/summary.h"

/*
 * text_slowest appends the |n| results that took the longest time of the
 * machine, the slowest one first, each with that time in milliseconds.  It
 * appends nothing if |n| is 0.
 * Errors: t->failed is set if memory is short.
 */
void text_slowest(struct text *t, const struct summary *s, size_t n);

#endif
