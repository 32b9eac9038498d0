/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/file.h -- reads and writes whole files.
 */
#ifndef CLI_FILE_FILE_H
#define CLI_FILE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/text.h"

#define FILE_MAX                                                     \
	((size_t)16 << 20) /* bytes of the largest file that is read \
			    */

/*
 * file_read reads a file as a string.  It waits for a pipe for five seconds at
 * a time.
 *
 * Owner:  *ret is on |a|, ended by a NUL that *ret_len does not count.
 *
 * Errors:
 * - ERR_SYS with errno (EFBIG: more than FILE_MAX; ETIMEDOUT)
 * - ERR_NOMEM
 */
int file_read(struct arena *a, const char *path, const char **ret,
	      size_t *ret_len);

/*
 * file_read_most is file_read with another limit: results are larger than
 * cases.
 */
int file_read_most(struct arena *a, const char *path, size_t most,
		   const char **ret, size_t *ret_len);

#define FILE_RESULTS                                            \
	((size_t)1 << 30) /* most bytes of the results of a run \
			   */

/*
 * file_create opens an empty file for writing.  A pipe without a reader is an
 * error.
 *
 * Return: a descriptor; -1 with errno.
 */
int file_create(const char *path);

/*
 * file_close flushes and closes a file that was written; NULL and standard
 * output are only flushed.
 * Errors: ERR_SYS with errno: not everything was written.
 */
int file_close(FILE *f);

#endif
