/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_schedules.h -- the schedules of --all: two references
 * against each other, with a judge at each end.
 */
#ifndef CLI_EXPLORE_EXPLORE_SCHEDULES_H
#define CLI_EXPLORE_EXPLORE_SCHEDULES_H

#include "cli/explore/exploring.h"

/*
 * explore_all_apart runs the schedules and prints their figures; with --json it
 * writes them.  A mutant may crash, so it is explored in a process of its own.
 * Return: an exit code, after a message if it is an error.
 * Owner:  free of e->seen.
 */
int explore_all_apart(struct exploring *e);

#endif
