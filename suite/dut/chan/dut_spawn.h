/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_spawn.h -- programs that rung starts: adapters and
 * triggers.
 *
 * A program gets its three standard streams and no other descriptor, a process
 * group of its own, default signal handlers, and only those environment
 * variables that docs/dut-control.md lists.
 */
#ifndef SUITE_DUT_CHAN_DUT_SPAWN_H
#define SUITE_DUT_CHAN_DUT_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct spawn_conf {
	const char *const *argv; /* ends with NULL; looked up in PATH */
	int in, out;             /* its standard input and output */
	int err;                 /* its standard error; -1: that of rung */
	/*
	 * The program keeps the privileges of rung's user: root's capabilities,
	 * or those that sudo or a file grants.  Otherwise it has no
	 * capabilities and gains none (no_new_privs).
	 */
	bool privileged;
};

/*
 * spawn_program starts a program.  It returns once the program runs.
 * Return: 0 and the process id; -1 with errno, also if exec failed.
 * Owner: the caller keeps the descriptors; the caller reaps the process.
 */
int spawn_program(pid_t *ret, const struct spawn_conf *conf);

#endif
