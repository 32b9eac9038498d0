/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/check_run.h -- judges a capture with several threads and merges what
 * they find.
 *
 * The workers read a file together, once (shared_reader.h), and each judges
 * its own pairs of addresses.  The output is in the order of the frames and the
 * same for any number of threads.  Of a live port, each worker reads a queue
 * (netcap.h); the frames are numbered in the order in which they are read.
 *
 * A capture that "rung run" wrote is known to be complete: it is judged at the
 * device's link, in the order of time, with the recorded fate of each packet.
 */
#ifndef CLI_RUN_CHECK_RUN_H
#define CLI_RUN_CHECK_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/capture/recorder.h"
#include "cli/file/source.h"
#include "judge/core/watch.h"
#include "lib/rung.h"
#include "reports/result/verdicts.h"

#define CHECK_WORKERS_MAX 64 /* threads */

struct check_run_conf {
	const char *who;
	/* |part| and |parts| are set by check_run_begin() */
	struct watch_conf watch;
	unsigned check_workers;
	/* number of findings kept; more are only counted */
	size_t max_findings;
	bool flows; /* keep the summaries of flows */
	bool strict;
	const volatile bool *stop;
	/*
	 * Takes each frame and finding; one thread then reads the source, once.
	 * NULL: none.
	 */
	struct recorder *recorder;
	/*
	 * Takes findings, other than those of the end, when they are found.
	 * NULL: they are kept for the result.  One thread calls it at a time;
	 * max_findings limits the calls.  Not for workers who share a file.
	 */
	void (*found)(void *arg, const struct rung_finding *f);
	void *found_arg;
};

struct check_run_result {
	/* by frame; findings about missing packets follow */
	struct rung_finding *findings;
	size_t nfindings;
	struct rung_flow *flows; /* by first frame */
	size_t nflows;
	/* rows that were checked or violated */
	struct verdict_req reqs[2 * REQ_COUNT];
	size_t nreqs;
	struct rung_counts counts;
	struct verdict_queue queues[CHECK_WORKERS_MAX]; /* of a live port */
	struct verdict_sum sum; /* its pointers point into this struct */
	char error[200];
	int err; /* why reading ended: 0, or as source_next */
};

/*
 * check_run_conf_default fills in one worker at an unknown vantage point, with
 * no knowledge of the devices, in a capture that may start midstream.
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
 * check_run_remarks reports on standard error that the result of capture |name|
 * may be incomplete because of the caller's own limits: flows were forgotten.
 */
void check_run_remarks(const struct check_run_conf *conf, const char *name,
		       const struct check_run_result *r);

#endif
