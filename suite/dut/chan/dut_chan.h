/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_chan.h -- a pipe or socket that carries the lines of the
 * control channel, for both ends.
 *
 * A channel never blocks, and one descriptor becomes readable when there is
 * work.  The channel does not interpret the lines.
 */
#ifndef SUITE_DUT_CHAN_DUT_CHAN_H
#define SUITE_DUT_CHAN_DUT_CHAN_H

#include <stddef.h>

#include "base/vtime.h"

struct chan;

/*
 * chan_fd is readable when chan_read() or chan_write() has work.  Wait on it
 * after chan_read() returned 0.
 */
int chan_fd(const struct chan *c);

/*
 * chan_read takes one line, without its newline; empty lines are passed over.
 *
 * Owner:  *ret is lent until the next call.
 * Return: 1; 0 there is none now; ERR_SPACE a line longer than CTL_LINE_MAX
 *         (*ret is its beginning, the rest is lost); ERR_CLOSED.
 */
int chan_read(struct chan *c, const char **ret, size_t *ret_len);

/*
 * chan_unread returns the number of bytes read that do not yet form a whole
 * line.
 */
size_t chan_unread(const struct chan *c);

/*
 * chan_write sends bytes, usually whole lines.  Bytes that the other end does
 * not accept now are queued and sent by later calls.
 * Errors: ERR_CLOSED, also if more than a megabyte is queued; ERR_NOMEM.
 */
int chan_write(struct chan *c, const char *s, size_t len);

/*
 * chan_await_room waits at most until |until| for the other end to read, while
 * more than half a megabyte is queued.
 * Return: 1 if less is queued; 0 time-out or signal; ERR_CLOSED.
 */
int chan_await_room(struct chan *c, vtime until);

#endif
