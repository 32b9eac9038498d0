/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/check_run.h -- judges a capture with several threads and merges what
 * they find.
 *
 * Each worker reads the whole file and judges its own pairs of addresses, so
 * that threads pass no packets to each other.  The output is in the order of
 * the frames and the same for any number of threads.
 *
 * A capture that "rung run" wrote is known to be complete: it is judged at the
 * device's link, in the order of time, with the recorded fate of each packet.
 */
#ifndef CLI_RUN_CHECK_RUN_H
#define CLI_RUN_CHECK_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/file/source.h"
#include "judge/core/watch.h"
#include "reports/result/verdicts.h"

#define CHECK_WORKERS_MAX 64 /* threads */

struct check_run_conf {
	const char *who;
	struct watch_conf watch; /* |part| and |parts| are filled in */
	unsigned check_workers;
	size_t max_findings; /* kept; more are counted */
	bool flows;          /* keep their summaries */
	bool strict;
	const volatile bool *stop;
};

struct check_run_flow {
	struct judge_flow flow; /* flow.stats is below */
	struct judge_flow_stats stats;
};

struct check_run_result {
	struct finding *findings; /* by frame; absences behind them */
	size_t nfindings;
	struct check_run_flow *flows; /* by first frame */
	size_t nflows;
	struct verdict_req reqs[2 * REQ_COUNT]; /* seen or broken */
	size_t nreqs;
	struct watch_counts counts;
	struct judge_totals totals;
	struct verdict_sum sum; /* its pointers point into this struct */
	char error[200];
	int err; /* what ended the reading: 0, or as source_next */
};

/*
 * check_run_conf_default is one juror somewhere on the way of the packets, who
 * knows nothing of the devices and may have come late.
 */
void check_run_conf_default(struct check_run_conf *ret, const char *who);

/*
 * check_run_begin judges a source to its end.
 * Return: 0 or an exit code after a message; check_run_free in either case.
 */
int check_run_begin(const struct check_run_conf *conf, struct source *s,
		    struct check_run_result *ret);
void check_run_free(struct check_run_result *r);

/*
 * check_run_remarks says on standard error what of the result of capture |name|
 * may be missing because of the caller's own limits: flows that were forgotten.
 */
void check_run_remarks(const struct check_run_conf *conf, const char *name,
		       const struct check_run_result *r);

#endif
