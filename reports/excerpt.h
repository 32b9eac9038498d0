/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/excerpt.h -- shortens a long text, such as a ladder, for a format
 * whose importers refuse large files.
 */
#ifndef REPORTS_EXCERPT_H
#define REPORTS_EXCERPT_H

#include <stddef.h>

#include "base/text.h"

/*
 * excerpt_add appends |s| if it has at most |most| bytes.  Otherwise it appends
 * whole lines from its begin, a line that says how many bytes are left out and
 * that |whole| has them, and whole lines from its end.  Three quarters of the
 * room belong to the end, since a case stops after the failure.  The line about
 * the cut comes on top of |most|.
 */
void excerpt_add(struct text *t, const char *s, size_t most, const char *whole);

#endif
