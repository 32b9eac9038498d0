/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/run_options.h -- the options of rung run.
 */
#ifndef CLI_RUN_RUN_OPTIONS_H
#define CLI_RUN_RUN_OPTIONS_H

#include "cli/lab/bench_run.h"
#include "cli/option/option.h"
#include "cli/plan/budget.h"
#include "cli/run/dut_setup.h"
#include "cli/run/output.h"
#include "cli/run/resume.h"
#include "cli/run/shard.h"
#include "cli/select.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"

#define RUN_WHO "rung run"

struct run_options {
	struct select_conf select;
	struct shard shard;
	struct budget budget;
	struct bench_run bench;
	struct dut_setup_conf dut_setup;
	struct variants variants;
	struct output_conf output;
	struct run_conf run;
	const char *cases;
	const char *bridge; /* argument of --bridge */
	const char *each;   /* file of --each-variant, or NULL */
	unsigned workers;
	uint32_t repeat; /* number of repetitions */
	uint32_t first;  /* the number of the first repetition, from 1 */
	uint32_t from;   /* that number, counted from 0 */
	const char *baseline;
	const char *before;   /* results.json of --failed-first */
	const char *operator; /* argument of --operator, or NULL */
	bool fail_fast, seeded, until_fail, failed_first, repeated, go_on;
	bool transcript; /* record the calls to the device */
	bool evidence;   /* nothing is left out, and nothing excused */
	bool rounds;     /* repeat all cases together, not each case */
	struct resume resume;
	struct manifest_conf manifest;
};

/* The groups of rows of a struct run_options. */
extern const struct option_group run_option_groups[];

/*
 * run_options_read reads the command line of |c| into |ro|, whose defaults the
 * caller has set, and prints --help.
 *
 * Owner:  texts are those of |argv|.
 * Return: -1: continue; else an exit code.
 */
int run_options_read(const struct command *c, int argc, char **argv,
		     struct run_options *ro);

#endif
