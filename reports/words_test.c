/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/words.h"

#include "reports/golden_test.h"

static void words_test_is(const char *line, const char *want, bool more)
{
	struct text t = {0};

	assert_int_equal(words_control(&t, line, false), more);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

static void lines_become_words(void **state)
{
	(void)state;
	words_test_is("{\"id\":7,\"verb\":\"send\",\"peer\":\"127.0.0.2\","
		      "\"len\":64}",
		      "send len=64", true);
	words_test_is("{\"id\":7,\"ok\":true}\n", "ok", false);
	words_test_is("{\"id\":7,\"ok\":true,\"digest\":3}", "ok digest=3",
		      true);
	words_test_is("{\"id\":7,\"ok\":false}", "not ok", true);
	words_test_is("{\"id\":7,\"error\":\"unsupported\"}",
		      "error unsupported", true);
	words_test_is(
		"{\"event\":\"completion\",\"status\":\"ok\",\"x\":[1,null]}",
		"completion status=ok x=[1,null]", true);
	words_test_is("{\"event\":\"a\",\"s\":\"\\u001b\"}", "a s=\\x1b", true);
	words_test_is("garbage \033", "garbage \\x1b", true);
	words_test_is("[1]", "[1]", true);
	words_test_is("{\"verb\":\"w\",\"d\":"
		      "\"0123456789012345678901234567890123456789"
		      "0123456789\"}",
		      "w d=012345678901234567890123456789012345678901234567...",
		      true);
}

static void events_can_be_brief(void **state)
{
	struct text t = {0};

	(void)state;
	words_control(&t,
		      "{\"event\":\"pds_ses_rx_req\",\"rx_pkt_handle\":9,"
		      "\"msg_id\":1,\"orig_psn\":7,\"len\":64}",
		      true);
	assert_string_equal(text_cstr(&t), "pds_ses_rx_req msg_id=1 len=64");
	text_clear(&t);
	words_control(&t, "{\"id\":1,\"verb\":\"send\",\"offset\":4}", true);
	assert_string_equal(text_cstr(&t), "send offset=4");
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_words),
		cmocka_unit_test(events_can_be_brief),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
