/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_proc.h -- reads /proc for a program and its children, at
 * most 16 processes.  Without a readable /proc it reports nothing.
 */
#ifndef SUITE_DUT_CHAN_DUT_PROC_H
#define SUITE_DUT_CHAN_DUT_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/vtime.h"

#define PROC_THREADS 256 /* threads examined at most */

/* Total times of a thread. */
struct proc_thread {
	pid_t id;
	vspan ran;    /* on a processor */
	vspan waited; /* runnable without a processor */
};

/* Their living threads at one time. */
struct proc_threads {
	struct proc_thread thread[PROC_THREADS];
	size_t n;
};

/* proc_look stores the threads of the program and its children. */
void proc_look(pid_t pid, struct proc_threads *ret);

/*
 * proc_starved returns how long want of a processor delayed a program between
 * two looks that are |elapsed| apart.
 *
 * One thread may wait for another, so the waits of all threads add up.  Two
 * threads that were runnable for more than half of the time, as polling threads
 * are, were so at the same time: of those only the longest wait counts.  The
 * sum is at most |elapsed|.  A single wait may be longer, because the kernel
 * counts a wait when it ends.
 */
vspan proc_starved(const struct proc_threads *before,
		   const struct proc_threads *after, vspan elapsed);

/*
 * proc_stopped returns whether a signal or a debugger has stopped one of them.
 */
bool proc_stopped(pid_t pid);

#endif
