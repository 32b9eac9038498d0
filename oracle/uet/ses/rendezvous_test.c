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

#define BODY_KEY ((uint64_t)1 << 63) /* with the message id */

/* Loses the requests of B while the test says so. */
static struct fate reads_are_lost(struct pair *p, unsigned from,
				  const struct dgram *d)
{
	const bool lose = *(const bool *)p->ctx;
	const bool read = from == B && pds_type_of(d->data) == PDS_RUD_REQ;

	return (struct fate){.copies = lose && read ? 0 : 1};
}

/* A read outside of the body is refused, and the send does not end by it. */
static void a_refused_read_serves_nothing(void **state)
{
	struct pair *p = *state;
	bool lose = true;
	const struct orc_op op = {.kind = OP_SEND,
				  .handle = 1,
				  .message_id = 77,
				  .rendezvous = true,
				  .len = 3000,
				  .eager = 1000};
	const struct orc_op read = {.kind = OP_READ,
				    .handle = 2,
				    .key = BODY_KEY | 77,
				    .len = 2000};

	p->fate = reads_are_lost;
	p->ctx = &lose;
	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	lose = false;
	pair_post(p, B, &read);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_event(p, B, EV_COMPLETION, 0)->status,
			 STATUS_REFUSED);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 0);
	pair_run(p, 10 * VSPAN_MS);
	is_whole(p, 0, 1, 3000);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

/* Loses the packets of A, whose copies come from another address. */
static struct fate from_elsewhere(struct pair *p, unsigned from,
				  const struct dgram *d)
{
	const struct ip_addr *elsewhere = p->ctx;
	struct dgram *copy;

	if (from == B)
		return (struct fate){.copies = 1};
	copy = malloc(sizeof(*copy));
	assert_non_null(copy);
	dgram_copy(copy, d);
	copy->src = *elsewhere;
	pair_inject(p, B, copy, p->hop);
	free(copy);
	return (struct fate){.copies = 0};
}

/* B knows A already, and reads the body of another peer at that peer. */
static void a_body_is_read_at_its_sender(void **state)
{
	struct pair *p = *state;
	struct ip_addr elsewhere = ip_addr_v4(0x7f000009u);
	const struct orc_op op = {.kind = OP_SEND,
				  .rendezvous = true,
				  .len = 100,
				  .mode = OP_ROD};
	unsigned reads = 0;

	p->fate = from_elsewhere;
	p->ctx = &elsewhere;
	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	for (size_t i = 0; i < p->nseen; i++) {
		if (p->seen[i].from == A)
			continue;
		assert_memory_equal(&p->seen[i].dst, &elsewhere,
				    sizeof(elsewhere));
		reads += pds_type_of(p->seen[i].data) == PDS_RUD_REQ;
	}
	assert_int_equal(reads, 1);
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
		cmocka_unit_test_setup_teardown(a_refused_read_serves_nothing,
						setup_of_message,
						rendezvous_test_teardown),
		cmocka_unit_test_setup_teardown(a_body_is_read_at_its_sender,
						setup_of_message,
						rendezvous_test_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
