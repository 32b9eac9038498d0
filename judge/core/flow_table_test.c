/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_table_test.c -- tests which flows are evicted and which are
 * replaced, against a list that is sorted at every use.
 */
#include "judge/core/flow_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

enum { ROOM = 37, IDS = 60, IDLE = 1000 };

/* The expected state of a flow. */
struct model {
	bool used, awake, found, spared;
	uint16_t id;
	uint64_t use;
	vtime at;
};

struct world {
	struct table t;
	struct rng rng;
	struct ip_addr a, b;
	struct model m[ROOM];
	uint64_t uses, idle_evicted, forgotten;
	uint32_t found; /* a finding with so many of 100 packets */
	vtime now;
};

static void flow_table_test_open_world(struct world *w, uint64_t seed)
{
	memset(w, 0, sizeof(*w));
	assert_int_equal(table_new(&w->t, ROOM, NULL), 0);
	w->rng.state = seed;
	w->a = ip_addr_v4(0x0a000001);
	w->b = ip_addr_v4(0x0a000002);
}

static struct model *model_of(struct world *w, uint16_t id)
{
	for (unsigned i = 0; i < ROOM; i++)
		if (w->m[i].used && w->m[i].id == id)
			return &w->m[i];
	return NULL;
}

static struct model *model_oldest(struct world *w, bool spared)
{
	struct model *oldest = NULL;

	for (unsigned i = 0; i < ROOM; i++)
		if ((spared || !w->m[i].spared) &&
		    (!oldest || w->m[i].use < oldest->use))
			oldest = &w->m[i];
	return oldest;
}

/* Flows with findings are spared, up to half of the table. */
static struct model *model_room(struct world *w)
{
	struct model *oldest;
	unsigned spared = 0;

	for (unsigned i = 0; i < ROOM; i++) {
		if (!w->m[i].used)
			return &w->m[i];
		spared += w->m[i].spared;
	}
	w->forgotten++;
	for (; spared < ROOM / 2; spared++) {
		oldest = model_oldest(w, false);
		if (!oldest->found)
			return oldest;
		oldest->spared = true;
	}
	return model_oldest(w, true);
}

/* Evicts the silent flows, from the oldest to the first that was not silent. */
static void model_sleep(struct world *w, vtime since)
{
	for (;;) {
		struct model *oldest = NULL;

		for (unsigned i = 0; i < ROOM; i++)
			if (w->m[i].used && w->m[i].awake &&
			    (!oldest || w->m[i].use < oldest->use))
				oldest = &w->m[i];
		if (!oldest || oldest->at >= since)
			return;
		oldest->awake = false;
		w->idle_evicted++;
	}
}

static struct flow *flow_table_test_find(struct world *w, uint16_t id)
{
	const struct table_key key = {&w->a, &w->b, id};
	unsigned end;

	return table_find(&w->t, &key, table_hash(&key), &end);
}

static struct flow *find_target(struct world *w, uint16_t id)
{
	const struct table_key key = {&w->b, &w->a, id};
	unsigned end;

	return table_find(&w->t, &key, table_hash(&key), &end);
}

/* Returns the PDCID of the target of that flow. */
static uint16_t flow_table_test_answers(uint16_t id)
{
	return (uint16_t)(id + 7);
}

/* A packet of that flow; starts the flow if it is new. */
static void flow_table_test_packet(struct world *w, uint16_t id)
{
	struct model *m = model_of(w, id);
	struct flow *f = flow_table_test_find(w, id);

	assert_int_equal(!!f, !!m);
	if (!m) {
		m = model_room(w);
		f = table_add(&w->t, &w->a, &w->b);
		assert_non_null(f);
		assert_false(f->idle_evicted);
		table_learn(&w->t, f, 0, id);
		table_learn(&w->t, f, 1, flow_table_test_answers(id));
		*m = (struct model){.used = true, .id = id, .awake = true};
	}
	assert_int_equal(f->end[0].pdcid, id);
	assert_ptr_equal(find_target(w, flow_table_test_answers(id)), f);
	assert_int_equal(f->used_at, w->now);
	assert_non_null(f->hot);
	m->awake = true;
	m->spared = false;
	m->use = ++w->uses;
	m->at = w->now;
	if (rng_below(&w->rng, 100) < w->found) {
		m->found = true;
		f->found = true;
	}
}

static void flow_table_test_forget(struct world *w, uint16_t id)
{
	struct model *m = model_of(w, id);

	if (!m)
		return;
	table_forget(&w->t, flow_table_test_find(w, id));
	*m = (struct model){0};
}

static void flow_table_test_compare(struct world *w)
{
	unsigned awake = 0, used = 0;

	assert_int_equal(w->t.idle_evicted, w->idle_evicted);
	assert_int_equal(w->t.forgotten, w->forgotten);
	for (size_t i = 0; i < w->t.n; i++) {
		const struct flow *f = &w->t.flows[i];
		const struct model *m = model_of(w, f->end[0].pdcid);

		if (!f->used)
			continue;
		used++;
		awake += f->hot != NULL;
		assert_non_null(m);
		assert_int_equal(f->hot != NULL, m->awake);
	}
	for (unsigned i = 0; i < ROOM; i++) {
		used -= w->m[i].used;
		awake -= w->m[i].used && w->m[i].awake;
	}
	assert_int_equal(used, 0);
	assert_int_equal(awake, 0);
}

/* The time stays, advances by a little or a lot, or goes backward. */
static void flow_table_test_pass_time(struct world *w)
{
	const uint32_t what = rng_below(&w->rng, 100);

	if (what < 60)
		w->now += (vtime)rng_below(&w->rng, 40);
	else if (what < 62)
		w->now += (vtime)rng_below(&w->rng, 3 * IDLE);
	else if (what < 63)
		w->now -= (vtime)rng_below(&w->rng, 2 * IDLE);
	table_now(&w->t, w->now, IDLE);
	model_sleep(w, w->now - IDLE);
}

static void as_if_always_in_order(void **state)
{
	static struct world w;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		flow_table_test_open_world(&w, seed);
		w.found = (uint32_t)seed % 4 * 2;
		for (unsigned i = 0; i < 3000; i++) {
			/* few flows, more than the table holds, or only one */
			const uint32_t most = i % 300 < 100   ? 10
					      : i % 300 < 250 ? IDS
							      : 1;

			flow_table_test_pass_time(&w);
			if (rng_below(&w.rng, 50))
				flow_table_test_packet(
					&w, (uint16_t)(1 + rng_below(&w.rng,
								     most)));
			else
				flow_table_test_forget(
					&w, (uint16_t)(1 + rng_below(&w.rng,
								     most)));
			flow_table_test_compare(&w);
		}
		assert_true(w.idle_evicted > 50 && w.forgotten > 50);
		table_free(&w.t);
	}
}

/* After a reset it is as a new one. */
static void begins_again(void **state)
{
	static struct world w;

	(void)state;
	flow_table_test_open_world(&w, 1);
	w.found = 2;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 300; i++) {
			flow_table_test_pass_time(&w);
			flow_table_test_packet(
				&w, (uint16_t)(1 + rng_below(&w.rng, IDS)));
			flow_table_test_compare(&w);
		}
		table_reset(&w.t);
		memset(w.m, 0, sizeof(w.m));
		w.uses = w.idle_evicted = w.forgotten = 0;
	}
	table_free(&w.t);
}

/* Flows with findings outlast others, but leave them half of the table. */
static void findings_are_kept(void **state)
{
	static struct world w;
	unsigned kept = 0;

	(void)state;
	flow_table_test_open_world(&w, 1);
	w.found = 100;
	for (uint16_t id = 1; id <= ROOM - 7; id++)
		flow_table_test_packet(&w, id);
	w.found = 0;
	for (uint16_t id = 100; id < 300; id++)
		flow_table_test_packet(&w, id);
	flow_table_test_compare(&w);
	for (uint16_t id = 1; id <= ROOM - 7; id++)
		kept += flow_table_test_find(&w, id) != NULL;
	/* the last one of the half was replaced when the half was full */
	assert_int_equal(kept, ROOM / 2 - 1);
	table_free(&w.t);
}

/* The use numbers run out and start again from 0. */
static void numbers_run_out(void **state)
{
	static struct world w;

	(void)state;
	flow_table_test_open_world(&w, 1);
	for (uint16_t id = 1; id <= ROOM; id++)
		flow_table_test_packet(&w, id);
	w.t.uses = UINT32_MAX - 5;
	for (uint16_t id = 10; id >= 1; id--)
		flow_table_test_packet(&w, id);
	for (uint16_t id = 100; id < 100 + ROOM; id++) {
		flow_table_test_packet(&w, id);
		flow_table_test_compare(&w);
	}
	assert_int_equal(w.forgotten, ROOM);
	table_free(&w.t);
}

/* The list is neither read nor changed while all flows are fresh. */
static void order_waits(void **state)
{
	static struct world w;
	uint32_t oldest;

	(void)state;
	flow_table_test_open_world(&w, 1);
	for (uint16_t id = 1; id <= ROOM; id++)
		flow_table_test_packet(&w, id);
	oldest = w.t.oldest;
	for (unsigned i = 0; i < 100; i++) {
		w.now += IDLE / 101;
		table_now(&w.t, w.now, IDLE);
		flow_table_test_packet(&w, 1);
	}
	assert_int_equal(w.t.oldest, oldest);
	assert_int_equal(w.t.fresh, oldest);
	flow_table_test_packet(&w, 100); /* flow 2 is replaced */
	assert_int_not_equal(w.t.oldest, oldest);
	flow_table_test_compare(&w);
	assert_null(flow_table_test_find(&w, 2));
	assert_non_null(flow_table_test_find(&w, 1));
	table_free(&w.t);
}

/* A table in which each slot has been used and freed many times. */
static void index_in_use(void **state)
{
	static struct world w;
	struct flow *f[ROOM] = {0};
	uint16_t id[ROOM] = {0};

	(void)state;
	flow_table_test_open_world(&w, 3);
	for (unsigned i = 0; i < 100000; i++) {
		const unsigned k = rng_below(&w.rng, ROOM);
		const unsigned end = rng_below(&w.rng, 2);

		if (!f[k]) {
			f[k] = table_add(&w.t, &w.a, &w.b);
		} else if (rng_below(&w.rng, 8) == 0) {
			table_forget(&w.t, f[k]);
			f[k] = NULL;
			assert_null(flow_table_test_find(&w, id[k]));
			id[k] = 0;
		} else if (end == 0) {
			id[k] = (uint16_t)(i % 1000 * ROOM + k + 1);
			table_learn(&w.t, f[k], 0, id[k]);
		} else {
			table_learn(&w.t, f[k], 1, (uint16_t)i);
			assert_ptr_equal(find_target(&w, (uint16_t)i),
					 i % 65536 ? f[k] : NULL);
		}
		for (unsigned n = 0; n < ROOM; n++)
			if (id[n])
				assert_ptr_equal(
					flow_table_test_find(&w, id[n]), f[n]);
	}
	table_free(&w.t);
}

/*
 * If several flows have the same key, the search finds the last one that took
 * it. When that flow is forgotten, it finds the one before.
 */
static void last_one_is_found(void **state)
{
	enum { N = 5 };
	static struct world w;
	struct flow *f[N];

	(void)state;
	flow_table_test_open_world(&w, 1);
	for (unsigned i = 0; i < N; i++) {
		f[i] = table_add(&w.t, &w.a, &w.b);
		assert_non_null(f[i]);
		table_learn(&w.t, f[i], 0, 5);
		table_expect(&w.t, f[i]);
	}
	assert_null(table_find_expecting(&w.t, &w.b, &w.a));
	table_forget(&w.t, f[0]); /* the oldest, and one in the middle */
	table_forget(&w.t, f[2]);
	for (unsigned i = N; i > 0; i--) {
		if (i - 1 == 0 || i - 1 == 2)
			continue;
		assert_ptr_equal(flow_table_test_find(&w, 5), f[i - 1]);
		assert_ptr_equal(table_find_expecting(&w.t, &w.a, &w.b),
				 f[i - 1]);
		table_forget(&w.t, f[i - 1]);
	}
	assert_null(flow_table_test_find(&w, 5));
	assert_null(table_find_expecting(&w.t, &w.a, &w.b));
	table_free(&w.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_if_always_in_order),
		cmocka_unit_test(begins_again),
		cmocka_unit_test(findings_are_kept),
		cmocka_unit_test(numbers_run_out),
		cmocka_unit_test(order_waits),
		cmocka_unit_test(index_in_use),
		cmocka_unit_test(last_one_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
