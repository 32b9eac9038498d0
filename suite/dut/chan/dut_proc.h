/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_proc.h -- reads /proc for a program and its children, at
 * most 16 processes.  Without a readable /proc it reports nothing.
 */
#ifndef SUITE_DUT_CHAN_DUT_PROC_H
#define SUITE_DUT_CHAN_DUT_PROC_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vtime.h"

/*
 * proc_starved returns the total time that their living threads were runnable
 * without a processor.
 */
vspan proc_starved(pid_t pid);

/*
 * proc_stopped returns whether a signal or a debugger has stopped one of them.
 */
bool proc_stopped(pid_t pid);

#endif
