/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/format/junit.h"

#include <ctype.h>

#include "reports/fixture_test.h"
#include "reports/golden_test.h"

/* ---- Well-formed XML ---- */

static bool entity_ok(const char *s)
{
	static const char *const names[] = {"&amp;",  "&lt;",  "&gt;", "&quot;",
					    "&apos;", "&#10;", "&#9;"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(s, names[i], strlen(names[i])))
			return true;
	return false;
}

/*
 * Reads one tag at |s|.  Return: what follows it, or NULL if it is malformed.
 */
static const char *tag(const char *s, char *name, bool *ret_close,
		       bool *ret_empty)
{
	size_t n = 0;

	*ret_close = *++s == '/';
	s += *ret_close;
	while ((isalpha((unsigned char)*s) || *s == '-') && n < 31)
		name[n++] = *s++;
	name[n] = 0;
	while (*s == ' ') {
		while (isalpha((unsigned char)*++s))
			;
		if (strncmp(s, "=\"", 2) != 0)
			return NULL;
		for (s += 2; *s && *s != '"'; s++)
			if (*s == '<' || (*s == '&' && !entity_ok(s)))
				return NULL;
		if (*s++ != '"')
			return NULL;
	}
	*ret_empty = *s == '/';
	s += *ret_empty;
	if (n && *s == '>')
		return s + 1;
	return NULL;
}

/*
 * Returns true if there is one root, tags nest, and there are only known
 * entities and no control characters.
 */
static bool well_formed(const char *s)
{
	static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
	char open[8][32], name[32];
	unsigned depth = 0, roots = 0;
	bool close, empty;

	if (strncmp(s, head, sizeof(head) - 1) != 0)
		return false;
	for (s += sizeof(head) - 1; *s;) {
		if (*s == '&' && !entity_ok(s))
			return false;
		if ((unsigned char)*s < 0x20 && *s != '\n')
			return false;
		if (!depth && *s != '<' && *s != '\n')
			return false;
		if (*s != '<') {
			s++;
			continue;
		}
		s = tag(s, name, &close, &empty);
		if (!s || (close && (!depth || strcmp(open[--depth], name))))
			return false;
		if (!close && !empty) {
			if (depth == 8)
				return false;
			roots += !depth;
			strcpy(open[depth++], name);
		}
	}
	return !depth && roots == 1;
}

static void the_check_refuses(void **state)
{
#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	(void)state;
	assert_true(well_formed(HEAD "<a b=\"&lt;\"><c/>x &amp; y</a>\n"));
	assert_false(well_formed("<a/>"));
	assert_false(well_formed(HEAD "<a><b></a></b>"));
	assert_false(well_formed(HEAD "<a>"));
	assert_false(well_formed(HEAD "<a>&</a>"));
	assert_false(well_formed(HEAD "<a b=\"<\"></a>"));
	assert_false(well_formed(HEAD "<a>\033</a>"));
	assert_false(well_formed(HEAD "<a></a><b></b>"));
#undef HEAD
}

/* ---- The report ---- */

static void junit_test_add(struct summary *s, struct record *r, const char *id,
			   enum verdict v, const char *reason)
{
	snprintf(r->id, sizeof(r->id), "%s", id);
	r->verdict = v;
	if (v == VERDICT_FAIL)
		r->kind = KIND_TIMING;
	else
		r->kind = KIND_NONE;
	snprintf(r->reason, sizeof(r->reason), "%s", reason);
	assert_int_equal(summary_add(s, r, NULL), 0);
}

static void junit_test_whole_run(struct text *t)
{
	struct record r = {0};
	struct summary *s;

	assert_int_equal(summary_new(&s, false), 0);
	fixture_pass(&r);
	assert_int_equal(summary_add(s, &r, "a&b.pcapng"), 0);
	fixture_fail(&r);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	junit_test_add(s, &r, "uet/rod/b@target", VERDICT_NA,
		       "no <rod> & \"such\"");
	junit_test_add(s, &r, "uet/rud/c@target", VERDICT_INCONCLUSIVE,
		       "a\033[1m\nb");
	junit_test_add(s, &r, "uet/rod/d@target", VERDICT_ERROR, "\xff");
	assert_int_equal(junit_report(t, s, fixture_about()), 0);
	summary_free(s);
	record_free(&r);
}

static bool junit_test_has(const struct text *t, const char *s)
{
	return strstr(text_cstr(t), s) != NULL;
}

static void every_verdict_has_its_element(void **state)
{
	struct text t = {0};

	(void)state;
	junit_test_whole_run(&t);
	assert_true(well_formed(text_cstr(&t)));
	assert_true(junit_test_has(&t, "<testsuites name=\"rung\" tests=\"5\" "
				       "failures=\"1\" errors=\"2\" time="));
	assert_true(junit_test_has(&t,
				   "<testsuite name=\"uet.rud\" tests=\"3\" "
				   "failures=\"1\" errors=\"1\" time="));
	assert_true(
		junit_test_has(&t, "<testsuite name=\"uet.rod\" tests=\"2\""));
	assert_true(junit_test_has(
		&t, "<testcase classname=\"uet.rud\" "
		    "name=\"send-gtd@target\" time=\"0.001500\">"));
	assert_true(junit_test_has(
		&t, "<failure type=\"protocol\" message=\"line 10: "));
	assert_true(
		junit_test_has(&t, "<skipped message=\"no &lt;rod&gt; &amp; "));
	assert_true(junit_test_has(&t, "<error type=\"inconclusive\" "
				       "message=\"a\\x1b[1m&#10;b\">"));
	assert_true(
		junit_test_has(&t, "<error type=\"error\" message=\"\\xff\">"));
	assert_true(junit_test_has(&t, "[[PROPERTY|clause=UET 3.5.20.2.2, "));
	assert_true(
		junit_test_has(&t, "[[PROPERTY|requirements=RUD-SVC-3b/dst "));
	assert_true(
		junit_test_has(&t, "! FAIL RUD-SEQ-76/dst: CACK_PSN passed"));
	text_free(&t);
}

/* The case passed; its closing fragments failed. */
static void a_torn_close_is_a_failure_of_its_own(void **state)
{
	struct record r = {0};
	struct summary *s;
	struct text t = {0};

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	fixture_pass(&r);
	r.teardown = VERDICT_FAIL;
	snprintf(r.teardown_reason, sizeof(r.teardown_reason),
		 "UET-CP-04/dst: nothing came");
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(s->totals[VERDICT_PASS], 1);
	assert_int_equal(summary_fails(s), 1);
	assert_int_equal(junit_report(&t, s, fixture_about()), 0);
	assert_true(well_formed(text_cstr(&t)));
	assert_true(junit_test_has(&t, "tests=\"1\" failures=\"1\""));
	assert_true(junit_test_has(
		&t, "<failure type=\"tear-down\" "
		    "message=\"UET-CP-04/dst: nothing came\"/>"));
	summary_free(s);
	record_free(&r);
	text_free(&t);
}

static void an_empty_run_is_a_file_too(void **state)
{
	struct summary *s;
	struct text t = {0};

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	assert_int_equal(junit_report(&t, s, fixture_about()), 0);
	assert_true(well_formed(text_cstr(&t)));
	summary_free(s);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_check_refuses),
		cmocka_unit_test(every_verdict_has_its_element),
		cmocka_unit_test(a_torn_close_is_a_failure_of_its_own),
		cmocka_unit_test(an_empty_run_is_a_file_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
