/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/results.c -- libFuzzer target: results.json as rung compare and
 * --failed-first read it.
 *
 * Results that parse are compared with themselves, where nothing has changed,
 * and with results that have no case.
 */
#include "fuzz/text.h"
#include "reports/compare/compare.h"
#include "reports/compare/compare_print.h"

static const char none[] =
	"{\"schema\":\"rung.results/2\",\"seed\":1,"
	"\"tool\":{\"name\":\"rung\",\"version\":\"0\",\"commit\":\"0\"},"
	"\"dut\":{\"spec\":\"x\",\"name\":null,\"version\":null},"
	"\"cases\":[],\"requirements\":[]}";

static void fuzz_results_print(const struct compare *c)
{
	struct text t = {0};

	compare_text(&t, c);
	compare_json(&t, c);
	compare_html(&t, c);
	CHECK(t.len);
	text_free(&t);
}

static void compare_with(const struct results *a, const struct results *b)
{
	struct compare *c;

	if (compare_new(&c, a, b))
		return;
	fuzz_results_print(c);
	compare_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = {0};
	char *text = fuzz_text_of(data, size);
	struct results *r, *empty;

	if (!text)
		return 0;
	if (results_parse(&r, "x", text, size, &diag)) {
		CHECK(diag.text[0]);
		free(text);
		return 0;
	}
	compare_with(r, r);
	results_failed(r, "uet/rud/send@target");
	if (!results_parse(&empty, "none", none, sizeof(none) - 1, &diag)) {
		compare_with(empty, r);
		compare_with(r, empty);
		results_free(empty);
	}
	results_free(r);
	free(text);
	return 0;
}
