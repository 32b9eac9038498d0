/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_writer.c -- writes colours, lines and words of a
 * ladder.
 */
#include "reports/ladder/ladder_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reports/safe.h"

static const char *const inks[] = {
	[INK_PLAIN] = "",       [INK_HEAD] = "\033[1m",
	[INK_DIM] = "\033[2m",  [INK_GOOD] = "\033[32m",
	[INK_BAD] = "\033[31m", [INK_WARN] = "\033[33m",
};

void writer_on(struct ladder *l, enum ink i)
{
	if (l->o.color && i != INK_PLAIN)
		text_puts(l->t, inks[i]);
}

void writer_off(struct ladder *l, enum ink i)
{
	if (l->o.color && i != INK_PLAIN)
		text_puts(l->t, "\033[0m");
}

void writer_puts(struct ladder *l, enum ink i, const char *s)
{
	writer_on(l, i);
	text_puts(l->t, s);
	writer_off(l, i);
}

void writer_repeat(struct ladder *l, const char *glyph, size_t n)
{
	while (n--)
		text_puts(l->t, glyph);
}

void writer_newline(struct ladder *l)
{
	while (l->t->len && l->t->s[l->t->len - 1] == ' ')
		l->t->s[--l->t->len] = 0;
	text_puts(l->t, "\n");
}

const char *writer_ms(char buf[32], vspan ns)
{
	uint64_t us = (uint64_t)((ns < 0 ? -ns : ns) + 500) / 1000;

	snprintf(buf, 32, "%s%" PRIu64 ".%03" PRIu64, ns < 0 && us ? "-" : "",
		 us / 1000, us % 1000);
	return buf;
}

void writer_wrap(struct ladder *l, const char *s, size_t indent, enum ink i)
{
	const char *next;
	bool first = true;

	for (; *s; s = next, first = false) {
		size_t n =
			safe_wrap(s, l->o.width - (first ? 0 : indent), &next);

		text_fill(l->t, ' ', first ? 0 : indent);
		writer_on(l, i);
		text_add(l->t, s, n);
		writer_off(l, i);
		writer_newline(l);
	}
}
