/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/arrivals_test.c -- tests that packets of several links are merged in
 * the order of their times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "fabric/arrivals.h"

#define MANY 500

/* The tests compare addresses of packets and do not read the packets. */
static char packets[MANY];

static void add(struct arrivals *a, vtime at, unsigned i)
{
	assert_int_equal(
		arrivals_add(a, (struct net_arrival){at, (void *)&packets[i]}),
		0);
}

static void of_one_time_in_their_order(void **state)
{
	struct arrivals a = {0}, room = {0};

	(void)state;
	add(&a, 7, 0);
	add(&a, 5, 1);
	add(&a, 7, 2);
	add(&a, 5, 3);
	assert_int_equal(arrivals_sort(&a, &room), 0);
	assert_ptr_equal(a.v[0].packet, &packets[1]);
	assert_ptr_equal(a.v[1].packet, &packets[3]);
	assert_ptr_equal(a.v[2].packet, &packets[0]);
	assert_ptr_equal(a.v[3].packet, &packets[2]);
	arrivals_drop(&a, 3);
	assert_int_equal(a.n, 1);
	assert_ptr_equal(a.v[0].packet, &packets[2]);
	arrivals_free(&a);
	arrivals_free(&room);
}

static void sort_numbers(uint32_t n, uint32_t below)
{
	struct arrivals a = {0}, room = {0};
	struct rng r = {n};

	for (unsigned i = 0; i < n; i++)
		add(&a, rng_below(&r, below), i);
	assert_int_equal(arrivals_sort(&a, &room), 0);
	assert_int_equal(a.n, n);
	for (unsigned i = 1; i < n; i++)
		assert_true(
			a.v[i - 1].at < a.v[i].at ||
			(a.v[i - 1].at == a.v[i].at &&
			 (char *)a.v[i - 1].packet < (char *)a.v[i].packet));
	arrivals_free(&a);
	arrivals_free(&room);
}

static void any_number_is_sorted(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= MANY; n += n < 70 ? 1 : 43) {
		sort_numbers(n, 10);
		sort_numbers(n, 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_one_time_in_their_order),
		cmocka_unit_test(any_number_is_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
