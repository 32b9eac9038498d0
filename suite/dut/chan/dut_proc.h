/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_proc.h -- reads /proc for a program and those that it
 * started, at most 16 of them.  Without a readable /proc it reports nothing.
 */
#ifndef SUITE_DUT_CHAN_DUT_PROC_H
#define SUITE_DUT_CHAN_DUT_PROC_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vtime.h"

/* proc_starved says how long they were ready to run and had no processor, in
 * all. */
vspan proc_starved(pid_t pid);

/* proc_stopped says whether a signal or a debugger has stopped one of them. */
bool proc_stopped(pid_t pid);

#endif
