/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder_pen.c -- ink, lines and words of a ladder.
 */
#include "reports/ladder_pen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reports/safe.h"

static const char *const inks[] = {
	[INK_PLAIN] = "",       [INK_HEAD] = "\033[1m",
	[INK_DIM] = "\033[2m",  [INK_GOOD] = "\033[32m",
	[INK_BAD] = "\033[31m", [INK_WARN] = "\033[33m",
};

void pen_on(struct ladder *l, enum ink i)
{
	if (l->o.color && i != INK_PLAIN)
		text_puts(l->t, inks[i]);
}

void pen_off(struct ladder *l, enum ink i)
{
	if (l->o.color && i != INK_PLAIN)
		text_puts(l->t, "\033[0m");
}

void pen_puts(struct ladder *l, enum ink i, const char *s)
{
	pen_on(l, i);
	text_puts(l->t, s);
	pen_off(l, i);
}

void pen_repeat(struct ladder *l, const char *glyph, size_t n)
{
	while (n--)
		text_puts(l->t, glyph);
}

void pen_newline(struct ladder *l)
{
	while (l->t->len && l->t->s[l->t->len - 1] == ' ')
		l->t->s[--l->t->len] = 0;
	text_puts(l->t, "\n");
}

const char *pen_ms(char buf[32], vspan ns)
{
	uint64_t us = (uint64_t)((ns < 0 ? -ns : ns) + 500) / 1000;

	snprintf(buf, 32, "%s%" PRIu64 ".%03" PRIu64, ns < 0 && us ? "-" : "",
		 us / 1000, us % 1000);
	return buf;
}

void pen_wrap(struct ladder *l, const char *s, size_t indent, enum ink i)
{
	const char *next;
	bool first = true;

	for (; *s; s = next, first = false) {
		size_t n =
			safe_wrap(s, l->o.width - (first ? 0 : indent), &next);

		text_fill(l->t, ' ', first ? 0 : indent);
		pen_on(l, i);
		text_add(l->t, s, n);
		pen_off(l, i);
		pen_newline(l);
	}
}
