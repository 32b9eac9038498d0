/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/netcap.c -- captures by libpcap's packet rings, one for each
 * queue, or by AF_XDP.
 *
 * Several rings of one interface are a fanout group of the kernel.  Its program
 * computes the ring of a frame from the sum of both IP addresses, which does
 * not depend on the direction.  The kernel's own hash depends on the ports of
 * UDP, and those of the two directions differ.
 *
 * Frames are copied, because libpcap returns a block to the kernel with the
 * last frame in it.
 *
 * Spec: packet(7), Linux Documentation/networking/packet_mmap.rst
 */
#include "cli/capture/netcap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/filter.h>
#include <linux/if_packet.h>
#include <pcap/pcap.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/capture/netcap_xdp.h"
#include "cli/cli.h"
#include "gen/port/port_clock.h"

#define NETCAP_MS    100        /* longest delay of frames in the kernel */
#define NETCAP_BYTES (32 << 20) /* a ring */
#define NETCAP_FRAME 262144     /* bytes of the longest frame */
#define NETCAP_TAG   4          /* a VLAN tag, which libpcap inserts */
#define QUEUES_MAX   64

/* The mode's place in the argument of PACKET_FANOUT. */
#define GROUP_FLAGS 16

struct netcap_queue {
	pcap_t *pcap;
	struct netcap_xdp *xdp; /* instead of |pcap| */
	vtime since;            /* frames with earlier times are ignored */
	vtime until; /* when a stopping queue ends; 0: it is not stopping */
	struct capture_info info;
	vtime before;
	uint8_t *copies; /* frames of the last batch */
	size_t used;
	struct capture_packet *batch; /* the caller's */
	int n;
	char error[200];
};

struct netcap {
	const volatile bool *stop;
	unsigned n;
	bool ended; /* a queue failed, or netcap_stop; accessed atomically */
	struct netcap_queue q[QUEUES_MAX];
};

unsigned netcap_queues(const struct netcap *c)
{
	return c->n;
}

const char *netcap_error(const struct netcap *c, unsigned queue)
{
	return c->q[queue].error;
}

const struct capture_info *netcap_info(const struct netcap *c, unsigned queue)
{
	return &c->q[queue].info;
}

void netcap_stop(struct netcap *c)
{
	__atomic_store_n(&c->ended, true, __ATOMIC_RELAXED);
}

/* ---- Reading ---- */

static void netcap_keep(struct netcap_queue *q, const struct port_frame *f,
			int link)
{
	if (f->at < q->since)
		return;
	memcpy(q->copies + q->used, f->p, f->len);
	q->batch[q->n++] = (struct capture_packet){
		.p = q->copies + q->used,
		.len = (uint32_t)f->len,
		.orig = (uint32_t)f->orig,
		.at = f->at,
		.link = (enum frame_link)link,
	};
	q->used += f->len;
	q->info.backward += f->at < q->before;
	q->before = f->at;
	q->info.packets++;
}

static void netcap_captured(u_char *arg, const struct pcap_pkthdr *h,
			    const u_char *p)
{
	struct netcap_queue *q = (void *)arg;
	const struct port_frame f = {
		.p = p,
		.len = h->caplen,
		.orig = h->len,
		.at = h->ts.tv_sec * VSPAN_S +
		      h->ts.tv_usec * q->info.resolution,
	};

	netcap_keep(q, &f, pcap_datalink(q->pcap));
}

/* Reads up to |max| frames.  Return: how many came, or ERR_SYS. */
static int netcap_read(struct netcap_queue *q, int max)
{
	struct port_frame f;
	bool accepted;
	int n = 0;

	if (!q->xdp) {
		n = pcap_dispatch(q->pcap, max, netcap_captured, (u_char *)q);
		if (n >= 0)
			return n;
		snprintf(q->error, sizeof(q->error), "capture: %s",
			 pcap_geterr(q->pcap));
		return ERR_SYS;
	}
	for (; n < max && netcap_xdp_take(q->xdp, &f, &accepted); n++)
		if (accepted)
			netcap_keep(q, &f, DLT_EN10MB);
	return n;
}

/*
 * After a stop, frames that were captured until then are still read: the
 * kernel delivers its blocks up to NETCAP_MS late.
 */
static bool netcap_over(const struct netcap *c, struct netcap_queue *q)
{
	if (!*c->stop && !__atomic_load_n(&c->ended, __ATOMIC_RELAXED))
		return false;
	if (!q->until)
		q->until = port_now() + 2 * NETCAP_MS * VSPAN_MS;
	return port_now() >= q->until;
}

/*
 * libpcap itself would wait for a frame for ever, and ignore Ctrl-C on a quiet
 * interface.
 */
static int netcap_wait(struct netcap_queue *q)
{
	const vtime until = port_now() + NETCAP_MS * VSPAN_MS;
	size_t ready;
	int fd;

	if (!q->xdp) {
		fd = pcap_get_selectable_fd(q->pcap);
		port_wait(&fd, 1, until, &ready);
		return 0;
	}
	if (!netcap_xdp_wait(q->xdp, until))
		return 0;
	snprintf(q->error, sizeof(q->error),
		 "capture: the interface was removed");
	return ERR_SYS;
}

static int netcap_end(struct netcap_queue *q)
{
	struct pcap_stat st;

	if (q->xdp)
		q->info.dropped = netcap_xdp_dropped(q->xdp);
	else if (pcap_stats(q->pcap, &st) == 0)
		q->info.dropped = (uint64_t)st.ps_drop + st.ps_ifdrop;
	return 0;
}

int netcap_some(struct netcap *c, unsigned queue, struct capture_packet *ret,
		int max)
{
	struct netcap_queue *q = &c->q[queue];
	int n;

	q->batch = ret;
	q->used = 0;
	q->n = 0;
	if (max > NETCAP_BATCH)
		max = NETCAP_BATCH;
	while (!q->n) {
		if (netcap_over(c, q))
			return netcap_end(q);
		n = netcap_read(q, max);
		if (n == 0)
			n = netcap_wait(q);
		if (n < 0) {
			netcap_stop(c);
			netcap_end(q);
			return ERR_SYS;
		}
	}
	return q->n;
}

/* ---- Handing frames to queues ---- */

/* A program of the kernel that computes the queue of a frame. */
struct netcap_hash {
	struct sock_filter f[160];
	unsigned short n;
};

static void netcap_hash_put(struct netcap_hash *h, unsigned code, uint32_t k)
{
	h->f[h->n++] = (struct sock_filter)BPF_STMT((uint16_t)code, k);
}

/* Loads a field of the frame; the kernel may have removed its link header. */
static void netcap_hash_load(struct netcap_hash *h, unsigned size, uint32_t at)
{
	netcap_hash_put(h, BPF_LD | BPF_ABS | size, (uint32_t)SKF_LL_OFF + at);
}

/* Mixes the high bits into the low ones, which choose the queue. */
static void netcap_hash_fold(struct netcap_hash *h)
{
	netcap_hash_put(h, BPF_MISC | BPF_TAX, 0);
	netcap_hash_put(h, BPF_ALU | BPF_RSH | BPF_K, 16);
	netcap_hash_put(h, BPF_ALU | BPF_XOR | BPF_X, 0);
}

/*
 * Returns a hash of the sum of |n| words, at these offsets from |at|, if the
 * packet has the type |type|.  The factor is that of Fibonacci hashing.
 */
static void netcap_hash_words(struct netcap_hash *h, uint32_t type, uint32_t at,
			      const uint8_t *words, size_t n)
{
	const unsigned short jump = h->n;

	netcap_hash_put(h, BPF_JMP | BPF_JEQ | BPF_K, type);
	netcap_hash_load(h, BPF_W, at + words[0]);
	for (size_t i = 1; i < n; i++) {
		netcap_hash_put(h, BPF_ST, 0);
		netcap_hash_load(h, BPF_W, at + words[i]);
		netcap_hash_put(h, BPF_LDX | BPF_MEM, 0);
		netcap_hash_put(h, BPF_ALU | BPF_ADD | BPF_X, 0);
	}
	netcap_hash_fold(h);
	netcap_hash_put(h, BPF_ALU | BPF_MUL | BPF_K, 0x9e3779b1);
	netcap_hash_fold(h);
	netcap_hash_put(h, BPF_RET | BPF_A, 0);
	h->f[jump].jf = (uint8_t)(h->n - jump - 1);
}

/*
 * Writes the program: of frames with up to two VLAN tags it returns a hash of
 * the sum of both IP addresses, of other frames 0.  Of an IPv6 address, the
 * words of the subnet and of the host count.
 */
static void netcap_hash_write(struct netcap_hash *h)
{
	static const uint8_t ip4[] = {12, 16}, ip6[] = {12, 20, 28, 36};

	for (uint32_t tags = 0; tags <= 8; tags += 4) {
		netcap_hash_load(h, BPF_H, 12 + tags);
		netcap_hash_words(h, 0x0800, 14 + tags, ip4, sizeof(ip4));
		netcap_hash_words(h, 0x86dd, 14 + tags, ip6, sizeof(ip6));
		netcap_hash_put(h, BPF_JMP | BPF_JEQ | BPF_K, 0x8100);
		h->f[h->n - 1].jt = 2;
		netcap_hash_put(h, BPF_JMP | BPF_JEQ | BPF_K, 0x88a8);
		h->f[h->n - 1].jt = 1;
		netcap_hash_put(h, BPF_RET | BPF_K, 0);
	}
	netcap_hash_put(h, BPF_RET | BPF_K, 0);
}

/*
 * Joins a ring to the group |*id|; the first one makes the group and its
 * program.  Return: 0 or ERR_SYS.
 */
static int netcap_join(const struct netcap_queue *q, bool first, int *id)
{
	const int fd = pcap_fileno(q->pcap);
	int arg = *id | PACKET_FANOUT_CBPF << GROUP_FLAGS;
	struct netcap_hash hash = {.n = 0};
	struct sock_fprog program;
	socklen_t len = sizeof(arg);

	if (first)
		arg |= PACKET_FANOUT_FLAG_UNIQUEID << GROUP_FLAGS;
	if (setsockopt(fd, SOL_PACKET, PACKET_FANOUT, &arg, sizeof(arg)))
		return ERR_SYS;
	if (!first)
		return 0;
	if (getsockopt(fd, SOL_PACKET, PACKET_FANOUT, &arg, &len))
		return ERR_SYS;
	*id = arg & UINT16_MAX;
	netcap_hash_write(&hash);
	program = (struct sock_fprog){hash.n, hash.f};
	if (setsockopt(fd, SOL_PACKET, PACKET_FANOUT_DATA, &program,
		       sizeof(program)))
		return ERR_SYS;
	return 0;
}

/*
 * Each ring has all frames until it joins the group, so the frames until then
 * are ignored.
 */
static int netcap_divide(struct netcap *c)
{
	struct timespec now;
	int id = 0;

	for (unsigned i = 0; c->n > 1 && i < c->n; i++)
		if (netcap_join(&c->q[i], i == 0, &id))
			return ERR_SYS;
	clock_gettime(CLOCK_REALTIME, &now);
	for (unsigned i = 0; c->n > 1 && i < c->n; i++)
		c->q[i].since = now.tv_sec * VSPAN_S + now.tv_nsec;
	return 0;
}

/* ---- Opening ---- */

void netcap_free(struct netcap *c)
{
	for (unsigned i = 0; c && i < c->n; i++) {
		if (c->q[i].pcap)
			pcap_close(c->q[i].pcap);
		netcap_xdp_free(c->q[i].xdp);
		free(c->q[i].copies);
	}
	free(c);
}

static int netcap_refused(const char *who, const char *port, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", who, port, why);
	return EXIT_HARNESS;
}

static int netcap_filter(const char *who, const struct netcap_queue *q,
			 const struct netcap_conf *conf)
{
	struct bpf_program f;
	int code = 0;

	if (!conf->filter)
		return 0;
	if (pcap_compile(q->pcap, &f, conf->filter, 1, PCAP_NETMASK_UNKNOWN))
		return cli_usage(who, "filter: %s", pcap_geterr(q->pcap));
	if (pcap_setfilter(q->pcap, &f))
		code = netcap_refused(who, conf->port, pcap_geterr(q->pcap));
	pcap_freecode(&f);
	return code;
}

/* Begins to capture by a ring of libpcap. */
static int netcap_open(const char *who, struct netcap_queue *q,
		       const struct netcap_conf *conf)
{
	char error[PCAP_ERRBUF_SIZE] = "";
	pcap_t *p = pcap_create(conf->port, error);
	int err;

	if (!p)
		return netcap_refused(who, conf->port, error);
	q->pcap = p;
	pcap_set_snaplen(p, NETCAP_FRAME);
	pcap_set_promisc(p, 1);
	pcap_set_timeout(p, NETCAP_MS);
	pcap_set_buffer_size(p, NETCAP_BYTES);
	pcap_set_tstamp_precision(p, PCAP_TSTAMP_PRECISION_NANO);
	err = pcap_activate(p);
	if (pcap_get_tstamp_precision(p) != PCAP_TSTAMP_PRECISION_NANO)
		q->info.resolution = VSPAN_US;
	if (err >= 0)
		err = pcap_setnonblock(p, 1, error);
	if (err == PCAP_ERROR_PERM_DENIED)
		return netcap_refused(who, conf->port,
				      "it needs CAP_NET_RAW, see \"rung "
				      "doctor\"");
	if (err < 0)
		return netcap_refused(who, conf->port, pcap_geterr(p));
	return netcap_filter(who, q, conf);
}

static int netcap_open_all(const char *who, struct netcap *c,
			   const struct netcap_conf *conf)
{
	unsigned queues = conf->queues;
	struct netcap_queue *q;
	int code;

	do {
		q = &c->q[c->n++];
		/* Pages that no batch reaches take no memory. */
		q->copies = memory_alloc((size_t)NETCAP_BATCH *
					 (NETCAP_FRAME + NETCAP_TAG));
		if (!q->copies)
			return cli_nomem(who);
		q->info.resolution = 1;
		if (netcap_is_xdp(conf->port))
			return netcap_xdp_new(who, conf->port, conf->filter,
					      &q->xdp);
		code = netcap_open(who, q, conf);
		if (code)
			return code;
		if (pcap_datalink(q->pcap) != DLT_EN10MB)
			queues = 1;
	} while (c->n < queues && c->n < QUEUES_MAX);
	if (netcap_divide(c))
		return netcap_refused(who, conf->port, strerror(errno));
	return 0;
}

int netcap_new(const char *who, const struct netcap_conf *conf,
	       struct netcap **ret)
{
	struct netcap *c = memory_calloc(1, sizeof(*c));
	int code;

	if (!c)
		return cli_nomem(who);
	c->stop = conf->stop;
	code = netcap_open_all(who, c, conf);
	if (code)
		netcap_free(c);
	else
		*ret = c;
	return code;
}
