/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/diff.h -- aligns two rungs and marks every difference.
 *
 *    ack ack_psn=333 cack_psn=332 req=clear | response
 *    ack ack_psn=333 cack_psn=333           | response
 *                    ^^^^^^^^^^^^ ^^^^^^^^^
 *
 * Fields are paired by name, in any order.  Ranges and comparisons of an
 * expectation count: psn=333..336 and psn=334 do not differ.  An omitted field
 * is zero (a flag is not set, an enumeration has its first value).  A field
 * that only the actual rung has is marked only if nothing else differs, because
 * then it must be the fault.
 */
#ifndef REPORTS_RESULT_DIFF_H
#define REPORTS_RESULT_DIFF_H

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

/*
 * rung_diff_form appends the differences in a form that does not depend on the
 * run: "cack_psn=N" and "cack_psn>N", "retx=0" and "retx=1".  Numbers that vary
 * from run to run (PSNs, ids, counters, lengths) become N and their relation to
 * it; values of enumerations and of fields of up to four bits stay.  A packet
 * of another type is reduced to its type.  If |field| is not NULL and differs,
 * only this field is written.
 *
 * Return: how many fields differ.
 */
unsigned rung_diff_form(struct text *ret_expected, struct text *ret_actual,
			const char *expected, const char *actual,
			const char *field);

/*
 * rung_diff_field copies the name of the first field that differs to |ret|
 * ("type" if the packet types differ, "payload" for what follows the headers);
 * "" if nothing differs.
 */
void rung_diff_field(char *ret, size_t size, const char *expected,
		     const char *actual);

#endif
