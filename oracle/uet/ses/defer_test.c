/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/defer_test.c -- tests deferrable sends between two endpoints:
 * received at once, asked for later, and refused.
 */
#include "oracle/core/pair_test.h"

#define TAG 7

static int setup_deferring_by(void **state, uint8_t code)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	p->conf[B].defer_rc = code;
	core_pair_test_pair_open(p);
	pair_idle(p);
	*state = p;
	return 0;
}

static int defer_test_setup(void **state)
{
	return setup_deferring_by(state, 0);
}

static int setup_no_match(void **state)
{
	return setup_deferring_by(state, RC_NO_MATCH);
}

static int defer_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static void post_deferrable(struct pair *p, uint32_t len, uint64_t tag)
{
	const struct orc_op op = {.kind = OP_SEND,
				  .len = len,
				  .key = tag,
				  .tagged = tag != 0,
				  .deferrable = true};

	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
}

static void defer_post_receive(struct pair *p, uint32_t len, uint64_t tag)
{
	const struct orc_op op = {.kind = OP_POST_RECV,
				  .len = len,
				  .count = 1,
				  .key = tag,
				  .tagged = tag != 0};

	pair_post(p, B, &op);
	pair_run(p, VSPAN_MS);
}

/* From now on messages without a tag need a receive. */
static void use_up_receives(struct pair *p)
{
	defer_post_receive(p, 1, 0);
	pair_send(p, 1000, 1);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
}

static void is_received_at_once(void **state)
{
	struct pair *p = *state;

	post_deferrable(p, 3000, 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_event(p, B, EV_RECV, 0)->len, 3000);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

static void is_asked_for_later(void **state)
{
	struct pair *p = *state;

	use_up_receives(p);
	post_deferrable(p, 3000, 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	defer_post_receive(p, 3000, 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 2);
	assert_int_equal(pair_event(p, B, EV_RECV, 1)->len, 3000);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 1)->status, STATUS_OK);
}

static int setup_slow(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	p->conf[B].slow_index = p->conf[B].resource_index;
	p->conf[B].slow_time = 3 * VSPAN_MS;
	core_pair_test_pair_open(p);
	pair_idle(p);
	*state = p;
	return 0;
}

/* The receive is there, and the slow index posts it after its time. */
static void slow_index_asks_after_its_time(void **state)
{
	struct pair *p = *state;

	post_deferrable(p, 3000, 0);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 0);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
	post_deferrable(p, 20, TAG);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_event(p, B, EV_RECV, 0)->len, 3000);
	defer_post_receive(p, 20, TAG);
	pair_run(p, 2 * VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_RECV), 2);
	assert_int_equal(pair_event(p, B, EV_RECV, 1)->len, 20);
}

/* The first packet comes after the receive: the target asks at once. */
static void slow_index_counts_from_deferral(void **state)
{
	struct pair *p = *state;
	int lose[] = {0, -1};

	pair_forget(p);
	p->fate = pair_lose;
	p->ctx = lose;
	post_deferrable(p, 3000, 0);
	pair_run(p, 3 * VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
	pair_run(p, 2 * VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
}

static void tags_are_matched_late(void **state)
{
	struct pair *p = *state;

	defer_post_receive(p, 10, TAG + 2);
	post_deferrable(p, 10, TAG);
	post_deferrable(p, 20, TAG + 1);
	defer_post_receive(p, 10, 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
	defer_post_receive(p, 20, TAG + 1);
	assert_int_equal(pair_event(p, B, EV_RECV, 0)->len, 20);
	defer_post_receive(p, 10, TAG);
	assert_int_equal(pair_event(p, B, EV_RECV, 1)->len, 10);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
}

/* The receive is too short: the initiator learns it when it sends again. */
static void may_be_too_long(void **state)
{
	struct pair *p = *state;

	use_up_receives(p);
	post_deferrable(p, 20, 0);
	defer_post_receive(p, 19, 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 1)->return_code,
			 RC_TOO_LONG);
}

static void needs_a_pdc(void **state)
{
	struct pair *p = *state;
	struct orc_op op = {.kind = OP_SEND,
			    .mode = OP_UUD,
			    .deferrable = true,
			    .peer = p->conf[B].addr};

	assert_int_equal(orc_reference.post(p->end[A], &op, p->now), ERR_VALUE);
	op.mode = OP_RUD;
	op.header = OP_HEADER_MEDIUM;
	assert_int_equal(orc_reference.post(p->end[A], &op, p->now), ERR_VALUE);
}

#define DEFER(f)                                             \
	cmocka_unit_test_setup_teardown(f, defer_test_setup, \
					defer_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DEFER(is_received_at_once),
		DEFER(is_asked_for_later),
		cmocka_unit_test_setup_teardown(is_asked_for_later,
						setup_no_match,
						defer_test_teardown),
		cmocka_unit_test_setup_teardown(slow_index_asks_after_its_time,
						setup_slow,
						defer_test_teardown),
		cmocka_unit_test_setup_teardown(slow_index_counts_from_deferral,
						setup_slow,
						defer_test_teardown),
		DEFER(tags_are_matched_late),
		DEFER(may_be_too_long),
		DEFER(needs_a_pdc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
