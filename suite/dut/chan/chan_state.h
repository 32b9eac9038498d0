/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_state.h -- the state of a channel.
 */
#ifndef SUITE_DUT_CHAN_CHAN_STATE_H
#define SUITE_DUT_CHAN_CHAN_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "base/text.h"
#include "base/vtime.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_proc.h"
#include "suite/dut/ctl/ctl.h"

struct chan {
	int in, out; /* the same for a socket; -1: closed */
	int err;     /* standard error of the program, or -1 */
	int pidfd;   /* of the program, or -1 */
	int always;  /* a descriptor that is always readable, for an input that
			epoll refuses; or -1 */
	int epoll;
	pid_t pid;
	pid_t listener; /* listens at a UNIX socket; 0: unknown */
	bool lent;      /* the caller owns the descriptors */
	bool lets_go;   /* children of the program may outlive it */
	bool socket;
	bool eof, dead, asked_out;
	siginfo_t end; /* how the program ended, if dead */
	struct text pending;
	size_t sent;             /* bytes of |pending| that are sent */
	size_t have, used, seen; /* bytes of buf: filled, consumed, searched for
				    a newline */
	bool skipping;           /* discarding the rest of an over-long line */
	char tail[CHAN_WHY / 2]; /* end of the standard error */
	vtime looked_at;         /* when |threads| were looked at */
	struct proc_threads threads;
	char buf[CTL_LINE_MAX + 1];
};

#endif
