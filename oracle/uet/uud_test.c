/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/uud_test.c -- tests datagrams between two endpoints: sent once,
 * delivered as they arrive, never answered.
 */
#include "base/pattern.h"
#include "oracle/core/pair_test.h"

static int uud_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	core_pair_test_pair_open(p);
	*state = p;
	return 0;
}

static int uud_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static struct orc_op uud_test_datagram(uint32_t len, enum op_header header)
{
	return (struct orc_op){
		.kind = OP_SEND,
		.mode = OP_UUD,
		.handle = 7,
		.header = header,
		.len = len,
	};
}

static int uud_test_try_post(struct pair *p, struct orc_op op)
{
	op.peer = p->conf[B].addr;
	return orc_reference.post(p->end[A], &op, p->now);
}

static void is_delivered(void **state)
{
	struct pair *p = *state;
	const uint8_t *bytes = NULL;
	struct uud_req h;
	struct ses_req req;
	size_t n;

	for (int header = OP_HEADER_STD; header <= OP_HEADER_SMALL; header++) {
		struct orc_op op =
			uud_test_datagram(64, (enum op_header)header);

		pair_forget(p);
		pair_post(p, A, &op);
		assert_int_equal(orc_reference.deadline(p->end[A]),
				 VTIME_NEVER);
		pair_run(p, VSPAN_S);
		assert_int_equal(p->nseen, 1);
		uud_req_get(&h, rung(p, 0, A, PDS_UUD_REQ)->data);
		assert_int_equal(h.rsvd_9 | h.rsvd_16, 0);
		assert_true(ses_req_get(&req, h.next_hdr,
					p->seen[0].data + uud_req_len,
					p->seen[0].len - uud_req_len) > 0);
		assert_int_equal(req.opcode, SES_DATAGRAM_SEND);
		assert_int_equal(req.message_id, 0);
		assert_true(req.som && req.eom);
		assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
		assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 1);
		assert_int_equal(pair_count(p, B, EV_RECV), 1);
		assert_int_equal(orc_reference.memory(p->end[B], 0, &bytes, &n),
				 0);
		assert_int_equal(n, 64);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(bytes[i], pattern_byte(0, 7, i));
	}
}

static struct fate uud_test_nothing(struct pair *p, unsigned from,
				    const struct dgram *d)
{
	(void)p;
	(void)from;
	(void)d;
	return (struct fate){.copies = 0};
}

static void is_lost(void **state)
{
	struct pair *p = *state;
	struct orc_op op = uud_test_datagram(64, OP_HEADER_STD);

	p->fate = uud_test_nothing;
	pair_post(p, A, &op);
	pair_run(p, VSPAN_S);
	assert_int_equal(p->nseen, 1);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status, STATUS_OK);
}

static void only_one_packet_sends(void **state)
{
	struct pair *p = *state;
	struct orc_op op = uud_test_datagram(1025, OP_HEADER_STD);

	assert_int_equal(uud_test_try_post(p, op), ERR_VALUE);
	op.len = 1024;
	assert_int_equal(uud_test_try_post(p, op), 0);
	op.kind = OP_WRITE;
	assert_int_equal(uud_test_try_post(p, op), ERR_VALUE);
	op.kind = OP_READ;
	assert_int_equal(uud_test_try_post(p, op), ERR_VALUE);
}

static void without_room(void **state)
{
	struct pair *p = *state;
	struct orc_op op = uud_test_datagram(64, OP_HEADER_STD);
	const struct orc_op recv = {
		.kind = OP_POST_RECV, .len = 64, .count = 1};

	pair_post(p, B, &recv);
	pair_post(p, A, &op);
	pair_post(p, A, &op);
	pair_run(p, VSPAN_S);
	assert_int_equal(p->sent[B], 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_count(p, B, EV_DROP), 1);
}

/*
 * A datagram truncated anywhere, or another packet: no answer, and it is
 * counted.
 */
static void malformed(void **state)
{
	struct pair *p = *state;
	struct orc_op op = uud_test_datagram(16, OP_HEADER_STD);
	static struct dgram d;
	unsigned wrong = 0;
	size_t len;

	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	len = p->seen[0].len;
	d.src = p->conf[A].addr;
	d.dst = p->conf[B].addr;
	memcpy(d.data, p->seen[0].data, len);
	pair_forget(p);
	for (d.len = 2; d.len < len; d.len++, wrong++)
		pair_inject(p, B, &d, 0);
	for (unsigned opcode = 0; opcode < 64; opcode++) {
		if (opcode == SES_DATAGRAM_SEND)
			continue;
		d.data[uud_req_len] = (uint8_t)opcode;
		pair_inject(p, B, &d, 0);
		wrong++;
	}
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_count(p, B, EV_DROP), wrong);
	assert_int_equal(p->nseen, 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
}

/* A policy applies to answers, so a datagram does not count against it. */
static void leaves_policies_alone(void **state)
{
	struct pair *p = *state;
	struct orc_op op = uud_test_datagram(16, OP_HEADER_STD);

	pair_policy(p, (struct ses_policy){.nack_code = NACK_NO_PKT_BUFFER,
					   .count = 1});
	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->sent[B], 0);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	pair_send(p, 5, 8);
	pair_run(p, VSPAN_MS / 2);
	rung_nack(p, 2, B, NACK_NO_PKT_BUFFER, 332);
}

int main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, uud_test_setup, uud_test_teardown)
	const struct CMUnitTest tests[] = {
		TEST(is_delivered),
		TEST(is_lost),
		TEST(only_one_packet_sends),
		TEST(without_room),
		TEST(malformed),
		TEST(leaves_policies_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
