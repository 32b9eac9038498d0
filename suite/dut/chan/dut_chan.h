/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_chan.h -- the pipe or socket that the lines of the control
 * channel travel on, for both ends of it.
 *
 * A channel is line by line and never blocks; one descriptor tells when there
 * is something to do.  Nothing is known here of what the lines say.
 */
#ifndef SUITE_DUT_CHAN_DUT_CHAN_H
#define SUITE_DUT_CHAN_DUT_CHAN_H

#include <stddef.h>

struct chan;

/*
 * chan_fd is readable when chan_read or chan_write has something to do; wait on
 * it after chan_read said that there is nothing.
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

/* chan_unread is how many bytes were read that are no whole line yet. */
size_t chan_unread(const struct chan *c);

/*
 * chan_write sends bytes, whole lines usually; what the other end does not take
 * now is kept and sent from later calls.
 * Errors: ERR_CLOSED, also if it takes nothing for a megabyte; ERR_NOMEM.
 */
int chan_write(struct chan *c, const char *s, size_t len);

#endif
