/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/rc.c -- queue pairs of the WQE extension and of plain RoCEv2 on a
 * link that loses, doubles and delays: thousands of random runs.
 *
 * A run is selective, or goes back N, or has no extension.  All that is posted
 * must complete, once, in order, with its bytes where they belong and none
 * elsewhere; a judge at either end finds nothing.  In a third of the runs
 * somebody sends packets with other fields in between: then what was posted may
 * fail, and be written wherever the key permits, but what is cached stays
 * within its budget, and a sanitizer finds nothing.
 *
 * Which of the two sides requests follows from the seed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "tests/soak/qps.h"
#include "wire/icrc.h"

enum {
	MTU = 64,
	LONGEST = 6 * MTU, /* of a message */
	GUARD = 16,        /* bytes between two places that are written */
	SLOT = LONGEST + GUARD,
	MESSAGES = 40,
	REGION = MESSAGES * SLOT,
	RKEY = 0x77,
	STEPS = 20000, /* of a run: a mutant may loop */
};

/* A message that is posted. */
struct message {
	bool write;
	uint32_t len;
};

struct run {
	struct qps q;
	struct rng rng;
	bool hostile;
	unsigned req, rsp;     /* which side is which */
	uint32_t loss, copies; /* of 1000 */
	vspan reorder, hop;
	uint32_t first; /* PSN */
	uint32_t qpn[2];
	struct message message[MESSAGES];
	unsigned posted, done, received, sends;
	uint32_t sent_len[MESSAGES];
};

/* ---- What the ends are ---- */

static void conf_of(struct run *r, uint64_t seed, unsigned i)
{
	static const uint32_t budgets[] = {0, 200, 3000, 1 << 20};
	struct orc_conf *c = &r->q.conf[i];

	orc_conf_default(c);
	c->family = r->q.family;
	c->wqe_gbn = r->q.family == FAMILY_ROCE || seed % 4 == 3;
	c->addr = ip_addr_v4(1 + i);
	c->crc = true;
	c->mtu = MTU;
	c->rto_init = 20 * VSPAN_MS;
	c->max_rto_retx = 1000;
	c->wqe_rnr_retry = 1000;
	c->wqe_bitmap = seed >> 2 & 1;
	c->wqe_window = 8u << seed / 8 % 5;
	c->wqe_cache_max = budgets[seed / 4 % 4];
	c->wqe_max_ooo = seed % 5 ? 64 : 1;
}

static void ask(struct run *r, unsigned i, struct orc_op op)
{
	op.peer = r->q.conf[!i].addr;
	if (r->q.api[i]->post(r->q.end[i], &op, r->q.now))
		qps_wrong(&r->q, "side %c refuses an operation", "AB"[i]);
}

static void connect(struct run *r, unsigned i)
{
	struct op_result made = {0};
	struct orc_op op = {.kind = OP_CREATE_QP,
			    .vb = {.type = QP_RC, .depth = 2 * MESSAGES},
			    .ret = &made};

	ask(r, i, op);
	op.kind = OP_MODIFY_QP;
	op.vb.qpn = op.vb.dest_qp = r->qpn[i] = made.qpn;
	op.vb.rq_psn = op.vb.sq_psn = r->first;
	for (int state = QP_INIT; state <= QP_RTS; state++) {
		op.vb.state = (enum qp_state)state;
		ask(r, i, op);
	}
}

static void open_run(struct run *r, uint64_t seed)
{
	r->req = seed / 16 & 1;
	r->rsp = !r->req;
	r->rng = (struct rng){seed};
	r->hostile = seed % 3 == 0;
	r->loss = rng_below(&r->rng, 200);
	r->copies = rng_below(&r->rng, 200);
	r->reorder = seed & 1 ? 0 : 500 * VSPAN_US;
	r->hop = 100 * VSPAN_US;
	r->first = seed % 3 ? 0xffffff - (uint32_t)(seed % 40) : 10;
	for (unsigned i = 0; i < 2; i++)
		conf_of(r, seed, i);
	if (!qps_open(&r->q))
		return;
	for (unsigned i = 0; i < 2; i++)
		connect(r, i);
	ask(r, r->rsp,
	    (struct orc_op){.kind = OP_EXPOSE, .key = RKEY, .len = REGION});
}

/* ---- Work ---- */

static void post_one(struct run *r)
{
	const uint32_t i = r->posted++;
	struct message *m = &r->message[i];

	r->q.tally.messages++;
	m->write = rng_below(&r->rng, 2);
	m->len = rng_below(&r->rng, LONGEST + 1);
	if (!m->write)
		r->sent_len[r->sends++] = m->len;
	ask(r, r->req,
	    (struct orc_op){.kind = OP_POST_SEND,
			    .handle = i + 1,
			    .len = m->len,
			    .key = RKEY,
			    .offset = i * SLOT,
			    .vb = {.qpn = r->qpn[r->req],
				   .opcode = m->write ? WR_WRITE : WR_SEND}});
}

static void post_all(struct run *r)
{
	ask(r, r->rsp,
	    (struct orc_op){.kind = OP_POST_RECV,
			    .len = LONGEST,
			    .count = MESSAGES,
			    .vb = {.qpn = r->qpn[r->rsp]}});
	while (r->posted < MESSAGES)
		post_one(r);
}

/* ---- The judges ---- */

/* Of its own side; who goes back N repeats what was not asked for. */
static bool is_permitted(const struct qps *q, const struct finding *f)
{
	return q->conf[0].wqe_gbn && f->req == REQ_WQE_16;
}

static void look(struct run *r, unsigned i, const struct dgram *d)
{
	struct packet pkt;

	if (r->hostile || d->len < ICRC_LEN)
		return;
	family_parse(r->q.family, &pkt, d->data, d->len - ICRC_LEN);
	qps_look(&r->q, i, d, &pkt, is_permitted);
}

/* ---- The link ---- */

static struct qps_flight *put(struct run *r, const struct dgram *d, unsigned to)
{
	const vspan more =
		r->reorder ? rng_below(&r->rng, (uint32_t)r->reorder) : 0;

	return qps_fly(&r->q, to, d, r->hop + more);
}

/* The same packet with other bits in one byte of its headers. */
static void forge(struct run *r, const struct dgram *d, unsigned to)
{
	const size_t head = d->len - ICRC_LEN < 28 ? d->len - ICRC_LEN : 28;
	struct dgram bad;
	uint8_t *p;

	dgram_copy(&bad, d);
	p = &bad.data[rng_below(&r->rng, (uint32_t)head)];
	*p ^= (uint8_t)(1 + rng_below(&r->rng, 255));
	bad.len -= ICRC_LEN;
	icrc_append(&bad, family_port(r->q.family), &icrc_socket);
	put(r, &bad, to);
	r->q.tally.forged++;
}

static void leave(struct run *r, unsigned from, const struct dgram *d)
{
	r->q.tally.packets++;
	look(r, from, d);
	if (r->hostile && rng_below(&r->rng, 50) == 0)
		forge(r, d, !from);
	if (rng_below(&r->rng, 1000) < r->loss) {
		r->q.tally.lost++;
		return;
	}
	put(r, d, !from);
	if (rng_below(&r->rng, 1000) < r->copies) {
		r->q.tally.doubled++;
		put(r, d, !from);
	}
}

/* ---- What the ends tell ---- */

static void completed(struct run *r, const struct orc_event *ev)
{
	r->done++;
	if (r->hostile)
		return;
	if (ev->handle != r->done)
		qps_wrong(&r->q, "I9: WR %u completes as the %u.", ev->handle,
			  r->done);
	if (ev->status != STATUS_OK)
		qps_wrong(&r->q, "I2: WR %u ends in status %d", ev->handle,
			  (int)ev->status);
}

static void got(struct run *r, const struct orc_event *ev)
{
	const unsigned i = r->received++;

	if (r->hostile)
		return;
	if (i >= r->sends)
		qps_wrong(&r->q, "I1: more is received than was sent");
	else if (ev->len != r->sent_len[i])
		qps_wrong(&r->q, "I2: %u bytes are received of %u", ev->len,
			  r->sent_len[i]);
}

static void drain(struct qps *q, unsigned i)
{
	struct run *r = (struct run *)q;
	struct orc_event ev;
	struct dgram d;

	for (unsigned n = 0;
	     n < QPS_FLIGHTS && r->q.api[i]->poll_tx(r->q.end[i], &d); n++)
		leave(r, i, &d);
	while (r->q.api[i]->poll_event(r->q.end[i], &ev)) {
		if (i == r->req && ev.kind == EV_COMPLETION)
			completed(r, &ev);
		if (i == r->rsp && ev.kind == EV_RECV && ev.status == STATUS_OK)
			got(r, &ev);
	}
}

static void check_memory(struct run *r)
{
	struct orc_stats s;

	r->q.api[r->rsp]->stats(r->q.end[r->rsp], &s);
	if (s.cache_bytes > r->q.conf[r->rsp].wqe_cache_max ||
	    s.cache_peak > r->q.conf[r->rsp].wqe_cache_max)
		qps_wrong(&r->q, "I12: %llu bytes are cached, %u are allowed",
			  (unsigned long long)s.cache_peak,
			  r->q.conf[r->rsp].wqe_cache_max);
}

static void arrive(struct qps *q, const struct qps_flight *f)
{
	struct run *r = (struct run *)q;

	look(r, f->to, f->d);
	r->q.api[f->to]->feed(r->q.end[f->to], f->d, r->q.now);
	drain(q, f->to);
}

/* ---- At the end ---- */

static void check_bytes(struct run *r)
{
	const uint8_t *p = NULL;
	size_t len = 0;

	if (r->q.api[r->rsp]->memory(r->q.end[r->rsp], RKEY, &p, &len) ||
	    len != REGION) {
		qps_wrong(&r->q, "I12: the memory is gone");
		return;
	}
	for (uint32_t i = 0; i < REGION; i++) {
		const struct message *m = &r->message[i / SLOT];
		const uint32_t off = i % SLOT;
		const bool own = m->write && off < m->len;
		const uint8_t want =
			own ? ses_pattern((uint16_t)(i / SLOT + 1), off)
			    : ses_pattern(0, i);

		if (p[i] == want)
			continue;
		qps_wrong(&r->q, "%s: byte %u of the memory is wrong",
			  own ? "I2" : "I12", i);
		return;
	}
}

static void check_end(struct run *r)
{
	struct orc_stats s;

	if (r->hostile)
		return;
	check_bytes(r);
	r->q.api[r->rsp]->stats(r->q.end[r->rsp], &s);
	if (r->done != MESSAGES)
		qps_wrong(&r->q, "I3: %u of %d WRs completed", r->done,
			  MESSAGES);
	if (r->received != r->sends)
		qps_wrong(&r->q, "I2: %u of %u sends were received",
			  r->received, r->sends);
	if (s.cache_bytes)
		qps_wrong(&r->q, "I12: %llu bytes are cached in the end",
			  (unsigned long long)s.cache_bytes);
}

static void run(struct qps *q, uint64_t seed)
{
	struct run *r = (struct run *)q;

	memset((char *)r + sizeof(*q), 0, sizeof(*r) - sizeof(*q));
	open_run(r, seed);
	if (r->q.findings)
		return;
	post_all(r);
	drain(q, r->req);
	for (unsigned n = 0; n < STEPS && r->done < MESSAGES &&
			     qps_step(q, VTIME_NEVER, arrive, drain);
	     n++)
		check_memory(r);
	check_end(r);
}

static struct qps *make(void)
{
	struct run *r = calloc(1, sizeof(*r));

	return r ? &r->q : NULL;
}

const struct qps_kind rc_kind = {make, run};
