/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/rendezvous_test.c -- tests rendezvous sends between two
 * endpoints, by either meaning of read_offset.
 */
#include "base/pattern.h"
#include "oracle/core/pair_test.h"

static int setup_read_offset(void **state, bool of_rest)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	p->conf[A].read_offset_of_rest = of_rest;
	p->conf[B].read_offset_of_rest = of_rest;
	core_pair_test_pair_open(p);
	pair_idle(p);
	*state = p;
	return 0;
}

static int setup_of_message(void **state)
{
	return setup_read_offset(state, false);
}

static int setup_of_rest(void **state)
{
	return setup_read_offset(state, true);
}

static int rendezvous_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static void is_whole(struct pair *p, unsigned nth, uint32_t handle,
		     uint32_t len)
{
	const uint8_t *bytes = NULL;
	size_t n;

	assert_int_equal(pair_event(p, B, EV_RECV, nth)->len, len);
	assert_int_equal(orc_reference.memory(p->end[B], 0, &bytes, &n), 0);
	assert_int_equal(n, len);
	for (uint32_t i = 0; i < len; i++)
		assert_int_equal(bytes[i], pattern_byte(0, handle, i));
}

static void all_divisions_arrive(void **state)
{
	struct pair *p = *state;
	const uint32_t sizes[][2] = {{0, 0},       {1, 0},       {64, 64},
				     {64, 65},     {65, 64},     {3000, 0},
				     {5000, 1025}, {5000, 4999}, {5000, 5000}};

	for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct orc_op op = {.kind = OP_SEND,
					  .handle = i + 1,
					  .rendezvous = true,
					  .len = sizes[i][0],
					  .eager = sizes[i][1]};

		pair_post(p, A, &op);
		pair_run(p, VSPAN_MS);
		is_whole(p, i, i + 1, sizes[i][0]);
		assert_int_equal(pair_count(p, A, EV_COMPLETION), i + 1);
	}
	assert_int_equal(pair_count(p, B, EV_COMPLETION), 0);
}

static void refused_is_not_read(void **state)
{
	struct pair *p = *state;
	const struct orc_op recv = {.kind = OP_POST_RECV, .len = 9, .count = 1};
	const struct orc_op op = {
		.kind = OP_SEND, .rendezvous = true, .len = 10};

	pair_post(p, B, &recv);
	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_divisions_arrive,
						setup_of_message,
						rendezvous_test_teardown),
		cmocka_unit_test_setup_teardown(all_divisions_arrive,
						setup_of_rest,
						rendezvous_test_teardown),
		cmocka_unit_test_setup_teardown(refused_is_not_read,
						setup_of_message,
						rendezvous_test_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
