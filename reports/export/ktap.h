/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/ktap.h -- the run as KTAP, the format of kernel tests.
 *
 * A topic folder is a test with subtests; each result is one of them.  na is
 * "# SKIP", a known failure "# XFAIL", an error or an inconclusive result
 * "not ok ... # ERROR".  The findings are diagnostic lines before a result.
 *
 * Spec: Documentation/dev-tools/ktap.rst, version 1
 */
#ifndef REPORTS_EXPORT_KTAP_H
#define REPORTS_EXPORT_KTAP_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * ktap_report appends the whole file.
 * Errors: ERR_NOMEM.
 */
int ktap_report(struct text *t, const struct summary *s, const struct about *a);

#endif
