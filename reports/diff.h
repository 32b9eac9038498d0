/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/diff.h -- two rungs, one above the other, every difference marked.
 *
 *	ack ack_psn=333 cack_psn=332 req=clear | response
 *	ack ack_psn=333 cack_psn=333           | response
 *	                ^^^^^^^^^^^^ ^^^^^^^^^
 *
 * Fields are paired by name, whatever their order.  An expectation's ranges and
 * comparisons are understood: psn=333..336 and psn=334 do not differ.  A field
 * that a rung does not write is zero (a flag is not set, an enumeration has its
 * first value).  What only the actual rung writes was not asked for; it is
 * marked only when nothing else differs, for then it must be what is wrong.
 */
#ifndef REPORTS_DIFF_H
#define REPORTS_DIFF_H

#include <stddef.h>

#include "base/text.h"

/*
 * rung_diff appends the two padded rungs and the line of marks, without
 * newlines and without trailing spaces.  Spaces between fields are in the same
 * columns of all three, so that they can be cut there.
 *
 * Return: how many fields differ.
 */
unsigned rung_diff(struct text *ret_expected, struct text *ret_actual,
		   struct text *ret_marks, const char *expected,
		   const char *actual);

/*
 * rung_diff_words appends the differences as a sentence, "expected
 * cack_psn=332, got 333; expected req=clear, got none", or nothing.
 */
void rung_diff_words(struct text *t, const char *expected, const char *actual);

#endif
