/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/lab.c -- libFuzzer target: files that a lab supplies: a baseline, a
 * checklist, earlier results, a kill matrix.  The first byte selects the kind.
 *
 * A file that parses is used and printed.
 */
#include "fuzz/text.h"
#include "reports/compare/compare.h"
#include "reports/compare/compare_print.h"
#include "reports/format/checklist.h"
#include "reports/format/kills.h"
#include "reports/result/baseline.h"

static void baseline(const char *s, size_t len)
{
	const struct record r = {.id = "uet/rud/send@target",
				 .verdict = VERDICT_FAIL};
	const struct baseline_entry *e;
	struct diag diag = {0};
	struct baseline *b;
	struct text t = {0};

	if (baseline_parse(&b, "x", s, len, "2026-12-01", &diag))
		return;
	baseline_say(&t, baseline_judge(b, &r, &e), e);
	text_free(&t);
	baseline_free(b);
}

static void checklist(const char *s, size_t len)
{
	struct diag diag = {0};
	struct about a = {.out = "out"};
	struct text t = {0}, page = {0};
	struct summary *sum;

	if (summary_new(&sum, false))
		return;
	if (!checklist_fill(&t, "x", s, len, sum, &a, NULL, &diag))
		checklist_html(&page, text_cstr(&t), t.len);
	text_free(&page);
	text_free(&t);
	summary_free(sum);
}

static void results(const char *s, size_t len)
{
	struct diag diag = {0};
	struct text t = {0};
	struct compare *c;
	struct results *r;

	if (results_parse(&r, "x", s, len, &diag))
		return;
	if (!compare_new(&c, r, r)) {
		compare_text(&t, c);
		compare_json(&t, c);
		compare_html(&t, c);
		compare_free(c);
	}
	results_failed(r, "uet/rud/send@target");
	text_free(&t);
	results_free(r);
}

static void kills(const char *s, size_t len)
{
	struct diag diag = {0};
	struct kills *k;

	if (!kills_parse(&k, "x", s, len, &diag))
		kills_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const char *, size_t) = {
		baseline, checklist, results, kills};
	char *s;

	if (!size)
		return 0;
	s = fuzz_text_of(data + 1, size - 1); /* copied as files are read */
	if (!s)
		return 0;
	readers[data[0] % 4](s, size - 1);
	free(s);
	return 0;
}
