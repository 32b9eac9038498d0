/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_program.h -- programs with a channel on their standard
 * input and output.
 */
#ifndef SUITE_DUT_CHAN_CHAN_PROGRAM_H
#define SUITE_DUT_CHAN_CHAN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vtime.h"
#include "suite/dut/chan/chan_why.h"

struct chan;

/*
 * chan_spawn starts a program with the channel on its standard input and
 * output.
 *
 * Shape:  |argv| ends with NULL; the program is looked up in PATH.
 *         suite/dut/chan/dut_spawn.h says what else it inherits.
 */
enum chan_flags {
	CHAN_SHOW_STDERR =
		1, /* the program shares rung's standard error; otherwise
		      chan_ended() reports the last line of it */
	CHAN_PRIVILEGED =
		2,        /* the program keeps the privileges of rung's user */
	CHAN_LETS_GO = 4, /* children of the program may outlive it; otherwise
			     its process group gets SIGTERM */
};

int chan_spawn(struct chan **ret, const char *const *argv, unsigned flags,
	       char why[CHAN_WHY]);

/*
 * chan_starved returns how long want of a processor delayed the program and its
 * children since the last call; 0 if there is no program or no information.
 */
vspan chan_starved(struct chan *c);

/*
 * chan_stopped returns whether a signal or a debugger has stopped the program
 * or one of its children.  For the program itself a stop since the last call
 * counts as well.  Behind a UNIX socket the program is the process that listens
 * there.
 */
bool chan_stopped(const struct chan *c);

/*
 * chan_ended describes how the program ended, after ERR_CLOSED: "exited with
 * status 1: last line of its standard error".
 */
void chan_ended(struct chan *c, char why[CHAN_WHY]);

/*
 * chan_free closes the channel.  A program of chan_spawn gets the end of its
 * input, half a second later SIGTERM, then SIGKILL, and is reaped.  NULL is
 * allowed. chan_free_all closes |n| channels in parallel.
 */
void chan_free(struct chan *c);
void chan_free_all(struct chan *const *all, size_t n);

/* read_stderr reads the program's standard error and keeps its end. */
void read_stderr(struct chan *c);

/*
 * dut_chan_reap waits for the end of the program and returns whether it has
 * ended.  Repeated signals do not prolong the wait.
 */
bool dut_chan_reap(struct chan *c, vtime until);

#endif
