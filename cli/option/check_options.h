/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/check_options.h -- the options by which "rung check" and "rung
 * ladder" judge a capture.
 */
#ifndef CLI_OPTION_CHECK_OPTIONS_H
#define CLI_OPTION_CHECK_OPTIONS_H

#include "cli/option/option.h"

/* Rows for a struct check_run_conf. */
extern const struct option_row check_option_rows[];

#endif
