/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/paths_test.c -- tests the choice of paths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/uet/cc/paths.h"

static void paths_test_conf(struct orc_conf *conf, enum orc_path_choice choice)
{
	orc_conf_default(conf);
	conf->spray = 8;
	conf->path_choice = choice;
}

/* Counts which paths 800 packets at |now| take. */
static void paths_test_count(struct paths *p, const struct orc_conf *conf,
			     vtime now, unsigned ret[8])
{
	struct rng rng = {1};

	for (unsigned i = 0; i < 8; i++)
		ret[i] = 0;
	for (unsigned i = 0; i < 800; i++)
		ret[paths_choose(p, conf, conf->spray, &rng, now)]++;
}

static void in_turn(void **state)
{
	struct orc_conf conf;
	struct paths p;
	unsigned n[8];

	(void)state;
	paths_start(&p);
	paths_test_conf(&conf, ORC_PATHS_IN_TURN);
	paths_marked(&p, &conf, 3, 0);
	paths_test_count(&p, &conf, 0, n);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(n[i], 100);
}

static void at_random(void **state)
{
	struct orc_conf conf;
	struct paths p;
	unsigned n[8];

	(void)state;
	paths_start(&p);
	paths_test_conf(&conf, ORC_PATHS_AT_RANDOM);
	paths_test_count(&p, &conf, 0, n);
	for (unsigned i = 0; i < 8; i++)
		assert_in_range(n[i], 60, 140);
}

/* A marked path rests for one to two base RTTs, a lost one for path_rest. */
static void marked_paths_rest(void **state)
{
	struct orc_conf conf;
	struct paths p;
	unsigned n[8];

	(void)state;
	paths_start(&p);
	paths_test_conf(&conf, ORC_PATHS_BY_FEEDBACK);
	paths_marked(&p, &conf, 3, VSPAN_S);
	paths_lost(&p, &conf, 5, VSPAN_S);
	paths_test_count(&p, &conf, VSPAN_S + conf.base_rtt - 1, n);
	assert_int_equal(n[3], 0);
	assert_int_equal(n[5], 0);
	paths_test_count(&p, &conf, VSPAN_S + 2 * conf.base_rtt, n);
	assert_in_range(n[3], 100, 120);
	assert_int_equal(n[5], 0);
	paths_test_count(&p, &conf, VSPAN_S + conf.path_rest - 1, n);
	assert_int_equal(n[5], 0);
	paths_test_count(&p, &conf, VSPAN_S + 2 * conf.path_rest, n);
	assert_int_equal(n[5], 100);
}

/* Counts how many of 10,000 packets at |now| take a path. */
static unsigned paths_test_taken(struct paths *p, const struct orc_conf *conf,
				 vtime now, uint8_t path)
{
	struct rng rng = {1};
	unsigned n = 0;

	for (unsigned i = 0; i < 10000; i++)
		n += paths_choose(p, conf, conf->spray, &rng, now) == path;
	return n;
}

/* Each of the 256 paths rests, and is taken again. */
static void any_path_rests(void **state)
{
	struct orc_conf conf;

	(void)state;
	paths_test_conf(&conf, ORC_PATHS_BY_FEEDBACK);
	conf.spray = 256;
	for (unsigned path = 0; path < 256; path += 51) {
		struct paths p;

		paths_start(&p);
		paths_marked(&p, &conf, 255, VSPAN_S);
		paths_marked(&p, &conf, (uint8_t)path, VSPAN_S);
		assert_int_equal(
			paths_test_taken(&p, &conf, VSPAN_S, (uint8_t)path), 0);
		assert_in_range(
			paths_test_taken(&p, &conf, 2 * VSPAN_S, (uint8_t)path),
			10, 100);
	}
}

/* If most paths are marked, none is left out. */
static void most_are_marked(void **state)
{
	struct orc_conf conf;
	struct paths p;
	unsigned n[8];

	(void)state;
	paths_start(&p);
	paths_test_conf(&conf, ORC_PATHS_BY_FEEDBACK);
	for (uint8_t i = 0; i < 5; i++)
		paths_marked(&p, &conf, i, VSPAN_S);
	paths_test_count(&p, &conf, VSPAN_S, n);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(n[i], 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_turn),
		cmocka_unit_test(at_random),
		cmocka_unit_test(marked_paths_rest),
		cmocka_unit_test(any_path_rests),
		cmocka_unit_test(most_are_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
