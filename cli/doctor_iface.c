/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/doctor_iface.c -- the checks of Ethernet interfaces in "rung doctor".
 *
 * With offloads, the hardware or the kernel joins packets, splits them or fills
 * in checksums.  A capture then shows packets that were not on the wire.  The
 * check names such offloads, and switches them off only on request.
 *
 * Spec: Linux include/uapi/linux/ethtool.h, packet(7)
 */
#include "cli/doctor_iface.h"

#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/sockios.h>

#include "cli/tool.h"
#include "gen/port/port.h"

/* An interface to check; any socket serves for the requests. */
struct doctor_iface {
	int sock;
	const char *name;
};

static int ethtool(const struct doctor_iface *i, void *command)
{
	struct ifreq r = {0};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", i->name);
	r.ifr_data = command;
	return ioctl(i->sock, SIOCETHTOOL, &r);
}

static bool is_ethernet(const struct doctor_iface *i)
{
	struct ifreq r = {0};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", i->name);
	if (ioctl(i->sock, SIOCGIFHWADDR, &r) ||
	    r.ifr_hwaddr.sa_family != ARPHRD_ETHER)
		return false;
	return !ioctl(i->sock, SIOCGIFFLAGS, &r) && r.ifr_flags & IFF_UP;
}

typedef void (*look_fn)(struct doctor *d, const struct doctor_iface *i);

static void look_at_named(struct doctor *d, int sock, look_fn look)
{
	for (char *const *name = d->ifaces; *name; name++) {
		const struct doctor_iface i = {sock, *name};

		if (!if_nametoindex(*name))
			doctor_say(d, DOCTOR_LACKS, "%s: no such interface",
				   *name);
		else if (!is_ethernet(&i))
			doctor_say(d, DOCTOR_LACKS,
				   "%s: no Ethernet, or it is down", *name);
		else
			look(d, &i);
	}
}

static void look_at_all(struct doctor *d, int sock, look_fn look)
{
	struct if_nameindex *all = if_nameindex();
	bool any = false;

	for (size_t n = 0; all && all[n].if_index; n++) {
		const struct doctor_iface i = {sock, all[n].if_name};

		if (!is_ethernet(&i))
			continue;
		any = true;
		look(d, &i);
	}
	if (all)
		if_freenameindex(all);
	if (!any)
		doctor_say(d, DOCTOR_NOTE, "there is no Ethernet that is up");
}

static void doctor_iface_each(struct doctor *d, look_fn look)
{
	const int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (sock < 0) {
		doctor_say(d, DOCTOR_NOTE, "interfaces: %s", strerror(errno));
		return;
	}
	if (d->ifaces && *d->ifaces)
		look_at_named(d, sock, look);
	else
		look_at_all(d, sock, look);
	close(sock);
}

/* ---- Offloads ---- */

/* clang-format off */
static const struct offload {
	const char *name;
	/* |flag|: distinguishes offloads that share a command */
	uint32_t get, set, flag;
	const char *spoils;
} offloads[] = {
	{"GRO", ETHTOOL_GGRO, ETHTOOL_SGRO, 0,
	 "arriving packets may be joined into one"},
	{"LRO", ETHTOOL_GFLAGS, ETHTOOL_SFLAGS, ETH_FLAG_LRO,
	 "arriving packets may be joined into one"},
	{"TSO", ETHTOOL_GTSO, ETHTOOL_STSO, 0,
	 "one captured packet may leave as many"},
	{"GSO", ETHTOOL_GGSO, ETHTOOL_SGSO, 0,
	 "one captured packet may leave as many"},
	{"TX checksumming", ETHTOOL_GTXCSUM, ETHTOOL_STXCSUM, 0,
	 "captured checksums of what sockets send look wrong"},
	{"RX checksumming", ETHTOOL_GRXCSUM, ETHTOOL_SRXCSUM, 0,
	 "packets with a wrong checksum may vanish before a capture"},
};
/* clang-format on */

static bool is_on(const struct doctor_iface *i, const struct offload *o)
{
	struct ethtool_value v = {.cmd = o->get};

	if (ethtool(i, &v))
		return false; /* the driver does not support the request */
	if (o->flag)
		return v.data & o->flag;
	return v.data;
}

static bool switch_off(const struct doctor_iface *i, const struct offload *o)
{
	struct ethtool_value v = {.cmd = o->get};

	if (o->flag && ethtool(i, &v))
		return false;
	v.cmd = o->set;
	if (o->flag)
		v.data = v.data & ~o->flag;
	else
		v.data = 0;
	return !ethtool(i, &v);
}

static void say_on(struct doctor *d, const struct doctor_iface *i,
		   const struct offload *o)
{
	if (!d->offloads_off) {
		doctor_say(d, DOCTOR_NOTE, "%s: %s is on: %s", i->name, o->name,
			   o->spoils);
	} else if (switch_off(i, o) && !is_on(i, o)) {
		doctor_say(d, DOCTOR_OK, "%s: %s was on, and is off now",
			   i->name, o->name);
	} else {
		d->failed = true;
		doctor_say(d, DOCTOR_LACKS, "%s: %s cannot be switched off: %s",
			   i->name, o->name,
			   errno ? strerror(errno) : "it stays on");
	}
}

static void look_offloads(struct doctor *d, const struct doctor_iface *i)
{
	bool any = false;

	for (size_t n = 0; n < sizeof(offloads) / sizeof(offloads[0]); n++) {
		errno = 0;
		if (!is_on(i, &offloads[n]))
			continue;
		any = true;
		say_on(d, i, &offloads[n]);
	}
	if (!any)
		doctor_say(
			d, DOCTOR_OK,
			"%s: no offload makes a capture differ from the wire",
			i->name);
}

void doctor_offloads(struct doctor *d)
{
	doctor_iface_each(d, look_offloads);
}

/* ---- Queueing disciplines ---- */

/*
 * Returns true if the discipline sends packets at once, unless the link is
 * busy.
 */
static bool is_prompt(const char *qdisc)
{
	static const char *const prompt[] = {"noqueue",  "pfifo_fast", "mq",
					     "fq_codel", "pfifo",      "bfifo",
					     "multiq",   "mqprio"};

	for (size_t i = 0; i < sizeof(prompt) / sizeof(prompt[0]); i++)
		if (strcmp(qdisc, prompt[i]) == 0)
			return true;
	return false;
}

/* Finds the root discipline of an interface, as tc names it. */
static bool root_qdisc(const struct doctor_iface *i, char qdisc[32])
{
	char command[96];
	struct text out = {0};
	bool found;

	if (strchr(i->name, '\''))
		return false;
	snprintf(command, sizeof(command),
		 "tc qdisc show dev '%s' root 2>/dev/null", i->name);
	found = tool_output(command, &out) &&
		sscanf(text_cstr(&out), "qdisc %31s", qdisc) == 1;
	text_free(&out);
	return found;
}

static void look_queue(struct doctor *d, const struct doctor_iface *i)
{
	char qdisc[32];

	if (!root_qdisc(i, qdisc))
		doctor_say(d, DOCTOR_NOTE,
			   "%s: tc does not report the queueing discipline",
			   i->name);
	else if (is_prompt(qdisc))
		doctor_say(d, DOCTOR_OK,
			   "%s: %s sends at once; ports of rung use it, "
			   "since no capture here sees packets that bypass it",
			   i->name, qdisc);
	else
		doctor_say(d, DOCTOR_NOTE,
			   "%s: %s may delay or drop packets; ports of "
			   "rung use it",
			   i->name, qdisc);
}

void doctor_queues(struct doctor *d)
{
	doctor_iface_each(d, look_queue);
}

/* ---- Timestamps ---- */

static void look_stamps(struct doctor *d, const struct doctor_iface *i)
{
	struct stamp_able able;

	if (port_stamps(i->name, &able))
		doctor_say(d, DOCTOR_NOTE, "%s: timestamps: %s", i->name,
			   strerror(errno));
	else if (stamp_choose(&able) == STAMP_NIC)
		doctor_say(d, DOCTOR_OK,
			   "%s: the NIC stamps what arrives, and ring ports "
			   "take its time; raw and xdp ports the kernel's",
			   i->name);
	else if (able.hardware)
		doctor_say(d, DOCTOR_NOTE,
			   "%s: the NIC could stamp arrivals; \"hwstamp_ctl "
			   "-i %s -r 1\" enables it; until then the kernel "
			   "does",
			   i->name, i->name);
	else if (able.software)
		doctor_say(d, DOCTOR_OK,
			   "%s: the kernel stamps what arrives; no hardware "
			   "does",
			   i->name);
	else
		doctor_say(d, DOCTOR_LACKS, "%s: arrivals have no time stamps",
			   i->name);
}

void doctor_stamps(struct doctor *d)
{
	doctor_iface_each(d, look_stamps);
}

/* ---- AF_XDP ---- */

#define XDP_HEADROOM 256u /* of what is received, kept by the kernel */

/* Reports why no AF_XDP port can be opened. */
static void say_no_xdp(struct doctor *d, const struct doctor_iface *i,
		       const struct port_conf *conf)
{
	const int error = errno;
	char why[PORT_NAME + 120];

	port_error(conf, error, why, sizeof(why));
	doctor_say(d, error == EPERM ? DOCTOR_NOTE : DOCTOR_LACKS, "%s: %s",
		   i->name, why);
}

/*
 * Uses a port that only sends, which takes no frames away from the operating
 * system.
 */
static void look_xdp(struct doctor *d, const struct doctor_iface *i)
{
	struct port_conf conf = {.kind = PORT_XDP, .deaf = true};
	struct ifreq r = {0};
	struct port *p;

	if (strlen(i->name) >= sizeof(conf.iface))
		return;
	memcpy(conf.iface, i->name, strlen(i->name) + 1);
	memcpy(r.ifr_name, conf.iface, sizeof(conf.iface));
	if (port_new(&p, &conf)) {
		say_no_xdp(d, i, &conf);
		return;
	}
	doctor_say(d, DOCTOR_OK, "%s: xdp ports work, %s", i->name,
		   port_xdp_copies(p) ? "the kernel copies each frame"
				      : "the driver copies nothing");
	p->ops->free(p);
	if (!doctor_can(CAP_SYS_ADMIN) || !doctor_can(CAP_NET_ADMIN))
		doctor_say(d, DOCTOR_NOTE,
			   "%s: to receive, xdp ports need CAP_NET_ADMIN and "
			   "CAP_SYS_ADMIN",
			   i->name);
	if (!ioctl(i->sock, SIOCGIFMTU, &r) &&
	    (unsigned)r.ifr_mtu + ETH_HLEN > PORT_XDP_MAX - XDP_HEADROOM)
		doctor_say(d, DOCTOR_NOTE,
			   "%s: MTU %d: xdp ports receive no "
			   "frame above %u bytes",
			   i->name, r.ifr_mtu, PORT_XDP_MAX - XDP_HEADROOM);
}

/*
 * Only for named interfaces, because drivers with zero copy reset a queue for
 * it.
 */
void doctor_xdp(struct doctor *d)
{
	if (d->ifaces && *d->ifaces)
		doctor_iface_each(d, look_xdp);
	else
		doctor_say(d, DOCTOR_NOTE,
			   "tried out on interfaces that are named");
}
