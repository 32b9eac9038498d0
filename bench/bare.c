/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/bare.c -- the fastest possible loop for each way of sending frames, as
 * a reference for "rung send": it copies, counts and paces nothing.
 *
 * Usage: bench_bare packet|libnet|xdp IFACE HEX
 *   Sends the frame HEX until it is killed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <libnet.h>
#include <linux/filter.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <xdp/xsk.h>

#define BATCH 64
#define SLOTS 2048
#define CHUNK 4096

static uint8_t frame[2048];
static size_t frame_len;

static int bare_fail(const char *what)
{
	perror(what);
	return 1;
}

static void bare_patience(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	poll(&p, 1, 100);
}

static int loop_packet(const char *iface)
{
	const struct sockaddr_ll to = {.sll_family = AF_PACKET,
				       .sll_ifindex =
					       (int)if_nametoindex(iface)};
	const int fd = socket(AF_PACKET, SOCK_RAW, 0);
	struct iovec iov = {frame, frame_len};
	struct mmsghdr m[BATCH] = {0};

	if (fd < 0 || bind(fd, (const struct sockaddr *)&to, sizeof(to)))
		return bare_fail("packet socket");
	for (size_t i = 0; i < BATCH; i++) {
		m[i].msg_hdr.msg_iov = &iov;
		m[i].msg_hdr.msg_iovlen = 1;
	}
	for (;;)
		if (sendmmsg(fd, m, BATCH, MSG_DONTWAIT) < 0)
			bare_patience(fd);
}

static int loop_libnet(const char *iface)
{
	struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog program = {1, &none};
	char text[LIBNET_ERRBUF_SIZE] = "";
	libnet_t *net = libnet_init(LIBNET_LINK_ADV, iface, text);

	if (!net)
		return bare_fail(text);
	if (setsockopt(libnet_getfd(net), SOL_SOCKET, SO_ATTACH_FILTER,
		       &program, sizeof(program)))
		return bare_fail("filter");
	for (;;)
		if (libnet_adv_write_link(net, frame, (uint32_t)frame_len) < 0)
			bare_patience(libnet_getfd(net));
}

/* ---- AF_XDP ---- */

struct xdp {
	struct xsk_umem *umem;
	struct xsk_socket *xsk;
	struct xsk_ring_prod fill, tx;
	struct xsk_ring_cons done;
	uint8_t *area;
};

static int open_xdp(struct xdp *x, const char *iface)
{
	const struct xsk_socket_config c = {
		.tx_size = SLOTS,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
	};

	x->area = mmap(NULL, (size_t)SLOTS * CHUNK, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (x->area == MAP_FAILED ||
	    xsk_umem__create(&x->umem, x->area, (uint64_t)SLOTS * CHUNK,
			     &x->fill, &x->done, NULL))
		return bare_fail("area");
	for (int i = 0; i < 100; i++) {
		int err = xsk_socket__create(&x->xsk, iface, 0, x->umem, NULL,
					     &x->tx, &c);

		if (!err)
			return 0;
		errno = -err;
		poll(NULL, 0, 10);
	}
	return bare_fail("socket");
}

static int loop_xdp(const char *iface)
{
	struct xdp x = {0};
	uint32_t at = 0, chunk = 0;

	if (open_xdp(&x, iface))
		return 1;
	for (size_t i = 0; i < SLOTS; i++)
		memcpy(x.area + i * CHUNK, frame, frame_len);
	for (;;) {
		const uint32_t n = xsk_ring_cons__peek(&x.done, SLOTS, &at);

		xsk_ring_cons__release(&x.done, n);
		if (xsk_ring_prod__reserve(&x.tx, BATCH, &at))
			for (uint32_t i = 0; i < BATCH; i++) {
				struct xdp_desc *d =
					xsk_ring_prod__tx_desc(&x.tx, at + i);

				d->addr = (uint64_t)(chunk++ % SLOTS) * CHUNK;
				d->len = (uint32_t)frame_len;
				d->options = 0;
			}
		xsk_ring_prod__submit(&x.tx, BATCH);
		while (xsk_prod_nb_free(&x.tx, SLOTS) < SLOTS)
			sendto(xsk_socket__fd(x.xsk), NULL, 0, MSG_DONTWAIT,
			       NULL, 0);
	}
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: bench_bare packet|libnet|xdp IFACE "
				"HEX\n");
		return 2;
	}
	for (const char *p = argv[3]; p[0] && p[1] && frame_len < sizeof(frame);
	     p += 2) {
		char digits[3] = {p[0], p[1], 0};

		frame[frame_len++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	if (strcmp(argv[1], "packet") == 0)
		return loop_packet(argv[2]);
	if (strcmp(argv[1], "libnet") == 0)
		return loop_libnet(argv[2]);
	return loop_xdp(argv[2]);
}
