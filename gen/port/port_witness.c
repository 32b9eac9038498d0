/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_witness.c -- a packet socket that stores the identifications of
 * the last datagrams.
 *
 * Spec: packet(7), socket(7) SO_ATTACH_FILTER
 */
#define _GNU_SOURCE
#include "gen/port/port_witness.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/socket.h>

#include "wire/field.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame_tables.h"

enum {
	SEEN = 256,     /* bytes of an IP packet */
	COMPARED = 180, /* bytes of its data */
	AT_ONCE = 256,  /* most packets read in a row */
	UDP = 17,
};

static int attach(int fd, uint32_t addr, uint16_t udp_port)
{
	/*
	 * The offsets are valid for IPv4 without options, and UDP.  Fragments
	 * are rejected, since they have no ports.
	 */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 16),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, addr, 0, 8),
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 9),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, UDP, 0, 6),
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 6),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1fff, 4, 0),
		BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
		BPF_STMT(BPF_LD | BPF_H | BPF_IND, 2),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, udp_port, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SEEN),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	const struct sock_fprog program = {sizeof(code) / sizeof(code[0]),
					   code};

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program,
			  sizeof(program));
}

/* Attaches the filter before binding, so that no other packet comes. */
static int bind_to_all(int fd)
{
	const struct sockaddr_ll all = {.sll_family = AF_PACKET,
					.sll_protocol = htons(ETH_P_IP)};

	return bind(fd, (const struct sockaddr *)&all, sizeof(all));
}

void port_witness_open(struct port_witness *w, const struct ip_addr *addr,
		       uint16_t udp_port)
{
	const uint8_t loopback = 127;

	w->fd = -1;
	if (addr->len != 4 || addr->b[0] == loopback)
		return;
	w->fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (w->fd < 0)
		return;
	if (attach(w->fd, (uint32_t)bits_get(addr->b, 0, 32), udp_port) ||
	    bind_to_all(w->fd))
		port_witness_close(w);
}

void port_witness_close(struct port_witness *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

/* Returns a key of source port, length and data. */
static uint32_t port_witness_key_of(uint16_t entropy, const uint8_t *p,
				    size_t len)
{
	const size_t n = len < COMPARED ? len : COMPARED;

	return crc32c((uint32_t)(entropy + (len << 16)), p, n);
}

static void port_witness_keep(struct port_witness *w, const uint8_t *p,
			      size_t have)
{
	struct frame_ipv4 ip;
	struct frame_udp udp;
	size_t at, len;

	if (have < frame_ipv4_len)
		return;
	frame_ipv4_get(&ip, p);
	at = (size_t)ip.ihl * 4;
	if (have < at + frame_udp_len)
		return;
	frame_udp_get(&udp, p + at);
	at += frame_udp_len;
	if (udp.length < frame_udp_len)
		len = 0;
	else
		len = udp.length - (size_t)frame_udp_len;
	if (have < at + (len < COMPARED ? len : COMPARED))
		return;
	w->kept[w->next] = (struct port_witnessed){
		.key = port_witness_key_of(udp.sport, p + at, len),
		.id = ip.id,
		.open = true};
	w->next = (w->next + 1) % PORT_WITNESS_KEPT;
}

static void port_witness_drain(struct port_witness *w)
{
	uint8_t p[SEEN];

	for (unsigned i = 0; i < AT_ONCE; i++) {
		const ssize_t n = recv(w->fd, p, sizeof(p), MSG_DONTWAIT);

		if (n < 0)
			return;
		port_witness_keep(w, p, (size_t)n);
	}
}

void port_witness_ask(struct port_witness *w, struct dgram *d)
{
	const uint32_t key = port_witness_key_of(d->entropy, d->data, d->len);

	if (w->fd < 0)
		return;
	port_witness_drain(w);
	/* Starts with the oldest, which the socket returns next. */
	for (unsigned i = 0; i < PORT_WITNESS_KEPT; i++) {
		struct port_witnessed *k =
			&w->kept[(w->next + i) % PORT_WITNESS_KEPT];

		if (!k->open || k->key != key)
			continue;
		k->open = false;
		d->ip_id = k->id;
		d->id_known = 1;
		return;
	}
}
