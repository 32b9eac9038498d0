/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/bench_hook.h -- runs the shell commands of a bench.
 */
#ifndef CLI_LAB_BENCH_HOOK_H
#define CLI_LAB_BENCH_HOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/lab/bench_file.h"

/*
 * bench_hook_run runs a shell command and waits for its end.  In its
 * environment RUNG_BENCH is the name of the bench and RUNG_HOOK is |what|:
 * acquire, renew, release, reset or power.  Any thread may call it.
 * Return: the exit code of the command; 128 and more: a signal ended it, or it
 *         could not be started.
 */
int bench_hook_run(const struct bench *b, const char *what,
		   const char *command);

/*
 * bench_hook_line runs a shell command and writes the first line that it
 * prints.
 * Return: false if the command failed or printed nothing.
 */
bool bench_hook_line(const struct bench *b, const char *command, char *ret,
		     size_t size);

#endif
