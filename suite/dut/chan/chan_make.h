/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_make.h -- makes a channel of descriptors.
 */
#ifndef SUITE_DUT_CHAN_CHAN_MAKE_H
#define SUITE_DUT_CHAN_CHAN_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/dut/chan/chan_why.h"

struct chan;

/*
 * chan_of_fds makes a channel of two descriptors that are open already, like
 * standard input and output; files are allowed as well.
 * Owner: the caller keeps the descriptors; the channel does not close them.
 * Errors: ERR_SYS with |why| filled; ERR_NOMEM.  The functions below have the
 * same errors.
 */
int chan_of_fds(struct chan **ret, int in, int out, char why[CHAN_WHY]);

/*
 * chan_make takes ownership of the descriptors, even on failure; with |lent|
 * the caller keeps them.
 * Return: NULL with errno set if it failed.
 */
struct chan *chan_make(int in, int out, bool lent);

/* chan_release closes what is not lent, and frees the channel. */
void chan_release(struct chan *c);

/*
 * dut_chan_made stores the result of chan_make in *ret.  If it is NULL, it
 * writes |what| and the text of errno to |why|.
 * Errors: ERR_SYS, ERR_NOMEM.
 */
int dut_chan_made(struct chan **ret, struct chan *c, char why[CHAN_WHY],
		  const char *what);

/*
 * dut_chan_watch adds a descriptor to the channel's epoll set.  Returns -1 with
 * errno set on failure.
 */
int dut_chan_watch(struct chan *c, int fd, uint32_t events);

/* dut_chan_ready returns whether |events| of poll() are pending. */
bool dut_chan_ready(int fd, short events);

/* close_fd closes a descriptor that is open and sets it to -1. */
void close_fd(int *fd);

#endif
