/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/kills_test.c -- tests reading the kill matrix, and the
 * ranking.
 */
#include "reports/format/kills.h"

#include "base/err.h"
#include "reports/fixture_test.h"
#include "reports/golden_test.h"

static const char good[] =
	"{\"schema\":\"rung.kills/1\","
	"\"cases\":[\"uet/rud/ack-lost@target\",\"uet/rud/send-gtd@target\","
	"\"uet/rud/write@target\"],"
	"\"rows\":[\"RUD-SEQ-76/dst\",\"RUD-SVC-7/dst\",\"RUD-SVC-5/src\"],"
	"\"mutants\":["
	"{\"name\":\"other\",\"violates\":\"RUD-SVC-5/src\",\"what\":\"o\","
	"\"fails\":[[0,2]]},"
	"{\"name\":\"half\",\"violates\":\"RUD-SVC-7/dst\",\"what\":\"h\","
	"\"fails\":[[1,1]]},"
	"{\"name\":\"same\",\"violates\":\"RUD-SEQ-76/dst\",\"what\":\"s\","
	"\"fails\":[[1,0,1],[2,0]]}]}";

static struct kills *kills_test_parse(const char *text)
{
	struct diag diag = {0};
	struct kills *k;

	assert_int_equal(kills_parse(&k, "k.json", text, strlen(text), &diag),
			 0);
	return k;
}

static void a_matrix_is_read(void **state)
{
	struct kills *k = kills_test_parse(good);

	(void)state;
	assert_int_equal(k->ncases, 3);
	assert_int_equal(k->nmutants, 3);
	assert_string_equal(k->mutants[2].name, "same");
	assert_int_equal(k->mutants[2].nfails, 2);
	assert_int_equal(k->mutants[2].nkills, 2);
	assert_int_equal(k->mutants[2].fails[0].nrows, 2);
	kills_free(k);
}

/* The device fails send-gtd under SEQ-76 and SVC-7, and passes ack-lost. */
static struct summary *kills_test_device(void)
{
	struct record r = {0};
	struct summary *s;

	assert_int_equal(summary_new(&s, false), 0);
	fixture_loss(&r);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	fixture_fail(&r);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	record_free(&r);
	return s;
}

/* write@target did not run here, so "same" fails exactly the same pairs. */
static void the_nearest_comes_first(void **state)
{
	struct kills *k = kills_test_parse(good);
	struct summary *s = kills_test_device();
	struct kills_like like[3];

	(void)state;
	assert_int_equal(kills_nearest(k, s, like, 3), 2);
	assert_string_equal(like[0].mutant->name, "same");
	assert_true(like[0].score > 0.999);
	assert_int_equal(like[0].both, 1);
	assert_int_equal(like[0].mine, 1);
	assert_int_equal(like[0].mutants, 1);
	assert_string_equal(like[1].mutant->name, "half");
	assert_true(like[1].score > 0.49 && like[1].score < 0.51);
	assert_int_equal(kills_nearest(k, s, like, 1), 1);
	assert_string_equal(like[0].mutant->name, "same");
	summary_free(s);
	kills_free(k);
}

static void who_passes_is_like_nobody(void **state)
{
	struct kills *k = kills_test_parse(good);
	struct record r = {0};
	struct kills_like like[3];
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	fixture_pass(&r);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(kills_nearest(k, s, like, 3), 0);
	record_free(&r);
	summary_free(s);
	kills_free(k);
}

static void broken_files_say_where(void **state)
{
	static const char *const bad[][2] = {
		{"", "no JSON"},
		{"{\"schema\":\n \"rung.kills/1\",,}", "no JSON"},
		{"[]", "this is no rung.kills/1"},
		{"{\"schema\":\"rung.results/1\"}",
		 "the schema is 'rung.results/1'"},
		{"{\"schema\":\"rung.kills/1\",\"cases\":[],\"rows\":[]}",
		 "'mutants' is missing"},
		{"{\"schema\":\"rung.kills/1\",\"cases\":[1],\"rows\":[],"
		 "\"mutants\":[]}",
		 "cases: entry 1 is no text"},
		{"{\"schema\":\"rung.kills/1\",\"cases\":[\"b\",\"a\"],"
		 "\"rows\":[],\"mutants\":[]}",
		 "cases: entry 2 is not in order"},
		{"{\"schema\":\"rung.kills/1\",\"cases\":[],\"rows\":[],"
		 "\"mutants\":[{\"name\":\"x\",\"what\":\"\"}]}",
		 "mutants[0]: 'violates' is missing"},
		{"{\"schema\":\"rung.kills/1\",\"cases\":[\"a\"],\"rows\":[],"
		 "\"mutants\":[{\"name\":\"x\",\"what\":\"\",\"violates\":"
		 "\"r\",\"fails\":[[0,0]]}]}",
		 "mutants[0]: 'fails' names what is not listed"},
		{"{\"schema\":\"rung.kills/1\",\"cases\":[\"a\"],\"rows\":[],"
		 "\"mutants\":[{\"name\":\"x\",\"what\":\"\",\"violates\":"
		 "\"r\",\"fails\":[[0]]}]}",
		 "mutants[0]: 'fails' wants a case and its rows"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag diag = {0};
		struct kills *k;

		assert_int_equal(kills_parse(&k, "k.json", bad[i][0],
					     strlen(bad[i][0]), &diag),
				 ERR_SYNTAX);
		assert_string_equal(diag.file, "k.json");
		assert_non_null(strstr(diag.text, bad[i][1]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_matrix_is_read),
		cmocka_unit_test(the_nearest_comes_first),
		cmocka_unit_test(who_passes_is_like_nobody),
		cmocka_unit_test(broken_files_say_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
