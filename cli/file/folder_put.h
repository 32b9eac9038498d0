/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder_put.h -- makes new files and folders in an open folder.
 */
#ifndef CLI_FILE_FOLDER_PUT_H
#define CLI_FILE_FOLDER_PUT_H

#include <stddef.h>

/*
 * folder_sub opens the folder |name| in |dir|, and makes it if it is missing.
 *
 * Owner:  the caller closes *ret.
 *
 * Errors: ERR_SYS with errno (ELOOP, ENOTDIR: a file of that name exists).
 */
int folder_sub(int dir, const char *name, int *ret);

/*
 * folder_put writes a new file of |len| bytes in an incomplete folder; the name
 * must be unused.
 *
 * Errors: ERR_SYS with errno.
 */
int folder_put(int dir, const char *name, const char *s, size_t len);

#endif
