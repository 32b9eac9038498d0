/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/soak_test.c -- exactly-once delivery over an unreliable wire.
 *
 * Both sides post sends, writes and reads of all headers to each other while
 * packets are lost, duplicated, delayed and marked at random, responses come
 * late, guaranteed or not, and some packets are refused.  At the end every
 * packet has reached its SES once, every request has one response and every
 * operation one completion, and nothing is in flight.  A run is of RUD, of ROD
 * or of both; in ROD everything is in order.
 *
 * Without a PDC delivery is at least once (RUDI) or best effort (UUD); still
 * each operation completes once and memory holds the written data.
 */
#include "base/pattern.h"
#include "base/rng.h"
#include "oracle/core/pair_test.h"

#define SEEDS 150
#define OPS   40

enum modes { ALL_RUD, ALL_ROD, MIXED };

struct soak {
	struct rng rng;
	enum modes modes;
	unsigned loss, dup; /* percent */
	vspan jitter;
};

static struct fate bad_luck(struct pair *p, unsigned from,
			    const struct dgram *d)
{
	struct soak *s = p->ctx;
	struct fate fate = {.copies = 1};

	(void)from;
	(void)d;
	if (rng_below(&s->rng, 100) < s->loss)
		fate.copies = 0;
	else if (rng_below(&s->rng, 100) < s->dup)
		fate.copies = 2;
	fate.delay = rng_below(&s->rng, (uint32_t)s->jitter + 1);
	fate.ce = rng_below(&s->rng, 10) == 0;
	return fate;
}

static enum op_mode random_mode(struct soak *s)
{
	if (s->modes == MIXED)
		return rng_below(&s->rng, 2) ? OP_ROD : OP_RUD;
	return s->modes == ALL_ROD ? OP_ROD : OP_RUD;
}

static struct orc_op random_op(struct soak *s, uint32_t handle)
{
	static const enum op_kind kinds[] = {OP_SEND, OP_WRITE, OP_READ};
	struct orc_op op = {
		.kind = kinds[rng_below(&s->rng, 3)],
		.header = (enum op_header)rng_below(&s->rng, 3),
		.mode = random_mode(s),
		.handle = handle,
	};

	op.key = op.header == OP_HEADER_SMALL ? 0 : 5;
	op.len = rng_below(&s->rng, op.header == OP_HEADER_STD ? 6000 : 1000);
	if (rng_below(&s->rng, 3) == 0)
		op.len = rng_below(&s->rng, 17);
	op.len += op.kind == OP_READ;
	op.offset = op.kind == OP_SEND ? 0 : rng_below(&s->rng, 2000);
	return op;
}

static uint32_t packets_of(const struct orc_op *op)
{
	return op->len ? (op->len + 1023) / 1024 : 1;
}

static struct ses_policy random_policy(struct soak *s)
{
	static const uint8_t nacks[] = {
		0,           0, 0, 0, 0, NACK_NO_PKT_BUFFER, NACK_NO_RESOURCE,
		NACK_TRIMMED};

	return (struct ses_policy){
		.count = 1 + rng_below(&s->rng, 3),
		.gtd = (enum op_gtd)rng_below(&s->rng, 3),
		.nack_code = nacks[rng_below(&s->rng, 8)],
		.delay = rng_below(&s->rng, 2) * rng_below(&s->rng, 20000000),
	};
}

static void choose_conf(struct pair *p, struct soak *s)
{
	pair_conf(p);
	for (unsigned i = 0; i < 2; i++) {
		struct orc_conf *conf = &p->conf[i];

		conf->start_psn = 0u - rng_below(&s->rng, 200);
		conf->max_rto_retx = 15;
		conf->max_nack_retx = 255;
		conf->ack_type = (enum orc_ack_type)rng_below(&s->rng, 3);
		conf->mpr = (uint8_t)(1 + rng_below(&s->rng, 9));
		conf->default_mpr = conf->mpr;
		conf->ack_per_pkt = rng_below(&s->rng, 4) == 0;
		conf->pds_clear_time = rng_below(&s->rng, 2) * VSPAN_MS;
		conf->rod_nack_each = rng_below(&s->rng, 2);
		conf->rod_nack_payload = rng_below(&s->rng, 2);
		conf->max_ack_data = rng_below(&s->rng, 3) * 16;
		conf->crc = s->rng.state & 1;
	}
	p->conf[B].crc = p->conf[A].crc;
	p->conf[B].mpr = p->conf[A].mpr;
	p->conf[B].default_mpr = p->conf[A].mpr;
	s->loss = rng_below(&s->rng, 30);
	s->dup = rng_below(&s->rng, 30);
	s->jitter = rng_below(&s->rng, 2000000);
	p->fate = bad_luck;
	p->ctx = s;
}

static void post_expose(struct pair *p, unsigned side, uint64_t key)
{
	const struct orc_op op = {.kind = OP_EXPOSE, .key = key, .len = 8192};

	pair_post(p, side, &op);
}

/* Asserts that no packet is delivered twice, by PSN. */
static void assert_once(const struct pair *p, unsigned side,
			enum orc_event_kind kind, unsigned expected)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->nevents[side]; i++) {
		const struct orc_event *a = &p->events[side][i];

		if (a->kind != kind)
			continue;
		n++;
		for (size_t j = 0; j < i; j++) {
			const struct orc_event *b = &p->events[side][j];

			if (b->kind == kind && b->orig_pdcid == a->orig_pdcid)
				assert_int_not_equal(b->orig_psn, a->orig_psn);
		}
	}
	assert_int_equal(n, expected);
}

/* Asserts that the packets of a PDC are delivered in order. */
static void assert_order(const struct pair *p, unsigned side,
			 enum orc_event_kind kind)
{
	const struct orc_event *last = NULL;

	for (size_t i = 0; i < p->nevents[side]; i++) {
		const struct orc_event *ev = &p->events[side][i];

		if (ev->kind != kind)
			continue;
		if (last && last->orig_pdcid == ev->orig_pdcid)
			assert_int_equal(ev->orig_psn, last->orig_psn + 1);
		last = ev;
	}
}

struct soak_test_tally {
	unsigned packets, recvs, returns;
};

static struct soak_test_tally post_some(struct pair *p, struct soak *s,
					unsigned side)
{
	struct soak_test_tally t = {0, 0, 0};

	for (uint32_t i = 0; i < OPS; i++) {
		const struct orc_op op = random_op(s, i);
		const struct orc_op policy = {.kind = OP_SES_POLICY,
					      .policy = random_policy(s)};

		pair_post(p, side, &op);
		if (rng_below(&s->rng, 3) == 0)
			pair_post(p, side, &policy);
		t.packets += packets_of(&op);
		t.recvs += op.kind != OP_READ;
		if (op.kind == OP_READ && op.len > p->conf[!side].max_ack_data)
			t.returns += packets_of(&op);
		pair_run(p, rng_below(&s->rng, 300000));
	}
	return t;
}

static void assert_completions(const struct pair *p, unsigned side)
{
	assert_int_equal(pair_count(p, side, EV_COMPLETION), OPS);
	assert_int_equal(pair_count(p, side, EV_PDS_SES_ERROR), 0);
	for (unsigned i = 0; i < OPS; i++) {
		const struct orc_event *ev =
			pair_event(p, side, EV_COMPLETION, i);

		assert_int_equal(ev->status, STATUS_OK);
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(
				pair_event(p, side, EV_COMPLETION, j)->handle,
				ev->handle);
	}
}

/* The packets that one side sent. */
struct soak_test_wire {
	uint64_t acks, nacks, retx;
};

static struct soak_test_wire wire_of(const struct pair *p, unsigned side)
{
	struct soak_test_wire w = {0, 0, 0};

	for (size_t i = 0; i < p->nseen; i++) {
		const uint8_t *bytes = p->seen[i].data;
		const enum pds_type type = (enum pds_type)pds_type_of(bytes);
		const bool ack = (type >= PDS_ACK && type <= PDS_ACK_CCX) ||
				 type == PDS_RUDI_RESP;

		if (p->seen[i].from != side)
			continue;
		w.acks += ack;
		w.nacks += pds_is_nack(type);
		/* pds.flags.retx of a request or a control packet */
		w.retx += !ack && type != PDS_NACK && bits_get(bytes, 11, 1);
	}
	return w;
}

static unsigned drops_for(const struct pair *p, unsigned side,
			  const char *reason)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->nevents[side]; i++)
		n += p->events[side][i].kind == EV_DROP &&
		     strcmp(p->events[side][i].reason, reason) == 0;
	return n;
}

/* The statistics of a side are those of the wire and of the events. */
static void assert_counted(const struct pair *p, unsigned side)
{
	const struct soak_test_wire w = wire_of(p, side);
	struct orc_stats s;

	orc_reference.stats(p->end[side], &s);
	assert_int_equal(s.tx, p->sent[side]);
	assert_int_equal(s.rx, p->fed[side]);
	assert_int_equal(s.tx_ack, w.acks);
	assert_int_equal(s.tx_nack, w.nacks);
	assert_int_equal(s.tx_retx, w.retx);
	assert_int_equal(s.rx_dropped, pair_count(p, side, EV_DROP));
	assert_int_equal(s.rx_duplicate, drops_for(p, side, "duplicate"));
	assert_in_range(s.delivered, pair_count(p, side, EV_PDS_SES_RX_REQ),
			s.rx);
	assert_in_range(s.rx_ack + s.rx_nack, s.rx ? 1 : 0, s.rx);
}

static void soak(uint64_t seed)
{
	struct pair p;
	struct soak s = {.rng = {seed}, .modes = (enum modes)(seed % 3)};
	struct soak_test_tally t[2];

	choose_conf(&p, &s);
	core_pair_test_pair_open(&p);
	for (unsigned side = 0; side < 2; side++) {
		post_expose(&p, side, 0);
		post_expose(&p, side, 5);
	}
	for (unsigned side = 0; side < 2; side++)
		t[side] = post_some(&p, &s, side);
	pair_run(&p, 120 * VSPAN_S);
	for (unsigned side = 0; side < 2; side++) {
		assert_completions(&p, side);
		assert_once(&p, side, EV_PDS_SES_RX_RSP,
			    t[side].packets + t[!side].returns);
		assert_once(&p, !side, EV_PDS_SES_RX_REQ, t[side].packets);
		assert_once(&p, side, EV_PDS_SES_RX_RET, t[side].returns);
		assert_int_equal(pair_count(&p, !side, EV_RECV), t[side].recvs);
		assert_counted(&p, side);
		if (s.modes != ALL_ROD)
			continue;
		assert_order(&p, side, EV_PDS_SES_RX_REQ);
		assert_order(&p, side, EV_PDS_SES_RX_RET);
	}
	assert_int_equal(p.nflying, 0);
	assert_true(pair_next(&p) == VTIME_NEVER);
	core_pair_test_pair_close(&p);
}

static void exactly_once(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		soak(seed);
}

/* ---- PDC-less packets ---- */

#define PLACE 6000 /* bytes of memory for each write */

static struct orc_op loose_op(struct soak *s, uint32_t i)
{
	static const enum op_kind kinds[] = {OP_WRITE, OP_READ, OP_SEND};
	struct orc_op op = {
		.kind = kinds[rng_below(&s->rng, 3)],
		.mode = OP_RUDI,
		.handle = i,
		.message_id = (uint16_t)(i + 1),
		.key = 5,
		.len = 1 + rng_below(&s->rng, PLACE),
		.offset = i * PLACE,
	};

	if (op.kind == OP_READ)
		op.key = 6;
	if (op.kind != OP_SEND)
		return op;
	op.mode = OP_UUD;
	op.len = rng_below(&s->rng, 1025);
	return op;
}

static void soak_test_assert_written(const struct pair *p, unsigned side,
				     const struct orc_op *op)
{
	const uint8_t *bytes = NULL;
	size_t n;

	assert_int_equal(
		orc_reference.memory(p->end[side], op->key, &bytes, &n), 0);
	for (uint32_t i = 0; i < op->len; i++)
		assert_int_equal(bytes[op->offset + i],
				 pattern_byte(0, op->handle, i));
}

static unsigned soak_test_received(const struct pair *p, unsigned side,
				   uint8_t opcode)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->nevents[side]; i++)
		n += p->events[side][i].kind == EV_RECV &&
		     p->events[side][i].opcode == opcode;
	return n;
}

/*
 * The operations of one side without a PDC, and how often its packets are
 * answered.
 */
struct loose {
	struct orc_op ops[OPS];
	unsigned packets, datagrams;
};

static void post_loose(struct pair *p, struct soak *s, unsigned side,
		       struct loose *ret)
{
	for (uint32_t i = 0; i < OPS; i++) {
		const struct orc_op policy = {.kind = OP_SES_POLICY,
					      .policy = random_policy(s)};

		ret->ops[i] = loose_op(s, i);
		pair_post(p, side, &ret->ops[i]);
		if (rng_below(&s->rng, 3) == 0)
			pair_post(p, side, &policy);
		if (ret->ops[i].mode == OP_UUD)
			ret->datagrams++;
		else
			ret->packets += packets_of(&ret->ops[i]);
		pair_run(p, rng_below(&s->rng, 300000));
	}
}

static void check_loose(const struct pair *p, unsigned side,
			const struct loose *l)
{
	assert_completions(p, side);
	assert_once(p, side, EV_PDS_SES_RX_RSP, l->packets);
	assert_true(pair_count(p, !side, EV_PDS_SES_RX_REQ) >= l->packets);
	assert_true(soak_test_received(p, !side, SES_DATAGRAM_SEND) <=
		    2 * l->datagrams);
	for (unsigned i = 0; i < OPS; i++)
		if (l->ops[i].kind == OP_WRITE)
			soak_test_assert_written(p, !side, &l->ops[i]);
}

static void soak_loose(uint64_t seed)
{
	const struct orc_op expose[] = {
		{.kind = OP_EXPOSE, .key = 5, .len = OPS * PLACE},
		{.kind = OP_EXPOSE, .key = 6, .len = (OPS + 1) * PLACE},
	};
	struct soak s = {.rng = {seed}};
	struct loose l[2] = {{.packets = 0}, {.packets = 0}};
	struct pair p;

	choose_conf(&p, &s);
	s.loss /= 2;
	p.conf[A].max_rudi = 1 + rng_below(&s.rng, 8);
	core_pair_test_pair_open(&p);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned i = 0; i < 2; i++)
			pair_post(&p, side, &expose[i]);
	for (unsigned side = 0; side < 2; side++)
		post_loose(&p, &s, side, &l[side]);
	pair_run(&p, 120 * VSPAN_S);
	for (unsigned side = 0; side < 2; side++) {
		check_loose(&p, side, &l[side]);
		assert_counted(&p, side);
	}
	assert_int_equal(p.nflying, 0);
	assert_true(pair_next(&p) == VTIME_NEVER);
	core_pair_test_pair_close(&p);
}

static void without_a_pdc(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS / 3; seed++)
		soak_loose(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exactly_once),
		cmocka_unit_test(without_a_pdc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
