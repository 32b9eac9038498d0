/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/diag.c -- stores the first error of a parser and formats it with the
 * source line and a caret.
 *
 * Names and lines come from untrusted input, so each byte that is not part of a
 * printable character, except the tab, becomes '?' before it reaches a
 * terminal.
 */
#include "base/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/utf8.h"

/*
 * Replaces each byte that is not part of a printable character by '?': a device
 * or a file may neither control the terminal nor break the encoding of a log.
 */
static void tame(char *s)
{
	size_t left = strlen(s);

	while (left) {
		uint32_t c = 0;
		size_t n = utf8_decode(s, left, &c);
		const bool good = n && (utf8_printable(c) || c == '\t');

		n = n ? n : 1;
		if (!good)
			memset(s, '?', n);
		s += n;
		left -= n;
	}
}

int diag_set(struct diag *d, const char *file, unsigned line, unsigned col,
	     const char *source, const char *fmt, ...)
{
	va_list ap;

	if (d->text[0])
		return ERR_SYNTAX;
	snprintf(d->file, sizeof(d->file), "%s", text_or(file, ""));
	d->line = line;
	d->col = col;
	if (source) {
		size_t n = strcspn(source, "\r\n");

		if (n >= sizeof(d->source))
			n = sizeof(d->source) - 1;
		memcpy(d->source, source, n);
		d->source[n] = 0;
		tame(d->source);
	}
	va_start(ap, fmt);
	vsnprintf(d->text, sizeof(d->text), fmt, ap);
	va_end(ap);
	tame(d->file);
	tame(d->text);
	return ERR_SYNTAX;
}

void diag_append(struct diag *d, const struct diag *later)
{
	const size_t used = strlen(d->more);
	char one[sizeof(later->file) + sizeof(later->text) +
		 2 * sizeof(later->source) + 64];

	diag_format(later, one, sizeof(one));
	if (used + strlen(one) < sizeof(d->more))
		memcpy(d->more + used, one, strlen(one) + 1);
}

void diag_format(const struct diag *d, char *buf, size_t size)
{
	char place[320] = "";
	char caret[sizeof(d->source) + 1] = "";

	if (d->line)
		snprintf(place, sizeof(place), "%s:%u:%u: ", d->file, d->line,
			 d->col);
	else if (d->file[0])
		snprintf(place, sizeof(place), "%s: ", d->file);
	if (d->source[0] && d->col && d->col <= strlen(d->source) + 1) {
		size_t n = d->col - 1;

		/*
		 * Copies the leading tabs, so that the caret is in the right
		 * column.
		 */
		for (size_t i = 0; i < n; i++)
			caret[i] = d->source[i] == '\t' ? '\t' : ' ';
		caret[n] = '^';
		caret[n + 1] = 0;
	}
	snprintf(buf, size, "%s%s\n%s%s%s%s%s%s%s", place, d->text,
		 d->source[0] ? "  " : "", d->source, d->source[0] ? "\n" : "",
		 caret[0] ? "  " : "", caret, caret[0] ? "\n" : "", d->more);
}
