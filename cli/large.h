/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/large.h -- memory in large blocks, on large pages where the system has
 * them: with a million flows most of the time goes into finding out where a
 * small page is.
 */
#ifndef CLI_LARGE_H
#define CLI_LARGE_H

#include "judge/pool.h"

/* For judge_conf.memory. */
extern const struct pool_source large_memory;

#endif
