/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_ether.c -- the functions that ports of whole frames share.
 */
#define _GNU_SOURCE
#include "gen/port/port_ether.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/err.h"
#include "gen/port/port_clock.h"
#include "wire/field.h"
#include "wire/frame/crc.h"

#define FRAME_HEAD 14 /* bytes of an Ethernet header */
#define TAGS       8  /* bytes of two 802.1Q tags */
/*
 * Frames that two processors capture at once may be swapped within this time.
 */
#define BACKWARD VSPAN_MS

static struct port_ether *port_ether_self(struct port *p)
{
	return (struct port_ether *)p; /* |port| is the first member */
}

/* ---- The interface ---- */

static int port_ether_ask(int fd, const char *name, unsigned long what,
			  struct ifreq *r)
{
	memset(r, 0, sizeof(*r));
	snprintf(r->ifr_name, sizeof(r->ifr_name), "%s", name);
	return ioctl(fd, what, r);
}

static int port_ether_ask_all(int fd, const char *name, struct port_iface *ret)
{
	struct ifreq r;

	if (port_ether_ask(fd, name, SIOCGIFINDEX, &r))
		return ERR_SYS;
	ret->index = r.ifr_ifindex;
	if (port_ether_ask(fd, name, SIOCGIFHWADDR, &r))
		return ERR_SYS;
	if (r.ifr_hwaddr.sa_family != ARPHRD_ETHER) {
		errno = EPFNOSUPPORT;
		return ERR_SYS;
	}
	ret->mac = bits_get((const uint8_t *)r.ifr_hwaddr.sa_data, 0, 48);
	if (port_ether_ask(fd, name, SIOCGIFMTU, &r))
		return ERR_SYS;
	ret->mtu = (unsigned)r.ifr_mtu;
	if (port_ether_ask(fd, name, SIOCGIFFLAGS, &r))
		return ERR_SYS;
	ret->running = r.ifr_flags & IFF_RUNNING;
	if (r.ifr_flags & IFF_UP)
		return 0;
	errno = ENETDOWN;
	return ERR_SYS;
}

/* Closes a descriptor and keeps errno. */
static void shut(int fd)
{
	const int saved = errno;

	close(fd);
	errno = saved;
}

static int port_ether_look_at(const char *name, struct port_iface *ret)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int err;

	if (fd < 0)
		return ERR_SYS;
	err = port_ether_ask_all(fd, name, ret);
	shut(fd);
	return err;
}

/* ---- Stamps ---- */

static bool ask_stamps(int fd, const char *name, struct stamp_able *ret)
{
	struct ethtool_ts_info info = {.cmd = ETHTOOL_GET_TS_INFO};
	const uint32_t hardware =
		SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	struct hwtstamp_config on = {0};
	struct ifreq r = {0};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	r.ifr_data = (void *)&info;
	if (ioctl(fd, SIOCETHTOOL, &r))
		return false;
	ret->software = info.so_timestamping & SOF_TIMESTAMPING_RX_SOFTWARE;
	ret->hardware = (info.so_timestamping & hardware) == hardware;
	r.ifr_data = (void *)&on;
	ret->all = ret->hardware && !ioctl(fd, SIOCGHWTSTAMP, &r) &&
		   on.rx_filter == HWTSTAMP_FILTER_ALL;
	return true;
}

int port_stamps(const char *iface, struct stamp_able *ret)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool told;

	if (fd < 0)
		return ERR_SYS;
	*ret = (struct stamp_able){0};
	told = ask_stamps(fd, iface, ret);
	shut(fd);
	if (told)
		return 0;
	return ERR_SYS;
}

int64_t port_ether_nic(struct port_ether *pe, int64_t stamp)
{
	struct timespec ts;

	pe->port.nic_stamps++;
	clock_gettime(CLOCK_REALTIME, &ts);
	return stamp_ours(&pe->nic, stamp, ts.tv_sec * VSPAN_S + ts.tv_nsec);
}

/* ---- Opening ---- */

/* Opens the route socket.  Without it only link-down events go uncounted. */
static int open_route(void)
{
	const struct sockaddr_nl links = {.nl_family = AF_NETLINK,
					  .nl_groups = RTMGRP_LINK};
	const int fd =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       NETLINK_ROUTE);

	if (fd >= 0 &&
	    bind(fd, (const struct sockaddr *)&links, sizeof(links))) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * Sends a frame.  A frame that is too long, or for which there is no room, is
 * lost and counted.
 */
static int port_ether_out(void *ctx, const uint8_t *frame, size_t len)
{
	struct port_ether *pe = ctx;
	const int err = pe->inject(pe, frame, len);

	if (err != ERR_SYS)
		return err;
	if (port_room_none(errno))
		pe->port.unsent++;
	else if (errno == EMSGSIZE)
		pe->port.too_long++;
	else
		return err;
	return 0;
}

static int open_ether(struct port_ether *pe, const struct port_conf *conf)
{
	const struct ether_conf lc = {
		.addr = conf->addr,
		.mac = conf->mac ? conf->mac : pe->iface.mac,
		.peer_mac = conf->peer_mac,
		.via = conf->via,
		.vlan = conf->vlan,
		.family = conf->family,
		.udp_port = conf->udp_port ? conf->udp_port
					   : family_port(conf->family),
		.ip_proto = conf->ip_proto,
	};

	if (conf->addr.len)
		return ether_new(&pe->ether, &lc, port_ether_out, pe);
	return 0;
}

int port_ether_open(struct port_ether *pe, const struct port_conf *conf)
{
	int err;

	pe->route = open_route(); /* first, so that no later event is missed */
	err = port_ether_look_at(conf->iface, &pe->iface);
	if (err)
		return err;
	pe->down = !pe->iface.running;
	pe->port.frames = pe->port.sees_left = true;
	pe->port.wake = VTIME_NEVER;
	pe->port.fd = -1;
	pe->snaplen = pe->iface.mtu + ETHER_HEADERS + TAGS;
	port_hurry();
	return open_ether(pe, conf);
}

/*
 * Return: 1 if our interface is up, 0 if it is down, -1 if the message is about
 * another one.
 */
static int link_state(const struct port_ether *pe, struct nlmsghdr *h)
{
	struct ifinfomsg info;

	if (h->nlmsg_type != RTM_NEWLINK ||
	    h->nlmsg_len < NLMSG_LENGTH(sizeof(info)))
		return -1;
	memcpy(&info, NLMSG_DATA(h), sizeof(info));
	if (info.ifi_index != pe->iface.index)
		return -1;
	return (info.ifi_flags & IFF_RUNNING) != 0;
}

void port_ether_downs(struct port_ether *pe)
{
	union {
		struct nlmsghdr h;
		uint8_t b[8192];
	} m;

	while (pe->route >= 0 &&
	       recv(pe->route, &m, sizeof(m), 0) >= (ssize_t)NLMSG_LENGTH(0)) {
		const int up = link_state(pe, &m.h);

		/* The kernel may repeat a message. */
		if (up < 0 || up != pe->down)
			continue;
		pe->down = !up;
		pe->port.downs += pe->down;
	}
}

void port_ether_close(struct port_ether *pe)
{
	if (pe->route > 0)
		close(pe->route);
	ether_free(pe->ether);
}

void port_ether_filter(const struct port_conf *conf, char *buf, size_t size)
{
	const struct ether_conf lc = {.addr = conf->addr, .vlan = conf->vlan};

	if (conf->addr.len)
		ether_filter(&lc, buf, size);
	else
		snprintf(buf, size, "%s", "");
}

/* ---- Frames ---- */

/* Reads the MTU again, as it may have changed since the port was opened. */
static unsigned mtu_now(const struct port_ether *pe)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char name[IF_NAMESIZE];
	unsigned mtu = pe->iface.mtu;
	struct ifreq r;

	if (fd < 0)
		return mtu;
	if (if_indextoname((unsigned)pe->iface.index, name) &&
	    !port_ether_ask(fd, name, SIOCGIFMTU, &r))
		mtu = (unsigned)r.ifr_mtu;
	close(fd);
	return mtu;
}

static void count_cut(struct port_ether *pe, size_t orig)
{
	if (orig > mtu_now(pe) + FRAME_HEAD + TAGS)
		pe->port.merged++;
	else
		pe->port.truncated++;
}

void port_ether_captured(struct port_ether *pe, struct port_frame *f,
			 int64_t wall)
{
	if (f->len < f->orig)
		count_cut(pe, f->orig);
	pe->port.backward += wall < pe->wall - BACKWARD;
	if (wall > pe->wall)
		pe->wall = wall;
	port_ether_stamped(pe, f, port_stamp(wall));
}

void port_ether_stamped(struct port_ether *pe, struct port_frame *f, vtime at)
{
	pe->last = vtime_max(pe->last, at);
	f->at = pe->last;
}

/* ---- Datagrams ---- */

static void port_ether_count(struct port_ether *pe)
{
	const struct ether_counts *c = ether_counts(pe->ether);

	pe->port.sent = c->sent;
	if (pe->unseen)
		pe->port.left = c->sent;
	else
		pe->port.left = c->left;
	pe->port.damaged = c->damaged;
	pe->port.unreachable = c->unreachable;
	pe->port.wake = ether_deadline(pe->ether);
}

/* Converts an error of an ether to one of a port. */
static int port_err(int err)
{
	if (err >= 0 || err == ERR_SYS)
		return err;
	errno = err == ERR_VALUE   ? EAFNOSUPPORT
		: err == ERR_SPACE ? EMSGSIZE
				   : EIO;
	return ERR_SYS;
}

static uint32_t port_ether_key_of(const struct dgram *d)
{
	return crc32c(d->entropy, d->data, d->len);
}

/* Counts a datagram of our own that the capture shows when it leaves. */
static void port_ether_note_left(struct port_ether *pe, const struct dgram *d,
				 vtime at)
{
	const enum port_out_what what =
		port_out_left(&pe->out, port_ether_key_of(d), at);

	pe->port.held += what == PORT_OUT_WAITED;
	pe->port.doubled += what == PORT_OUT_TWICE;
}

int port_ether_send(struct port *p, const struct dgram *d)
{
	struct port_ether *pe = port_ether_self(p);
	int err;

	if (!pe->ether)
		return ERR_STATE;
	err = ether_send(pe->ether, d, port_now());
	port_out_sent(&pe->out, port_ether_key_of(d), port_now());
	port_ether_count(pe);
	return port_err(err);
}

int port_ether_meet(struct port *p, const struct ip_addr *dst)
{
	struct port_ether *pe = port_ether_self(p);
	int got;

	if (!pe->ether)
		return ERR_STATE;
	got = ether_meet(pe->ether, dst, port_now());
	port_ether_count(pe);
	return port_err(got);
}

int port_ether_recv(struct port *p, struct dgram *ret, vtime *ret_at)
{
	struct port_ether *pe = port_ether_self(p);
	struct port_frame f = {0};
	int got = ETHER_NOTHING, more = 0;

	if (!pe->ether)
		return ERR_STATE;
	if (pe->port.wake <= port_now())
		got = ether_tick(pe->ether, port_now());
	while (got >= 0 && got != ETHER_DGRAM &&
	       (more = p->ops->take(p, &f)) == 1) {
		if (f.len < f.orig)
			got = ETHER_NOTHING;
		else
			got = ether_take(pe->ether, f.p, f.len, ret);
		if (got == ETHER_OWN)
			port_ether_note_left(pe, ret, f.at);
	}
	port_ether_count(pe);
	if (got < 0 || more < 0)
		return port_err(got < 0 ? got : more);
	*ret_at = f.at;
	return got == ETHER_DGRAM;
}

uint64_t port_ether_strays(struct port *p)
{
	struct port_ether *pe = port_ether_self(p);
	uint64_t all;

	if (!pe->ether)
		return 0;
	all = ether_counts(pe->ether)->strays - pe->strays;
	pe->strays += all;
	return all;
}
