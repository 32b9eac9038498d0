/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/worker_pool.h -- worker threads that run cases, and one place where
 * the results arrive in order.
 *
 * Each worker has its own device, so that cases do not affect each
 * other.  Results are handed over on the calling thread, in the order of the
 * picks, so that the output is the same for any number of workers.
 */
#ifndef CLI_RUN_WORKER_POOL_H
#define CLI_RUN_WORKER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/select.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"

#define WORKER_POOL_MAX 64 /* workers */

struct worker_pool_conf {
	const struct selection *selection;
	uint32_t repeat; /* number of repetitions of each case, at least 1 */
	uint32_t from;   /* number of the first repetition, from 0 */
	/* all cases once, then again; else all repetitions of a case in turn */
	bool rounds;
	unsigned workers;
	struct run_conf run; /* |repeat| is set by the pool */
	/*
	 * Makes the device of a worker; if the configuration requests it, again
	 * after a case that did not end well, since the device may be
	 * gone.  Return: 0, or an exit code after a message.
	 */
	int (*dut_setup)(void *ctx, unsigned worker, enum family family,
			 struct dut **ret);
	bool reseat;
	/*
	 * Fills in a result of an earlier run; may be NULL.  False: there is no
	 * such result, and the case runs.  Threads call it at the same time.
	 */
	bool (*recall)(void *ctx, const struct pick *p, uint32_t repeat,
		       struct record *r);
	/* called when the workers are ready; may be NULL */
	void (*started)(void *ctx);
	/* takes a result; false ends the run.  |done| counts from 1. */
	bool (*arrived)(void *ctx, struct record *r, size_t done);
	/* called repeatedly while the result of |p| is awaited */
	void (*waits)(void *ctx, const struct pick *p);
	void *ctx;
};

/* worker_pool_pick returns the case of result |at|, from 0. */
const struct pick *worker_pool_pick(const struct worker_pool_conf *conf,
				    size_t at);

/*
 * worker_pool_run runs all cases.  After an interruption, or when |arrived|
 * returns false, it hands over the finished results that are next in order.
 * Return: 0 or an exit code (of |dut_setup|, or EXIT_HARNESS).
 */
int worker_pool_run(const struct worker_pool_conf *conf);

#endif
