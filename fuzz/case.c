/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/case.c -- libFuzzer target: any bytes as a case file.
 *
 * A case that parses is printed and parsed again to the same case; one that
 * does not parse gives an error with its place.  Fragments whose names begin
 * with 'o' are a small one, the others are the input itself, so that cycles and
 * depth occur.
 */
#include "fuzz/text.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/case_print.h"
#include "suite/lang/case_same.h"
#include "suite/lang/case_section.h"

static const char *case_fragment(void *ctx, const char *name,
				 const char **ret_path)
{
	*ret_path = "fragment";
	if (name[0] == 'o')
		return "chair target\n> rud_req syn psn=$start\n"
		       "chair initiator\n< rud_req psn=$start [MODE-RUD-1]\n";
	if (strlen(name) < 8)
		return strstr(ctx, "chair");
	return NULL;
}

static void case_check_print(const struct test_case *c)
{
	struct diag d = {0};
	struct text t = {0};
	struct case_source source = {.id = "id", .path = "printed"};
	struct test_case *again;

	case_print(&t, c);
	source.text = text_cstr(&t);
	source.len = t.len;
	if (case_parse(&again, &source, NULL, NULL, &d)) {
		fprintf(stderr, "%s\n%u:%u: %s\n", text_cstr(&t), d.line, d.col,
			d.text);
		abort();
	}
	CHECK(case_same(c, again));
	case_free(again);
	text_free(&t);
}

/* |section| NULL: the case without sections. */
static void case_try_section(const char *section, char *text, size_t size)
{
	const struct case_source source = {"id", section, "fuzz",
					   text, size,    NULL};
	struct diag d = {0};
	struct test_case *c;
	char shown[1024];

	if (!case_parse(&c, &source, case_fragment, text, &d)) {
		case_check_print(c);
		case_free(c);
		return;
	}
	CHECK(d.line && d.text[0]);
	diag_format(&d, shown, sizeof(shown));
}

static void try_case(char *text, size_t size)
{
	struct case_sections sections;

	case_try_section(NULL, text, size);
	case_sections(&sections, text, size);
	for (size_t i = 0; i < sections.n; i++)
		case_try_section(sections.names[i], text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text_of(data, size);

	if (!text)
		return 0;
	try_case(text, size);
	free(text);
	return 0;
}
