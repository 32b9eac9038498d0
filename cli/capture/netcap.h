/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/netcap.h -- captures the frames of a network interface.
 *
 * A capture has one queue or more, and each can be read by its own thread.
 * The kernel hands out the frames by their addresses: both directions between
 * two addresses are in one queue, in the order in which they came.
 */
#ifndef CLI_CAPTURE_NETCAP_H
#define CLI_CAPTURE_NETCAP_H

#include <stdbool.h>

#include "wire/frame/capture.h"

#define NETCAP_BATCH 64 /* most frames of netcap_some */

struct netcap;

struct netcap_conf {
	/* the name of an interface, or xdp:IFACE[:QUEUE] for AF_XDP */
	const char *port;
	const char *filter; /* of libpcap; NULL: all frames */
	const volatile bool *stop;
	unsigned queues; /* queues that are wanted */
};

/*
 * netcap_new begins to capture.  An interface without Ethernet frames has one
 * queue, even if |conf| names more; so does AF_XDP.
 *
 * Return: 0, or an exit code after a message.
 */
int netcap_new(const char *who, const struct netcap_conf *conf,
	       struct netcap **ret);
void netcap_free(struct netcap *c);

/* netcap_queues returns the number of queues. */
unsigned netcap_queues(const struct netcap *c);

/*
 * netcap_some gives the next frames of a queue, up to |max| of them; it waits
 * only for the first.  Their bytes are lent until the next call for this queue.
 * When stopped, or when another queue failed, it still gives the frames that
 * were captured until then.
 *
 * Return: their number; 0 at the end; ERR_SYS: netcap_error gives the reason.
 */
int netcap_some(struct netcap *c, unsigned queue, struct capture_packet *ret,
		int max);

/* netcap_stop ends all queues, as a stop does; any thread may call it. */
void netcap_stop(struct netcap *c);

const char *netcap_error(const struct netcap *c, unsigned queue);

/* netcap_info returns the counts of a queue; |dropped| is set at its end. */
const struct capture_info *netcap_info(const struct netcap *c, unsigned queue);

#endif
