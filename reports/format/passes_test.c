/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/passes_test.c -- tests reading the pass matrix.
 */
#include "reports/format/passes.h"

#include <string.h>

#include "base/err.h"
#include "reports/golden_test.h"

static const char good[] =
	"{\"schema\":\"rung.passes/1\","
	"\"cases\":[\"uet/rud/ack-lost@target\",\"uet/rud/write@target\"],"
	"\"combinations\":200,\"variants\":["
	"{\"name\":\"one\",\"what\":\"w\",\"why\":\"y\",\"na\":[1],"
	"\"fails\":[]},"
	"{\"name\":\"two\",\"what\":\"w\",\"why\":\"y\",\"na\":[],"
	"\"fails\":[0]}]}";

static void a_pass_matrix_is_read(void **state)
{
	struct diag diag = {0};
	struct passes *p;

	(void)state;
	assert_int_equal(passes_parse(&p, "p.json", good, strlen(good), &diag),
			 0);
	assert_int_equal(p->ncases, 2);
	assert_int_equal(p->combinations, 200);
	assert_int_equal(p->nvariants, 2);
	assert_string_equal(p->variants[0].name, "one");
	assert_int_equal(p->variants[0].nna, 1);
	assert_string_equal(p->cases[p->variants[0].na[0]],
			    "uet/rud/write@target");
	assert_int_equal(p->variants[0].nfails, 0);
	assert_int_equal(p->variants[1].nfails, 1);
	passes_free(p);
}

static void broken_pass_files_say_where(void **state)
{
	static const char *const bad[][2] = {
		{"{\"schema\":\"rung.kills/1\"}", "schema"},
		{"{\"schema\":\"rung.passes/1\",\"cases\":[1],"
		 "\"combinations\":0,\"variants\":[]}",
		 "cases: entry 1 is no text"},
		{"{\"schema\":\"rung.passes/1\",\"cases\":[\"a\"],"
		 "\"combinations\":0,\"variants\":[{\"name\":\"x\","
		 "\"what\":\"\",\"why\":\"\",\"na\":[1],\"fails\":[]}]}",
		 "variants[0]: 'na' names what is no case"},
		{"{\"schema\":\"rung.passes/1\",\"cases\":[],"
		 "\"combinations\":0,\"variants\":[{\"name\":\"x\"}]}",
		 "variants[0]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag diag = {0};
		struct passes *p;

		assert_int_equal(passes_parse(&p, "p.json", bad[i][0],
					      strlen(bad[i][0]), &diag),
				 ERR_SYNTAX);
		assert_non_null(strstr(diag.text, bad[i][1]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_matrix_is_read),
		cmocka_unit_test(broken_pass_files_say_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
