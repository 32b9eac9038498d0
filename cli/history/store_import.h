/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/store_import.h -- puts the results of a run into the database.
 */
#ifndef CLI_HISTORY_STORE_IMPORT_H
#define CLI_HISTORY_STORE_IMPORT_H

#include <stddef.h>

#include "cli/history/store.h"

/*
 * store_import reads results.json in the folder |dir|, or the file |dir|, and
 * stores its results.  A run that is stored already is skipped.  All its
 * results are stored or none.
 *
 * Return: 0 or an exit code after a message; *ret_n is the number of new
 *         results.
 */
int store_import(struct store *s, const char *dir, size_t *ret_n);

#endif
