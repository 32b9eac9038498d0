/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/worker_pool.h -- worker threads that run cases, and one place where
 * the results arrive in order.
 *
 * Each worker has a device of its own, so that no case sees another.  Results
 * are handed over on the calling thread, in the order of the picks, whichever
 * worker was first: what is printed is the same for any number of workers.
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
	uint32_t repeat; /* each case so often, at least 1 */
	uint32_t from;   /* number of the first repetition, from 0 */
	bool rounds;     /* all cases once, then again; else each one at once */
	unsigned workers;
	struct run_conf run; /* |repeat| is filled in */
	/*
	 * seat makes the device of a worker; with |reseat| again after a case
	 * that did not end well, for the device may be gone.  Return: 0, or an
	 * exit code after a message.
	 */
	int (*dut_setup)(void *ctx, unsigned worker, enum family family,
			 struct dut **ret);
	bool reseat;
	/*
	 * recall, or NULL, fills in a result that an earlier run has; false:
	 * it has none, and the case runs.  Threads call it at the same time.
	 */
	bool (*recall)(void *ctx, const struct pick *p, uint32_t repeat,
		       struct record *r);
	/* started, or NULL, is called once the workers are there */
	void (*started)(void *ctx);
	/* arrived takes a result; false ends the run.  |done| counts from 1. */
	bool (*arrived)(void *ctx, struct record *r, size_t done);
	/* waits is called now and then while the result of |p| is awaited */
	void (*waits)(void *ctx, const struct pick *p);
	void *ctx;
};

/* worker_pool_pick is the case of result |at|, from 0. */
const struct pick *worker_pool_pick(const struct worker_pool_conf *conf,
				    size_t at);

/*
 * worker_pool_run runs everything.  After an interruption, or once arrived says
 * so, it hands over what the workers finished in order up to there. Return: 0
 * or an exit code (of seat, EXIT_HARNESS).
 */
int worker_pool_run(const struct worker_pool_conf *conf);

#endif
