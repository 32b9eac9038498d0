/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder_read.h -- reads results back from the folder of --out.
 */
#ifndef CLI_FILE_FOLDER_READ_H
#define CLI_FILE_FOLDER_READ_H

#include "base/arena.h"
#include "base/diag.h"
#include "suite/verdict/record.h"

/*
 * folder_recall reads the record of a result at |place| back into |ret|.  It
 * must be of the run |run|, of the case |id| and of the repetition |repeat|.
 * If another file of the result is missing or has another size, the record is
 * still read, and |diag| reports it.
 *
 * Owner:  record_free, also after an error.
 *
 * Errors:
 * - ERR_SYS with errno (ENOENT: there is no such folder)
 * - ERR_SYNTAX with |diag| filled
 * - ERR_NOMEM
 */
int folder_recall(int dir, const char *run, const char *id, uint32_t repeat,
		  struct record *ret, struct diag *diag);

/*
 * folder_below opens the folder |path| below |dir|; no link is followed.
 * Return: its descriptor, which the caller closes, or -1 with errno.
 */
int folder_below(int dir, const char *path);

/*
 * folder_read reads the regular file |name| in |dir|; no link is followed.
 *
 * Owner:  *ret is on |a|, ended by a NUL that *ret_len does not count.
 * Errors: ERR_SYS with errno (EINVAL: no regular file); ERR_NOMEM.
 */
int folder_read(struct arena *a, int dir, const char *name, const char **ret,
		size_t *ret_len);

#endif
