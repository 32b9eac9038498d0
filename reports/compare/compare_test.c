/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/compare/compare_test.c -- tests the comparison of two runs.
 */
#include "reports/compare/compare.h"

#include "base/err.h"
#include "reports/golden_test.h"

#define HEAD                                                                 \
	"{\"schema\":\"rung.results/1\",\"dut\":{\"spec\":\"ref\",\"name\":" \
	"\"nic\",\"version\":\"1\"},\"cases\":["

static void compare_test_one(struct text *t, const char *id, unsigned repeat,
			     const char *verdict, const char *req, unsigned ms)
{
	text_printf(t,
		    "%s{\"id\":\"%s\",\"repeat\":%u,\"title\":\"T\","
		    "\"verdict\":\"%s\",\"reason\":\"\",\"capture\":null,"
		    "\"virtual_ns\":%u000000,\"findings\":[",
		    t->s[t->len - 1] == '[' ? "" : ",", id, repeat, verdict,
		    ms);
	if (req)
		text_printf(t, "{\"requirement\":\"%s\",\"role\":\"dst\"}",
			    req);
	text_puts(t, "]}");
}

static struct results *compare_test_end(struct text *t, const char *reqs)
{
	struct diag diag = {0};
	struct results *r;

	text_printf(t, "],\"requirements\":[%s]}", reqs);
	assert_int_equal(results_parse(&r, "x", t->s, t->len, &diag), 0);
	text_free(t);
	return r;
}

static enum compare_what what(const struct compare *c, const char *id)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->cases[i].id, id) == 0)
			return c->cases[i].what;
	fail_msg("%s is not there", id);
	return COMPARE_SAME;
}

static void every_change_has_its_name(void **state)
{
	struct text ta = {0}, tb = {0};
	struct results *a, *b;
	struct compare *c;

	(void)state;
	text_puts(&ta, HEAD);
	text_puts(&tb, HEAD);
	compare_test_one(&ta, "broken", 0, "pass", NULL, 1);
	compare_test_one(&tb, "broken", 0, "fail", "R-1", 1);
	compare_test_one(&ta, "fixed", 0, "fail", "R-1", 1);
	compare_test_one(&tb, "fixed", 0, "pass", NULL, 1);
	compare_test_one(&ta, "other", 0, "fail", "R-1", 1);
	compare_test_one(&tb, "other", 0, "fail", "R-2", 1);
	compare_test_one(&ta, "same", 0, "fail", "R-1", 1);
	compare_test_one(&tb, "same", 0, "fail", "R-1", 900);
	compare_test_one(&ta, "open", 0, "pass", NULL, 1);
	compare_test_one(&tb, "open", 0, "inconclusive", NULL, 1);
	compare_test_one(&ta, "slow", 0, "pass", NULL, 10);
	compare_test_one(&tb, "slow", 0, "pass", NULL, 13);
	compare_test_one(&ta, "fast", 0, "pass", NULL, 10);
	compare_test_one(&tb, "fast", 0, "pass", NULL, 5);
	compare_test_one(&ta, "noise", 0, "pass", NULL, 10);
	compare_test_one(&tb, "noise", 0, "pass", NULL, 12);
	compare_test_one(&ta, "gone", 0, "fail", NULL, 1);
	compare_test_one(&tb, "new", 0, "pass", NULL, 1);
	compare_test_one(&tb, "new-fail", 0, "fail", NULL, 1);
	a = compare_test_end(
		&ta, "{\"id\":\"R-1\",\"role\":\"dst\",\"verdict\":\"pass\"}");
	b = compare_test_end(
		&tb, "{\"id\":\"R-1\",\"role\":\"dst\",\"verdict\":\"fail\"}");
	assert_int_equal(compare_new(&c, a, b), 0);
	assert_int_equal(what(c, "broken"), COMPARE_BROKEN);
	assert_int_equal(what(c, "fixed"), COMPARE_FIXED);
	assert_int_equal(what(c, "other"), COMPARE_OTHER);
	assert_int_equal(what(c, "same"), COMPARE_SAME);
	assert_int_equal(what(c, "open"), COMPARE_CHANGED);
	assert_int_equal(what(c, "slow"), COMPARE_SLOWER);
	assert_int_equal(what(c, "fast"), COMPARE_FASTER);
	assert_int_equal(what(c, "noise"), COMPARE_SAME);
	assert_int_equal(what(c, "gone"), COMPARE_REMOVED);
	assert_int_equal(what(c, "new"), COMPARE_ADDED);
	assert_int_equal(what(c, "new-fail"), COMPARE_BROKEN);
	assert_int_equal(c->nreqs, 1);
	assert_string_equal(c->reqs[0].a, "pass");
	assert_string_equal(c->reqs[0].b, "fail");
	compare_free(c);
	results_free(a);
	results_free(b);
}

/* One fail of three repetitions counts, and is reported. */
static void repetitions_count_at_their_worst(void **state)
{
	struct text ta = {0}, tb = {0};
	struct results *a, *b;
	struct compare *c;

	(void)state;
	text_puts(&ta, HEAD);
	text_puts(&tb, HEAD);
	for (unsigned i = 0; i < 3; i++) {
		compare_test_one(&ta, "x", i, "pass", NULL, 10 + i);
		compare_test_one(&tb, "x", i, i == 1 ? "fail" : "pass", NULL,
				 10);
	}
	a = compare_test_end(&ta, "");
	b = compare_test_end(&tb, "");
	assert_true(results_failed(b, "x"));
	assert_false(results_failed(a, "x"));
	assert_false(results_failed(a, "y"));
	assert_int_equal(compare_new(&c, a, b), 0);
	assert_int_equal(what(c, "x"), COMPARE_BROKEN);
	assert_int_equal(c->cases[0].b.runs, 3);
	assert_int_equal(c->cases[0].b.fails, 1);
	assert_int_equal(c->cases[0].a.median, 11 * VSPAN_MS);
	assert_int_equal(c->cases[0].a.spread, VSPAN_MS);
	compare_free(c);
	results_free(a);
	results_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_change_has_its_name),
		cmocka_unit_test(repetitions_count_at_their_worst),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
