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
 *         What else it gets is said in suite/dut/chan/dut_spawn.h.
 */
enum chan_flags {
	CHAN_SHOW_STDERR = 1, /* it shares our standard error; else the end of
				 what it says there is kept for chan_ended */
	CHAN_PRIVILEGED = 2,  /* it keeps the rights of rung's user */
	CHAN_LETS_GO = 4,     /* what it started may go on when it ends; else
				 its process group gets SIGTERM */
};

int chan_spawn(struct chan **ret, const char *const *argv, unsigned flags,
	       char why[CHAN_WHY]);

/*
 * chan_starved returns how long the program, and those that it started, were
 * ready to run without a processor, in all; 0 if there is no program or no
 * information.
 */
vspan chan_starved(const struct chan *c);

/*
 * chan_stopped says whether a signal or a debugger has stopped the program, or
 * one that it started: now, or, of the program itself, at any time since the
 * last call.  Of a channel to a UNIX socket the program is who listens there.
 */
bool chan_stopped(const struct chan *c);

/*
 * chan_ended says how it ended, after ERR_CLOSED: "exited with status 1: last
 * line of its standard error".
 */
void chan_ended(struct chan *c, char why[CHAN_WHY]);

/*
 * chan_free closes the channel.  A program of chan_spawn gets the end of its
 * input, half a second later SIGTERM, then SIGKILL, and is reaped.
 * NULL is allowed.  chan_free_all does so with |n| of them at once, in no more
 * time.
 */
void chan_free(struct chan *c);
void chan_free_all(struct chan *const *all, size_t n);

/*
 * read_stderr keeps the end of what the program says on its standard error.
 */
void read_stderr(struct chan *c);

/*
 * dut_chan_reap waits for the end of the program and returns whether it has
 * ended.  A run that is to stop gets signals again and again: they do not
 * prolong the wait.
 */
bool dut_chan_reap(struct chan *c, vtime until);

#endif
