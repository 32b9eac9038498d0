/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_connect.h -- connects a channel to a socket.
 */
#ifndef SUITE_DUT_CHAN_CHAN_CONNECT_H
#define SUITE_DUT_CHAN_CHAN_CONNECT_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/dut/chan/chan_why.h"

struct chan;

struct addrinfo;
struct sockaddr_un;

/* chan_unix and chan_tcp connect to where a DUT's adapter listens. */
int chan_unix(struct chan **ret, const char *path, char why[CHAN_WHY]);
int chan_tcp(struct chan **ret, const char *host, uint16_t port,
	     char why[CHAN_WHY]);

/* unix_name fills an address; -1 with errno set if the path is too long. */
int unix_name(struct sockaddr_un *ret, const char *path);

/* unix_connect returns a connected socket, or -1 with errno set. */
int unix_connect(const char *path);

/*
 * dut_chan_resolve returns the addresses of a host, which the caller frees, or
 * NULL with |why| filled; |listen|: to listen there.
 */
struct addrinfo *dut_chan_resolve(const char *host, uint16_t port, bool listen,
				  char why[CHAN_WHY]);

#endif
