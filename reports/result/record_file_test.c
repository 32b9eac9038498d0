/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/result/record_file.h"

#include "base/err.h"
#include "reports/casefiles.h"
#include "reports/fixture_test.h"
#include "reports/format/json.h"
#include "reports/format/junit.h"
#include "reports/golden_test.h"
#include "reports/html/html.h"
#include "reports/result/record_read.h"
#include "reports/result/summary.h"
#include "reports/text/text.h"

static const struct record_part parts[] = {{"capture.pcapng", 1234},
					   {"ladder.txt", 0}};
static const struct record_about about = {"0123456789abcdef0123456789abcdef",
					  parts, FIXTURE_COUNT(parts)};

/* A record in which every member has a value. */
static void fixture_everything(struct record *r)
{
	struct rec e = {.kind = REC_NOTE, .at = -3};

	fixture_fail(r);
	fixture_line(r, REC_EVENT, 5, "no \xff json \"\\\x01 \xc3\xa4");
	record_add(r, &e, NULL, "a note", "a text");
	r->seed = UINT64_MAX;
	r->repeat = 3;
	r->teardown = VERDICT_FAIL;
	snprintf(r->teardown_reason, sizeof(r->teardown_reason), "not closed");
	r->clock = "nic";
	r->elapsed = 77;
	r->ended_at = -5;
	r->cut_short = r->late = r->crc = true;
	r->crc_order = CRC_BE;
	r->findings_left_out = 12;
	r->doubts[DOUBT_TRUNCATED] = (struct rec_doubt){3, 7};
	r->recs[1].allowed = "repeated ACK";
	r->recs[1].behind = 2;
	r->recs[1].pdc = 1;
	r->base[RECORD_PDCS - 1].ret_live = UINT32_MAX;
	r->findings[0].file = "common/open.lad";
}

static void record_file_test_print(struct text *t, const struct record *r)
{
	assert_int_equal(record_file_print(t, r, &about), 0);
}

static int record_file_test_parse(struct record *r, const char *text,
				  size_t len, struct diag *diag)
{
	struct record_about a;

	*diag = (struct diag){0};
	return record_file_parse(r, &a, "record.jsonl", text, len, diag);
}

/* Writes all reports of a record. */
static void reports(struct text *t, const struct record *r)
{
	const struct text_opts opts = {.ladders = true,
				       .ladder = {.verbose = true}};
	struct summary *s;

	assert_int_equal(summary_new(&s, false), 0);
	summary_draw(s, 1);
	assert_int_equal(summary_add(s, r, "cases/x/capture.pcapng"), 0);
	casefile_ladder(t, r);
	text_case(t, r, &opts);
	assert_int_equal(casefile_control(t, r), 0);
	assert_int_equal(casefile_integrity(t, r), 0);
	assert_int_equal(json_report(t, s, fixture_about()), 0);
	assert_int_equal(junit_report(t, s, fixture_about()), 0);
	assert_int_equal(html_report(t, s, fixture_about(), NULL, NULL), 0);
	summary_free(s);
}

/*
 * A record that is written, read and written again is unchanged, and so are its
 * reports.
 */
static void it_comes_back(void **state)
{
	static void (*const fixtures[])(struct record *) = {
		fixture_pass, fixture_fail, fixture_loss, fixture_everything};

	(void)state;
	for (size_t i = 0; i < FIXTURE_COUNT(fixtures); i++) {
		struct record r = {0}, again = {0};
		struct text t[4] = {{0}};
		struct diag diag;

		fixtures[i](&r);
		record_file_test_print(&t[0], &r);
		assert_int_equal(
			record_file_test_parse(&again, t[0].s, t[0].len, &diag),
			0);
		assert_true(again.recalled);
		record_file_test_print(&t[1], &again);
		assert_string_equal(text_cstr(&t[0]), text_cstr(&t[1]));
		reports(&t[2], &r);
		reports(&t[3], &again);
		assert_string_equal(text_cstr(&t[2]), text_cstr(&t[3]));
		for (size_t j = 0; j < 4; j++)
			text_free(&t[j]);
		record_free(&r);
		record_free(&again);
	}
}

static void the_first_line_is_told(void **state)
{
	struct record r = {0}, again = {0};
	struct record_about a;
	struct diag diag = {0};
	struct text t = {0};

	(void)state;
	fixture_pass(&r);
	record_file_test_print(&t, &r);
	assert_int_equal(record_file_parse(&again, &a, "record.jsonl", t.s,
					   t.len, &diag),
			 0);
	assert_string_equal(a.run, about.run);
	assert_int_equal(a.nparts, 2);
	assert_string_equal(a.parts[0].name, "capture.pcapng");
	assert_int_equal(a.parts[0].size, 1234);
	text_free(&t);
	record_free(&r);
	record_free(&again);
}

/* A part is a file of the case's folder. */
static void a_part_has_a_file_name(void **state)
{
	static const char *const bad[] = {"a\\\"b", "../x", "a\\nb", ""};
	struct record r = {0}, again = {0};
	struct text t = {0};
	struct diag diag;

	(void)state;
	fixture_pass(&r);
	record_file_test_print(&t, &r);
	for (size_t i = 0; i < FIXTURE_COUNT(bad); i++) {
		char *at = strstr(t.s, "capture.pcapng");
		struct text cut = {0};

		text_add(&cut, t.s, (size_t)(at - t.s));
		text_puts(&cut, bad[i]);
		text_puts(&cut, at + strlen("capture.pcapng"));
		assert_int_equal(
			record_file_test_parse(&again, cut.s, cut.len, &diag),
			ERR_SYNTAX);
		assert_non_null(strstr(diag.text, "no file name"));
		record_free(&again);
		text_free(&cut);
	}
	text_free(&t);
	record_free(&r);
}

/* A truncated file is refused, and the error names the line. */
static void a_cut_file_is_refused(void **state)
{
	struct record r = {0};
	struct text t = {0};
	struct diag diag;

	(void)state;
	fixture_fail(&r);
	record_file_test_print(&t, &r);
	for (size_t n = 0; n < t.len; n++) {
		struct record again = {0};

		assert_int_equal(record_file_test_parse(&again, t.s, n, &diag),
				 ERR_SYNTAX);
		assert_true(diag.line > 0);
		record_free(&again);
	}
	text_free(&t);
	record_free(&r);
}

/* A changed byte is refused or accepted, without a crash. */
static void a_changed_file_does_no_harm(void **state)
{
	struct record r = {0};
	struct text t = {0};
	struct diag diag;

	(void)state;
	fixture_everything(&r);
	record_file_test_print(&t, &r);
	for (size_t n = 0; n < t.len; n++) {
		const char was = t.s[n];

		for (const char *c = "9}\",f\n"; *c; c++) {
			struct record again = {0};

			t.s[n] = *c;
			if (!record_file_test_parse(&again, t.s, t.len,
						    &diag)) {
				struct text out = {0};

				casefile_ladder(&out, &again);
				text_free(&out);
			}
			record_free(&again);
		}
		t.s[n] = was;
	}
	text_free(&t);
	record_free(&r);
}

static void record_file_test_refused(const char *head, const char *why)
{
	struct record r = {0};
	struct text t = {0};
	struct diag diag;

	text_printf(&t, "{\"schema\":\"rung.record/1\",%s,\"findings\":0,",
		    head);
	text_puts(&t, "\"requirements\":0,\"entries\":0}\n");
	assert_int_equal(record_file_test_parse(&r, t.s, t.len, &diag),
			 ERR_SYNTAX);
	if (!strstr(diag.text, why))
		fail_msg("%s: %s", head, diag.text);
	text_free(&t);
	record_free(&r);
}

static void what_is_wrong_is_named(void **state)
{
	(void)state;
	record_file_test_refused("\"verdict\":\"perhaps\"",
				 "'verdict' is no word");
	record_file_test_refused("\"repeat\":4294967296",
				 "'repeat' is out of range");
	record_file_test_refused("\"seed\":-1", "'seed' is no number");
	record_file_test_refused("\"seed\":\"1x\"", "'seed' is no number");
	record_file_test_refused("\"tester\":\"10.0.0\"",
				 "'tester' is no address");
	record_file_test_refused("\"wall_ns\":1.5",
				 "'wall_ns' is no whole number");
	record_file_test_refused("\"reason\":7", "'reason' is no text");
	record_file_test_refused("\"reason\":{\"hex\":\"0\"}",
				 "'reason' is not hexadecimal");
	record_file_test_refused("\"doubts\":[[\"dreams\",1,0]]",
				 "'doubts' has a word");
	record_file_test_refused(
		"\"case\":{\"covers\":[[\"RUD-NOPE-1\",\"dst\"]]}",
		"'RUD-NOPE-1' is no requirement");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_comes_back),
		cmocka_unit_test(the_first_line_is_told),
		cmocka_unit_test(a_part_has_a_file_name),
		cmocka_unit_test(a_cut_file_is_refused),
		cmocka_unit_test(a_changed_file_does_no_harm),
		cmocka_unit_test(what_is_wrong_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
