/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/case.c -- any bytes as a case file, and as a declaration.
 *
 * What parses prints, and what is printed parses to the same case; what does
 * not parse says where.  Of the fragments that it may use, those that begin
 * with 'o' are a small one, the others the input itself, so that cycles and
 * depth come up.
 */
#include "fuzz/text.h"
#include "suite/case_same.h"
#include "suite/decl.h"

static const char *fragment(void *ctx, const char *name, const char **ret_path)
{
	*ret_path = "fragment";
	if (name[0] == 'o')
		return "chair target\n> rud_req syn psn=$start\n"
		       "chair initiator\n< rud_req psn=$start [MODE-RUD-1]\n";
	return strlen(name) < 8 ? strstr(ctx, "chair") : NULL;
}

static void check_print(const struct kase *c)
{
	struct diag d = {0};
	struct text t = {0};
	struct kase *again;

	case_print(&t, c);
	if (case_parse(&again, "id", "printed", text_cstr(&t), t.len, NULL,
		       NULL, &d)) {
		fprintf(stderr, "%s\n%u:%u: %s\n", text_cstr(&t), d.line, d.col,
			d.text);
		abort();
	}
	CHECK(case_same(c, again));
	case_free(again);
	text_free(&t);
}

static void try_case(char *text, size_t size)
{
	struct diag d = {0};
	struct kase *c;
	char shown[1024];

	if (!case_parse(&c, "id", "fuzz", text, size, fragment, text, &d)) {
		check_print(c);
		case_free(c);
		return;
	}
	CHECK(d.line && d.text[0]);
	diag_format(&d, shown, sizeof(shown));
}

static void try_decl(const char *text, size_t size)
{
	struct diag diag = {0};
	struct text t = {0}, again = {0};
	struct decl *d, *copy;

	if (decl_parse(&d, "fuzz", text, size, &diag)) {
		CHECK(diag.line && diag.text[0]);
		return;
	}
	decl_print(&t, d);
	CHECK(!decl_parse(&copy, "printed", text_cstr(&t), t.len, &diag));
	decl_print(&again, copy);
	CHECK(!strcmp(text_cstr(&t), text_cstr(&again)));
	decl_free(copy);
	decl_free(d);
	text_free(&t);
	text_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size);

	if (!text)
		return 0;
	try_case(text, size);
	try_decl(text, size);
	free(text);
	return 0;
}
