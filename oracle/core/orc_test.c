/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/orc_test.c -- tests the endpoint as a whole: the same inputs give
 * the same bytes, reset equals make, every allocation may fail, configuration
 * is checked.
 */
#include "base/rng.h"
#include "oracle/core/pair_test.h"

/* A run that covers most of the code, with a hash of its packets and events. */
struct orc_test_trace {
	uint64_t hash;
	size_t packets;
};

static uint64_t mix(uint64_t hash, const void *p, size_t len)
{
	const uint8_t *bytes = p;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return hash;
}

static struct fate lossy(struct pair *p, unsigned from, const struct dgram *d)
{
	struct rng *rng = p->ctx;

	(void)from;
	(void)d;
	return (struct fate){.copies = rng_below(rng, 8) ? 1 : 0,
			     .delay = rng_below(rng, 50000)};
}

static void drive(struct pair *p)
{
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 5, .len = 9000};
	const struct orc_op read = {.kind = OP_READ, .key = 5, .len = 3000};
	const struct orc_op small = {.kind = OP_READ, .key = 5, .len = 9};

	pair_post(p, B, &expose);
	pair_policy(p, (struct ses_policy){.count = 3, .gtd = OP_GTD_YES});
	for (uint16_t i = 0; i < 6; i++)
		pair_send(p, 0, i * 700u);
	pair_post(p, A, &read);
	pair_run(p, 10 * VSPAN_MS);
	pair_policy(p, (struct ses_policy){.count = 2, .delay = VSPAN_MS});
	pair_post(p, A, &small);
	pair_send(p, 0, 64);
	pair_run(p, VSPAN_S);
}

static struct orc_test_trace trace_of(const struct pair *p)
{
	struct orc_test_trace t = {.packets = p->nseen};

	for (size_t i = 0; i < p->nseen; i++) {
		const struct pair_test_seen *s = &p->seen[i];

		t.hash = mix(t.hash, &s->at, sizeof(s->at));
		t.hash = mix(t.hash, &s->entropy, sizeof(s->entropy));
		t.hash = mix(t.hash, s->data,
			     s->len < SEEN_BYTES ? s->len : SEEN_BYTES);
	}
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < p->nevents[side]; i++) {
			const struct orc_event *ev = &p->events[side][i];

			t.hash = mix(t.hash, &ev->kind, sizeof(ev->kind));
			t.hash = mix(t.hash, &ev->orig_psn,
				     sizeof(ev->orig_psn));
		}
	return t;
}

static void orc_test_prepare(struct pair *p, struct rng *rng)
{
	pair_conf(p);
	p->conf[A].start_psn_fixed = false;
	p->fate = lossy;
	p->ctx = rng;
}

static struct orc_test_trace fresh_run_of(uint64_t seed, bool late)
{
	struct rng rng = {seed};
	struct orc_test_trace t;
	struct pair p;

	orc_test_prepare(&p, &rng);
	p.conf[A].late_payload = p.conf[B].late_payload = late;
	core_pair_test_pair_open(&p);
	/* The bytes of messages depend only on the seed of the last reset. */
	for (unsigned i = 0; i < 2; i++)
		orc_reference.reset(p.end[i], p.conf[i].seed);
	drive(&p);
	t = trace_of(&p);
	core_pair_test_pair_close(&p);
	return t;
}

static struct orc_test_trace fresh_run(uint64_t seed)
{
	return fresh_run_of(seed, false);
}

/* Payloads that are written when a packet is sent are the same, repeats too. */
static void late_payload_same_bytes(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 20; seed++) {
		const struct orc_test_trace a = fresh_run_of(seed, false),
					    b = fresh_run_of(seed, true);

		assert_int_equal(a.packets, b.packets);
		assert_true(a.hash == b.hash);
	}
}

static void same_inputs_same_bytes(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 20; seed++) {
		const struct orc_test_trace a = fresh_run(seed),
					    b = fresh_run(seed);

		assert_true(a.packets > 20);
		assert_int_equal(a.packets, b.packets);
		assert_true(a.hash == b.hash);
	}
}

static void reset_equals_make(void **state)
{
	const struct orc_test_trace fresh = fresh_run(3);
	struct rng rng = {99};
	struct orc_test_trace again;
	struct pair p;

	(void)state;
	orc_test_prepare(&p, &rng);
	core_pair_test_pair_open(&p);
	drive(&p);
	pair_send(&p, 0, 100000); /* leave packets in flight */
	pair_drain(&p);
	while (p.nflying)
		free(p.flying[--p.nflying].d);
	for (unsigned i = 0; i < 2; i++)
		orc_reference.reset(p.end[i], p.conf[i].seed);
	pair_forget(&p);
	p.now = 0;
	rng.state = 3;
	drive(&p);
	again = trace_of(&p);
	core_pair_test_pair_close(&p);
	assert_int_equal(again.packets, fresh.packets);
	assert_true(again.hash == fresh.hash);
}

static void forgets_on_reset(void **state)
{
	struct orc_stats stats;
	const uint8_t *bytes;
	struct pair p;
	size_t len;

	(void)state;
	pair_conf(&p);
	core_pair_test_pair_open(&p);
	drive(&p);
	for (unsigned i = 0; i < 2; i++) {
		orc_reference.reset(p.end[i], 1);
		orc_reference.stats(p.end[i], &stats);
		assert_int_equal(stats.tx, 0);
		assert_int_equal(stats.pdcs, 0);
		assert_true(orc_reference.deadline(p.end[i]) == VTIME_NEVER);
	}
	assert_int_equal(orc_reference.memory(p.end[B], 5, &bytes, &len),
			 ERR_VALUE);
	core_pair_test_pair_close(&p);
}

/* ---- One run in which allocation |n| of each endpoint fails ---- */

struct meagre {
	struct orc *end[2];
	struct orc_conf conf[2];
	struct dgram d;
	bool failed;
};

static void orc_test_note(struct meagre *m, int err)
{
	assert_true(err == 0 || err == ERR_NOMEM || err == ERR_STATE);
	m->failed |= err == ERR_NOMEM;
}

static void exchange(struct meagre *m, vtime now)
{
	struct orc_event ev;

	for (unsigned i = 0; i < 2; i++) {
		orc_reference.tick(m->end[i], now);
		while (orc_reference.poll_tx(m->end[i], &m->d))
			orc_test_note(
				m, orc_reference.feed(m->end[!i], &m->d, now));
		while (orc_reference.poll_event(m->end[i], &ev))
			;
	}
}

static void orc_test_ask(struct meagre *m, unsigned side, struct orc_op op)
{
	op.peer = m->conf[!side].addr;
	orc_test_note(m, orc_reference.post(m->end[side], &op, 0));
}

static void orc_test_live_on_little(struct meagre *m)
{
	static const struct orc_op ops[] = {
		{.kind = OP_SEND, .len = 3000},
		{.kind = OP_READ, .key = 5, .len = 3000},
		{.kind = OP_READ, .key = 5, .len = 9},
		{.kind = OP_READ,
		 .key = 5,
		 .len = 99,
		 .header = OP_HEADER_MEDIUM},
		{.kind = OP_WRITE, .key = 6, .len = 9},
	};
	const struct orc_op policy = {.kind = OP_SES_POLICY,
				      .policy = {.delay = VSPAN_MS}};

	orc_test_ask(m, B,
		     (struct orc_op){.kind = OP_EXPOSE, .key = 5, .len = 4000});
	orc_test_ask(
		m, B,
		(struct orc_op){.kind = OP_POST_RECV, .count = 1, .len = 9});
	orc_test_ask(m, B, policy);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		orc_test_ask(m, A, ops[i]);
	for (vtime now = 0; now < 100 * VSPAN_MS; now += VSPAN_MS)
		exchange(m, now);
}

/* Return: true if the run reached that allocation. */
static bool orc_test_refuse_one(uint64_t n)
{
	struct meagre *m = calloc(1, sizeof(*m));
	bool failed = false;

	assert_non_null(m);
	for (unsigned i = 0; i < 2; i++) {
		orc_conf_default(&m->conf[i]);
		m->conf[i].addr = ip_addr_v4(i + 1);
		if (orc_make(&m->end[i], &m->conf[i],
			     (struct mem){.fail_at = n}))
			failed = true;
	}
	if (!failed)
		orc_test_live_on_little(m);
	failed |= m->failed;
	for (unsigned i = 0; i < 2; i++)
		orc_reference.free(m->end[i]);
	free(m);
	return failed;
}

static void orc_test_every_allocation_may_fail(void **state)
{
	uint64_t n = 1;

	(void)state;
	while (orc_test_refuse_one(n))
		n++;
	assert_true(n > 30);
}

static void free_takes_null(void **state)
{
	(void)state;
	orc_reference.free(NULL);
}

struct bad_conf {
	const char *what;
	void (*spoil)(struct orc_conf *conf);
};

static void bad_mtu(struct orc_conf *conf)
{
	conf->mtu = 1500;
}

static void bad_rto(struct orc_conf *conf)
{
	conf->rto_init = 0;
}

static void bad_max(struct orc_conf *conf)
{
	conf->rto_max = conf->rto_init - 1;
}

static void bad_retries(struct orc_conf *conf)
{
	conf->max_rto_retx = 16;
}

static void bad_job(struct orc_conf *conf)
{
	conf->job_id = 1u << 24;
}

static void bad_mpr(struct orc_conf *conf)
{
	conf->mpr = 0;
}

static void configuration_is_checked(void **state)
{
	static const struct bad_conf bad[] = {
		{"mtu", bad_mtu},     {"rto_init", bad_rto},
		{"rto_max", bad_max}, {"max_rto_retx", bad_retries},
		{"job_id", bad_job},  {"mpr", bad_mpr},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct orc *o = NULL;
		struct orc_conf conf;

		orc_conf_default(&conf);
		bad[i].spoil(&conf);
		assert_int_equal(orc_reference.make(&o, &conf), ERR_VALUE);
		assert_null(o);
	}
}

static void junk_is_harmless(void **state)
{
	struct rng rng = {5};
	struct orc_conf conf;
	struct orc_event ev;
	struct dgram *d = calloc(1, sizeof(*d));
	struct orc *o;

	(void)state;
	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(1);
	assert_int_equal(orc_reference.make(&o, &conf), 0);
	for (unsigned n = 0; n < 20000; n++) {
		d->src = ip_addr_v4(2 + n % 3);
		d->len = rng_below(&rng, 100);
		for (size_t i = 0; i < d->len; i++)
			d->data[i] = (uint8_t)rng_below(&rng, n % 5 ? 256 : 8);
		if (d->len)
			d->data[0] = (uint8_t)(rng_below(&rng, 16) << 3 |
					       rng_below(&rng, 4));
		assert_int_equal(orc_reference.feed(o, d, n), 0);
		while (orc_reference.poll_tx(o, d))
			;
		while (orc_reference.poll_event(o, &ev))
			;
	}
	orc_reference.free(o);
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_inputs_same_bytes),
		cmocka_unit_test(late_payload_same_bytes),
		cmocka_unit_test(reset_equals_make),
		cmocka_unit_test(forgets_on_reset),
		cmocka_unit_test(orc_test_every_allocation_may_fail),
		cmocka_unit_test(free_takes_null),
		cmocka_unit_test(configuration_is_checked),
		cmocka_unit_test(junk_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
