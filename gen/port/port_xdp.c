/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_xdp.c -- a port of whole frames on AF_XDP: frames are in memory
 * that is shared with the kernel, and the rings carry only their addresses.
 *
 * A driver with zero copy reads and writes that memory itself.  Any other
 * driver copies, which still costs less than a packet socket.  The port takes
 * the whole receive queue away from the operating system.  A frame must fit
 * into a page.  Its receive time is that of port_xdp_program.h, or that at
 * which the port read it.
 *
 * A capture on the same interface does not show the frames that this port
 * sends.
 *
 * Spec: Linux Documentation/networking/af_xdp.rst
 */
#define _GNU_SOURCE
#include "gen/port/port_ether.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/if_link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <xdp/libxdp.h>
#include <xdp/xsk.h>

#include "base/err.h"
#include "base/memory.h"
#include "gen/port/port_clock.h"
#include "gen/port/port_xdp_program.h"

#define CHUNK 4096u /* bytes; a frame with the kernel's headroom */
#define SLOTS 2048u /* slots of a ring, a power of two */
#define BATCH 64u

#define BUSY_TRIES 100
#define BUSY_WAIT  10 /* ms */

struct port_xdp {
	struct port_ether pe;         /* the first member */
	struct port_xdp_program *own; /* NULL: that of the caller, or none */
	struct xsk_umem *umem;
	struct xsk_socket *xsk;
	struct xsk_ring_prod fill, tx;
	struct xsk_ring_cons done, rx;
	uint8_t *area;
	uint64_t spare[SLOTS]; /* chunks free for sending */
	uint32_t waiting;      /* slots and chunks for receiving */
	unsigned nspare;
	uint64_t lent; /* the chunk lent by take */
	bool held, deaf;
	bool copied; /* copy mode: the kernel copies frames */
};

static struct port_xdp *xdp_of(struct port *p)
{
	return (struct port_xdp *)p; /* |pe| is the first member */
}

/* ---- Sending ---- */

/* Reclaims the chunks of frames that have left. */
static void port_xdp_reap(struct port_xdp *x)
{
	uint32_t at = 0;
	const uint32_t n = xsk_ring_cons__peek(&x->done, SLOTS, &at);

	for (uint32_t i = 0; i < n; i++)
		x->spare[x->nspare++] =
			*xsk_ring_cons__comp_addr(&x->done, at + i);
	if (n)
		xsk_ring_cons__release(&x->done, n);
}

/* Returns true if the kernel has taken frames from the ring since |before|. */
static bool port_xdp_goes_on(struct port_xdp *x, uint32_t *before)
{
	const uint32_t now = xsk_prod_nb_free(&x->tx, SLOTS);
	const bool fewer = now != *before;

	*before = now;
	return fewer;
}

/* The driver takes no more frames until those that left are reclaimed. */
static bool port_xdp_is_full(int error)
{
	return error == EAGAIN || error == EBUSY || error == ENOBUFS;
}

/*
 * Wakes the kernel.  A copying driver sends a few frames with each call.  Waits
 * for PORT_ROOM_TIME at most.
 */
static int kick(struct port_xdp *x)
{
	const int fd = x->pe.port.fd;
	uint32_t before = xsk_prod_nb_free(&x->tx, SLOTS);
	vtime until = port_now() + PORT_ROOM_TIME;

	while (xsk_prod_nb_free(&x->tx, SLOTS) < SLOTS) {
		const bool woken =
			sendto(fd, NULL, 0, MSG_DONTWAIT, NULL, 0) >= 0;

		if (!woken && port_xdp_is_full(errno))
			port_xdp_reap(x);
		else if (!woken && errno != EINTR)
			return ERR_SYS;
		if (port_xdp_goes_on(x, &before)) {
			until = port_now() + PORT_ROOM_TIME;
		} else if (port_now() >= until) {
			errno = ENOBUFS;
			return ERR_SYS;
		}
	}
	return 0;
}

/* Waits for room for |n| frames; *ret_at is their index in the ring. */
static int port_xdp_make_room(struct port_xdp *x, uint32_t n, uint32_t *ret_at)
{
	const vtime until = port_now() + PORT_ROOM_TIME;

	port_xdp_reap(x);
	while (x->nspare < n || !xsk_ring_prod__reserve(&x->tx, n, ret_at)) {
		if (kick(x))
			return ERR_SYS;
		port_xdp_reap(x);
		if (port_now() >= until) {
			errno = ENOBUFS;
			return ERR_SYS;
		}
	}
	return 0;
}

static int port_xdp_too_long(void)
{
	errno = EMSGSIZE;
	return ERR_SYS;
}

static int xdp_put(struct port *p, const struct port_frame *f, size_t n)
{
	struct port_xdp *x = xdp_of(p);
	uint32_t at = 0;

	if (n >= BATCH)
		n = BATCH;
	for (size_t i = 0; i < n; i++)
		if (f[i].len > CHUNK)
			n = i;
	if (!n)
		return port_xdp_too_long();
	if (port_xdp_make_room(x, (uint32_t)n, &at))
		return ERR_SYS;
	for (size_t i = 0; i < n; i++) {
		const uint64_t chunk = x->spare[--x->nspare];
		struct xdp_desc *d =
			xsk_ring_prod__tx_desc(&x->tx, at + (uint32_t)i);

		memcpy(x->area + chunk, f[i].p, f[i].len);
		d->addr = chunk;
		d->len = (uint32_t)f[i].len;
		d->options = 0;
	}
	xsk_ring_prod__submit(&x->tx, (uint32_t)n);
	if (kick(x))
		return ERR_SYS;
	return (int)n;
}

static int xdp_inject(struct port_ether *pe, const uint8_t *frame, size_t len)
{
	const struct port_frame f = {.p = frame, .len = len};

	if (xdp_put(&pe->port, &f, 1) == 1)
		return 0;
	return ERR_SYS;
}

/* ---- Receiving ---- */

static void give_chunk(struct port_xdp *x, uint64_t chunk)
{
	uint32_t at = 0;

	if (!xsk_ring_prod__reserve(&x->fill, 1, &at))
		return;
	*xsk_ring_prod__fill_addr(&x->fill, at) = chunk;
	xsk_ring_prod__submit(&x->fill, 1);
}

static int64_t wall(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * VSPAN_S + ts.tv_nsec;
}

static int xdp_take(struct port *p, struct port_frame *ret)
{
	struct port_xdp *x = xdp_of(p);
	const struct xdp_desc *d;
	uint8_t *frame;
	int64_t time;
	uint32_t at = 0;

	if (x->held)
		give_chunk(x, x->lent);
	x->held = false;
	if (x->deaf || !xsk_ring_cons__peek(&x->rx, 1, &at))
		return 0;
	d = xsk_ring_cons__rx_desc(&x->rx, at);
	frame = x->area + d->addr;
	ret->p = frame;
	ret->len = ret->orig = d->len;
	x->lent = d->addr / CHUNK * CHUNK;
	x->held = true;
	xsk_ring_cons__release(&x->rx, 1);
	time = port_xdp_program_time(frame);
	if (time < 0)
		port_ether_captured(&x->pe, ret, wall());
	else
		port_ether_stamped(&x->pe, ret, port_instant(time));
	return 1;
}

static uint64_t xdp_drops(struct port *p)
{
	struct xdp_statistics st = {0};
	socklen_t len = sizeof(st);

	if (getsockopt(p->fd, SOL_XDP, XDP_STATISTICS, &st, &len))
		return 0;
	/*
	 * In copy mode, a frame without a chunk is already counted as dropped.
	 */
	return st.rx_dropped + st.rx_ring_full +
	       (xdp_of(p)->copied ? 0 : st.rx_fill_ring_empty_descs);
}

bool port_xdp_copies(const struct port *p)
{
	struct xdp_options o = {0};
	socklen_t len = sizeof(o);

	return getsockopt(p->fd, SOL_XDP, XDP_OPTIONS, &o, &len) ||
	       !(o.flags & XDP_OPTIONS_ZEROCOPY);
}

/* ---- Opening ---- */

/*
 * Silences the libraries' messages on standard error, since the caller reports
 * errors.
 */
static int port_xdp_silent(enum libbpf_print_level level, const char *fmt,
			   va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

static int silent_xdp(enum libxdp_print_level level, const char *fmt,
		      va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

static int port_xdp_told(int err)
{
	if (!err)
		return 0;
	errno = -err;
	return ERR_SYS;
}

/*
 * The chunks for sending stand before those for receiving.  A port that only
 * sends needs little memory, and stays within the usual limit of locked memory.
 */
static size_t area_len(const struct port_xdp *x)
{
	return (SLOTS + (x->deaf ? (size_t)0 : x->waiting)) * CHUNK;
}

/* Allocates the chunks of all frames. */
static int make_area(struct port_xdp *x)
{
	const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	void *p = mmap(NULL, area_len(x), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return ERR_SYS;
	x->area = p;
	/* older kernels count the area as locked memory */
	setrlimit(RLIMIT_MEMLOCK, &all);
	return 0;
}

/*
 * Makes a socket with fresh rings, since a refused socket leaves its rings
 * unusable.
 */
static int try_socket(struct port_xdp *x, const struct port_conf *conf,
		      uint16_t flags)
{
	const struct xsk_umem_config area = {.fill_size = x->waiting,
					     .comp_size = SLOTS,
					     .frame_size = CHUNK};
	const struct xsk_socket_config socket = {
		.rx_size = x->waiting,
		.tx_size = SLOTS,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
		.bind_flags = flags,
	};
	int err = xsk_umem__create(&x->umem, x->area, area_len(x), &x->fill,
				   &x->done, &area);

	if (err)
		return err;
	err = xsk_socket__create(&x->xsk, conf->iface, conf->queue, x->umem,
				 x->deaf ? NULL : &x->rx, &x->tx, &socket);
	if (err) {
		xsk_umem__delete(x->umem);
		x->umem = NULL;
		x->xsk = NULL;
	}
	return err;
}

/*
 * Retries while the queue is busy: the kernel frees a queue some time after its
 * socket was closed.
 */
static int insist(struct port_xdp *x, const struct port_conf *conf,
		  uint16_t flags)
{
	int err = try_socket(x, conf, flags);

	for (int i = 0; err == -EBUSY && i < BUSY_TRIES; i++) {
		poll(NULL, 0, BUSY_WAIT);
		err = try_socket(x, conf, flags);
	}
	return port_xdp_told(err);
}

/* Makes the socket of a queue, and gives it the frames of a program. */
static int make_socket(struct port_xdp *x, const struct port_conf *conf,
		       const struct port_xdp_program *program)
{
	int err = insist(x, conf,
			 port_xdp_program_is_generic(program) ? XDP_COPY : 0);

	if (err || !port_xdp_program_join(program, x->xsk))
		return err;
	err = errno;
	xsk_socket__delete(x->xsk);
	xsk_umem__delete(x->umem);
	x->xsk = NULL;
	x->umem = NULL;
	return port_xdp_told(-err);
}

bool port_xdp_is_final(int error)
{
	return error == EBUSY || error == EEXIST || error == EPERM ||
	       error == EACCES;
}

/*
 * Tries the program in the driver, with zero copy or without, and then before
 * the stack.
 */
static int make_own(struct port_xdp *x, const struct port_conf *conf)
{
	int err = ERR_SYS, kept = 0;

	for (int generic = 0; err && generic < 2; generic++) {
		err = port_xdp_program_new(x->pe.iface.index, conf->queue + 1,
					   generic, &x->own);
		if (!err)
			err = make_socket(x, conf, x->own);
		if (!err)
			return 0;
		kept = errno;
		port_xdp_program_free(x->own);
		x->own = NULL;
		if (port_xdp_is_final(kept))
			break;
	}
	errno = kept;
	return err;
}

static int make_sockets(struct port_xdp *x, const struct port_conf *conf)
{
	if (x->deaf)
		return insist(x, conf, 0);
	if (conf->program)
		return make_socket(x, conf, conf->program);
	return make_own(x, conf);
}

static int port_xdp_open_all(struct port_xdp *x, const struct port_conf *conf)
{
	int err = port_ether_open(&x->pe, conf);

	if (!err)
		err = make_area(x);
	if (!err)
		err = make_sockets(x, conf);
	if (err)
		return err;
	x->pe.port.fd = xsk_socket__fd(x->xsk);
	x->copied = port_xdp_copies(&x->pe.port);
	for (unsigned i = 0; i < SLOTS; i++)
		x->spare[x->nspare++] = (uint64_t)i * CHUNK;
	for (unsigned i = 0; !x->deaf && i < x->waiting; i++)
		give_chunk(x, (uint64_t)(SLOTS + i) * CHUNK);
	return 0;
}

static void xdp_free(struct port *p)
{
	struct port_xdp *x = p ? xdp_of(p) : NULL;

	if (!x)
		return;
	port_xdp_program_free(x->own);
	xsk_socket__delete(x->xsk);
	if (x->umem)
		xsk_umem__delete(x->umem);
	if (x->area)
		munmap(x->area, area_len(x));
	port_ether_close(&x->pe);
	free(x);
}

int port_xdp_new(struct port **ret, const struct port_conf *conf)
{
	static const struct port_ops ops = {
		.name = "xdp",
		.send = port_ether_send,
		.recv = port_ether_recv,
		.meet = port_ether_meet,
		.put = xdp_put,
		.take = xdp_take,
		.strays = port_ether_strays,
		.drops = xdp_drops,
		.free = xdp_free,
	};
	struct port_xdp *x = memory_calloc(1, sizeof(*x));
	int err, saved;

	if (!x)
		return ERR_NOMEM;
	libbpf_set_print(port_xdp_silent);
	libxdp_set_print(silent_xdp);
	x->pe.port.ops = &ops;
	x->pe.port.fd = -1;
	x->pe.inject = xdp_inject;
	x->pe.unseen = true;
	x->deaf = conf->deaf;
	x->waiting = conf->waiting ? conf->waiting : SLOTS;
	err = port_xdp_open_all(x, conf);
	if (!err) {
		*ret = &x->pe.port;
		return 0;
	}
	saved = errno;
	xdp_free(&x->pe.port);
	errno = saved;
	return err;
}
