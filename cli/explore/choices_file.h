/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/choices_file.h -- a log of choices as a file, which
 * "rung replay" repeats.
 */
#ifndef CLI_EXPLORE_CHOICES_FILE_H
#define CLI_EXPLORE_CHOICES_FILE_H

#include "base/text.h"
#include "suite/explore/choices.h"

/* choices_file_print appends the file of a log. */
void choices_file_print(const struct choices *c, struct text *ret);

/*
 * choices_file_read reads a log of choices from the file |path|.
 * Return: 0, or an exit code after a message that begins with |who|.
 */
int choices_file_read(const char *who, const char *path, struct choices *ret);

#endif
