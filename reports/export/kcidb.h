/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/kcidb.h -- the run as KCIDB, the database of kernel CI.
 *
 * Each result is a test of a build.  The user names a build that the database
 * has, such as the kernel whose driver ran; else the file has a checkout and a
 * build that stand for the device.  na is SKIP, error and inconclusive are
 * ERROR, and a known failure is waived.
 *
 * Spec: kcidb-io schema v5.0
 */
#ifndef REPORTS_EXPORT_KCIDB_H
#define REPORTS_EXPORT_KCIDB_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * kcidb_report appends the whole file.  |build| is the id of a build,
 * "maestro:6638f2", which also names the origin of the tests; NULL: the file
 * describes the device as a build of the origin "rung".
 *
 * Errors: ERR_NOMEM.
 */
int kcidb_report(struct text *t, const struct summary *s, const struct about *a,
		 const char *build);

/*
 * kcidb_origin returns the length of the origin in |build|; 0 if |build| is not
 * the id of a build: an origin of a-z, 0-9 and '_', a colon, and more.
 */
size_t kcidb_origin(const char *build);

#endif
