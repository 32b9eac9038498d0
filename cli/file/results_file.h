/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/results_file.h -- reads the results of a run, by its folder or by
 * the file itself.
 */
#ifndef CLI_FILE_RESULTS_FILE_H
#define CLI_FILE_RESULTS_FILE_H

#include "reports/result/results.h"

/*
 * results_load reads |name|: a folder of 'rung run --out', or a results.json
 * file.  Free *ret with results_free().
 *
 * Return: 0, or an exit code after an error message: EXIT_USAGE if the file
 * cannot be read, else that of cli_bad_text().
 */
int results_load(const char *who, const char *name, struct results **ret);

#endif
