/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/record.c -- libFuzzer target: record.jsonl of a result, as rung report
 * and --resume read it.
 *
 * A record that parses goes into the reports, and is written and read again.
 */
#include "fuzz/text.h"
#include "reports/format/json.h"
#include "reports/result/record_file.h"
#include "reports/result/record_read.h"
#include "reports/result/stream.h"
#include "reports/result/summary.h"
#include "reports/text/text.h"

static void fuzz_record_report(const struct record *r)
{
	const struct about about = {.version = "0", .commit = "0", .dut = "x"};
	const struct text_opts opts = {.ladders = true};
	struct summary *s;
	struct text t = {0};

	if (summary_new(&s, false))
		return;
	if (!summary_add(s, r, NULL)) {
		text_case(&t, r, &opts);
		stream_case(&t, &s->cases[0], 1);
		json_report(&t, s, &about);
	}
	text_free(&t);
	summary_free(s);
}

static void write_again(const struct record *r,
			const struct record_about *about)
{
	struct record copy = {0};
	struct record_about then;
	struct diag diag = {0};
	struct text t = {0};

	CHECK(!record_file_print(&t, r, about));
	CHECK(!record_file_parse(&copy, &then, "again", t.s, t.len, &diag));
	CHECK(copy.verdict == r->verdict && copy.nrecs == r->nrecs);
	CHECK(copy.nfindings == r->nfindings && copy.nreqs == r->nreqs);
	record_free(&copy);
	text_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record r = {0};
	struct record_about about;
	struct diag diag = {0};
	char *text = fuzz_text_of(data, size);

	if (!text)
		return 0;
	if (record_file_parse(&r, &about, "x", text, size, &diag)) {
		CHECK(diag.text[0]);
	} else {
		fuzz_record_report(&r);
		write_again(&r, &about);
	}
	record_free(&r);
	free(text);
	return 0;
}
