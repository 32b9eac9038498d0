/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/flows_test.c -- tests which flows a workload has, and their figures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fabric/flows.h"

static void flows_test_make(struct fabric_flows *f, struct fabric_conf *conf,
			    enum fabric_workload kind, uint32_t fan)
{
	fabric_default(conf);
	conf->load.kind = kind;
	conf->load.fan = fan;
	assert_null(fabric_check(conf));
	fabric_complete(conf);
	assert_int_equal(flows_make(f, conf), 0);
}

static void incast(void **state)
{
	struct fabric_conf conf;
	struct fabric_flows f;

	(void)state;
	flows_test_make(&f, &conf, FABRIC_INCAST, 0);
	assert_int_equal(f.n, 31);
	for (size_t i = 0; i < f.n; i++) {
		assert_int_equal(f.v[i].dst, 0);
		assert_int_equal(f.v[i].src, i + 1);
	}
	assert_true(flows_next(&f, &conf, 0) == FLOW_NONE);
	/* 31 MiB at 100 Gbit/s are 2600.5 us */
	assert_in_range(flows_ideal(&f, &conf), 2600 * VSPAN_US,
			2610 * VSPAN_US);
	flows_free(&f);
}

static void permutation(void **state)
{
	struct fabric_conf conf;
	struct fabric_flows f;
	unsigned sends[32] = {0}, receives[32] = {0};

	(void)state;
	flows_test_make(&f, &conf, FABRIC_PERMUTATION, 0);
	assert_int_equal(f.n, 32);
	for (size_t i = 0; i < f.n; i++) {
		assert_int_not_equal(f.v[i].src, f.v[i].dst);
		sends[f.v[i].src]++;
		receives[f.v[i].dst]++;
	}
	for (unsigned i = 0; i < 32; i++) {
		assert_int_equal(sends[i], 1);
		assert_int_equal(receives[i], 1);
	}
	flows_free(&f);
}

static void all_to_all_flows(void **state)
{
	struct fabric_conf conf;
	struct fabric_flows f;

	(void)state;
	flows_test_make(&f, &conf, FABRIC_ALL_TO_ALL, 5);
	assert_int_equal(f.n, 32 * 5);
	assert_int_equal(f.first, f.n);
	assert_int_equal(f.v[31].src, 31);
	assert_int_equal(f.v[31].dst, 0);
	flows_free(&f);
}

/* Each chunk goes on to the next endpoint, 62 times. */
static void all_reduce(void **state)
{
	struct fabric_conf conf;
	struct fabric_flows f;
	size_t at = 3, steps = 1;

	(void)state;
	flows_test_make(&f, &conf, FABRIC_ALL_REDUCE, 0);
	assert_int_equal(f.n, 62 * 32);
	assert_int_equal(f.first, 32);
	assert_int_equal(f.v[0].bytes, (1 << 20) / 32);
	for (; flows_next(&f, &conf, at) != FLOW_NONE; steps++) {
		const size_t next = flows_next(&f, &conf, at);

		assert_int_equal(f.v[next].src, f.v[at].dst);
		at = next;
	}
	assert_int_equal(steps, 62);
	flows_free(&f);
}

static void figures(void **state)
{
	struct fabric_flow v[4];
	const struct fabric_flows f = {.v = v, .n = 4, .first = 4};
	struct fabric_result r = {.ideal = 300};

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		v[i] = (struct fabric_flow){
			.bytes = 1000, .began = 100, .ended = 200 + 100 * i};
	assert_int_equal(flows_measure(&f, &r), 0);
	assert_int_equal(r.complete, 4);
	assert_int_equal(r.completion.mean, 250);
	assert_int_equal(r.completion.p50, 200);
	assert_int_equal(r.completion.max, 400);
	assert_int_equal(r.took, 500);
	assert_true(r.goodput > 0.599 && r.goodput < 0.601);
	/* rates 10, 5, 3.33, 2.5: 20.83^2 / (4 x 142.4) */
	assert_true(r.fairness > 0.76 && r.fairness < 0.763);
	v[0].ended = VTIME_NEVER;
	r = (struct fabric_result){.ideal = 300};
	assert_int_equal(flows_measure(&f, &r), 0);
	assert_int_equal(r.complete, 3);
	assert_true(r.goodput == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(incast),
		cmocka_unit_test(permutation),
		cmocka_unit_test(all_to_all_flows),
		cmocka_unit_test(all_reduce),
		cmocka_unit_test(figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
