/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/baseline_file.h -- reads a baseline from a file.
 */
#ifndef CLI_HISTORY_BASELINE_FILE_H
#define CLI_HISTORY_BASELINE_FILE_H

#include "reports/result/baseline.h"

/*
 * baseline_file_read reads the baseline |path|, as of today; NULL: *ret stays
 * NULL.  Error messages begin with |who|.
 * Return: 0 or an exit code.
 * Owner:  the caller frees *ret with baseline_free.
 */
int baseline_file_read(const char *who, const char *path,
		       struct baseline **ret);

#endif
