/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/output_options.h -- the options by which "rung run" and "rung
 * report" write their reports.
 */
#ifndef CLI_OPTION_OUTPUT_OPTIONS_H
#define CLI_OPTION_OUTPUT_OPTIONS_H

#include "cli/option/option.h"
#include "cli/run/output.h"

/* Rows for a struct output_conf. */
extern const struct option_row output_rows[];

/*
 * output_options_check settles the colour, and refuses two reports on standard
 * output.  Return: -1: continue; else an exit code after a message.
 */
int output_options_check(const char *who, struct output_conf *conf);

#endif
