/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/dut_options.h -- the options by which "rung run" and "rung probe"
 * reach a device.
 */
#ifndef CLI_OPTION_DUT_OPTIONS_H
#define CLI_OPTION_DUT_OPTIONS_H

#include "base/text.h"
#include "cli/option/option.h"
#include "cli/run/dut_setup.h"

/* Rows for a struct dut_setup_conf. */
extern const struct option_row dut_rows[];

/*
 * dut_options_check rejects options that exclude each other.
 * Return: -1: continue; else an exit code after a message.
 */
int dut_options_check(const char *who, const struct dut_setup_conf *conf);

/*
 * dut_options_take_dut and dut_options_take_control read the argument of --dut
 * and of --control into a struct dut_setup_conf.
 */
option_take_fn dut_options_take_dut, dut_options_take_control;

/*
 * dut_options_word appends an option, and its value as a shell reads it unless
 * it is NULL, behind a blank unless |t| is empty.
 */
void dut_options_word(struct text *t, const char *option, const char *value);

/*
 * dut_options_again appends the options that choose the same device again in a
 * command whose --dut is |standard| by default.
 */
void dut_options_again(const struct dut_setup_conf *conf, const char *standard,
		       struct text *t);

/* dut_options_own returns true if the device is the reference. */
bool dut_options_own(const struct dut_setup_conf *conf);

/*
 * dut_options_clock returns a seed that no run of the last eleven days had,
 * unless both began in the same millisecond.
 */
uint64_t dut_options_clock(void);

#endif
