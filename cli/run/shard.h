/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/shard.h -- divides the cases of a run among several runs, which a
 * scheduler starts on as many machines.
 *
 * Every run of a set selects the same cases, in the same order, and keeps its
 * own share.  The division depends on the selection, the number of shards and
 * the recorded durations alone, so the runs need not communicate.  'rung merge'
 * joins their results.
 */
#ifndef CLI_RUN_SHARD_H
#define CLI_RUN_SHARD_H

#include <stddef.h>
#include <stdint.h>

#include "cli/option/option.h"
#include "cli/select.h"

#define SHARD_MAX 10000 /* most shards */

struct shard {
	unsigned number, of; /* 1 to |of|; |of| 0: the run is not divided */
	const char *balance; /* a results.json with durations, or NULL */
	uint64_t plan; /* manifest_plan() of all cases before the division */
	/* filled in by shard_select */
	size_t total; /* cases before the division */
	uint32_t *at; /* the place of each kept case among them, from 0 */
};

/* shard_take reads "3/16" into the struct shard |target|. */
option_take_fn shard_take;

/*
 * shard_select keeps the cases of this shard, in their order.  The cases are
 * dealt out in descending order of their recorded durations, each to the shard
 * with the least work so far.  A case without a recorded duration counts as the
 * mean of the others.
 *
 * Return: 0; EXIT_USAGE: |balance| cannot be read; EXIT_HARNESS: no memory.
 *         A message that begins with |who| was printed.
 * Owner:  shard_free, also after an error.
 */
int shard_select(const char *who, struct shard *s, struct selection *cases);
void shard_free(struct shard *s);

#endif
