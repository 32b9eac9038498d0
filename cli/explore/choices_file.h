/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/choices_file.h -- a log of choices as a file, which
 * "rung replay" repeats.
 */
#ifndef CLI_EXPLORE_CHOICES_FILE_H
#define CLI_EXPLORE_CHOICES_FILE_H

#include "base/text.h"
#include "suite/explore/choices.h"

/*
 * choices_file_print appends the file of a log, with a comment that names its
 * seed and the number of its sequence.
 */
void choices_file_print(const struct choices *c, uint64_t seed, uint64_t run,
			struct text *ret);

/*
 * choices_file_read reads a log of choices from the file |path|.  It skips the
 * lines between the first one and the numbers that begin with '#': files of
 * earlier versions have none.
 * Return: 0, or an exit code after a message that begins with |who|.
 */
int choices_file_read(const char *who, const char *path, struct choices *ret);

#endif
