/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/blame_test.c -- items, lists of items, and the row that an item
 * violates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suite/verdict/blame.h"

static void kinds_of_packets_have_a_class(void **state)
{
	static const char *const rows[][2] = {
		{"rud_req", "req"},
		{"rod_cc_req", "req"},
		{"ack", "ack"},
		{"ack_ccx", "ack"},
		{"nack_ccx", "nack"},
		{"cp", "cp"},
		{"rudi_req", "rudi_req"},
		{"srd_send_only_imm", "srd_req"},
		{"srd_ack", "srd_ack"},
		{"wqe_read_resp_last", "wqe_resp"},
		{"wqe_read_req", "wqe_req"},
		{"wqe_rtx_ind", "wqe_rtx_ind"},
		{"rc_write_only", "rc_req"},
		{"rc_ack", "rc_ack"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(blame_class(rows[i][0]), rows[i][1]);
	assert_string_equal(blame_class(NULL), "any");
}

static void lists_name_items(void **state)
{
	(void)state;
	assert_true(blame_names("ack.m ack.retx", "ack.retx"));
	assert_true(blame_names("ack.m,ack.retx", "ack.m"));
	assert_false(blame_names("ack.m ack.retx", "ack.ret"));
	assert_false(blame_names("ack.m ack.retx", "nack.m"));
	assert_true(blame_names("cp.* ack.m", "cp.payload"));
	assert_false(blame_names("cp.*", "cpx.payload"));
	assert_true(blame_names("any.crc", "ack.crc"));
	assert_false(blame_names("any.crc", "ack.crc_order"));
	assert_false(blame_names("", "ack.m"));
	assert_false(blame_names(NULL, "ack.m"));
	assert_int_equal(blame_width("ack.m ack.retx"), 2);
	assert_int_equal(blame_width("ack.m,cp.*"), 65);
	assert_int_equal(blame_width(NULL), 0);
}

static void items_are_kept_once(void **state)
{
	struct blame b = {.n = 0};

	(void)state;
	blame_add(&b, "ack", "m");
	blame_add(&b, "ack", "m");
	blame_add(&b, "ack", "retx");
	assert_int_equal(b.n, 2);
	assert_true(blame_has(&b, "ack.retx"));
	assert_false(blame_has(&b, "ack.p"));
	for (int i = 0; i < 2 * BLAME_MAX; i++) {
		const char word[2] = {(char)('a' + i % 26), 0};

		blame_add(&b, "req", word);
	}
	assert_int_equal(b.n, BLAME_MAX);
}

static const struct req_ref three[] = {
	{.id = REQ_RUD_SEQ_76, .role = REQ_DST},
	{.id = REQ_RUD_SVC_3, .role = REQ_DST, .items = "ack.missing"},
	{.id = REQ_UET_ACK_17,
	 .role = REQ_DST,
	 .items = "ack.cack_psn,ack.missing"},
};

static const struct blame_of of_three = {three, 3, FAMILY_UET, REQ_DST};

/* The line's own list is preferred to the table; two ids may share an item. */
static void the_line_says_it(void **state)
{
	struct blame_row rows[BLAME_ROWS];

	(void)state;
	assert_int_equal(blame_choose(&of_three, "ack.cack_psn", rows), 1);
	assert_int_equal(rows[0].req, REQ_UET_ACK_17);
	assert_int_equal(rows[0].by, BLAME_BY_LINE);
	assert_int_equal(blame_choose(&of_three, "ack.missing", rows), 2);
	assert_int_equal(rows[0].req, REQ_RUD_SVC_3);
	assert_int_equal(rows[1].req, REQ_UET_ACK_17);
}

/* An id with items on the line governs only these. */
static void an_id_with_items_governs_those_alone(void **state)
{
	static const struct req_ref refs[] = {
		{.id = REQ_UET_ACK_02, .role = REQ_DST, .items = "ack.retx"},
		{.id = REQ_RUD_SEQ_76, .role = REQ_DST},
	};
	const struct blame_of of = {refs, 2, FAMILY_UET, REQ_DST};
	struct blame_row row[BLAME_ROWS];

	(void)state;
	assert_int_equal(blame_choose(&of, "ack.m", row), 1);
	assert_int_not_equal(row[0].by, BLAME_BY_LINE);
	assert_int_not_equal(row[0].by, BLAME_BY_TABLE);
}

/* A row of another family is not chosen, and every item gets a row. */
static void something_is_always_blamed(void **state)
{
	static const struct req_ref refs[] = {
		{.id = REQ_UET_ACK_32, .role = REQ_SRC}, /* level S */
		{.id = REQ_RUD_SEQ_75, .role = REQ_SRC},
	};
	const struct blame_of of = {refs, 2, FAMILY_UET, REQ_SRC};
	struct blame_row row[BLAME_ROWS];

	(void)state;
	assert_int_equal(blame_choose(&of, "none.such", row), 1);
	assert_int_equal(row[0].by, BLAME_BY_FIRST);
	assert_int_equal(row[0].req, REQ_RUD_SEQ_75);
}

/*
 * judge/governs.def: the general row is one that applies to the case's subject.
 */
static void general_rows_go_by_family_and_seat(void **state)
{
	static const struct req_ref dst = {.id = REQ_RUD_SEQ_84c,
					   .role = REQ_DST};
	const struct blame_of of = {&dst, 1, FAMILY_UET, REQ_DST};
	struct blame_row row[BLAME_ROWS];

	(void)state;
	assert_int_equal(blame_choose(&of, "ack.m", row), 1);
	assert_int_equal(row[0].by, BLAME_BY_GENERAL);
	assert_int_equal(row[0].req, REQ_UET_ACK_02);
	assert_int_equal(row[0].role, REQ_DST);
}

/* Context, destination and SYN of a packet have the same row on each line. */
static void a_field_with_a_row_is_not_of_the_line(void **state)
{
	static const struct req_ref src = {.id = REQ_SRD_38, .role = REQ_SRC};
	static const struct req_ref cp = {.id = REQ_UET_CP_00, .role = REQ_SRC};
	const struct blame_of of = {&src, 1, FAMILY_SRD, REQ_SRC};
	const struct blame_of of_cp = {&cp, 1, FAMILY_UET, REQ_SRC};
	struct blame_row row[BLAME_ROWS];

	(void)state;
	assert_int_equal(blame_choose(&of, "srd_req.syn", row), 1);
	assert_int_equal(row[0].req, REQ_SRD_11);
	assert_int_equal(blame_choose(&of, "srd_req.rcid", row), 1);
	assert_int_equal(row[0].req, REQ_SRD_11);
	assert_int_equal(blame_choose(&of, "srd_req.dest_qp", row), 1);
	assert_int_equal(row[0].req, REQ_SRD_01);
	assert_int_equal(blame_choose(&of_cp, "cp.syn", row), 1);
	assert_int_equal(row[0].req, REQ_UET_PDC_24);
}

/* A deviation that may occur on every line does not violate this line's ids. */
static void a_common_row_comes_before_the_ids_of_the_line(void **state)
{
	static const struct req_ref ref = {.id = REQ_UET_PDC_40,
					   .role = REQ_DST};
	static const struct req_ref named = {
		.id = REQ_UET_PDC_40, .role = REQ_DST, .items = "ack.missing"};
	struct blame_of of = {&ref, 1, FAMILY_UET, REQ_DST};
	struct blame_row row[BLAME_ROWS];

	(void)state;
	assert_true(blame_names(blame_governed(ref.id), "ack.missing"));
	assert_int_equal(blame_choose(&of, "ack.missing", row), 1);
	assert_int_equal(row[0].by, BLAME_BY_COMMON);
	assert_int_equal(row[0].req, REQ_RUD_SVC_3);
	of.refs = &named;
	assert_int_equal(blame_choose(&of, "ack.missing", row), 1);
	assert_int_equal(row[0].by, BLAME_BY_LINE);
	assert_int_equal(row[0].req, REQ_UET_PDC_40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_of_packets_have_a_class),
		cmocka_unit_test(lists_name_items),
		cmocka_unit_test(items_are_kept_once),
		cmocka_unit_test(the_line_says_it),
		cmocka_unit_test(an_id_with_items_governs_those_alone),
		cmocka_unit_test(something_is_always_blamed),
		cmocka_unit_test(general_rows_go_by_family_and_seat),
		cmocka_unit_test(a_field_with_a_row_is_not_of_the_line),
		cmocka_unit_test(a_common_row_comes_before_the_ids_of_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
