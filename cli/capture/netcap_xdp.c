/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/netcap_xdp.c -- reads ports of gen/port/port_xdp.c as a capture.
 *
 * An interface may divide its frames among several queues, and the directions
 * of a flow come to different ones.  The frames are given in the order of their
 * times.  A frame waits while another queue is empty, at most NETCAP_XDP_LATE,
 * since an older frame may be on its way to that queue's socket.
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
#include "gen/port/port_xdp_program.h"

/* frames that may wait in a queue: with more queues fewer, but these at least
 */
#define XDP_WAITING       8192u
#define XDP_WAITING_LEAST 2048u

#define XDP_QUEUES      PORT_WAIT_MAX
#define NETCAP_XDP_LATE (500 * VSPAN_US)

struct netcap_xdp_queue {
	struct port *port;
	struct port_frame head; /* taken from |port|, and not yet given */
	bool has_head;
};

struct netcap_xdp {
	struct netcap_xdp_queue q[XDP_QUEUES];
	unsigned n;
	struct port_xdp_program *program;
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

/* Reads xdp:IFACE or xdp:IFACE:QUEUE; *ret_n is the number of queues. */
static int netcap_xdp_read_port(const char *who, const char *port,
				struct port_conf *ret, unsigned *ret_n)
{
	const bool all = !strchr(port + 4, ':');
	struct port_spec spec;
	const char *why = "";
	unsigned n;

	if (spec_port(&spec, port, &why))
		return cli_usage(who, "--port %s: %s", port, why);
	if (strchr(port, ','))
		return cli_usage(who, "--port %s: expected xdp:IFACE[:QUEUE]",
				 port);
	*ret = spec.conf;
	n = netcap_xdp_queues(ret->iface);
	if (all && n > XDP_QUEUES)
		return cli_usage(who,
				 "--port %s: the interface has %u queues, more "
				 "than %u: set fewer with 'ethtool -L'",
				 port, n, (unsigned)XDP_QUEUES);
	if (n && ret->queue >= n)
		return cli_usage(who,
				 "--port %s: the interface has %u queue%s, "
				 "the first is 0",
				 port, n, n == 1 ? "" : "s");
	*ret_n = all && n > 1 ? n : 1;
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

/* Opens the ports of all queues with one program. */
static int netcap_xdp_open_ports(struct netcap_xdp *x, bool generic)
{
	const int ifindex = (int)if_nametoindex(x->conf.iface);
	const uint32_t first = x->conf.queue;
	struct port_conf conf = x->conf;
	uint32_t waiting = XDP_WAITING;
	int err;

	while (waiting > XDP_WAITING_LEAST && waiting * x->n > XDP_WAITING)
		waiting /= 2;
	conf.waiting = waiting;
	err = port_xdp_program_new(ifindex, first + x->n, generic, &x->program);
	conf.program = x->program;
	for (unsigned i = 0; !err && i < x->n; i++) {
		conf.queue = first + i;
		err = port_new(&x->q[i].port, &conf);
	}
	return err;
}

static void netcap_xdp_close_ports(struct netcap_xdp *x)
{
	port_xdp_program_free(x->program);
	x->program = NULL;
	for (unsigned i = 0; i < x->n; i++) {
		if (x->q[i].port)
			x->q[i].port->ops->free(x->q[i].port);
		x->q[i].port = NULL;
	}
}

/* Tries the program in the driver, and then before the stack. */
static int netcap_xdp_open(const char *who, struct netcap_xdp *x)
{
	char why[PORT_NAME + 120];
	struct timespec now;
	int err;

	err = netcap_xdp_open_ports(x, false);
	if (err && !port_xdp_is_final(errno)) {
		netcap_xdp_close_ports(x);
		err = netcap_xdp_open_ports(x, true);
	}
	if (err) {
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
	code = netcap_xdp_read_port(who, port, &x->conf, &x->n);
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
	netcap_xdp_close_ports(x);
	if (x->promiscuous >= 0)
		close(x->promiscuous);
	pcap_freecode(&x->filter);
	free(x);
}

/* Takes the next frame of each queue whose last one was given. */
static void netcap_xdp_fill(struct netcap_xdp *x)
{
	for (unsigned i = 0; i < x->n; i++) {
		struct netcap_xdp_queue *q = &x->q[i];

		if (!q->has_head)
			q->has_head = q->port->ops->take(q->port, &q->head) > 0;
	}
}

/* Returns the queue with the oldest frame, or NULL if none has one. */
static struct netcap_xdp_queue *netcap_xdp_oldest(struct netcap_xdp *x,
						  bool *ret_all)
{
	struct netcap_xdp_queue *oldest = NULL;

	*ret_all = true;
	for (unsigned i = 0; i < x->n; i++) {
		struct netcap_xdp_queue *q = &x->q[i];

		if (!q->has_head)
			*ret_all = false;
		else if (!oldest || q->head.at < oldest->head.at)
			oldest = q;
	}
	return oldest;
}

int netcap_xdp_take(struct netcap_xdp *x, struct port_frame *ret,
		    bool *ret_accepted)
{
	struct netcap_xdp_queue *q;
	bool all;

	netcap_xdp_fill(x);
	q = netcap_xdp_oldest(x, &all);
	if (!q || (!all && port_now() < q->head.at + NETCAP_XDP_LATE))
		return 0;
	*ret = q->head;
	q->has_head = false;
	ret->at += x->since_1970;
	*ret_accepted = !x->filter.bf_insns ||
			bpf_filter(x->filter.bf_insns, ret->p,
				   (unsigned)ret->orig, (unsigned)ret->len);
	return 1;
}

int netcap_xdp_wait(struct netcap_xdp *x, vtime until)
{
	int fds[XDP_QUEUES];
	size_t ready;

	for (unsigned i = 0; i < x->n; i++) {
		const struct netcap_xdp_queue *q = &x->q[i];

		fds[i] = q->has_head ? -1 : q->port->fd;
		if (q->has_head)
			until = vtime_min(until, q->head.at + NETCAP_XDP_LATE);
	}
	port_wait(fds, x->n, until, &ready);
	if (if_nametoindex(x->conf.iface))
		return 0;
	return ERR_SYS;
}

uint64_t netcap_xdp_dropped(const struct netcap_xdp *x)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < x->n; i++)
		n += x->q[i].port->ops->drops(x->q[i].port);
	return n;
}
