/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_udp.c -- a port over UDP sockets.
 *
 * One socket is bound to the address and the UET port; it receives, and it
 * sends datagrams whose entropy is the UET port.  Every other entropy value
 * needs a socket bound to that source port, and the port caches the last few of
 * them.  As UET requires, ECN and DSCP are set for each datagram, the UDP
 * checksum is 0, and fragmentation is forbidden.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.2, 1.4)
 */
#define _GNU_SOURCE
#include "gen/port/port.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/memory.h"
#include "gen/port/port_clock.h"
#include "gen/port/port_out.h"
#include "gen/port/port_room.h"
#include "gen/port/port_witness.h"

#define SOURCES        32         /* sockets cached for entropy values */
#define SOCKET_BUFFER  (32 << 20) /* bytes; the kernel may grant less */
#define LEAVE_TIME     VSPAN_S    /* the longest wait for a datagram to leave */
#define ERRORS_AT_ONCE 64         /* most errors read from a socket in a row */

struct port_udp_source {
	int fd;
	uint16_t entropy;
	uint64_t used;       /* larger for a later use */
	uint32_t sent, left; /* datagrams, numbered as the kernel does */
	vtime sent_at;       /* when the last was sent */
};

struct port_udp {
	struct port port;
	struct ip_addr addr;
	uint16_t udp_port;
	enum family family;
	struct port_udp_source sources[SOURCES];
	unsigned nsources;
	uint64_t clock; /* clock of |used| */
	uint64_t strays;
	struct port_room room;
	struct port_out out;
	struct port_witness witness;
	struct ip_addr path; /* destination of |mtu|; len 0: none */
	size_t mtu;
};

static struct port_udp *udp_of(struct port *p)
{
	return (struct port_udp *)p; /* |port| is the first member */
}

/* ---- Addresses ---- */

static socklen_t sockaddr_make(struct sockaddr_storage *ret,
			       const struct ip_addr *a, uint16_t udp_port)
{
	struct sockaddr_in in = {.sin_family = AF_INET,
				 .sin_port = htons(udp_port)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6,
				   .sin6_port = htons(udp_port)};

	memset(ret, 0, sizeof(*ret));
	if (a->len == 4) {
		memcpy(&in.sin_addr, a->b, 4);
		memcpy(ret, &in, sizeof(in));
		return sizeof(in);
	}
	memcpy(&in6.sin6_addr, a->b, 16);
	memcpy(ret, &in6, sizeof(in6));
	return sizeof(in6);
}

static void sockaddr_read(const struct sockaddr_storage *ss,
			  struct ip_addr *ret, uint16_t *ret_port)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	memset(ret, 0, sizeof(*ret));
	if (ss->ss_family == AF_INET) {
		memcpy(&in, ss, sizeof(in));
		ret->len = 4;
		memcpy(ret->b, &in.sin_addr, 4);
		*ret_port = ntohs(in.sin_port);
		return;
	}
	memcpy(&in6, ss, sizeof(in6));
	ret->len = 16;
	memcpy(ret->b, &in6.sin6_addr, 16);
	*ret_port = ntohs(in6.sin6_port);
}

/* ---- Sockets ---- */

static int port_udp_set(int fd, int level, int option, int value)
{
	return setsockopt(fd, level, option, &value, sizeof(value));
}

/*
 * Sets options that datagrams do not strictly need: their failure is no error.
 *
 * With IP_PMTUDISC_WANT the kernel numbers the packets in their IP header,
 * which distinguishes a network duplicate from a retransmission, and sets DF as
 * long as they fit the path MTU (see too_long).  With IP_PMTUDISC_PROBE all
 * identifications are 0, which the ICRC of the other families expects.
 */
static void set_niceties(int fd, bool v4, enum family family)
{
	/* Exceeding net.core.rmem_max needs CAP_NET_ADMIN. */
	if (port_udp_set(fd, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BUFFER))
		port_udp_set(fd, SOL_SOCKET, SO_RCVBUF, SOCKET_BUFFER);
	port_udp_set(fd, SOL_SOCKET, SO_SNDBUF, SOCKET_BUFFER);
	port_udp_set(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
	/*
	 * With this option, a send reports that the queue below the socket
	 * dropped the datagram.
	 */
	if (v4)
		port_udp_set(fd, IPPROTO_IP, IP_RECVERR, 1);
	else
		port_udp_set(fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
	if (v4) {
		port_udp_set(fd, SOL_SOCKET, SO_NO_CHECK, 1);
		port_udp_set(fd, IPPROTO_IP, IP_MTU_DISCOVER,
			     family_has_icrc(family) ? IP_PMTUDISC_PROBE
						     : IP_PMTUDISC_WANT);
	} else {
		port_udp_set(fd, IPPROTO_UDP, UDP_NO_CHECK6_TX, 1);
		port_udp_set(fd, IPPROTO_UDP, UDP_NO_CHECK6_RX, 1);
		port_udp_set(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER,
			     IPV6_PMTUDISC_PROBE);
	}
}

static int set_all(int fd, bool v4, enum family family)
{
	int err;

	set_niceties(fd, v4, family);
	if (v4)
		err = port_udp_set(fd, IPPROTO_IP, IP_RECVTOS, 1);
	else
		err = port_udp_set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1) |
		      port_udp_set(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
	return err;
}

/* Returns a socket bound to the port's address and |udp_port|, or -1. */
static int port_udp_bind_to(const struct ip_addr *addr, uint16_t udp_port,
			    enum family family)
{
	struct sockaddr_storage ss;
	socklen_t len = sockaddr_make(&ss, addr, udp_port);
	int fd = socket(ss.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			IPPROTO_UDP);
	int saved;

	if (fd < 0)
		return -1;
	if (!set_all(fd, addr->len == 4, family) &&
	    !bind(fd, (struct sockaddr *)&ss, len))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

/*
 * Empties a source's socket and counts its datagrams, which should have gone to
 * the UET port.
 */
static void count_strays(struct port_udp *u, const struct port_udp_source *s)
{
	uint8_t byte;

	while (recv(s->fd, &byte, sizeof(byte), MSG_DONTWAIT) >= 0)
		u->strays++;
}

static uint64_t udp_strays(struct port *p)
{
	struct port_udp *u = udp_of(p);
	uint64_t strays;

	for (unsigned i = 0; i < u->nsources; i++)
		count_strays(u, &u->sources[i]);
	strays = u->strays;
	u->strays = 0;
	return strays;
}

/*
 * Requests that the kernel reports, in the socket's error queue, when a
 * datagram leaves the queue below the socket.  Not every driver can.
 */
static void tell_departures(int fd)
{
	port_udp_set(fd, SOL_SOCKET, SO_TIMESTAMPING,
		     SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
			     SOF_TIMESTAMPING_OPT_ID |
			     SOF_TIMESTAMPING_OPT_TSONLY);
}

/* Returns a free source, or the least recently used. */
static struct port_udp_source *source_place(struct port_udp *u)
{
	struct port_udp_source *oldest = u->sources;

	if (u->nsources < SOURCES)
		return &u->sources[u->nsources++];
	for (unsigned i = 1; i < SOURCES; i++)
		if (u->sources[i].used < oldest->used)
			oldest = &u->sources[i];
	count_strays(u, oldest);
	u->port.sent -=
		/* the departures that are still outstanding are not reported */
		oldest->sent - oldest->left;
	close(oldest->fd);
	return oldest;
}

/*
 * Returns the socket that sends from port |entropy|, or -1; *ret is its source,
 * or NULL.
 */
static int source_fd(struct port_udp *u, uint16_t entropy,
		     struct port_udp_source **ret)
{
	struct port_udp_source *s;
	int fd;

	*ret = NULL;
	if (entropy == u->udp_port)
		return u->port.fd;
	for (unsigned i = 0; i < u->nsources; i++) {
		s = &u->sources[i];
		if (s->entropy == entropy) {
			s->used = ++u->clock;
			*ret = s;
			return s->fd;
		}
	}
	/* Port 0 would mean any port. */
	if (entropy)
		fd = port_udp_bind_to(&u->addr, entropy, u->family);
	else
		fd = -1;
	if (fd < 0)
		return -1;
	s = source_place(u);
	*s = (struct port_udp_source){
		.fd = fd, .entropy = entropy, .used = ++u->clock};
	tell_departures(fd);
	*ret = s;
	return fd;
}

/* ---- Sending ---- */

/* Buffer for the control messages of either direction. */
union control {
	struct cmsghdr align;
	uint8_t b[256];
};

static void put_tos(struct msghdr *m, union control *c, bool v4, int tos)
{
	struct cmsghdr *h;

	memset(c, 0, sizeof(*c));
	m->msg_control = c;
	m->msg_controllen = CMSG_SPACE(sizeof(tos));
	h = CMSG_FIRSTHDR(m);
	if (v4) {
		h->cmsg_level = IPPROTO_IP;
		h->cmsg_type = IP_TOS;
	} else {
		h->cmsg_level = IPPROTO_IPV6;
		h->cmsg_type = IPV6_TCLASS;
	}
	h->cmsg_len = CMSG_LEN(sizeof(tos));
	memcpy(CMSG_DATA(h), &tos, sizeof(tos));
}

/* A message of the error queue. */
struct port_udp_told {
	struct sock_extended_err e;
	vtime at;
};

static bool is_error(const struct cmsghdr *h)
{
	return (h->cmsg_level == IPPROTO_IP && h->cmsg_type == IP_RECVERR) ||
	       (h->cmsg_level == IPPROTO_IPV6 && h->cmsg_type == IPV6_RECVERR);
}

static void read_told(struct msghdr *m, struct port_udp_told *ret)
{
	struct scm_timestamping stamps;

	*ret = (struct port_udp_told){.at = port_now()};
	for (struct cmsghdr *h = CMSG_FIRSTHDR(m); h; h = CMSG_NXTHDR(m, h)) {
		if (is_error(h)) {
			memcpy(&ret->e, CMSG_DATA(h), sizeof(ret->e));
		} else if (h->cmsg_level == SOL_SOCKET &&
			   h->cmsg_type == SCM_TIMESTAMPING) {
			memcpy(&stamps, CMSG_DATA(h), sizeof(stamps));
			ret->at = port_stamp(stamps.ts[0].tv_sec * VSPAN_S +
					     stamps.ts[0].tv_nsec);
		}
	}
}

static uint32_t port_udp_key_of(uint16_t entropy, uint32_t number)
{
	return (uint32_t)entropy << 16 ^ number;
}

/* Records that a datagram has left the machine. */
static void port_udp_note_left(struct port_udp *u, struct port_udp_source *s,
			       const struct port_udp_told *t)
{
	switch (port_out_left(
		&u->out, port_udp_key_of(s->entropy, t->e.ee_data), t->at)) {
	case PORT_OUT_TWICE:
		u->port.doubled++;
		return;
	case PORT_OUT_WAITED:
		u->port.held++;
		break;
	default:
		break;
	}
	u->port.sees_left = true;
	u->port.left++;
	s->left++;
}

/*
 * Counts a datagram that a router reported as too long.  The same report of our
 * own kernel is ignored, since the send failed as well.
 */
static void note_told(struct port_udp *u, struct port_udp_source *s,
		      const struct port_udp_told *t)
{
	if (t->e.ee_origin == SO_EE_ORIGIN_TIMESTAMPING && s)
		port_udp_note_left(u, s, t);
	else if (t->e.ee_errno == EMSGSIZE &&
		 t->e.ee_origin != SO_EE_ORIGIN_LOCAL) {
		u->port.too_long++;
		u->path.len = 0;
	}
}

/*
 * Returns true for an error that the network reports about an earlier datagram.
 */
static bool is_of_another(int error)
{
	return error == ECONNREFUSED || error == EHOSTUNREACH ||
	       error == ENETUNREACH || error == EHOSTDOWN || error == EPROTO ||
	       error == ENOPROTOOPT || error == EACCES;
}

/*
 * Reads the error queue; the socket stays readable as long as it is not empty.
 * |s| is the source of that socket, or NULL.
 */
static void read_errors(struct port_udp *u, struct port_udp_source *s, int fd)
{
	union control control;
	struct port_udp_told told;
	struct msghdr m;
	uint8_t byte;
	struct iovec iov = {.iov_base = &byte, .iov_len = sizeof(byte)};

	for (unsigned i = 0; i < ERRORS_AT_ONCE; i++) {
		m = (struct msghdr){.msg_iov = &iov,
				    .msg_iovlen = 1,
				    .msg_control = &control,
				    .msg_controllen = sizeof(control)};
		if (recvmsg(fd, &m, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
			return;
		read_told(&m, &told);
		note_told(u, s, &told);
	}
}

/* Reads the departures of all sources. */
static void read_departures(struct port_udp *u)
{
	const vtime since = port_now() - LEAVE_TIME;

	for (unsigned i = 0; i < u->nsources; i++) {
		struct port_udp_source *s = &u->sources[i];

		if (s->sent != s->left && s->sent_at > since)
			read_errors(u, s, s->fd);
	}
}

static void port_udp_note_sent(struct port_udp *u, struct port_udp_source *s)
{
	port_room_found(&u->room);
	if (!s)
		return;
	s->sent_at = port_now();
	port_out_sent(&u->out, port_udp_key_of(s->entropy, s->sent++),
		      s->sent_at);
	u->port.sent++;
}

/*
 * Sends a datagram; retries if the error of an earlier datagram is reported
 * first.
 */
static int send_msg(struct port_udp *u, struct port_udp_source *s, int fd,
		    const struct msghdr *m)
{
	unsigned tries = 0;

	while (sendmsg(fd, m, MSG_NOSIGNAL) < 0) {
		const int error = errno;

		read_errors(u, s, fd);
		errno = error;
		if (is_of_another(error) && ++tries < 8)
			continue;
		if (is_of_another(error))
			return 0;
		if (error == EMSGSIZE) {
			u->port.too_long++;
			return 0;
		}
		if (port_room_wait(&u->room, fd))
			continue;
		if (!port_room_none(errno))
			return ERR_SYS;
		u->port.unsent++;
		return 0;
	}
	port_udp_note_sent(u, s);
	return 0;
}

/* Returns the kernel's path MTU to an address; SIZE_MAX if unknown. */
static size_t path_mtu(const struct ip_addr *dst, uint16_t udp_port)
{
	struct sockaddr_storage to;
	const socklen_t len = sockaddr_make(&to, dst, udp_port);
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(int);
	int mtu = 0;

	if (fd < 0)
		return SIZE_MAX;
	if (connect(fd, (struct sockaddr *)&to, len) ||
	    getsockopt(fd, IPPROTO_IP, IP_MTU, &mtu, &size))
		mtu = 0;
	close(fd);
	if (mtu > 0)
		return (size_t)mtu;
	return SIZE_MAX;
}

/* Returns true if the kernel would fragment the datagram. */
static bool port_udp_too_long(struct port_udp *u, const struct dgram *d)
{
	const size_t headers = 20 + 8;

	if (u->addr.len != 4 || family_has_icrc(u->family))
		return false;
	if (!u->path.len || !ip_addr_equal(&u->path, &d->dst)) {
		u->path = d->dst;
		u->mtu = path_mtu(&d->dst, u->udp_port);
	}
	return d->len + headers > u->mtu;
}

static int udp_send(struct port *p, const struct dgram *d)
{
	struct port_udp *u = udp_of(p);
	struct sockaddr_storage to;
	struct iovec iov = {.iov_len = d->len};
	struct msghdr m = {.msg_name = &to, .msg_iov = &iov, .msg_iovlen = 1};
	union control control;
	struct port_udp_source *source;
	int fd;

	if (d->native)
		return ERR_SUPPORT;
	if (d->dst.len != u->addr.len || d->len > DGRAM_MAX) {
		if (d->len > DGRAM_MAX)
			errno = EMSGSIZE;
		else
			errno = EAFNOSUPPORT;
		return ERR_SYS;
	}
	if (port_udp_too_long(u, d)) {
		p->too_long++;
		return 0;
	}
	/* iov_base is used in both directions, so it is not const. */
	memcpy(&iov.iov_base, &(const void *){d->data}, sizeof(void *));
	m.msg_namelen = sockaddr_make(&to, &d->dst, u->udp_port);
	put_tos(&m, &control, u->addr.len == 4, d->dscp << 2 | (d->ecn & 3));
	fd = source_fd(u, d->entropy, &source);
	if (fd < 0) {
		p->entropy_lost++;
		fd = p->fd;
	}
	return send_msg(u, source, fd, &m);
}

/* ---- Receiving ---- */

static void read_tos(struct dgram *d, const struct cmsghdr *h)
{
	uint8_t tos;
	int tclass;

	if (h->cmsg_level == IPPROTO_IP) {
		memcpy(&tos, CMSG_DATA(h), sizeof(tos));
	} else {
		memcpy(&tclass, CMSG_DATA(h), sizeof(tclass));
		tos = (uint8_t)tclass;
	}
	d->dscp = tos >> 2;
	d->ecn = tos & 3;
}

static vtime read_stamp(const struct cmsghdr *h)
{
	struct timespec ts;

	memcpy(&ts, CMSG_DATA(h), sizeof(ts));
	return port_stamp(ts.tv_sec * VSPAN_S + ts.tv_nsec);
}

static void read_control(struct msghdr *m, struct dgram *d, vtime *ret_at)
{
	for (struct cmsghdr *h = CMSG_FIRSTHDR(m); h; h = CMSG_NXTHDR(m, h)) {
		if (h->cmsg_level == SOL_SOCKET &&
		    h->cmsg_type == SCM_TIMESTAMPNS) {
			*ret_at = read_stamp(h);
		} else if ((h->cmsg_level == IPPROTO_IP &&
			    h->cmsg_type == IP_TOS) ||
			   (h->cmsg_level == IPPROTO_IPV6 &&
			    h->cmsg_type == IPV6_TCLASS)) {
			read_tos(d, h);
		}
	}
}

static int port_udp_nothing(struct port_udp *u)
{
	read_departures(u);
	return 0;
}

static int udp_recv(struct port *p, struct dgram *ret, vtime *ret_at)
{
	struct port_udp *u = udp_of(p);
	struct sockaddr_storage from = {0};
	struct iovec iov = {.iov_base = ret->data, .iov_len = DGRAM_MAX};
	union control control;
	struct msghdr m;
	ssize_t n;

	for (;;) {
		m = (struct msghdr){.msg_name = &from,
				    .msg_namelen = sizeof(from),
				    .msg_iov = &iov,
				    .msg_iovlen = 1,
				    .msg_control = &control,
				    .msg_controllen = sizeof(control)};
		n = recvmsg(p->fd, &m, 0);
		if (n >= 0 && !(m.msg_flags & MSG_TRUNC))
			break;
		if (n >= 0)
			p->oversize++;
		else if (errno == EAGAIN)
			return port_udp_nothing(u);
		else if (is_of_another(errno) || errno == EMSGSIZE)
			read_errors(u, NULL, p->fd);
		else if (errno != EINTR)
			return ERR_SYS;
	}
	ret->len = (size_t)n;
	ret->dst = u->addr;
	ret->dscp = 0;
	ret->ecn = 0;
	ret->native = 0;
	ret->family = (uint8_t)u->family;
	ret->crc = DGRAM_CRC_NONE;
	dgram_plain(ret); /* the kernel drops shorter ones */
	sockaddr_read(&from, &ret->src, &ret->entropy);
	port_witness_ask(&u->witness, ret);
	*ret_at = port_now();
	read_control(&m, ret, ret_at);
	return 1;
}

static uint64_t udp_drops(struct port *p)
{
	uint32_t mem[SK_MEMINFO_VARS] = {0};
	socklen_t len = sizeof(mem);

	if (getsockopt(p->fd, SOL_SOCKET, SO_MEMINFO, mem, &len))
		return 0;
	return mem[SK_MEMINFO_DROPS];
}

static void udp_free(struct port *p)
{
	struct port_udp *u = p ? udp_of(p) : NULL;

	if (!u)
		return;
	for (unsigned i = 0; i < u->nsources; i++)
		close(u->sources[i].fd);
	if (p->fd >= 0)
		close(p->fd);
	port_witness_close(&u->witness);
	free(u);
}

int port_udp_new(struct port **ret, const struct port_conf *conf)
{
	static const struct port_ops ops = {
		.name = "udp",
		.send = udp_send,
		.recv = udp_recv,
		.strays = udp_strays,
		.drops = udp_drops,
		.free = udp_free,
	};
	struct port_udp *u;

	if (conf->addr.len != 4 && conf->addr.len != 16)
		return ERR_VALUE;
	u = memory_calloc(1, sizeof(*u));
	if (!u)
		return ERR_NOMEM;
	u->port.ops = &ops;
	u->port.wake = VTIME_NEVER;
	u->addr = conf->addr;
	u->family = conf->family;
	if (conf->udp_port)
		u->udp_port = conf->udp_port;
	else
		u->udp_port = family_port(conf->family);
	u->port.fd = port_udp_bind_to(&u->addr, u->udp_port, u->family);
	if (u->port.fd < 0) {
		free(u);
		return ERR_SYS;
	}
	port_witness_open(&u->witness, &u->addr, u->udp_port);
	port_hurry();
	*ret = &u->port;
	return 0;
}
