/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/plan/each_variant.h -- runs the selected cases on several devices in
 * turn, each in a process of its own.
 */
#ifndef CLI_PLAN_EACH_VARIANT_H
#define CLI_PLAN_EACH_VARIANT_H

#include "base/arena.h"

/*
 * each_variant_run forks once for each line of the file |path|, waits for the
 * child, and prints "NAMES: exit CODE" on standard error.  A line is
 * NAME+NAME..., as for --variant; empty lines and those that begin with # do
 * not count.  The cases have been read before, once for all devices.
 *
 * Owner:  *ret_names is on |a|.
 * Return: -1 in a child, which runs with *ret_names and ends; in the parent the
 * exit code of the whole: the first that is neither EXIT_PASSED nor
 * EXIT_NOTHING, else EXIT_PASSED, or EXIT_NOTHING if no device ran a case.
 */
int each_variant_run(const char *who, const char *path, struct arena *a,
		     const char **ret_names);

#endif
