/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/bench_run.h -- the bench of a run: its file, its lease, the canary
 * before and after, the quarantine, and the facts for the reports.
 */
#ifndef CLI_LAB_BENCH_RUN_H
#define CLI_LAB_BENCH_RUN_H

#include "base/arena.h"
#include "base/text.h"
#include "cli/lab/bench_file.h"
#include "cli/lab/lease.h"
#include "reports/about.h"

struct bench_run {
	const char *name; /* argument of --bench, or NULL */
	const char *path; /* argument of --bench-file, or NULL */
	/* filled in */
	struct bench bench;
	struct lease *lease;
	struct about_bench facts;
	struct text canary; /* options that reach the device, NUL after each */
	char quarantine[4096]; /* file that takes the bench out of service */
	char firmware[256], driver[256];
	struct arena arena;
};

/*
 * bench_run_read reads the file.  Paths in it count from its folder.
 * Return: 0; EXIT_USAGE or EXIT_HARNESS after a message.
 */
int bench_run_read(const char *who, struct bench_run *b);

/*
 * bench_run_begin refuses a bench in quarantine, acquires it, runs its reset
 * command and its canary, and reads the facts.  If the canary does not pass,
 * the power command runs, and the canary again; if it still does not, the bench
 * goes into quarantine.
 *
 * bench_run_end runs the canary again and releases the bench.  |code| is the
 * exit code of the run.
 *
 * Return: 0 or an exit code after a message; bench_run_end returns |code|, or
 *         EXIT_HARNESS if the bench was lost or goes into quarantine.
 */
int bench_run_begin(const char *who, struct bench_run *b);
int bench_run_end(const char *who, struct bench_run *b, int code);
void bench_run_free(struct bench_run *b);

#endif
