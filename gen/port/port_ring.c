/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_ring.c -- a port of whole frames on packet sockets: one socket
 * captures into a ring that it shares with the kernel, another one sends.
 *
 * The ring has version 2, which makes each frame available at once.  Version 3
 * hands over blocks, so that a single frame would wait until its block is
 * retired.  A second socket sends, since a socket does not see its own frames
 * leave.  The port does not bypass the queueing discipline, because no socket
 * sees frames that bypass it.
 *
 * The kernel delivers a VLAN tag beside the frame; the port inserts it again.
 *
 * Spec: packet(7), Linux Documentation/networking/packet_mmap.rst
 */
#define _GNU_SOURCE
#include "gen/port/port_ether.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <pcap/pcap.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/memory.h"

#define BLOCK  (1u << 16) /* bytes; holds at least one frame of any MTU */
#define BATCH  64         /* frames per system call */
#define TAG_AT 12         /* offset of a tag in a frame */
#define TAG    4

/*
 * Bytes before a frame in its slot: header, address, and alignment of the IP
 * header.
 */
#define HEADERS (sizeof(struct tpacket2_hdr) + sizeof(struct sockaddr_ll) + 48)

/* Rounds up like TPACKET_ALIGN, but without its signed mask. */
#define ALIGNED(n) (((n) + TPACKET_ALIGNMENT - 1u) / 16u * 16u)

struct port_ring {
	struct port_ether pe; /* the first member */
	int tx;
	uint8_t *map;
	size_t map_len, slot_len;
	unsigned slots, per_block, at;
	bool held;     /* the slot before |at| is lent to the caller */
	bool incoming; /* outgoing frames are not wanted */
	uint64_t drops;
	uint8_t *tagged; /* buffer for a frame with its tag inserted */
};

static struct port_ring *ring_of(struct port *p)
{
	return (struct port_ring *)p; /* |pe| is the first member */
}

/* ---- Sending ---- */

static int ring_inject(struct port_ether *pe, const uint8_t *frame, size_t len)
{
	const int fd = ((struct port_ring *)pe)->tx;

	while (send(fd, frame, len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		if (!port_room_wait(&pe->room, fd))
			return ERR_SYS;
	port_room_found(&pe->room);
	return 0;
}

static int ring_put(struct port *p, const struct port_frame *f, size_t n)
{
	const int fd = ring_of(p)->tx;
	struct mmsghdr m[BATCH] = {0};
	struct iovec iov[BATCH];
	int got;

	if (n >= BATCH)
		n = BATCH;
	for (size_t i = 0; i < n; i++) {
		/* iov_base is used in both directions, so it is not const. */
		memcpy(&iov[i].iov_base, &f[i].p, sizeof(void *));
		iov[i].iov_len = f[i].len;
		m[i].msg_hdr.msg_iov = &iov[i];
		m[i].msg_hdr.msg_iovlen = 1;
	}
	while ((got = sendmmsg(fd, m, (unsigned)n,
			       MSG_NOSIGNAL | MSG_DONTWAIT)) < 0)
		if (!port_room_wait(&ring_of(p)->pe.room, fd))
			return ERR_SYS;
	port_room_found(&ring_of(p)->pe.room);
	return got;
}

/* ---- Receiving ---- */

static struct tpacket2_hdr *port_ring_slot(struct port_ring *r, unsigned i)
{
	return (struct tpacket2_hdr *)(void *)(r->map +
					       i / r->per_block *
						       (size_t)BLOCK +
					       i % r->per_block * r->slot_len);
}

/*
 * Reads the status with acquire order: it passes between the kernel and us and
 * orders all other accesses to the slot.
 */
static uint32_t status(const struct tpacket2_hdr *h)
{
	return __atomic_load_n(&h->tp_status, __ATOMIC_ACQUIRE);
}

static void port_ring_give_back(struct port_ring *r)
{
	if (!r->held)
		return;
	__atomic_store_n(&port_ring_slot(r, r->at)->tp_status, TP_STATUS_KERNEL,
			 __ATOMIC_RELEASE);
	r->at = (r->at + 1) % r->slots;
	r->held = false;
}

/* Each read resets the kernel's counters. */
static uint64_t ring_drops(struct port *p)
{
	struct port_ring *r = ring_of(p);
	struct tpacket_stats st = {0};
	socklen_t len = sizeof(st);

	port_ether_downs(&r->pe);
	if (getsockopt(p->fd, SOL_PACKET, PACKET_STATISTICS, &st, &len) == 0)
		r->drops += st.tp_drops;
	return r->drops;
}

/*
 * Clears the socket error, mostly "interface is down", which is otherwise
 * reported by the next call.
 */
static void forget_error(struct port_ring *r)
{
	int error = 0;
	socklen_t len = sizeof(error);

	getsockopt(r->pe.port.fd, SOL_SOCKET, SO_ERROR, &error, &len);
}

static void put_tag(struct port_ring *r, const struct tpacket2_hdr *h,
		    struct port_frame *f)
{
	const uint16_t tpid = h->tp_status & TP_STATUS_VLAN_TPID_VALID
				      ? h->tp_vlan_tpid
				      : ETH_P_8021Q;
	const uint16_t tag[2] = {htons(tpid), htons(h->tp_vlan_tci)};

	memcpy(r->tagged, f->p, TAG_AT);
	memcpy(r->tagged + TAG_AT, tag, TAG);
	memcpy(r->tagged + TAG_AT + TAG, f->p + TAG_AT, f->len - TAG_AT);
	f->p = r->tagged;
	f->len += TAG;
	f->orig += TAG;
}

static bool unwanted(const struct port_ring *r, const struct tpacket2_hdr *h)
{
	const struct sockaddr_ll *from =
		(const void *)((const uint8_t *)h +
			       ALIGNED(sizeof(struct tpacket2_hdr)));

	return r->incoming && from->sll_pkttype == PACKET_OUTGOING;
}

static int ring_take(struct port *p, struct port_frame *ret)
{
	struct port_ring *r = ring_of(p);
	const struct tpacket2_hdr *h;
	int64_t wall;

	do {
		port_ring_give_back(r);
		h = port_ring_slot(r, r->at);
		if (!(status(h) & TP_STATUS_USER)) {
			forget_error(r);
			return 0;
		}
		r->held = true;
	} while (unwanted(r, h));
	ret->p = (const uint8_t *)h + h->tp_mac;
	ret->len = h->tp_snaplen;
	ret->orig = h->tp_len;
	if (h->tp_status & TP_STATUS_VLAN_VALID && ret->len >= TAG_AT)
		put_tag(r, h, ret);
	wall = h->tp_sec * VSPAN_S + h->tp_nsec;
	if (h->tp_status & TP_STATUS_TS_RAW_HARDWARE)
		wall = port_ether_nic(&r->pe, wall);
	port_ether_captured(&r->pe, ret, wall);
	return 1;
}

/* ---- Opening ---- */

static int port_ring_set_filter(struct port_ring *r,
				const struct port_conf *conf)
{
	char text[PORT_FILTER];
	struct bpf_program program;
	struct sock_fprog attach;
	pcap_t *dead;
	int err;

	port_ether_filter(conf, text, sizeof(text));
	if (!*text)
		return 0;
	dead = pcap_open_dead(DLT_EN10MB, (int)r->pe.snaplen);
	if (!dead)
		return ERR_NOMEM;
	err = pcap_compile(dead, &program, text, 1, PCAP_NETMASK_UNKNOWN);
	pcap_close(dead);
	if (err)
		return ERR_VALUE;
	attach.len = (unsigned short)program.bf_len;
	/* sock_filter and bpf_insn are the same instruction */
	memcpy(&attach.filter, &program.bf_insns, sizeof(void *));
	err = setsockopt(r->pe.port.fd, SOL_SOCKET, SO_ATTACH_FILTER, &attach,
			 sizeof(attach));
	pcap_freecode(&program);
	if (err)
		return ERR_SYS;
	return 0;
}

static int set_ring(struct port_ring *r)
{
	const int version = TPACKET_V2;
	const int fd = r->pe.port.fd;
	struct tpacket_req req = {.tp_block_size = BLOCK};

	r->slot_len = ALIGNED(HEADERS + r->pe.snaplen);
	if (r->slot_len > BLOCK)
		return ERR_VALUE;
	r->per_block = (unsigned)(BLOCK / r->slot_len);
	req.tp_frame_size = (unsigned)r->slot_len;
	req.tp_block_nr = PORT_RING_BYTES / BLOCK;
	if (req.tp_block_nr * r->per_block < PORT_RING_FRAMES)
		req.tp_block_nr = PORT_RING_FRAMES / r->per_block;
	r->slots = req.tp_frame_nr = r->per_block * req.tp_block_nr;
	if (setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version,
		       sizeof(version)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &req, sizeof(req)))
		return ERR_SYS;
	r->map_len = (size_t)BLOCK * req.tp_block_nr;
	r->map = mmap(NULL, r->map_len, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		      0);
	if (r->map == MAP_FAILED) {
		r->map = NULL;
		return ERR_SYS;
	}
	return 0;
}

/*
 * The kernel stamps frames that the NIC does not stamp, outgoing ones included.
 */
static void set_stamps(const struct port_ring *r, const struct port_conf *conf)
{
	const int hardware = SOF_TIMESTAMPING_RAW_HARDWARE;
	struct stamp_able able;

	if (!port_stamps(conf->iface, &able) &&
	    stamp_choose(&able) == STAMP_NIC)
		setsockopt(r->pe.port.fd, SOL_PACKET, PACKET_TIMESTAMP,
			   &hardware, sizeof(hardware));
}

static int port_ring_bind_to(int fd, int index, uint16_t type)
{
	const struct sockaddr_ll to = {.sll_family = AF_PACKET,
				       .sll_protocol = htons(type),
				       .sll_ifindex = index};

	if (bind(fd, (const struct sockaddr *)&to, sizeof(to)))
		return ERR_SYS;
	return 0;
}

/* Binds last, so that nothing arrives before the filter and the ring exist. */
static int port_ring_open_capture(struct port_ring *r,
				  const struct port_conf *conf)
{
	const struct packet_mreq promiscuous = {.mr_ifindex = r->pe.iface.index,
						.mr_type = PACKET_MR_PROMISC};
	const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	int err;

	r->pe.port.fd = fd;
	if (fd < 0)
		return ERR_SYS;
	set_stamps(r, conf);
	err = port_ring_set_filter(r, conf);
	if (!err)
		err = set_ring(r);
	if (!err)
		err = port_ring_bind_to(fd, r->pe.iface.index, ETH_P_ALL);
	if (!err && setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP,
			       &promiscuous, sizeof(promiscuous)))
		err = ERR_SYS;
	return err;
}

static int port_ring_open_all(struct port_ring *r, const struct port_conf *conf)
{
	int err = port_ether_open(&r->pe, conf);

	if (err)
		return err;
	r->tagged = memory_alloc(r->pe.snaplen + TAG);
	if (!r->tagged)
		return ERR_NOMEM;
	r->incoming = !conf->addr.len;
	if (conf->deaf)
		err = 0;
	else
		err = port_ring_open_capture(r, conf);
	if (err)
		return err;
	r->tx = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (r->tx < 0)
		return ERR_SYS;
	return port_ring_bind_to(r->tx, r->pe.iface.index, 0);
}

static void ring_free(struct port *p)
{
	struct port_ring *r = p ? ring_of(p) : NULL;

	if (!r)
		return;
	if (r->map)
		munmap(r->map, r->map_len);
	if (p->fd >= 0)
		close(p->fd);
	if (r->tx >= 0)
		close(r->tx);
	port_ether_close(&r->pe);
	free(r->tagged);
	free(r);
}

int port_ring_new(struct port **ret, const struct port_conf *conf)
{
	static const struct port_ops ops = {
		.name = "ring",
		.send = port_ether_send,
		.recv = port_ether_recv,
		.meet = port_ether_meet,
		.put = ring_put,
		.take = ring_take,
		.strays = port_ether_strays,
		.drops = ring_drops,
		.free = ring_free,
	};
	struct port_ring *r = memory_calloc(1, sizeof(*r));
	int err, saved;

	if (!r)
		return ERR_NOMEM;
	r->pe.port.ops = &ops;
	r->pe.port.fd = r->tx = -1;
	r->pe.inject = ring_inject;
	err = port_ring_open_all(r, conf);
	if (!err) {
		*ret = &r->pe.port;
		return 0;
	}
	saved = errno;
	ring_free(&r->pe.port);
	errno = saved;
	return err;
}
