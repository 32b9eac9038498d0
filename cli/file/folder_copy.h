/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder_copy.h -- copies the folder of a result to another run.
 */
#ifndef CLI_FILE_FOLDER_COPY_H
#define CLI_FILE_FOLDER_COPY_H

#include <stdint.h>

/*
 * folder_copy copies the folder of a result from the open folder |from| to the
 * open folder |to|; it appears there when it is complete.  The copy belongs to
 * the run |run| instead of |was|; both have 32 digits, so that the sizes in the
 * record stay true.  Links are not followed.
 *
 * Errors: ERR_SYS with errno (ENOTSUP: it holds more than files and the folder
 *         common/); ERR_NOMEM.
 */
int folder_copy(int from, int to, const char *id, uint32_t repeat,
		const char *was, const char *run);

#endif
