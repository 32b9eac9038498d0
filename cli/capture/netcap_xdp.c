/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/netcap_xdp.c -- reads a port of gen/port/port_xdp.c as a capture.
 *
 * A frame of AF_XDP has no time stamp.  Its time is that at which it is read.
 */
#include "cli/capture/netcap_xdp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/spec_port.h"
#include "gen/port/port_clock.h"

#define XDP_WAITING 8192 /* frames that may wait: as many bytes as a ring */

struct netcap_xdp {
	struct port *port;
	struct port_conf conf;
	struct bpf_program filter; /* no instruction: all frames */
	vspan since_1970;          /* when the clock of ports began */
	int promiscuous;           /* a socket; -1: none */
};

bool netcap_is_xdp(const char *port)
{
	return strncmp(port, "xdp:", 4) == 0;
}

/*
 * Returns how many queues of an interface receive frames, or 0 if it does not
 * say so.
 */
static unsigned netcap_xdp_queues(const char *iface)
{
	struct ethtool_channels channels = {.cmd = ETHTOOL_GCHANNELS};
	struct ifreq r = {.ifr_data = (void *)&channels};
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	unsigned n = 0;

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", iface);
	if (fd >= 0 && ioctl(fd, SIOCETHTOOL, &r) == 0)
		n = channels.rx_count + channels.combined_count;
	if (fd >= 0)
		close(fd);
	return n;
}

static int netcap_xdp_read_port(const char *who, const char *port,
				struct port_conf *ret)
{
	struct port_spec spec;
	const char *why = "";
	unsigned n;

	if (spec_port(&spec, port, &why))
		return cli_usage(who, "--port %s: %s", port, why);
	if (strchr(port, ','))
		return cli_usage(who, "--port %s: expected xdp:IFACE[:QUEUE]",
				 port);
	*ret = spec.conf;
	ret->waiting = XDP_WAITING;
	n = netcap_xdp_queues(ret->iface);
	if (n > 1 && !strchr(port + 4, ':'))
		return cli_usage(who,
				 "--port %s: the interface has %u queues: name "
				 "one, xdp:IFACE:QUEUE, or set one with "
				 "'ethtool -L'",
				 port, n);
	if (n && ret->queue >= n)
		return cli_usage(who,
				 "--port %s: the interface has %u queue%s, "
				 "the first is 0",
				 port, n, n == 1 ? "" : "s");
	return 0;
}

static int netcap_xdp_filter(const char *who, struct netcap_xdp *x,
			     const char *filter)
{
	pcap_t *dead;
	int code = 0;

	if (!filter)
		return 0;
	dead = pcap_open_dead(DLT_EN10MB, PORT_XDP_MAX);
	if (!dead)
		return cli_nomem(who);
	if (pcap_compile(dead, &x->filter, filter, 1, PCAP_NETMASK_UNKNOWN))
		code = cli_usage(who, "filter: %s", pcap_geterr(dead));
	pcap_close(dead);
	return code;
}

/* The interface receives frames for all addresses while the socket is open. */
static void netcap_xdp_promiscuous(struct netcap_xdp *x)
{
	const struct packet_mreq all = {
		.mr_ifindex = (int)if_nametoindex(x->conf.iface),
		.mr_type = PACKET_MR_PROMISC};

	x->promiscuous = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (x->promiscuous >= 0)
		setsockopt(x->promiscuous, SOL_PACKET, PACKET_ADD_MEMBERSHIP,
			   &all, sizeof(all));
}

static int netcap_xdp_open(const char *who, struct netcap_xdp *x)
{
	char why[PORT_NAME + 120];
	struct timespec now;

	if (port_new(&x->port, &x->conf)) {
		port_error(&x->conf, errno, why, sizeof(why));
		fprintf(stderr, "%s: %s\n", who, why);
		return EXIT_HARNESS;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	x->since_1970 = now.tv_sec * VSPAN_S + now.tv_nsec - port_now();
	netcap_xdp_promiscuous(x);
	return 0;
}

int netcap_xdp_new(const char *who, const char *port, const char *filter,
		   struct netcap_xdp **ret)
{
	struct netcap_xdp *x = memory_calloc(1, sizeof(*x));
	int code;

	if (!x)
		return cli_nomem(who);
	x->promiscuous = -1;
	code = netcap_xdp_read_port(who, port, &x->conf);
	if (!code)
		code = netcap_xdp_filter(who, x, filter);
	if (!code)
		code = netcap_xdp_open(who, x);
	if (code)
		netcap_xdp_free(x);
	else
		*ret = x;
	return code;
}

void netcap_xdp_free(struct netcap_xdp *x)
{
	if (!x)
		return;
	if (x->port)
		x->port->ops->free(x->port);
	if (x->promiscuous >= 0)
		close(x->promiscuous);
	pcap_freecode(&x->filter);
	free(x);
}

int netcap_xdp_take(struct netcap_xdp *x, struct port_frame *ret,
		    bool *ret_accepted)
{
	struct port_frame f;

	if (x->port->ops->take(x->port, &f) <= 0)
		return 0;
	f.at += x->since_1970;
	*ret_accepted = !x->filter.bf_insns ||
			bpf_filter(x->filter.bf_insns, f.p, (unsigned)f.orig,
				   (unsigned)f.len);
	*ret = f;
	return 1;
}

int netcap_xdp_wait(const struct netcap_xdp *x, vtime until)
{
	size_t ready;

	port_wait(&x->port->fd, 1, until, &ready);
	if (if_nametoindex(x->conf.iface))
		return 0;
	return ERR_SYS;
}

uint64_t netcap_xdp_dropped(const struct netcap_xdp *x)
{
	return x->port->ops->drops(x->port);
}
