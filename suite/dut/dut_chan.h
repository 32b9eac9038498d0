/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_chan.h -- the pipe or socket that the lines of the control
 * channel travel on, for both ends of it.
 *
 * A channel is line by line and never blocks; one descriptor tells when there
 * is something to do.  Nothing is known here of what the lines say.
 */
#ifndef SUITE_DUT_DUT_CHAN_H
#define SUITE_DUT_DUT_CHAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

#define CHAN_WHY 256 /* bytes of a text that says why something failed */

struct chan;

/*
 * chan_of_fds makes a channel of two descriptors that are open already, like
 * standard input and output; files are allowed as well.
 * Owner:  they stay the caller's and are not closed.
 * Errors: ERR_SYS with |why| filled; ERR_NOMEM.  So for all that follow.
 */
int chan_of_fds(struct chan **ret, int in, int out, char why[CHAN_WHY]);

/*
 * chan_spawn starts a program with the channel on its standard input and
 * output.
 *
 * Shape:  |argv| ends with NULL; the program is looked up in PATH.
 *         What else it gets is said in suite/dut/dut_spawn.h.
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

/* chan_unix and chan_tcp connect to where a DUT's adapter listens. */
int chan_unix(struct chan **ret, const char *path, char why[CHAN_WHY]);
int chan_tcp(struct chan **ret, const char *host, uint16_t port,
	     char why[CHAN_WHY]);

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

/* Accepts connections, one after another. */
struct chan_listener;

/*
 * chan_listen_unix listens at a path, for its owner alone; a dead socket there
 * is replaced.  chan_listen_tcp listens on |host|, port 0 for any; unless
 * |anywhere|, only a loopback address is accepted.
 */
int chan_listen_unix(struct chan_listener **ret, const char *path,
		     char why[CHAN_WHY]);
int chan_listen_tcp(struct chan_listener **ret, const char *host, uint16_t port,
		    bool anywhere, char why[CHAN_WHY]);

/* chan_listener_fd is readable when a connection is pending. */
int chan_listener_fd(const struct chan_listener *l);

/* chan_listener_port is the TCP port, 0 for a path. */
uint16_t chan_listener_port(const struct chan_listener *l);

/*
 * chan_accept accepts a connection.  Return: 1; 0 if there is none; ERR_NOMEM.
 */
int chan_accept(struct chan_listener *l, struct chan **ret);

/* chan_listener_free closes, and removes the path.  NULL is allowed. */
void chan_listener_free(struct chan_listener *l);

/* chan_port writes why port_new failed with |err|, and errno. */
struct port_conf;
void chan_port(char why[CHAN_WHY], const struct port_conf *conf, int err);

/* chan_errno writes what errno means, in words, after |what|. */
void chan_errno(char why[CHAN_WHY], const char *what);

#endif
