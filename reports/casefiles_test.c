/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/casefiles.h"

#include <jansson.h>

#include "reports/fixture_test.h"
#include "reports/golden_test.h"

static void control_keeps_its_order(void **state)
{
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_pass(&r);
	fixture_line(&r, REC_EVENT, 5, "no \xff json");
	assert_int_equal(casefile_control(&t, &r), 0);
	assert_string_equal(
		text_cstr(&t),
		"{\"at_ns\":190000,\"dir\":\"request\",\"line\":{\"id\":7,"
		"\"verb\":\"ses_policy\",\"gtd\":true}}\n"
		"{\"at_ns\":195000,\"dir\":\"answer\",\"line\":{\"id\":7,"
		"\"ok\":true}}\n"
		"{\"at_ns\":210000,\"dir\":\"event\",\"line\":{\"event\":"
		"\"pds_ses_rx_req\",\"message_id\":1,\"len\":64}}\n"
		"{\"at_ns\":5,\"dir\":\"event\",\"line\":\"no \\\\xff json\"}"
		"\n");
	text_free(&t);
	record_free(&r);
}

static json_int_t casefiles_test_number(const json_t *o, const char *a,
					const char *b)
{
	const json_t *v = json_object_get(o, a);

	return json_integer_value(b ? json_object_get(v, b) : v);
}

static void integrity_counts(void **state)
{
	struct record r = {0};
	struct text t = {0};
	json_t *o, *doubts;

	(void)state;
	fixture_loss(&r);
	r.late = true;
	r.slack = 7000;
	r.entropy_lost = 4;
	r.clock = "nic";
	r.doubts[DOUBT_TRUNCATED] = (struct rec_doubt){3, 7};
	assert_int_equal(casefile_integrity(&t, &r), 0);
	o = json_loads(text_cstr(&t), 0, NULL);
	assert_non_null(o);
	assert_int_equal(casefiles_test_number(o, "jitter_ns", NULL), 20000);
	assert_int_equal(casefiles_test_number(o, "entropy_lost", NULL), 4);
	assert_true(json_is_true(json_object_get(o, "late")));
	assert_int_equal(json_integer_value(json_object_get(o, "slack_ns")),
			 7000);
	assert_string_equal(json_string_value(json_object_get(o, "clock")),
			    "nic");
	doubts = json_object_get(o, "doubts");
	assert_int_equal(json_array_size(doubts), 1);
	doubts = json_array_get(doubts, 0);
	assert_string_equal(json_string_value(json_object_get(doubts, "what")),
			    "truncated");
	assert_int_equal(casefiles_test_number(doubts, "count", NULL), 3);
	assert_int_equal(casefiles_test_number(doubts, "after_frame", NULL), 7);
	assert_int_equal(casefiles_test_number(o, "to_dut", "packets"), 6);
	assert_int_equal(casefiles_test_number(o, "to_dut", "dropped"), 1);
	assert_int_equal(casefiles_test_number(o, "to_dut", "delayed"), 1);
	assert_int_equal(casefiles_test_number(o, "to_dut", "duplicate"), 1);
	assert_int_equal(casefiles_test_number(o, "from_dut", "dropped"), 1);
	assert_int_equal(casefiles_test_number(o, "from_dut", "changed"), 1);
	json_decref(o);
	text_free(&t);
	record_free(&r);
}

static void a_declaration_is_told_whole(void **state)
{
	static const char *const claims[] = {"rud", "response.gtd"};
	struct decl_field field = {.field = "memory_key", .value = UINT64_MAX};
	const struct decl d = {
		.name = "nic",
		.version = "1.0.1",
		.claims = claims,
		.nclaims = 2,
		.job_id = 0x1234,
		.rto = {.value = 100 * VSPAN_MS, .tolerance = VSPAN_MS},
		.crc = true,
		.gtd_cause = {&field, 1 << 5, CAUSE_FIRST},
	};
	struct text t = {0};
	json_t *o;

	(void)state;
	assert_int_equal(casefile_decl(&t, &d), 0);
	o = json_loads(text_cstr(&t), 0, NULL);
	assert_non_null(o);
	assert_int_equal(json_object_size(o), 26);
	assert_int_equal(casefiles_test_number(o, "job_id", NULL), 0x1234);
	assert_int_equal(casefiles_test_number(o, "rto", "value_ns"),
			 100 * VSPAN_MS);
	assert_non_null(strstr(text_cstr(&t), "\"18446744073709551615\""));
	json_decref(o);
	text_clear(&t);
	assert_int_equal(casefile_decl(&t, NULL), 0);
	assert_string_equal(text_cstr(&t), "null\n");
	text_free(&t);
}

static void the_ladder_is_verbose(void **state)
{
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_pass(&r);
	casefile_ladder(&t, &r);
	assert_null(strstr(text_cstr(&t), "opening:"));
	assert_non_null(strstr(text_cstr(&t), "=> ok"));
	text_free(&t);
	record_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(control_keeps_its_order),
		cmocka_unit_test(integrity_counts),
		cmocka_unit_test(a_declaration_is_told_whole),
		cmocka_unit_test(the_ladder_is_verbose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
