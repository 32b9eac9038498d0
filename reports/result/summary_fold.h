/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/summary_fold.h -- drops rows of a summary that repeat others.
 */
#ifndef REPORTS_RESULT_SUMMARY_FOLD_H
#define REPORTS_RESULT_SUMMARY_FOLD_H

#include "reports/result/summary.h"

/*
 * summary_fold drops the row of the result that was added last if its case has
 * enough rows with the same verdict; the last of those rows counts it, and so
 * do all totals.  It is called only before summary_sort.
 *
 * Return: true if the row was dropped.
 */
bool summary_fold(struct summary *s);

#endif
