/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/option_help.h -- the text of "rung COMMAND --help".
 */
#ifndef CLI_OPTION_OPTION_HELP_H
#define CLI_OPTION_OPTION_HELP_H

#include "base/text.h"
#include "cli/option/option.h"

/* The row of -h, --help, which every command has after its own rows. */
extern const struct option_row option_help_row;

/* option_help appends the help of a command, in lines of at most 80 columns.
 */
void option_help(struct text *t, const struct command *c);

#endif
