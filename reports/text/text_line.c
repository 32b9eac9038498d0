/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_line.c -- wraps and colours the lines of the text report.
 */
#include "reports/text/text_line.h"

#include <string.h>

#include "reports/safe.h"

unsigned text_width(const struct text_opts *o)
{
	unsigned w = o->ladder.width ? o->ladder.width : LADDER_WIDTH;

	if (w < LADDER_WIDTH_MIN)
		return LADDER_WIDTH_MIN;
	return w;
}

const char *text_color(const struct text_opts *o, enum verdict v)
{
	static const char *const inks[VERDICT_COUNT] = {
		[VERDICT_PASS] = "\033[32m",
		[VERDICT_FAIL] = "\033[31m",
		[VERDICT_INCONCLUSIVE] = "\033[33m",
		[VERDICT_NA] = "\033[2m",
		[VERDICT_ERROR] = "\033[35m",
	};

	if (o->ladder.color && v < VERDICT_COUNT)
		return inks[v];
	return "";
}

const char *text_plain(const struct text_opts *o)
{
	if (o->ladder.color)
		return "\033[0m";
	return "";
}

void text_wrap(struct text *t, const struct text_opts *o, const char *s,
	       size_t used, size_t indent)
{
	const char *next;

	for (bool first = true; *s; s = next, first = false) {
		size_t before = first ? used : indent;
		size_t n = safe_wrap(s, text_width(o) - before, &next);

		text_fill(t, ' ', first ? 0 : indent);
		text_add(t, s, n);
		text_puts(t, "\n");
	}
}
