/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_listen.h -- accepts channels on a socket.
 */
#ifndef SUITE_DUT_CHAN_CHAN_LISTEN_H
#define SUITE_DUT_CHAN_CHAN_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/dut/chan/chan_why.h"

struct chan;

/* A listener.  It accepts connections one at a time. */
struct chan_listener;

/*
 * chan_listen_unix listens at a path, for its owner alone; a dead socket there
 * is replaced. chan_listen_tcp listens on |host|, port 0 for any; it refuses an
 * address that is not loopback unless |anywhere|.
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

/*
 * chan_listener_free closes the listener and removes its path.  NULL is
 * allowed.
 */
void chan_listener_free(struct chan_listener *l);

#endif
