/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/atomic_test.c -- tests atomics between two endpoints: executed
 * once under loss and duplication, and a target that requests a close.
 */
#include "base/pattern.h"
#include "oracle/core/pair_test.h"
#include "oracle/uet/pds/pds_table.h"

#define KEY 5

static int setup_with(void **state, uint32_t max_ack_data)
{
	struct pair *p = malloc(sizeof(*p));
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = KEY, .len = 64};
	const struct orc_op small = {.kind = OP_EXPOSE, .len = 64};

	assert_non_null(p);
	pair_conf(p);
	p->conf[B].max_ack_data = max_ack_data;
	p->conf[B].close_req_time = VSPAN_S;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_post(p, B, &expose);
	pair_post(p, B, &small);
	*state = p;
	return 0;
}

static int atomic_test_setup(void **state)
{
	return setup_with(state, 16);
}

static int setup_return(void **state)
{
	return setup_with(state, 0);
}

static int atomic_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

/* Returns 64 bits of memory, little-endian. */
static uint64_t value_at(const struct pair *p, unsigned side, uint64_t key,
			 uint64_t offset)
{
	const uint8_t *bytes = NULL;
	uint64_t v = 0;
	size_t len;

	assert_int_equal(orc_reference.memory(p->end[side], key, &bytes, &len),
			 0);
	assert_true(offset + 8 <= len);
	for (unsigned i = 8; i-- > 0;)
		v = v << 8 | bytes[offset + i];
	return v;
}

static struct orc_op atomic_test_atomic(uint8_t opcode, bool fetch,
					uint64_t operand)
{
	return (struct orc_op){
		.kind = OP_ATOMIC,
		.message_id = 1,
		.key = KEY,
		.offset = 16,
		.amo = {.opcode = opcode,
			.datatype = AMO_UINT64,
			.fetch = fetch,
			.operand = operand},
	};
}

static void is_done(void **state)
{
	struct pair *p = *state;
	const struct orc_op op = atomic_test_atomic(AMO_OP_SUM, false, 1000);
	const uint64_t before = value_at(p, B, KEY, 16);

	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	assert_true(value_at(p, B, KEY, 16) == before + 1000);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status, STATUS_OK);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->len, 8);
	assert_int_equal(pair_event(p, B, EV_RECV, 0)->opcode, SES_ATOMIC);
	/* as for a write: figure 3-75, no response is stored */
	rung_ack(p, 1, B, 333, 333);
}

/* The sequence of figure 3-76: the data in the ACK, held until its clear. */
static void atomic_test_fetches(void **state)
{
	struct pair *p = *state;
	const struct orc_op op =
		atomic_test_atomic(AMO_OP_MAX, true, UINT64_MAX);
	const uint64_t before = value_at(p, B, KEY, 16);

	pair_post(p, A, &op);
	pair_run(p, 10 * VSPAN_MS);
	assert_true(value_at(p, B, KEY, 16) == UINT64_MAX);
	assert_true(value_at(p, A, 0, 0) == before);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(rung_ack(p, 1, B, 333, 332).req, PDS_REQ_CLEAR);
	assert_int_equal(rung_rsp(p, 1).opcode, SES_RESPONSE_W_DATA);
	rung_cp(p, 2, A, PDS_CP_CLEAR_COMMAND, 333);
}

/*
 * A lost ACK: the stored response is repeated, and the operand is added only
 * once.
 */
static void is_done_once(void **state)
{
	struct pair *p = *state;
	struct orc_op op = atomic_test_atomic(AMO_OP_SUM, true, 7);
	const uint64_t before = value_at(p, B, KEY, 16);
	int lose[] = {1000, 1001, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	pair_post(p, A, &op);
	pair_run(p, 100 * VSPAN_MS);
	assert_true(value_at(p, B, KEY, 16) == before + 7);
	assert_true(value_at(p, A, 0, 0) == before);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	rung_ack(p, 5, B, 333, 332);
	assert_memory_equal(p->seen[1].data + pds_ack_len,
			    p->seen[5].data + pds_ack_len, 28);
}

static struct fate doubled(struct pair *p, unsigned from, const struct dgram *d)
{
	(void)p;
	(void)from;
	(void)d;
	return (struct fate){.copies = 3};
}

static void copies_do_nothing(void **state)
{
	struct pair *p = *state;
	struct orc_op op = atomic_test_atomic(AMO_OP_SUM, false, 7);
	const uint64_t before = value_at(p, B, KEY, 16);

	p->fate = doubled;
	for (unsigned i = 0; i < 20; i++) {
		op.amo.fetch = i % 2;
		op.message_id = (uint16_t)(i + 1);
		pair_post(p, A, &op);
	}
	pair_run(p, 100 * VSPAN_MS);
	assert_true(value_at(p, B, KEY, 16) == before + 140);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 20);
}

/* Max_ACK_Data_Size is too small, so return data carries the old value. */
static void returns_what_was_there(void **state)
{
	struct pair *p = *state;
	const struct orc_op first = atomic_test_atomic(AMO_OP_SUM, true, 5);
	struct orc_op second = atomic_test_atomic(AMO_OP_WRITE, false, 1);
	const struct ses_policy late = {.count = 1, .delay = VSPAN_MS};
	const uint64_t before = value_at(p, B, KEY, 16);

	pair_policy(p, late);
	pair_post(p, A, &first);
	second.message_id = 2;
	pair_post(p, A, &second);
	pair_run(p, 10 * VSPAN_MS);
	assert_true(value_at(p, B, KEY, 16) == 1);
	assert_true(value_at(p, A, 0, 0) == before);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RET), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
}

static void compares_and_swaps(void **state)
{
	struct pair *p = *state;
	struct orc_op op = atomic_test_atomic(AMO_CSWAP, true, 42);
	const uint64_t before = value_at(p, B, KEY, 16);

	op.amo.compare = before + 1;
	pair_post(p, A, &op);
	pair_run(p, 10 * VSPAN_MS);
	assert_true(value_at(p, B, KEY, 16) == before);
	op.amo.compare = before;
	pair_post(p, A, &op);
	pair_run(p, 10 * VSPAN_MS);
	assert_true(value_at(p, B, KEY, 16) == 42);
	assert_true(value_at(p, A, 0, 0) == before);
}

static void all_headers(void **state)
{
	struct pair *p = *state;

	for (unsigned i = 0; i < 3; i++) {
		struct orc_op op = atomic_test_atomic(AMO_OP_READ, true, 0);

		op.header = (enum op_header)i;
		op.message_id = i ? 0 : 1;
		op.key = i == OP_HEADER_SMALL ? 0 : KEY;
		pair_post(p, A, &op);
		pair_run(p, 10 * VSPAN_MS);
		assert_true(value_at(p, A, 0, 0) ==
			    pattern_word(0, pattern_memory(op.key), 2));
		assert_int_equal(pair_event(p, A, EV_COMPLETION, i)->status,
				 STATUS_OK);
	}
}

static void atomic_test_refusals(void **state)
{
	static const struct {
		uint8_t opcode, datatype;
		uint64_t offset, key;
		uint8_t rc;
	} cases[] = {
		{AMO_MSWAP, AMO_UINT64, 16, KEY, RC_AMO_UNSUPPORTED_OP},
		{AMO_OP_BOR, AMO_DOUBLE, 16, KEY, RC_AMO_UNSUPPORTED_OP},
		{AMO_OP_SUM, 0x09, 16, KEY, RC_AMO_UNSUPPORTED_DT},
		{AMO_OP_SUM, AMO_UINT64, 12, KEY, RC_AMO_UNALIGNED},
		{AMO_OP_SUM, AMO_UINT64, 16, 77, RC_BAD_MKEY},
		{AMO_OP_SUM, AMO_UINT64, 64, KEY, RC_BAD_ADDR},
	};
	struct pair *p = *state;
	const uint64_t before = value_at(p, B, KEY, 16);

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct orc_op op =
			atomic_test_atomic(cases[i].opcode, i % 2, 3);
		const struct orc_event *ev;

		op.amo.datatype = cases[i].datatype;
		op.offset = cases[i].offset;
		op.key = cases[i].key;
		pair_post(p, A, &op);
		pair_run(p, 10 * VSPAN_MS);
		ev = pair_event(p, A, EV_COMPLETION, i);
		assert_int_equal(ev->status, STATUS_REFUSED);
		assert_int_equal(ev->return_code, cases[i].rc);
	}
	assert_true(value_at(p, B, KEY, 16) == before);
}

/* A datatype without a size is refused. */
static void no_such_datatype(void **state)
{
	struct pair *p = *state;
	struct orc_op op = atomic_test_atomic(AMO_OP_SUM, false, 0);

	op.peer = p->conf[B].addr;
	op.amo.datatype = 0x33;
	assert_int_equal(orc_reference.post(p->end[A], &op, p->now), ERR_VALUE);
}

/* ---- ask_close ---- */

static void atomic_test_ask(struct pair *p, enum op_close how)
{
	const struct orc_op op = {.kind = OP_ASK_CLOSE, .close = how};

	pair_post(p, B, &op);
}

static void assert_closed(const struct pair *p)
{
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t i = 0; i < p->end[side]->pds.npdcs; i++)
			assert_int_equal(pds_at(&p->end[side]->pds, i)->state,
					 PDC_CLOSED);
}

static void close_by_both(void **state)
{
	struct pair *p = *state;

	atomic_test_ask(p, OP_CLOSE_BOTH);
	pair_run(p, 10 * VSPAN_MS);
	rung_cp(p, 0, B, PDS_CP_CLOSE_REQUEST, 0);
	assert_closed(p);
}

static void close_by_cp(void **state)
{
	struct pair *p = *state;

	atomic_test_ask(p, OP_CLOSE_CP);
	pair_send(p, 1, 64);
	pair_run(p, 10 * VSPAN_MS);
	for (size_t i = 0; i < p->nseen; i++)
		if (p->seen[i].from == B &&
		    pds_type_of(p->seen[i].data) == PDS_ACK) {
			struct pds_ack h;

			pds_ack_get(&h, p->seen[i].data);
			assert_int_equal(h.req, PDS_REQ_NONE);
		}
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_closed(p);
}

/*
 * The target sends no packet for the close: the next ACK carries the request.
 */
static void close_by_ack(void **state)
{
	struct pair *p = *state;

	atomic_test_ask(p, OP_CLOSE_ACK);
	pair_run(p, 10 * VSPAN_MS);
	assert_int_equal(p->nseen, 0);
	pair_send(p, 1, 64);
	pair_run(p, 10 * VSPAN_MS);
	assert_int_equal(rung_ack(p, 1, B, 333, 333).req, PDS_REQ_CLOSE);
	rung_cp(p, 2, A, PDS_CP_CLOSE_COMMAND, 0);
	assert_closed(p);
}

static void nobody_to_ask(void **state)
{
	struct pair *p = *state;
	struct orc_op op = {.kind = OP_ASK_CLOSE};

	op.peer = p->conf[B].addr; /* A is not a target */
	assert_int_equal(orc_reference.post(p->end[A], &op, p->now), ERR_STATE);
	op.peer = ip_addr_v4(1);
	assert_int_equal(orc_reference.post(p->end[B], &op, p->now), ERR_STATE);
}

#define PAIR(f)                                               \
	cmocka_unit_test_setup_teardown(f, atomic_test_setup, \
					atomic_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PAIR(is_done),
		PAIR(atomic_test_fetches),
		PAIR(is_done_once),
		PAIR(copies_do_nothing),
		cmocka_unit_test_setup_teardown(returns_what_was_there,
						setup_return,
						atomic_test_teardown),
		PAIR(compares_and_swaps),
		PAIR(all_headers),
		PAIR(atomic_test_refusals),
		PAIR(no_such_datatype),
		PAIR(close_by_both),
		PAIR(close_by_cp),
		PAIR(close_by_ack),
		PAIR(nobody_to_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
