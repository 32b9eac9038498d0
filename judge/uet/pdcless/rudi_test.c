/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rudi_test.c -- compares the table of requests with a list,
 * and tests the paths of requests and datagrams.
 */
#include "judge/uet/pdcless/rudi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

enum { KNOWN = 8, DRAWN = 20000 };

/* The requests that a table of KNOWN entries remembers, newest first. */
struct rudi_list {
	uint32_t key[KNOWN];
	unsigned n;
};

static bool rudi_list_use(struct rudi_list *l, uint32_t key)
{
	unsigned i = 0;
	bool found;

	while (i < l->n && l->key[i] != key)
		i++;
	found = i < l->n;
	if (!found && l->n < KNOWN)
		l->n++;
	if (i == KNOWN)
		i--;
	memmove(l->key + 1, l->key, i * sizeof(l->key[0]));
	l->key[0] = key;
	return found;
}

static struct dgram *rudi_test_dgram(uint32_t src, uint32_t dst)
{
	static struct dgram d;

	memset(&d, 0, offsetof(struct dgram, data));
	d.src = ip_addr_v4(0x0a000001 + src);
	d.dst = ip_addr_v4(0x0a000001 + dst);
	return &d;
}

static void the_oldest_is_replaced(void **state)
{
	struct rng rng = {26};

	(void)state;
	for (unsigned ids = 6; ids <= 14; ids += 4) {
		struct rudi_list list = {0};
		struct rudi_seen s;

		assert_int_equal(rudi_seen_new(&s, KNOWN), 0);
		for (unsigned i = 0; i < DRAWN; i++) {
			const uint32_t id = rng_below(&rng, ids / 2);
			const uint32_t from = rng_below(&rng, 2);
			const struct dgram *d = rudi_test_dgram(from, 1 - from);
			struct judge_rudi_pkt *p =
				rudi_find(&s, &d->src, &d->dst, id);

			assert_int_equal(!!p,
					 rudi_list_use(&list, 2 * id + from));
			if (!p)
				p = rudi_begin(&s, NULL, d, id);
			assert_int_equal(p->pkt_id, id);
			assert_true(ip_addr_equal(&p->src, &d->src));
		}
		assert_int_equal(s.forgot, ids > KNOWN);
		rudi_seen_reset(&s);
		assert_false(s.forgot);
		assert_null(rudi_find(&s, &rudi_test_dgram(0, 1)->src,
				      &rudi_test_dgram(0, 1)->dst, 0));
		rudi_seen_free(&s);
	}
}

/* With more values than are stored, each may have been one. */
static void paths_of_a_request(void **state)
{
	struct judge_rudi_pkt p = {0};

	(void)state;
	for (uint16_t i = 1; i <= RUDI_ENTROPIES; i++) {
		assert_false(rudi_has_path(&p, i));
		rudi_path(&p, i);
		rudi_path(&p, i);
		p.copies++;
	}
	for (uint16_t i = 1; i <= RUDI_ENTROPIES; i++)
		assert_true(rudi_has_path(&p, i));
	assert_false(rudi_has_path(&p, RUDI_ENTROPIES + 1));
	rudi_path(&p, RUDI_ENTROPIES + 1);
	assert_true(rudi_has_path(&p, RUDI_ENTROPIES + 9));
}

static void datagrams_are_answered(void **state)
{
	struct rudi_seen s;

	(void)state;
	assert_int_equal(rudi_seen_new(&s, KNOWN), 0);
	for (uint16_t i = 0; i <= RUDI_DATAGRAMS; i++) {
		struct dgram *d = rudi_test_dgram(0, 1);

		d->entropy = (uint16_t)(100 + i);
		rudi_datagram(&s, d);
		assert_false(rudi_answers_datagram(&s, d));
		d = rudi_test_dgram(1, 0);
		d->entropy = (uint16_t)(100 + i);
		assert_true(rudi_answers_datagram(&s, d));
		d->entropy++;
		assert_false(rudi_answers_datagram(&s, d));
	}
	/* the oldest one is forgotten */
	for (uint16_t i = 0; i <= RUDI_DATAGRAMS; i++) {
		struct dgram *d = rudi_test_dgram(1, 0);

		d->entropy = (uint16_t)(100 + i);
		assert_int_equal(rudi_answers_datagram(&s, d), i > 0);
	}
	rudi_seen_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_is_replaced),
		cmocka_unit_test(paths_of_a_request),
		cmocka_unit_test(datagrams_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
