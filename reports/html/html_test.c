/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_test.c -- tests the text of report.html, and that untrusted
 * text cannot break its markup.  tests/html checks it in a browser.
 */
#include "reports/html/html.h"

#include "reports/fixture_test.h"
#include "reports/golden_test.h"

static struct summary *html_test_begin(bool draw)
{
	struct summary *s;

	assert_int_equal(summary_new(&s, false), 0);
	if (draw)
		summary_draw(s, 4000);
	return s;
}

static void html_test_add(struct summary *s, struct record *r,
			  const char *capture)
{
	assert_int_equal(summary_add(s, r, capture), 0);
}

static void page(struct text *t, struct summary *s, const struct about *a)
{
	summary_sort(s);
	assert_int_equal(html_report(t, s, a, NULL, NULL), 0);
}

static void want(const struct text *t, const char *piece)
{
	if (!strstr(text_cstr(t), piece))
		fail_msg("not there: %s", piece);
}

/* The data of the pass matrix numbers the cases that a variant excludes. */
static void legal_variants_are_shown(void **state)
{
	static const char *cases[] = {"a@target", "b@target", "c@target"};
	static const unsigned na[] = {2};
	struct passes_variant variants[] = {
		{.name = "one", .what = "<w>", .why = "y", .na = na, .nna = 1},
		{.name = "two", .what = "w", .why = "y", .nfails = 1},
	};
	const struct passes p = {
		.cases = cases,
		.ncases = 3,
		.combinations = 200,
		.variants = variants,
		.nvariants = 2,
	};
	struct summary *s = html_test_begin(false);
	struct text t = {0};

	(void)state;
	summary_sort(s);
	assert_int_equal(html_report(&t, s, fixture_about(), NULL, &p), 0);
	want(&t, "2 variants against 3 cases");
	want(&t, "none failed on 200 combinations");
	want(&t, "&lt;w&gt;</span><td>y<td class=\"n\">2<td class=\"n\">1"
		 "<td class=\"n\">0\n");
	want(&t, "<td class=\"n\">2<td class=\"n\">0<td class=\"n\">1\n");
	want(&t, "{\"cases\":[\"c@target\"],\"variants\":[\n[\"one\",1],\n"
		 "[\"two\"]]}");
	summary_free(s);
	text_free(&t);
}

static void a_failure_names_rule_packet_and_difference(void **state)
{
	struct summary *s = html_test_begin(true);
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_fail(&r);
	html_test_add(s, &r, "cases/x/capture.pcapng");
	page(&t, s, fixture_about());
	want(&t, "1 of 1 results fail, 2 requirements are broken");
	want(&t, "<a href=\"#RUD-SEQ-76\">RUD-SEQ-76/dst</a>");
	want(&t, "expected cack_psn=332, got 333; expected req=clear, got "
		 "none");
	want(&t, "Packet <a href=\"#c0f4\">#4</a> at 0.021 ms");
	want(&t, "<b>expected</b>  <span class=\"e\">ack ack_psn=333 "
		 "<mark>cack_psn=332</mark>");
	want(&t, "<g class=\"lad-pkt lad-bad\" id=\"c0f4\">");
	want(&t, "A packet that never came; line 13 of the case");
	want(&t, "<strong class=\"remark\">Remark</strong>");
	want(&t, "<a href=\"cases/x/capture.pcapng\">capture</a>");
	want(&t, "<a href=\"cases/x/\">all files");
	text_free(&t);
	record_free(&r);
	summary_free(s);
}

static void a_pass_is_packed(void **state)
{
	struct summary *s = html_test_begin(true);
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_pass(&r);
	html_test_add(s, &r, NULL);
	page(&t, s, fixture_about());
	want(&t, "nothing fails.");
	want(&t, "data-p=0");
	want(&t, "id=\"packs\">");
	assert_null(strstr(text_cstr(&t), "<svg"));
	assert_null(strstr(text_cstr(&t), "class=\"f\""));
	text_free(&t);
	record_free(&r);
	summary_free(s);
}

/* Runs without cases, interrupted runs, and both. */
static void empty_runs_say_so(void **state)
{
	struct about a = *fixture_about();
	struct summary *s = html_test_begin(false);
	struct text t = {0};

	(void)state;
	a.interrupted = true;
	a.planned = 9;
	page(&t, s, &a);
	want(&t, "Nothing was run");
	want(&t, "after 0 of 9 results");
	want(&t, "No case was run.");
	want(&t, "No requirement was broken.");
	text_free(&t);
	summary_free(s);
}

static void what_a_device_says_stays_text(void **state)
{
	struct decl d = {.name = "<script>alert(1)</script>",
			 .version = "\"><b>"};
	struct about a = *fixture_about();
	struct summary *s = html_test_begin(true);
	struct record r = {0};
	struct text t = {0};

	(void)state;
	a.decl = &d;
	a.rerun = "--dut '<b>'";
	fixture_fail(&r);
	snprintf(r.reason, sizeof(r.reason), "</pre><script>\x01\xff");
	snprintf(r.findings[0].text, 64, "<img src=x onerror=alert(1)>");
	snprintf(r.findings[0].actual, 64, "ack <!-- | </span>");
	html_test_add(s, &r, NULL);
	r.verdict = VERDICT_NA;
	html_test_add(s, &r, NULL);
	page(&t, s, &a);
	assert_null(strstr(text_cstr(&t), "<script>alert"));
	assert_null(strstr(text_cstr(&t), "</pre><script>"));
	assert_null(strstr(text_cstr(&t), "<img"));
	assert_null(strstr(text_cstr(&t), "<!--"));
	assert_null(strstr(text_cstr(&t), "'<b>'"));
	want(&t, "\\x01\\xff");
	text_free(&t);
	record_free(&r);
	summary_free(s);
}

static void repetitions_stand_together(void **state)
{
	struct summary *s = html_test_begin(false);
	struct record r = {0};
	struct text t = {0};
	const char *first;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		if (i == 1)
			fixture_fail(&r);
		else
			fixture_pass(&r);
		r.repeat = i;
		html_test_add(s, &r, NULL);
	}
	page(&t, s, fixture_about());
	first = strstr(text_cstr(&t), "<details class=\"c ");
	assert_non_null(first);
	assert_null(strstr(first + 1, "<details class=\"c "));
	assert_memory_equal(first, "<details class=\"c fail\"", 23);
	want(&t, "<h3>Run 2: fail</h3>");
	want(&t, "3 runs");
	text_free(&t);
	record_free(&r);
	summary_free(s);
}

/* However many cases fail, the page stays small enough to open. */
static void drawings_have_a_bound(void **state)
{
	struct summary *s = html_test_begin(true);
	struct record r = {0};
	struct text t = {0};
	size_t left = 0;

	(void)state;
	fixture_fail(&r);
	for (uint32_t i = 0; i < 4000; i++) {
		r.repeat = i;
		html_test_add(s, &r, NULL);
		left += s->cases[i].drawing || s->cases[i].packed;
	}
	assert_true(s->drawn <= 4u << 20);
	assert_true(pack_size(&s->pack) <= 5u << 20);
	assert_non_null(s->cases[0].drawing);
	assert_null(s->cases[3999].drawing);
	assert_true(left >= 1000);
	page(&t, s, fixture_about());
	text_free(&t);
	record_free(&r);
	summary_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_names_rule_packet_and_difference),
		cmocka_unit_test(legal_variants_are_shown),
		cmocka_unit_test(a_pass_is_packed),
		cmocka_unit_test(empty_runs_say_so),
		cmocka_unit_test(what_a_device_says_stays_text),
		cmocka_unit_test(repetitions_stand_together),
		cmocka_unit_test(drawings_have_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
