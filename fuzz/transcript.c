/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/transcript.c -- libFuzzer target: the transcript of a case, as rung
 * verify reads it.
 *
 * The case ends with any input, and the number of the first line that does not
 * fit is known.
 */
#include "cli/cases.h"
#include "fuzz/text.h"
#include "suite/decl/decl_parse.h"
#include "suite/dut/dut_replayed.h"
#include "suite/run/run.h"

static const struct test_case *fuzz_transcript_case(void)
{
	static struct corpus *corpus;
	static char id[] = "uet/rud/ack-lost";
	char *selectors[] = {id};
	const struct corpus_want want = {.selectors = selectors, .n = 1};
	struct diag diag = {0};

	if (!corpus)
		CHECK(!corpus_new(&corpus, NULL, &want, &diag));
	return corpus_at(corpus, 0);
}

static const struct decl *fuzz_transcript_decl(void)
{
	static struct decl *decl;
	struct diag diag = {0};

	if (!decl)
		CHECK(!decl_parse(&decl, "x", decl_reference,
				  strlen(decl_reference), &diag));
	return decl;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct run_conf conf = {.decl = fuzz_transcript_decl(),
				      .seed = 1};
	char *text = fuzz_text_of(data, size);
	struct runner *runner = NULL;
	struct record r = {0};
	struct dut *d = NULL;
	struct diag diag = {0};
	bool same;

	if (!text || dut_replayed_new(&d))
		return 0;
	if (dut_replayed_load(d, "x", text, size, &same, &diag)) {
		CHECK(diag.text[0]);
	} else {
		CHECK(!runner_new(&runner, d, conf.decl));
		CHECK(!run_case(runner, fuzz_transcript_case(), CHAIR_TARGET,
				&conf, &r));
		if (dut_replayed_end(d, &diag))
			CHECK(diag.line && diag.text[0]);
	}
	runner_free(runner);
	record_free(&r);
	d->ops->free(d);
	free(text);
	return 0;
}
