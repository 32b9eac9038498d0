/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/rc.c -- queue pairs of the WQE extension and of plain RoCEv2 on a
 * link that loses, doubles and delays: thousands of random runs.
 *
 * A run is selective, or goes back N, or has no extension.  All that is posted
 * must complete, once, in order, with its bytes where they belong and none
 * elsewhere; receives, some of them posted late, are used in order; nobody asks
 * for what it has, too early or too often; a judge at either end finds nothing.
 * The link adds packets that must be taken for nothing.  The last request of
 * some runs is one that must be refused, and end its queue pair alone.
 *
 * In a third of the runs somebody sends packets with other fields in between:
 * then what was posted may fail, and be written wherever the key permits, but
 * what is cached stays within its budget, and a sanitizer finds nothing.
 *
 * Which of the two sides requests follows from the seed.
 *
 * Spec: seed 004; srd_wqe.md B, C.4
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/serial.h"
#include "tests/soak/qps.h"
#include "wire/ib.h"
#include "wire/ib_packet.h"
#include "wire/icrc.h"

enum {
	MTU = 64,
	LONGEST = 6 * MTU, /* of a message */
	GUARD = 16,        /* bytes between two places that are written */
	SLOT = LONGEST + GUARD,
	MESSAGES = 40,
	REGION = MESSAGES * SLOT,
	PSNS = 7 * MESSAGES, /* at most */
	RKEY = 0x77,
	STEPS = 20000, /* of a run: a mutant may loop */
};

/* What is wrong with a request; the last of a run may be. */
enum spoilt { SOUND, WRONG_KEY, BEYOND, TOO_LONG, SPOILT };

/* A message that is posted. */
struct message {
	bool write, with_imm;
	enum spoilt spoilt;
	uint32_t len;
	uint32_t end; /* PSNs from the first on */
};

/* A PSN, as far as the link knows. */
struct traced {
	bool sent, arrived;
	vtime shown;     /* a later one arrived first; 0: none did */
	vtime asked;     /* 0: never */
	vtime repeat[2]; /* the last, and the one before; 0: none */
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
	uint32_t idle[2]; /* QPs that have no part in anything */
	struct message message[MESSAGES];
	unsigned posted, done, received;
	uint32_t taker[MESSAGES]; /* messages that take a receive, in order */
	unsigned takers, receives;
	uint32_t last; /* handle of the send that was received last; 0: none */
	struct traced psn[PSNS];
	bool rnr; /* somebody was told to wait */
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
	c->max_rto_retx = 200;
	c->wqe_rnr_retry = 1000;
	c->wqe_rnr_code = 13; /* 0.96 ms */
	c->wqe_bitmap = seed >> 2 & 1;
	c->wqe_window = 8u << seed / 8 % 5;
	c->wqe_cache_max = budgets[seed / 4 % 4];
	c->wqe_cache_device = seed % 7 ? 1 << 24 : 1000;
	c->wqe_max_ooo = seed % 5 ? 64 : 1;
	c->wqe_in_order = seed % 11 < 3;
}

static void ask(struct run *r, unsigned i, struct orc_op op)
{
	op.peer = r->q.conf[!i].addr;
	if (r->q.api[i]->post(r->q.end[i], &op, r->q.now))
		qps_wrong(&r->q, "side %c refuses an operation", "AB"[i]);
}

static uint32_t make_qp(struct run *r, unsigned i)
{
	struct op_result made = {0};

	ask(r, i,
	    (struct orc_op){.kind = OP_CREATE_QP,
			    .vb = {.type = QP_RC, .depth = 2 * MESSAGES},
			    .ret = &made});
	return made.qpn;
}

static void connect(struct run *r, unsigned i, uint32_t qpn)
{
	struct orc_op op = {.kind = OP_MODIFY_QP,
			    .vb = {.qpn = qpn,
				   .dest_qp = r->qpn[!i],
				   .rq_psn = r->first,
				   .sq_psn = r->first}};

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
	r->hostile = seed % 3 == 0 && !r->q.honest;
	r->loss = rng_below(&r->rng, 200);
	r->copies = rng_below(&r->rng, 200);
	r->reorder = seed & 1 ? 0 : 500 * VSPAN_US;
	r->hop = 100 * VSPAN_US;
	r->first = seed % 3 ? 0xffffff - (uint32_t)(seed % 40) : 10;
	for (unsigned i = 0; i < 2; i++)
		conf_of(r, seed, i);
	if (!qps_open(&r->q))
		return;
	for (unsigned i = 0; i < 2; i++) {
		r->qpn[i] = make_qp(r, i);
		r->idle[i] = make_qp(r, i);
	}
	for (unsigned i = 0; i < 2; i++) {
		connect(r, i, r->qpn[i]);
		connect(r, i, r->idle[i]);
	}
	ask(r, r->rsp,
	    (struct orc_op){.kind = OP_EXPOSE, .key = RKEY, .len = REGION});
}

/* ---- Work ---- */

static bool chance(struct run *r, uint32_t of1000)
{
	return rng_below(&r->rng, 1000) < of1000;
}

static void spoil(struct run *r, struct message *m)
{
	if (r->hostile || chance(r, 500))
		return;
	m->spoilt = (enum spoilt)(1 + rng_below(&r->rng, SPOILT - 1));
	m->write = m->spoilt != TOO_LONG;
	m->len = m->write ? m->len + !m->len : LONGEST + 1;
}

static void choose(struct run *r, uint32_t i)
{
	struct message *m = &r->message[i];
	uint32_t n;

	m->write = chance(r, 500);
	m->with_imm = chance(r, 250);
	m->len = rng_below(&r->rng, LONGEST + 1);
	if (i == MESSAGES - 1)
		spoil(r, m);
	if (!m->write || m->with_imm)
		r->taker[r->takers++] = i;
	n = m->len ? (m->len - 1) / MTU + 1 : 1;
	m->end = n + (i ? r->message[i - 1].end : 0);
}

static void post_one(struct run *r)
{
	const uint32_t i = r->posted++;
	struct message *m = &r->message[i];

	r->q.tally.messages++;
	choose(r, i);
	ask(r, r->req,
	    (struct orc_op){.kind = OP_POST_SEND,
			    .handle = i + 1,
			    .len = m->len,
			    .key = m->spoilt == WRONG_KEY ? RKEY + 1 : RKEY,
			    .offset = m->spoilt == BEYOND ? REGION - m->len + 1
							  : i * SLOT,
			    .vb = {.qpn = r->qpn[r->req],
				   .opcode = m->write ? WR_WRITE : WR_SEND,
				   .imm = ~i,
				   .with_imm = m->with_imm}});
}

/* The n-th has the handle n. */
static void post_receive(struct run *r)
{
	if (r->receives == r->takers)
		return;
	ask(r, r->rsp,
	    (struct orc_op){.kind = OP_POST_RECV,
			    .handle = r->receives++,
			    .len = LONGEST,
			    .vb = {.qpn = r->qpn[r->rsp]}});
}

static void post_all(struct run *r)
{
	unsigned at_once;

	while (r->posted < MESSAGES - 1)
		post_one(r);
	at_once =
		chance(r, 500) ? r->takers : rng_below(&r->rng, r->takers + 1);
	while (r->receives < at_once)
		post_receive(r);
}

/* ---- What may leave ---- */

static struct traced *traced(struct run *r, uint32_t psn24)
{
	const uint32_t i = (psn24 - r->first) & SERIAL24_MASK;

	return i < PSNS ? &r->psn[i] : NULL;
}

/* T_hold keeps one back; a time-out may add one, and an RNR NAK many. */
static void look_at_repeat(struct run *r, const struct bth *h)
{
	struct traced *t = traced(r, h->psn);
	const bool first = t && !t->sent;

	if (!t || r->q.conf[0].wqe_gbn || r->rnr)
		return;
	t->sent = true;
	if (first)
		return;
	if (t->repeat[1] && r->q.now - t->repeat[1] < r->q.conf[0].wqe_hold)
		qps_wrong(&r->q, "WQE-16: psn=%u is sent again within T_hold",
			  h->psn);
	t->repeat[1] = t->repeat[0];
	t->repeat[0] = r->q.now;
}

/* All that comes is kept: there is room for it. */
static bool keeps_all(const struct run *r)
{
	const struct orc_conf *c = &r->q.conf[r->rsp];

	return c->wqe_cache_max >= 1 << 20 && c->wqe_cache_device >= 1 << 20 &&
	       c->wqe_max_ooo > MESSAGES && !r->rnr;
}

static void look_at_listed(void *arg, uint32_t psn24)
{
	struct run *r = arg;
	const struct orc_conf *c = &r->q.conf[r->rsp];
	struct traced *t = traced(r, psn24);

	if (!t)
		return;
	if (t->arrived && keeps_all(r))
		qps_wrong(&r->q, "WQE-35: psn=%u is asked for, and is here",
			  psn24);
	if (t->asked && r->q.now - t->asked < c->wqe_again - c->wqe_miss)
		qps_wrong(&r->q, "WQE-33: psn=%u is asked for again", psn24);
	if (t->shown && r->q.now - t->shown < c->wqe_miss / 2)
		qps_wrong(&r->q, "WQE-22: psn=%u is asked for at once", psn24);
	t->asked = r->q.now;
}

/* Messages of which everything has arrived, and of those before. */
static uint32_t whole_messages(const struct run *r)
{
	uint32_t n = 0, psn = 0;

	for (; n < r->posted; n++)
		for (; psn < r->message[n].end; psn++)
			if (!r->psn[psn].arrived)
				return n;
	return n;
}

static void look_at_answer(struct run *r, const struct packet *pkt)
{
	struct aeth h;

	aeth_get(&h, pkt->p + bth_len);
	if (h.msn > whole_messages(r))
		qps_wrong(&r->q, "ROCE-09: msn=%u, %u messages are here", h.msn,
			  whole_messages(r));
	r->rnr |= (h.syndrome & 0xe0) == IB_SYNDROME_RNR;
	ib_packet_listed(pkt, look_at_listed, r);
}

static void look_at_leaving(struct run *r, unsigned from,
			    const struct packet *pkt)
{
	struct bth h;

	bth_get(&h, pkt->p);
	if (from == r->req)
		look_at_repeat(r, &h);
	else
		look_at_answer(r, pkt);
}

/* What is passed over is shown to be missing. */
static void note_arrival(struct run *r, const struct packet *pkt)
{
	struct traced *t;
	struct bth h;

	bth_get(&h, pkt->p);
	t = traced(r, h.psn);
	if (!t)
		return;
	t->arrived = true;
	for (struct traced *p = r->psn; p != t; p++)
		if (!p->arrived && !p->shown)
			p->shown = r->q.now;
}

/* ---- The judges ---- */

/* Of its own side; who goes back N repeats what was not asked for. */
static bool is_permitted(const struct qps *q, const struct finding *f)
{
	return q->conf[0].wqe_gbn && f->req == REQ_WQE_16;
}

/* At side |i|, of which |leaves| says whether it is the one that sends it. */
static void look(struct run *r, unsigned i, const struct dgram *d, bool leaves)
{
	struct packet pkt;

	if (r->hostile || d->len < ICRC_LEN)
		return;
	family_parse(r->q.family, &pkt, d->data, d->len - ICRC_LEN);
	if (leaves)
		look_at_leaving(r, i, &pkt);
	else if (i == r->rsp)
		note_arrival(r, &pkt);
	qps_look(&r->q, i, d, &pkt, is_permitted);
}

/* ---- The link ---- */

static struct qps_flight *put(struct run *r, const struct dgram *d, unsigned to,
			      bool forged)
{
	const vspan more =
		r->reorder ? rng_below(&r->rng, (uint32_t)r->reorder) : 0;
	struct qps_flight *f = qps_fly(&r->q, to, d, r->hop + more);

	if (!f)
		return NULL;
	f->forged = forged;
	qps_flies(&r->q, f);
	return f;
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
	put(r, &bad, to, true);
	r->q.tally.forged++;
}

/* What must be wrong with a packet for its receiver to drop it. */
enum trick { TVER, PKEY, DEST_QP, ICRC, OPCODE, VERSION, BEHIND, TRICKS };

/* It would do harm: other bytes, or more is acknowledged. */
static void harm(struct run *r, struct dgram *d, unsigned to,
		 const struct packet *pkt)
{
	struct bth h;

	bth_get(&h, d->data);
	h.psn = (h.psn + (to == r->req)) & SERIAL24_MASK;
	bth_put(&h, d->data);
	for (size_t i = pkt->payload; to == r->rsp && i < pkt->len; i++)
		d->data[i] ^= 0xff;
}

/* Behind the headers an indication has one word more than it counts. */
static void add_word(struct dgram *d)
{
	memset(d->data + d->len, 0, rieth_entry_len);
	d->len += rieth_entry_len;
}

/* A packet that must be taken for nothing. */
static void trick(struct run *r, const struct dgram *good, unsigned to)
{
	enum trick kind = (enum trick)rng_below(&r->rng, TRICKS);
	struct qps_flight *f;
	struct packet pkt;
	struct dgram d;
	bool indication;

	dgram_copy(&d, good);
	d.len -= ICRC_LEN;
	family_parse(r->q.family, &pkt, d.data, d.len);
	indication = pkt.p[0] == IB_WQE_RTX_IND && r->q.family == FAMILY_WQE;
	if (kind == BEHIND && !indication)
		kind = VERSION;
	if (kind == VERSION && !indication &&
	    (r->q.conf[0].wqe_gbn || to == r->req))
		kind = ICRC;
	harm(r, &d, to, &pkt);
	if (kind == TVER)
		d.data[1] |= 1;
	else if (kind == PKEY)
		d.data[3] ^= 1;
	else if (kind == DEST_QP)
		d.data[5] ^= 0x40;
	else if (kind == OPCODE)
		d.data[0] ^= 0x20;
	else if (kind == VERSION)
		d.data[indication ? bth_len + aeth_len
				  : pkt.payload - wqeth_len] |= 0x40;
	else if (kind == BEHIND)
		add_word(&d);
	icrc_append(&d, family_port(r->q.family), &icrc_socket);
	d.data[d.len - 1] ^= kind == ICRC;
	f = put(r, &d, to, true);
	if (f)
		f->unjudged = true;
	r->q.tally.forged++;
}

static void leave(struct run *r, unsigned from, const struct dgram *d)
{
	r->q.tally.packets++;
	look(r, from, d, true);
	qps_leaves(&r->q, from, d);
	if (chance(r, 20) && !r->q.honest)
		(r->hostile ? forge : trick)(r, d, !from);
	if (chance(r, r->loss)) {
		r->q.tally.lost++;
		return;
	}
	put(r, d, !from, false);
	if (chance(r, r->copies)) {
		r->q.tally.doubled++;
		put(r, d, !from, false);
	}
}

/* ---- What the ends tell ---- */

static void completed(struct run *r, const struct orc_event *ev)
{
	static const enum orc_status ends[SPOILT] = {
		[WRONG_KEY] = STATUS_REMOTE_ACCESS,
		[BEYOND] = STATUS_REMOTE_ACCESS,
		[TOO_LONG] = STATUS_REMOTE_INVALID,
	};
	const struct message *m = &r->message[r->done++ % MESSAGES];

	if (r->hostile)
		return;
	if (ev->handle != r->done)
		qps_wrong(&r->q, "I9: WR %u completes as the %u.", ev->handle,
			  r->done);
	/* The refusal may be lost, and the queue pair is no more. */
	if (ev->status != ends[m->spoilt] &&
	    !(m->spoilt && ev->status == STATUS_TIMEOUT))
		qps_wrong(&r->q, "I2: WR %u ends in status %d", ev->handle,
			  (int)ev->status);
}

static void got(struct run *r, const struct orc_event *ev)
{
	const unsigned i = r->received++;
	const uint32_t at = r->taker[i % MESSAGES];
	const struct message *m = &r->message[at];
	const bool ok = m->spoilt != TOO_LONG;

	if (r->hostile)
		return;
	if (i >= r->takers) {
		qps_wrong(&r->q, "I1: more is received than was sent");
		return;
	}
	if (ev->handle != i)
		qps_wrong(&r->q, "I9: receive %u is used, not %u", ev->handle,
			  i);
	if (ev->status != (ok ? STATUS_OK : STATUS_LOCAL_LENGTH))
		qps_wrong(&r->q, "I2: receive %u ends in status %d", ev->handle,
			  (int)ev->status);
	if (!ok)
		return;
	if (ev->len != m->len || ev->with_imm != m->with_imm ||
	    (m->with_imm && ev->imm != ~at))
		qps_wrong(&r->q, "I2: %u bytes and %u are received of %u",
			  ev->len, ev->imm, m->len);
	if (!m->write)
		r->last = at + 1;
}

/* Only what was received last is kept. */
static void check_received(struct run *r)
{
	const uint8_t *p = NULL;
	size_t len = 0;

	if (!r->last || r->hostile)
		return;
	if (r->q.api[r->rsp]->memory(r->q.end[r->rsp], 0, &p, &len) ||
	    len != r->message[r->last - 1].len)
		qps_wrong(&r->q, "I2: message %u has %zu bytes", r->last, len);
	for (uint32_t i = 0; i < len && !r->q.findings; i++)
		if (p[i] != ses_pattern((uint16_t)r->last, i))
			qps_wrong(&r->q, "I2: byte %u of message %u is wrong",
				  i, r->last);
	r->last = 0;
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
		if (i == r->rsp && ev.kind == EV_RECV &&
		    ev.status != STATUS_FLUSHED)
			got(r, &ev);
	}
	check_received(r);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* |cache_peak| is that of one QP; |cache_bytes| is the sum over all of them. */
static void check_cache(struct run *r)
{
	const struct orc_conf *c = &r->q.conf[r->rsp];
	const uint32_t one = least(c->wqe_cache_max, c->wqe_cache_device);
	struct orc_stats s;

	r->q.api[r->rsp]->stats(r->q.end[r->rsp], &s);
	if (s.cache_peak > one)
		qps_wrong(&r->q, "I12: %llu bytes are cached, %u are allowed",
			  (unsigned long long)s.cache_peak, one);
	if (s.cache_bytes > c->wqe_cache_device)
		qps_wrong(&r->q, "I12: all cache %llu bytes, %u are allowed",
			  (unsigned long long)s.cache_bytes,
			  c->wqe_cache_device);
}

static const uint8_t *memory(struct run *r)
{
	const uint8_t *p = NULL;
	size_t len = 0;

	if (!r->q.api[r->rsp]->memory(r->q.end[r->rsp], RKEY, &p, &len) &&
	    len == REGION)
		return p;
	qps_wrong(&r->q, "I12: the memory is gone");
	return NULL;
}

/* "nothing is written while something before is missing" */
static void check_order(struct run *r)
{
	const uint8_t *p = memory(r);

	if (r->hostile || !r->q.conf[0].wqe_in_order)
		return;
	for (uint32_t i = whole_messages(r) + 1; p && i < r->posted; i++)
		if (p[i * SLOT] != ses_pattern(0, i * SLOT)) {
			qps_wrong(&r->q, "WQE-37: WR %u is placed early",
				  i + 1);
			return;
		}
}

static void arrive(struct qps *q, const struct qps_flight *f)
{
	struct run *r = (struct run *)q;

	if (!f->unjudged)
		look(r, f->to, f->d, false);
	r->q.api[f->to]->feed(r->q.end[f->to], f->d, r->q.now);
	drain(q, f->to);
}

/* ---- At the end ---- */

static void check_bytes(struct run *r)
{
	const uint8_t *p = memory(r);

	for (uint32_t i = 0; p && i < REGION; i++) {
		const struct message *m = &r->message[i / SLOT];
		const uint32_t off = i % SLOT;
		const bool own = m->write && !m->spoilt && off < m->len;
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

/* An error ends its own queue pair alone. */
static void check_idle(struct run *r, unsigned i)
{
	struct op_result got = {0};

	ask(r, i,
	    (struct orc_op){
		    .kind = OP_QUERY_QP, .vb.qpn = r->idle[i], .ret = &got});
	if (got.state != QP_RTS)
		qps_wrong(&r->q, "WQE-24: QP %u is in state %d", r->idle[i],
			  (int)got.state);
}

static void check_end(struct run *r)
{
	const struct message *last = &r->message[MESSAGES - 1];
	const bool refused = last->with_imm && last->write && last->spoilt;
	struct orc_stats s;

	if (r->hostile)
		return;
	check_bytes(r);
	r->q.api[r->rsp]->stats(r->q.end[r->rsp], &s);
	if (r->done != MESSAGES)
		qps_wrong(&r->q, "I3: %u of %d WRs completed", r->done,
			  MESSAGES);
	if (r->received != r->takers - refused)
		qps_wrong(&r->q, "I2: %u of %u are received", r->received,
			  r->takers);
	if (s.cache_bytes)
		qps_wrong(&r->q, "I12: %llu bytes are cached in the end",
			  (unsigned long long)s.cache_bytes);
	for (unsigned i = 0; i < 2; i++)
		check_idle(r, i);
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
	     n++) {
		check_cache(r);
		check_order(r);
		if (chance(r, 30))
			post_receive(r);
		if (r->done == MESSAGES - 1 && r->posted == r->done) {
			post_one(r);
			drain(q, r->req);
		}
	}
	check_end(r);
}

static struct qps *make(void)
{
	struct run *r = calloc(1, sizeof(*r));

	return r ? &r->q : NULL;
}

const struct qps_kind rc_kind = {make, run};
