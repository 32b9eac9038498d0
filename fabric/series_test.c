/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/series_test.c -- tests that a series keeps its order, its counts and
 * the largest queue however long the run is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fabric/series.h"

static void long_runs_fit(void **state)
{
	struct fabric_series s;
	uint32_t peak = 1, most = 0;

	(void)state;
	series_start(&s, 10);
	for (vtime at = 1; at <= 100000; at++) {
		peak = at == 5000 ? 77 : peak;
		if (at < s.next)
			continue;
		series_add(&s, &(struct series_sample){.at = at,
						       .payload = (uint64_t)at,
						       .queue = peak});
		peak = 1;
	}
	assert_in_range(s.n, SERIES_MAX / 4, SERIES_MAX);
	for (uint32_t i = 0; i < s.n; i++) {
		assert_int_equal(s.v[i].payload, s.v[i].at);
		if (i)
			assert_true(s.v[i].at > s.v[i - 1].at);
		if (s.v[i].queue > most)
			most = s.v[i].queue;
	}
	assert_true(s.v[s.n - 1].at + s.step >= 100000);
	assert_int_equal(most, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_runs_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
