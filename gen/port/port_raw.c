/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_raw.c -- a port of whole frames: libnet sends, libpcap
 * captures.
 *
 * Capture is in immediate mode, where a frame is available as soon as the
 * kernel has it.  Each frame then takes a slot for the longest frame, so the
 * snapshot length follows the interface's MTU.  A socket sees the frames that
 * other sockets send: libpcap's socket sees the frames of libnet, which lets
 * this port count departures.
 */
#define _GNU_SOURCE
#include "gen/port/port_ether.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libnet.h>
#include <linux/filter.h>
#include <pcap/pcap.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/memory.h"

#define SLOT_HEAD 128 /* bytes before a frame in its slot, at most */

struct port_raw {
	struct port_ether pe; /* the first member */
	pcap_t *pcap;
	libnet_t *net;
	bool nanoseconds;
};

static struct port_raw *port_raw_self(struct port_ether *pe)
{
	return (struct port_raw *)pe;
}

static struct port_raw *raw_of(struct port *p)
{
	return (struct port_raw *)p;
}

/* ---- Sending ---- */

static int raw_inject(struct port_ether *pe, const uint8_t *frame, size_t len)
{
	libnet_t *net = port_raw_self(pe)->net;

	errno = 0;
	while (libnet_adv_write_link(net, frame, (uint32_t)len) < 0)
		if (!port_room_wait(&pe->room, libnet_getfd(net)))
			return ERR_SYS;
	port_room_found(&pe->room);
	return 0;
}

static int raw_put(struct port *p, const struct port_frame *f, size_t n)
{
	size_t done = 0;
	int err = 0;

	while (done < n && !err) {
		err = raw_inject(&raw_of(p)->pe, f[done].p, f[done].len);
		done += !err;
	}
	if (done)
		return (int)done;
	return err;
}

/* ---- Receiving ---- */

static uint64_t raw_drops(struct port *p)
{
	struct pcap_stat st;

	port_ether_downs(&raw_of(p)->pe);
	if (pcap_stats(raw_of(p)->pcap, &st))
		return 0;
	return st.ps_drop;
}

static int raw_take(struct port *p, struct port_frame *ret)
{
	struct port_raw *r = raw_of(p);
	struct pcap_pkthdr *h;
	int got;

	got = pcap_next_ex(r->pcap, &h, &ret->p);
	if (got == 0)
		return 0;
	if (got < 0)
		return errno == EINTR ? 0 : ERR_SYS;
	ret->len = h->caplen;
	ret->orig = h->len;
	port_ether_captured(&r->pe, ret,
			    h->ts.tv_sec * VSPAN_S +
				    h->ts.tv_usec *
					    (r->nanoseconds ? 1 : VSPAN_US));
	return 1;
}

/* ---- Opening ---- */

/* Returns libpcap's error as an errno. */
static int sys(int pcap_error)
{
	switch (pcap_error) {
	case PCAP_ERROR_NO_SUCH_DEVICE:
		errno = ENODEV;
		break;
	case PCAP_ERROR_PERM_DENIED:
	case PCAP_ERROR_PROMISC_PERM_DENIED:
		errno = EPERM;
		break;
	case PCAP_ERROR_IFACE_NOT_UP:
		errno = ENETDOWN;
		break;
	default:
		errno = EIO;
	}
	return ERR_SYS;
}

static int port_raw_set_filter(struct port_raw *r, const struct port_conf *conf)
{
	char text[PORT_FILTER];
	struct bpf_program program;
	int err = 0;

	port_ether_filter(conf, text, sizeof(text));
	if (!*text)
		return 0;
	if (pcap_compile(r->pcap, &program, text, 1, PCAP_NETMASK_UNKNOWN))
		return sys(PCAP_ERROR);
	if (pcap_setfilter(r->pcap, &program))
		err = sys(PCAP_ERROR);
	pcap_freecode(&program);
	return err;
}

/* Closes the socket on exec, so that no started program has a raw socket. */
static int close_on_exec(int fd)
{
	if (fcntl(fd, F_SETFD, FD_CLOEXEC))
		return ERR_SYS;
	return 0;
}

static int port_raw_open_capture(struct port_raw *r,
				 const struct port_conf *conf)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	size_t room = PORT_RING_FRAMES * (r->pe.snaplen + SLOT_HEAD);
	int err;

	if (room < PORT_RING_BYTES)
		room = PORT_RING_BYTES;
	r->pcap = pcap_create(conf->iface, text);
	if (!r->pcap)
		return sys(PCAP_ERROR_NO_SUCH_DEVICE);
	pcap_set_snaplen(r->pcap, (int)r->pe.snaplen);
	pcap_set_promisc(r->pcap, 1);
	pcap_set_immediate_mode(r->pcap, 1);
	pcap_set_buffer_size(r->pcap, (int)room);
	pcap_set_tstamp_precision(r->pcap, PCAP_TSTAMP_PRECISION_NANO);
	err = pcap_activate(r->pcap);
	if (err < 0)
		return sys(err);
	r->nanoseconds = pcap_get_tstamp_precision(r->pcap) ==
			 PCAP_TSTAMP_PRECISION_NANO;
	if (!conf->addr.len && pcap_setdirection(r->pcap, PCAP_D_IN))
		return sys(PCAP_ERROR);
	err = port_raw_set_filter(r, conf);
	if (!err && pcap_setnonblock(r->pcap, 1, text))
		err = sys(PCAP_ERROR);
	r->pe.port.fd = pcap_get_selectable_fd(r->pcap);
	if (err)
		return err;
	return close_on_exec(r->pe.port.fd);
}

/*
 * libnet's socket would queue every frame of every interface in its receive
 * buffer, so a filter rejects them all.
 */
static int open_injection(struct port_raw *r, const struct port_conf *conf)
{
	struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog program = {1, &none};
	char text[LIBNET_ERRBUF_SIZE] = "", name[16];

	snprintf(name, sizeof(name), "%s", conf->iface);
	errno = 0;
	r->net = libnet_init(LIBNET_LINK_ADV, name, text);
	if (!r->net) {
		if (!errno)
			errno = EPERM;
		return ERR_SYS;
	}
	if (setsockopt(libnet_getfd(r->net), SOL_SOCKET, SO_ATTACH_FILTER,
		       &program, sizeof(program)))
		return ERR_SYS;
	return close_on_exec(libnet_getfd(r->net));
}

static void raw_free(struct port *p)
{
	struct port_raw *r = p ? raw_of(p) : NULL;

	if (!r)
		return;
	if (r->net)
		libnet_destroy(r->net);
	if (r->pcap)
		pcap_close(r->pcap);
	port_ether_close(&r->pe);
	free(r);
}

int port_raw_new(struct port **ret, const struct port_conf *conf)
{
	static const struct port_ops ops = {
		.name = "raw",
		.send = port_ether_send,
		.recv = port_ether_recv,
		.meet = port_ether_meet,
		.put = raw_put,
		.take = raw_take,
		.strays = port_ether_strays,
		.drops = raw_drops,
		.free = raw_free,
	};
	struct port_raw *r = memory_calloc(1, sizeof(*r));
	int err, saved;

	if (!r)
		return ERR_NOMEM;
	r->pe.port.ops = &ops;
	r->pe.inject = raw_inject;
	err = port_ether_open(&r->pe, conf);
	r->pe.port.fd = -1;
	if (!err && !conf->deaf)
		err = port_raw_open_capture(r, conf);
	if (!err)
		err = open_injection(r, conf);
	if (!err) {
		*ret = &r->pe.port;
		return 0;
	}
	saved = errno;
	raw_free(&r->pe.port);
	errno = saved;
	return err;
}
