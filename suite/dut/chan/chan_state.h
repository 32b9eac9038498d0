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
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/ctl/ctl.h"

struct chan {
	int in, out; /* the same for a socket; -1: closed */
	int err;     /* standard error of the program, or -1 */
	int pidfd;   /* of the program, or -1 */
	int always;  /* stands in for an input that epoll refuses, or -1 */
	int epoll;
	pid_t pid;
	pid_t listener; /* at a UNIX socket that we connected to; 0: unknown */
	bool lent;      /* the descriptors are the caller's */
	bool lets_go;   /* of what the program started */
	bool socket;
	bool eof, dead, asked_out;
	siginfo_t end; /* how the program ended, if dead */
	struct text pending;
	size_t sent;             /* of pending */
	size_t have, used, seen; /* of buf: filled, given away, searched */
	bool skipping;           /* the rest of an over-long line */
	char tail[CHAN_WHY / 2]; /* end of the standard error */
	char buf[CTL_LINE_MAX + 1];
};

#endif
