/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_pool.h -- worker threads that explore, each with a device
 * of its own, so that the waits of their sequences overlap.
 */
#ifndef CLI_EXPLORE_EXPLORE_POOL_H
#define CLI_EXPLORE_EXPLORE_POOL_H

#include <stdbool.h>

#include "suite/explore/explore.h"

/*
 * The last number of a loopback address has room for that many workers with a
 * pair for each family.
 */
#define EXPLORE_POOL_MAX 31

struct explore_pool_conf {
	struct explore *explore; /* what the workers join */
	unsigned workers;
	/* under explore's lock: whether the worker makes another run */
	bool (*goes_on)(void *ctx, const struct explore *worker);
	void *ctx;
	const volatile bool *stop; /* the flag of cli_interrupts */
};

/* explore_pool_lock is the |lock| of struct explore_conf. */
void explore_pool_lock(void *ctx, bool take);

/*
 * explore_pool_run runs until |goes_on| returned false to each worker, or a
 * worker failed.
 * Return: as explore_run.
 */
int explore_pool_run(const struct explore_pool_conf *conf);

#endif
