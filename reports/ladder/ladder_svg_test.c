/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/ladder/ladder_svg.h"

#include "reports/fixture_test.h"
#include "reports/golden_test.h"

static void ladder_svg_test_golden(void (*make)(struct record *),
				   const char *path, const struct svg_opts *o)
{
	struct record r = {0};
	struct text t = {0};

	make(&r);
	ladder_svg(&t, &r, o);
	assert_int_equal(text_err(&t), 0);
	golden_check(&t, path);
	text_free(&t);
	record_free(&r);
}

static void ladder_svg_test_a_fail_looks_so(void **state)
{
	(void)state;
	ladder_svg_test_golden(fixture_fail, "reports/golden/fail.svg", NULL);
}

static void a_loss_on_a_page_looks_so(void **state)
{
	const struct svg_opts o = {
		.form = SVG_INLINE, .prefix = "c1", .ladder.bare = true};

	(void)state;
	ladder_svg_test_golden(fixture_loss, "reports/golden/loss.svg", &o);
}

static size_t ladder_svg_test_count(const char *s, const char *what)
{
	size_t n = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		n++;
	return n;
}

static size_t ladder_svg_test_packets(const struct record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nrecs; i++)
		n += r->recs[i].kind <= REC_RX;
	return n;
}

static void each_packet_tells_its_fields(void **state)
{
	const struct svg_opts o = {.ladder.verbose = true};
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_loss(&r);
	ladder_svg(&t, &r, &o);
	assert_int_equal(ladder_svg_test_count(t.s, "<title>"),
			 ladder_svg_test_packets(&r));
	assert_int_equal(ladder_svg_test_count(t.s, "<g "),
			 ladder_svg_test_count(t.s, "</g>"));
	assert_int_equal(ladder_svg_test_count(t.s, "<text "),
			 ladder_svg_test_count(t.s, "</text>"));
	assert_non_null(strstr(t.s, "prefers-color-scheme:dark"));
	assert_null(strstr(t.s, "href"));
	text_free(&t);
	record_free(&r);
}

static void what_a_device_says_is_escaped(void **state)
{
	struct record r = {0};
	struct text t = {0};
	const struct rec note = {.kind = REC_NOTE};

	(void)state;
	fixture_pass(&r);
	record_add(&r, &note, NULL, NULL, "</text><script>\x01");
	ladder_svg(&t, &r, NULL);
	assert_null(strstr(t.s, "<script>"));
	assert_null(strchr(t.s, 1));
	assert_non_null(strstr(t.s, "&lt;script&gt;"));
	text_free(&t);
	record_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ladder_svg_test_a_fail_looks_so),
		cmocka_unit_test(a_loss_on_a_page_looks_so),
		cmocka_unit_test(each_packet_tells_its_fields),
		cmocka_unit_test(what_a_device_says_is_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
