/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/option_read.h -- reads a command line by the rows of a command.
 */
#ifndef CLI_OPTION_OPTION_READ_H
#define CLI_OPTION_OPTION_READ_H

#include <stddef.h>

#include "cli/option/option.h"

struct operands {
	char **at; /* in argv */
	size_t n;
};

/*
 * option_read reads the options of a command line into |target|, and prints
 * --help.  Options may be abbreviated and may follow operands; "--" ends them.
 *
 * Owner:  texts in |target| are those of |argv|.
 * Return: -1: continue; else an exit code: EXIT_PASSED after --help, EXIT_USAGE
 *         after a message, or what a row's |take| returned.
 */
int option_read(const struct command *c, int argc, char **argv, void *target,
		struct operands *ret);

/*
 * operands_folder takes the only operand of a command, a folder.  *ret points
 * into argv.
 *
 * Return: -1: continue; else the exit code of a usage error.
 */
int operands_folder(const char *who, const struct operands *o,
		    const char **ret);

#endif
