/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/rc.c -- queue pairs of the WQE extension and of plain RoCEv2 on a
 * link that loses, duplicates and delays: thousands of random runs.
 *
 * A run uses selective repetition, go-back-N, or no extension.  Everything that
 * is posted must complete, once, in order, with its bytes in the right place
 * only. Receives, some of them posted late, are used in order; no end requests
 * what it has, too early or too often; a judge at either end finds nothing. The
 * link adds packets that must be ignored.  The last request of some runs must
 * be refused, and end its queue pair alone.
 *
 * In a third of the runs an attacker injects packets with other fields: then
 * posted operations may fail, and data be written wherever the key permits, but
 * the cache stays within its budget, and a sanitizer finds nothing.
 *
 * The seed chooses the requesting side.
 *
 * Spec: seed 004; srd_wqe.md B, C.4
 */
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "tests/soak/rc_link.h"

/* ---- Configuration of the ends ---- */

static void soak_rc_conf_of(struct run *r, uint64_t seed, unsigned i)
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
	c->wqe_rnr_code = 13; /* code of 0.96 ms */
	c->wqe_bitmap = seed >> 2 & 1;
	c->wqe_window = 8u << seed / 8 % 5;
	c->wqe_cache_max = budgets[seed / 4 % 4];
	if (seed % 7)
		c->wqe_cache_device = 1 << 24;
	else
		c->wqe_cache_device = 1000;
	if (seed % 5)
		c->wqe_max_ooo = 64;
	else
		c->wqe_max_ooo = 1;
	c->wqe_in_order = seed % 11 < 3;
}

static void soak_rc_ask(struct run *r, unsigned i, struct orc_op op)
{
	op.peer = r->q.conf[!i].addr;
	if (r->q.api[i]->post(r->q.end[i], &op, r->q.now))
		qps_wrong(&r->q, "side %c refuses an operation", "AB"[i]);
}

static uint32_t soak_rc_make_qp(struct run *r, unsigned i)
{
	struct op_result made = {0};

	soak_rc_ask(
		r, i,
		(struct orc_op){.kind = OP_CREATE_QP,
				.vb = {.type = QP_RC, .depth = 2 * MESSAGES},
				.ret = &made});
	return made.qpn;
}

static void soak_rc_connect(struct run *r, unsigned i, uint32_t qpn)
{
	struct orc_op op = {.kind = OP_MODIFY_QP,
			    .vb = {.qpn = qpn,
				   .dest_qp = r->qpn[!i],
				   .rq_psn = r->first,
				   .sq_psn = r->first}};

	for (int state = QP_INIT; state <= QP_RTS; state++) {
		op.vb.state = (enum qp_state)state;
		soak_rc_ask(r, i, op);
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
	if (seed & 1)
		r->reorder = 0;
	else
		r->reorder = 500 * VSPAN_US;
	r->hop = 100 * VSPAN_US;
	if (seed % 3)
		r->first = 0xffffff - (uint32_t)(seed % 40);
	else
		r->first = 10;
	for (unsigned i = 0; i < 2; i++)
		soak_rc_conf_of(r, seed, i);
	if (!qps_open(&r->q))
		return;
	for (unsigned i = 0; i < 2; i++) {
		r->qpn[i] = soak_rc_make_qp(r, i);
		r->idle[i] = soak_rc_make_qp(r, i);
	}
	for (unsigned i = 0; i < 2; i++) {
		soak_rc_connect(r, i, r->qpn[i]);
		soak_rc_connect(r, i, r->idle[i]);
	}
	soak_rc_ask(
		r, r->rsp,
		(struct orc_op){.kind = OP_EXPOSE, .key = RKEY, .len = REGION});
}

/* ---- Work ---- */

static void soak_rc_spoil(struct run *r, struct message *m)
{
	if (r->hostile || rc_chance(r, 500))
		return;
	m->mangled = (enum mangled)(1 + rng_below(&r->rng, MANGLED - 1));
	m->write = m->mangled != TOO_LONG;
	if (m->write)
		m->len = m->len + !m->len;
	else
		m->len = LONGEST + 1;
}

static void soak_rc_choose(struct run *r, uint32_t i)
{
	struct message *m = &r->message[i];
	uint32_t n;

	m->write = rc_chance(r, 500);
	m->with_imm = rc_chance(r, 250);
	m->len = rng_below(&r->rng, LONGEST + 1);
	if (i == MESSAGES - 1)
		soak_rc_spoil(r, m);
	if (!m->write || m->with_imm)
		r->taker[r->takers++] = i;
	if (m->len)
		n = (m->len - 1) / MTU + 1;
	else
		n = 1;
	m->end = n + (i ? r->message[i - 1].end : 0);
}

static void soak_rc_post_one(struct run *r)
{
	const uint32_t i = r->posted++;
	struct message *m = &r->message[i];

	r->q.tally.messages++;
	soak_rc_choose(r, i);
	soak_rc_ask(r, r->req,
		    (struct orc_op){
			    .kind = OP_POST_SEND,
			    .handle = i + 1,
			    .len = m->len,
			    .key = m->mangled == WRONG_KEY ? RKEY + 1 : RKEY,
			    .offset = m->mangled == BEYOND ? REGION - m->len + 1
							   : i * SLOT,
			    .vb = {.qpn = r->qpn[r->req],
				   .opcode = m->write ? WR_WRITE : WR_SEND,
				   .imm = ~i,
				   .with_imm = m->with_imm}});
}

/* Posts a receive whose handle is its number. */
static void post_receive(struct run *r)
{
	if (r->receives == r->takers)
		return;
	soak_rc_ask(r, r->rsp,
		    (struct orc_op){.kind = OP_POST_RECV,
				    .handle = r->receives++,
				    .len = LONGEST,
				    .vb = {.qpn = r->qpn[r->rsp]}});
}

static void post_all(struct run *r)
{
	unsigned at_once;

	while (r->posted < MESSAGES - 1)
		soak_rc_post_one(r);
	if (rc_chance(r, 500))
		at_once = r->takers;
	else
		at_once = rng_below(&r->rng, r->takers + 1);
	while (r->receives < at_once)
		post_receive(r);
}

/* ---- Events of the ends ---- */

static void soak_rc_brought(struct run *r, const struct orc_event *ev)
{
	r->brought++;
	r->fresh = true;
	if (ev->handle != MESSAGES + r->brought)
		qps_wrong(&r->q, "I9: read %u completes as the %u.", ev->handle,
			  r->brought);
	if (ev->status != STATUS_OK)
		qps_wrong(&r->q, "I2: read %u ends in status %d", ev->handle,
			  (int)ev->status);
}

static void soak_rc_completed(struct run *r, const struct orc_event *ev)
{
	static const enum orc_status ends[MANGLED] = {
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
	/* The refusal may be lost, and the queue pair is in error. */
	if (ev->status != ends[m->mangled] &&
	    !(m->mangled && ev->status == STATUS_TIMEOUT))
		qps_wrong(&r->q, "I2: WR %u ends in status %d", ev->handle,
			  (int)ev->status);
}

static void soak_rc_got(struct run *r, const struct orc_event *ev)
{
	const unsigned i = r->received++;
	const uint32_t at = r->taker[i % MESSAGES];
	const struct message *m = &r->message[at];
	const bool ok = m->mangled != TOO_LONG;

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

/* Only the last received message is kept. */
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
		if (p[i] != pattern_byte(0, r->last, i))
			qps_wrong(&r->q, "I2: byte %u of message %u is wrong",
				  i, r->last);
	r->last = 0;
}

static const uint8_t *soak_rc_memory(struct run *r)
{
	const uint8_t *p = NULL;
	size_t len = 0;

	if (!r->q.api[r->rsp]->memory(r->q.end[r->rsp], RKEY, &p, &len) &&
	    len == REGION)
		return p;
	qps_wrong(&r->q, "I12: the memory is gone");
	return NULL;
}

/* Only what the last read brought is kept. */
static void check_brought(struct run *r)
{
	const uint8_t *memory, *p = NULL;
	const struct read_of *one;
	size_t len = 0;

	if (!r->fresh || r->brought > READS)
		return;
	r->fresh = false;
	one = &r->read[r->brought - 1];
	memory = soak_rc_memory(r);
	if (r->q.api[r->req]->memory(r->q.end[r->req], 0, &p, &len) ||
	    len != one->len)
		qps_wrong(&r->q, "I2: read %u brought %zu bytes", r->brought,
			  len);
	else if (memory && len && memcmp(p, memory + one->offset, len) != 0)
		qps_wrong(&r->q, "I2: read %u brought other bytes", r->brought);
}

static void soak_rc_drain(struct qps *q, unsigned i)
{
	struct run *r = (struct run *)q;
	struct orc_event ev;
	struct dgram d;

	for (unsigned n = 0;
	     n < QPS_FLIGHTS && r->q.api[i]->poll_tx(r->q.end[i], &d); n++)
		rc_leave(r, i, &d);
	while (r->q.api[i]->poll_event(r->q.end[i], &ev)) {
		if (i == r->req && ev.kind == EV_COMPLETION && r->asked)
			soak_rc_brought(r, &ev);
		else if (i == r->req && ev.kind == EV_COMPLETION)
			soak_rc_completed(r, &ev);
		if (i == r->rsp && ev.kind == EV_RECV &&
		    ev.status != STATUS_FLUSHED)
			soak_rc_got(r, &ev);
	}
	check_received(r);
	check_brought(r);
}

static uint32_t soak_rc_least(uint32_t a, uint32_t b)
{
	if (a < b)
		return a;
	return b;
}

/* |cache_peak| is that of one QP; |cache_bytes| is the sum over all of them. */
static void check_cache(struct run *r)
{
	const struct orc_conf *c = &r->q.conf[r->rsp];
	const uint32_t one =
		soak_rc_least(c->wqe_cache_max, c->wqe_cache_device);
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

/* "nothing is written while something before is missing" */
static void soak_rc_check_order(struct run *r)
{
	const uint8_t *p = soak_rc_memory(r);

	if (r->hostile || !r->q.conf[0].wqe_in_order)
		return;
	for (uint32_t i = rc_whole_messages(r) + 1; p && i < r->posted; i++)
		if (p[i * SLOT] !=
		    pattern_byte(0, pattern_memory(RKEY), i * SLOT)) {
			qps_wrong(&r->q, "WQE-37: WR %u is placed early",
				  i + 1);
			return;
		}
}

static void soak_rc_arrive(struct qps *q, const struct qps_flight *f)
{
	struct run *r = (struct run *)q;

	if (!f->unjudged)
		rc_look(r, f->to, f->d, false);
	r->q.api[f->to]->feed(r->q.end[f->to], f->d, r->q.now);
	soak_rc_drain(q, f->to);
}

/* ---- At the end ---- */

static void soak_rc_check_bytes(struct run *r)
{
	const uint8_t *p = soak_rc_memory(r);

	for (uint32_t i = 0; p && i < REGION; i++) {
		const struct message *m = &r->message[i / SLOT];
		const uint32_t off = i % SLOT;
		const bool own = m->write && !m->mangled && off < m->len;
		const uint8_t want =
			own ? pattern_byte(0, i / SLOT + 1, off)
			    : pattern_byte(0, pattern_memory(RKEY), i);

		if (p[i] == want)
			continue;
		qps_wrong(&r->q, "%s: byte %u of the memory is wrong",
			  own ? "I2" : "I12", i);
		return;
	}
}

/* An error ends only its own queue pair. */
static void check_idle(struct run *r, unsigned i)
{
	struct op_result got = {0};

	soak_rc_ask(r, i,
		    (struct orc_op){.kind = OP_QUERY_QP,
				    .vb.qpn = r->idle[i],
				    .ret = &got});
	if (got.state != QP_RTS)
		qps_wrong(&r->q, "WQE-24: QP %u is in state %d", r->idle[i],
			  (int)got.state);
}

static void soak_rc_check_end(struct run *r)
{
	const struct message *last = &r->message[MESSAGES - 1];
	const bool refused = last->with_imm && last->write && last->mangled;
	struct orc_stats s;

	if (r->hostile)
		return;
	soak_rc_check_bytes(r);
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

static void soak_rc_read(struct run *r)
{
	struct read_of *one = &r->read[r->asked++];

	one->len = rng_below(&r->rng, LONGEST + 1);
	one->offset = rng_below(&r->rng, REGION - one->len + 1);
	soak_rc_ask(r, r->req,
		    (struct orc_op){
			    .kind = OP_POST_SEND,
			    .handle = MESSAGES + r->asked,
			    .len = one->len,
			    .key = RKEY,
			    .offset = one->offset,
			    .vb = {.qpn = r->qpn[r->req], .opcode = WR_READ}});
	soak_rc_drain(&r->q, r->req);
}

/* Reads what the messages left in the memory. */
static void soak_rc_read_all(struct run *r)
{
	if (r->hostile || r->message[MESSAGES - 1].mangled ||
	    r->done != MESSAGES)
		return;
	for (unsigned n = 0; n < STEPS && r->brought < READS; n++) {
		if (r->asked < READS &&
		    (r->asked == r->brought || rc_chance(r, 100)))
			soak_rc_read(r);
		else if (!qps_step(&r->q, VTIME_NEVER, soak_rc_arrive,
				   soak_rc_drain))
			break;
	}
	if (r->brought != READS)
		qps_wrong(&r->q, "I3: %u of %d reads completed", r->brought,
			  READS);
}

static void soak_rc_run(struct qps *q, uint64_t seed)
{
	struct run *r = (struct run *)q;

	memset((char *)r + sizeof(*q), 0, sizeof(*r) - sizeof(*q));
	open_run(r, seed);
	if (r->q.findings)
		return;
	post_all(r);
	soak_rc_drain(q, r->req);
	for (unsigned n = 0;
	     n < STEPS && r->done < MESSAGES &&
	     qps_step(q, VTIME_NEVER, soak_rc_arrive, soak_rc_drain);
	     n++) {
		check_cache(r);
		soak_rc_check_order(r);
		if (rc_chance(r, 30))
			post_receive(r);
		if (r->done == MESSAGES - 1 && r->posted == r->done) {
			soak_rc_post_one(r);
			soak_rc_drain(q, r->req);
		}
	}
	soak_rc_read_all(r);
	soak_rc_check_end(r);
}

static struct qps *soak_rc_make(void)
{
	struct run *r = calloc(1, sizeof(*r));

	if (r)
		return &r->q;
	return NULL;
}

const struct qps_kind rc_kind = {soak_rc_make, soak_rc_run};
