/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/inflight_test.c -- compares the set of packets in flight with a
 * naive model that searches an array.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "oracle/core/inflight.h"

#define MANY 800

struct twin_pkt {
	bool done;
	unsigned queue;
	vtime due;
	uint64_t order; /* order of entering the queue */
};

struct twin {
	struct twin_pkt v[MANY];
	uint32_t first, n;
	uint64_t order;
};

static void inflight_test_compare(const struct inflight *f,
				  const struct twin *t)
{
	vtime earliest = VTIME_NEVER;
	uint32_t base = 0, busy = 0, psn;

	while (base < t->n && t->v[base].done)
		base++;
	for (uint32_t i = base; i < t->n; i++) {
		busy += !t->v[i].done;
		if (t->v[i].queue < INFLIGHT_RETX)
			earliest = vtime_min(earliest, t->v[i].due);
	}
	assert_int_equal(f->base, t->first + base);
	assert_int_equal(f->next, t->first + t->n);
	assert_int_equal(f->busy, busy);
	assert_true(inflight_deadline(f) == earliest);
	for (unsigned q = 0; q < INFLIGHT_QUEUES; q++) {
		const struct twin_pkt *head = NULL;

		for (uint32_t i = base; i < t->n; i++)
			if (t->v[i].queue == q &&
			    (!head || t->v[i].order < head->order))
				head = &t->v[i];
		assert_int_equal(inflight_first(f, q, &psn), head != NULL);
		if (head)
			assert_ptr_equal(&t->v[psn - t->first], head);
	}
	assert_null(inflight_at(f, f->base - 1));
	assert_null(inflight_at(f, f->next));
}

static void inflight_test_add(struct inflight *f, struct twin *t,
			      struct mem *mem)
{
	const uint16_t len = (uint16_t)(t->n % 50);
	struct inflight_pkt *pkt = inflight_add(f, mem, len);

	assert_non_null(pkt);
	assert_int_equal(pkt->len, len);
	memset(pkt->bytes, (int)t->n, len);
	t->v[t->n++] = (struct twin_pkt){.queue = INFLIGHT_NONE};
}

static void inflight_test_step(struct inflight *f, struct twin *t,
			       struct rng *rng, struct mem *mem, vtime now)
{
	const uint32_t open = f->next - f->base;
	const uint32_t i =
		f->base - t->first + (open ? rng_below(rng, open) : 0);
	const unsigned q = rng_below(rng, INFLIGHT_QUEUES + 1);

	if (!open || (open < 200 && rng_below(rng, 3) == 0)) {
		inflight_test_add(f, t, mem);
	} else if (t->v[i].done) {
		return;
	} else if (rng_below(rng, 2)) {
		/* as in the source: all packets of a queue wait equally long */
		t->v[i].queue = q;
		t->v[i].due = now + 100 * q;
		t->v[i].order = t->order++;
		inflight_wait(f, t->first + i, q, now + 100 * q);
	} else {
		t->v[i].done = true;
		t->v[i].queue = INFLIGHT_NONE;
		inflight_done(f, t->first + i);
	}
}

static void inflight_test_random_steps(uint32_t first, uint64_t seed)
{
	static struct twin t;
	struct rng rng = {seed};
	struct mem mem = {0};
	struct inflight f = {0};

	t = (struct twin){.first = first};
	inflight_init(&f, first);
	for (vtime now = 0; t.n < MANY; now += 3) {
		inflight_test_step(&f, &t, &rng, &mem, now);
		inflight_test_compare(&f, &t);
	}
	for (uint32_t psn = f.base; psn != f.next; psn++) {
		const struct inflight_pkt *pkt = inflight_at(&f, psn);

		for (uint16_t i = 0; i < pkt->len; i++)
			assert_int_equal(pkt->bytes[i], (uint8_t)(psn - first));
	}
	inflight_rest(&f, &mem);
	inflight_free(&f, &mem);
	inflight_drain(&mem);
	mem_free(&mem);
}

static void inflight_test_like_its_twin(void **state)
{
	(void)state;
	inflight_test_random_steps(5, 1);
	inflight_test_random_steps(0u - 300, 2);
	inflight_test_random_steps(0x80000000u - 300, 3);
}

/* With one packet in flight at a time the same memory is used. */
static void few_stay_near(void **state)
{
	struct mem mem = {0};
	struct inflight f = {0};
	const uint8_t *bytes = NULL;

	(void)state;
	inflight_init(&f, 0xfffffffd);
	for (unsigned i = 0; i < 100; i++) {
		const uint32_t psn = f.next;
		const struct inflight_pkt *pkt = inflight_add(&f, &mem, 1000);

		assert_non_null(pkt);
		if (bytes)
			assert_ptr_equal(pkt->bytes, bytes);
		bytes = pkt->bytes;
		inflight_done(&f, psn);
		inflight_rest(&f, &mem);
	}
	inflight_free(&f, &mem);
	inflight_drain(&mem);
	mem_free(&mem);
}

/* Buffers of a set that is freed serve the next ones, in whichever slot. */
static void freed_buffers_are_used_again(void **state)
{
	struct mem mem = {0};
	struct inflight f = {0};
	uint64_t calls = 0;

	(void)state;
	for (unsigned round = 0; round < 100; round++) {
		inflight_init(&f, round);
		for (unsigned i = 0; i < 100; i++)
			assert_non_null(
				inflight_add(&f, &mem, i % 2 ? 60 : 3000));
		inflight_free(&f, &mem);
		if (round == 50)
			calls = mem.calls;
	}
	assert_int_equal(mem.calls, calls);
	inflight_drain(&mem);
	mem_free(&mem);
}

/* Adds |n| packets that were sent, and that know their number. */
static void inflight_test_sent(struct inflight *f, struct mem *mem, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t psn = f->next;
		struct inflight_pkt *pkt = inflight_add(f, mem, 1);

		assert_non_null(pkt);
		pkt->bytes[0] = (uint8_t)i;
		pkt->sent = pkt->nacked = pkt->sacked = true;
		pkt->rto_count = 1;
		inflight_wait(f, psn, INFLIGHT_RETX, 0);
	}
}

/* New PSNs across the wrap, for each number of packets, a full ring too. */
static void a_new_number_makes_a_packet_unsent(void **state)
{
	const uint32_t first = 0xfffffff8;

	(void)state;
	for (uint32_t n = 0; n < 40; n++) {
		struct mem mem = {0};
		struct inflight f = {0};
		uint32_t psn;

		inflight_init(&f, 5);
		inflight_test_sent(&f, &mem, n);
		assert_true(inflight_renumber(&f, &mem, first));
		assert_int_equal(f.base, first);
		assert_int_equal(f.next, first + n);
		assert_int_equal(f.busy, n);
		for (unsigned q = 0; q < INFLIGHT_QUEUES; q++)
			assert_false(inflight_first(&f, q, &psn));
		for (uint32_t i = 0; i < n; i++) {
			const struct inflight_pkt *pkt =
				inflight_at(&f, first + i);

			assert_int_equal(pkt->bytes[0], i);
			assert_false(pkt->sent | pkt->nacked | pkt->sacked);
			assert_int_equal(pkt->rto_count, 0);
			assert_int_equal(pkt->queue, INFLIGHT_NONE);
		}
		inflight_free(&f, &mem);
		inflight_drain(&mem);
		mem_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inflight_test_like_its_twin),
		cmocka_unit_test(few_stay_near),
		cmocka_unit_test(freed_buffers_are_used_again),
		cmocka_unit_test(a_new_number_makes_a_packet_unsent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
