/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/environment.h -- the machine on which a run is made, for run.json.
 */
#ifndef CLI_FILE_ENVIRONMENT_H
#define CLI_FILE_ENVIRONMENT_H

#include <jansson.h>
#include <stdbool.h>

/*
 * environment_json returns the operating system, its release, the architecture,
 * the number of CPUs, and the clock by which the run measures: its source in
 * the kernel and its resolution in nanoseconds, or "virtual".
 * Return: an object, or NULL without memory.
 */
json_t *environment_json(bool virtual);

#endif
