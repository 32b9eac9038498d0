/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/decl.c -- libFuzzer target: any bytes as the declaration of a device.
 *
 * A declaration that parses is printed and parsed again to the same one, and
 * configures a judge; one that does not parse gives an error with its place.
 */
#include "suite/decl/decl.h"
#include "fuzz/text.h"
#include "judge/judge.h"
#include "suite/decl/decl_parse.h"
#include "suite/decl/decl_print.h"
#include "suite/run/run.h"

static void print_again(const struct decl *d)
{
	struct diag diag = {0};
	struct text t = {0}, again = {0};
	struct decl *copy;

	decl_print(&t, d);
	CHECK(!decl_parse(&copy, "printed", text_cstr(&t), t.len, &diag));
	decl_print(&again, copy);
	CHECK(!strcmp(text_cstr(&t), text_cstr(&again)));
	decl_free(copy);
	text_free(&t);
	text_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct judge_conf conf;
	struct diag diag = {0};
	char shown[1024], *text = fuzz_text_of(data, size);
	struct decl *d;

	if (!text)
		return 0;
	if (decl_parse(&d, "fuzz", text, size, &diag)) {
		CHECK(diag.line && diag.text[0]);
		diag_format(&diag, shown, sizeof(shown));
	} else {
		judge_conf_default(&conf);
		run_declared(d, &conf);
		print_again(d);
		decl_free(d);
	}
	free(text);
	return 0;
}
