/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/wqe.c -- measures the cost of a loss: retransmitted packets and bytes
 * cached at the receiver against the loss rate, for selective repetition and
 * for go-back-N, with the same losses (srd_wqe.md B.11).
 *
 * Virtual time: a sender with a whole window to send, a link that loses at
 * random and keeps the order, 50 us each way and 1 us for each packet.
 *
 *    bench_wqe       windows of 64 and 1,024 PSNs
 *    bench_wqe 48    a window of 48 instead
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "oracle/oracle.h"

#define MTU     64
#define PER_WQE 16    /* packets of a WQE */
#define PACKETS 60000 /* packets of each point */
#define AHEAD   256   /* WQEs posted at a time */
#define FLYING  4096
#define HOP     (50 * VSPAN_US)
#define RKEY    1

enum { A, B };

struct flight {
	vtime at;
	struct dgram d;
};

struct link {
	struct orc *end[2];
	struct flight *ring[2]; /* [destination]; the order is kept */
	size_t first[2], n[2];
	struct rng rng;
	uint32_t loss; /* lost packets per million */
	vtime now, busy;
	uint64_t done;
};

static void die(const char *why)
{
	fprintf(stderr, "bench_wqe: %s\n", why);
	exit(1);
}

static void bench_wqe_ask(struct link *l, unsigned i, struct orc_op op)
{
	op.peer = ip_addr_v4(1 + !i);
	if (orc_reference.post(l->end[i], &op, l->now))
		die("an operation is refused");
}

static void bench_wqe_connect(struct link *l, unsigned i)
{
	struct op_result made = {0};
	struct orc_op op = {.kind = OP_CREATE_QP,
			    .vb = {.type = QP_RC, .depth = 4 * AHEAD},
			    .ret = &made};

	bench_wqe_ask(l, i, op);
	op.kind = OP_MODIFY_QP;
	op.vb.qpn = op.vb.dest_qp = made.qpn;
	for (int state = QP_INIT; state <= QP_RTS; state++) {
		op.vb.state = (enum qp_state)state;
		bench_wqe_ask(l, i, op);
	}
}

static void open_link(struct link *l, uint32_t window, bool gbn)
{
	for (unsigned i = 0; i < 2; i++) {
		struct orc_conf conf;

		orc_conf_default(&conf);
		conf.family = FAMILY_WQE;
		conf.addr = ip_addr_v4(1 + i);
		conf.mtu = MTU;
		conf.wqe_window = window;
		conf.wqe_gbn = gbn;
		conf.wqe_miss = 0;
		conf.wqe_again = 2500 * VSPAN_US;
		conf.wqe_tail = 5000 * VSPAN_US;
		conf.wqe_hold = 1250 * VSPAN_US;
		conf.rto_init = 10 * VSPAN_MS;
		conf.max_rto_retx = 1000;
		conf.wqe_max_ooo = 4096;
		l->ring[i] = calloc(FLYING, sizeof(*l->ring[i]));
		if (!l->ring[i] || orc_reference.make(&l->end[i], &conf))
			die("out of memory");
		bench_wqe_connect(l, i);
	}
	bench_wqe_ask(l, B,
		      (struct orc_op){.kind = OP_EXPOSE,
				      .key = RKEY,
				      .len = MTU * PER_WQE});
}

static void bench_wqe_post(struct link *l)
{
	bench_wqe_ask(l, A,
		      (struct orc_op){.kind = OP_POST_SEND,
				      .len = MTU * PER_WQE,
				      .count = AHEAD,
				      .key = RKEY,
				      .vb = {.qpn = 0x21, .opcode = WR_WRITE}});
}

/*
 * Moves packets of end |i|; only those of A are lost, since lost answers are
 * repaired.
 */
static void bench_wqe_drain(struct link *l, unsigned i)
{
	struct dgram d;
	struct orc_event ev;

	while (orc_reference.poll_tx(l->end[i], &d)) {
		struct flight *f;

		if (i == A)
			l->busy = vtime_max(l->busy, l->now) + VSPAN_US;
		if (i == A && rng_below(&l->rng, 1000000) < l->loss)
			continue;
		if (l->n[!i] == FLYING)
			die("the link is full");
		f = &l->ring[!i][(l->first[!i] + l->n[!i]++) % FLYING];
		f->at = (i == A ? l->busy : l->now) + HOP;
		dgram_copy(&f->d, &d);
	}
	while (orc_reference.poll_event(l->end[i], &ev))
		l->done += ev.kind == EV_COMPLETION;
}

static vtime next_of(const struct link *l, unsigned i)
{
	const vtime timer = orc_reference.deadline(l->end[i]);

	if (l->n[i])
		return vtime_min(timer, l->ring[i][l->first[i]].at);
	return timer;
}

static void bench_wqe_step(struct link *l)
{
	l->now = vtime_min(next_of(l, A), next_of(l, B));
	for (unsigned i = 0; i < 2; i++) {
		while (l->n[i] && l->ring[i][l->first[i]].at <= l->now) {
			orc_reference.feed(l->end[i],
					   &l->ring[i][l->first[i]].d, l->now);
			l->first[i] = (l->first[i] + 1) % FLYING;
			l->n[i]--;
		}
		orc_reference.tick(l->end[i], l->now);
		bench_wqe_drain(l, i);
	}
}

static void bench_wqe_measure(uint32_t loss, uint32_t window, bool gbn,
			      bool last)
{
	struct link l = {.rng = {7}, .loss = loss};
	struct orc_stats a, b;
	uint64_t posted = 0;

	open_link(&l, window, gbn);
	while (l.done * PER_WQE < PACKETS) {
		if (posted - l.done < AHEAD) {
			bench_wqe_post(&l);
			posted += AHEAD;
			bench_wqe_drain(&l, A);
		}
		bench_wqe_step(&l);
	}
	orc_reference.stats(l.end[A], &a);
	orc_reference.stats(l.end[B], &b);
	printf("{\"loss_ppm\":%u,\"window\":%u,\"mode\":\"%s\","
	       "\"extra_percent\":%.2f,\"cache_peak_bytes\":%llu,"
	       "\"virtual_ms\":%.1f}%s",
	       loss, window, gbn ? "go_back_n" : "selective",
	       100.0 * (double)a.tx_retx / ((double)l.done * PER_WQE),
	       (unsigned long long)b.cache_peak, (double)l.now / 1e6,
	       last ? "" : ",");
	for (unsigned i = 0; i < 2; i++) {
		orc_reference.free(l.end[i]);
		free(l.ring[i]);
	}
}

int main(int argc, char **argv)
{
	static const uint32_t losses[] = {100, 1000, 5000, 10000, 50000};
	const int asked = argc > 1 ? atoi(argv[1]) : 0;
	const uint32_t windows[] = {asked > 0 ? (uint32_t)asked : 64, 1024};
	const size_t n = asked > 0 ? 1 : 2;

	printf("{\"bench\":\"wqe\",\"mtu\":%d,\"packets\":%d,\"points\":[", MTU,
	       PACKETS);
	for (size_t w = 0; w < n; w++)
		for (size_t i = 0; i < 5; i++)
			for (int gbn = 0; gbn < 2; gbn++)
				bench_wqe_measure(losses[i], windows[w], gbn,
						  w + 1 == n && i == 4 && gbn);
	printf("]}\n");
	return 0;
}
