/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/netcap_xdp.h -- captures what the queues of an interface receive
 * by AF_XDP, for cli/capture/netcap.c.
 *
 * The frames do not reach the operating system, and those that it sends are not
 * captured.
 */
#ifndef CLI_CAPTURE_NETCAP_XDP_H
#define CLI_CAPTURE_NETCAP_XDP_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/port/port.h"

struct netcap_xdp;

/* netcap_is_xdp returns true if |port| begins with "xdp:". */
bool netcap_is_xdp(const char *port);

/*
 * netcap_xdp_new opens |port|, xdp:IFACE[:QUEUE], for the frames that libpcap's
 * |filter| accepts (NULL: all).  Without QUEUE it reads all queues.
 *
 * Return: 0, or an exit code after a message.
 */
int netcap_xdp_new(const char *who, const char *port, const char *filter,
		   struct netcap_xdp **ret);
void netcap_xdp_free(struct netcap_xdp *x);

/*
 * netcap_xdp_take gives the oldest frame, lent until the next call, with the
 * time since 1970.  *ret_accepted is false if the filter does not accept it.
 *
 * Return: 1, or 0 if there is none yet.
 */
int netcap_xdp_take(struct netcap_xdp *x, struct port_frame *ret,
		    bool *ret_accepted);

/*
 * netcap_xdp_wait waits until |until| for a frame.
 *
 * Return: 0; ERR_SYS: the interface was removed.
 */
int netcap_xdp_wait(struct netcap_xdp *x, vtime until);

/* netcap_xdp_dropped returns how many frames had no room. */
uint64_t netcap_xdp_dropped(const struct netcap_xdp *x);

#endif
