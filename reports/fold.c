/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/fold.c -- folds texts, shell commands and lines of cases to the width
 * of the terminal.
 */
#include "reports/fold.h"

#include <stdbool.h>
#include <string.h>

#include "reports/safe.h"

#define HANG 4 /* columns by which a continued line is indented more */

/* Returns the number of blanks at the front of |n| bytes. */
static size_t fold_blanks(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] == ' ')
		i++;
	return i;
}

static void fold_line(struct text *t, const char *s, size_t n, size_t width)
{
	const size_t indent = fold_blanks(s, n);
	struct text line = {0};
	const char *at, *next;
	size_t used = indent;

	text_add(&line, s + indent, n - indent);
	at = text_cstr(&line);
	for (; *at; at = next, used = indent + HANG) {
		const size_t room = width > used ? width - used : 1;

		text_fill(t, ' ', used);
		text_add(t, at, safe_wrap(at, room, &next));
		text_puts(t, "\n");
	}
	t->failed |= text_err(&line) != 0;
	text_free(&line);
}

void fold_text(struct text *t, const char *s, size_t width)
{
	while (*s) {
		const size_t n = strcspn(s, "\n");

		if (safe_columns(s, n) <= width) {
			text_add(t, s, n);
			text_puts(t, "\n");
		} else {
			fold_line(t, s, n, width);
		}
		s += n + (s[n] == '\n');
	}
}

/* Returns the length of the words of a command that fit into |room| columns. */
static size_t fold_words(const char *s, size_t room)
{
	size_t fits = 0;
	char quote = 0;

	for (size_t i = 0;; i++) {
		if (!s[i] || (s[i] == ' ' && !quote)) {
			if (fits && i > room)
				return fits;
			fits = i;
		}
		if (!s[i])
			return fits;
		if (s[i] == '\'' && (!quote || quote == '\''))
			quote = quote ? 0 : '\'';
		if (s[i] == '\\' && !quote && s[i + 1])
			i++;
	}
}

void fold_command(struct text *t, const char *s, size_t indent, size_t width)
{
	const size_t all = width > indent ? width - indent : 1;

	text_fill(t, ' ', indent);
	if (strlen(s) <= all) {
		text_printf(t, "%s\n", s);
		return;
	}
	for (size_t room = all; *s; room = all - HANG) {
		/* Two columns are those of the backslash. */
		const size_t n = fold_words(s, room > 2 ? room - 2 : 1);

		text_add(t, s, n);
		s += n + fold_blanks(s + n, strlen(s + n));
		text_puts(t, *s ? " \\\n" : "\n");
		if (*s)
			text_fill(t, ' ', indent + HANG);
	}
}

/* ---- Cases ---- */

/* Returns where the comment of a line begins, or |n|. */
static size_t fold_comment(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == '#' && (!i || s[i - 1] == ' '))
			return i;
	return n;
}

static size_t fold_trim(const char *s, size_t n)
{
	while (n && s[n - 1] == ' ')
		n--;
	return n;
}

/* Writes a comment of |n| bytes, '#' included, on lines of its own. */
static void fold_put_comment(struct text *t, const char *s, size_t n,
			     size_t indent, size_t width)
{
	struct text words = {0};
	const char *at, *next;

	text_add(&words, s + 1, n - 1);
	at = text_cstr(&words);
	at += fold_blanks(at, strlen(at));
	for (; *at; at = next) {
		text_fill(t, ' ', indent);
		text_puts(t, "# ");
		text_add(t, at, safe_wrap(at, width - indent - 2, &next));
		text_puts(t, "\n");
	}
	t->failed |= text_err(&words) != 0;
	text_free(&words);
}

/*
 * Returns where to cut a line so that |room| bytes or fewer stay: before the
 * last '|' or '[' that fits, or else before the last word.  If the first word
 * is too long, the cut is behind it; |n|: nowhere.  Ids in brackets stay
 * together.
 */
static size_t fold_cut(const char *s, size_t n, size_t room)
{
	size_t word = n, part = n;
	bool inside = false;

	for (size_t i = 1; i < n && (i <= room + 1 || word == n); i++) {
		if (s[i] == ']')
			inside = false;
		if (s[i - 1] != ' ' || s[i] == ' ' || inside)
			continue;
		inside = s[i] == '[';
		word = i;
		if (inside || s[i] == '|')
			part = i;
	}
	if (part < n && part > room / 2)
		return part;
	return word;
}

/* Writes a line without its comment, and lines that continue it. */
static void fold_put_line(struct text *t, const char *s, size_t n,
			  size_t indent, size_t width)
{
	const size_t dots = strlen("... ");
	size_t used = indent;

	text_fill(t, ' ', indent);
	if (n > dots && memcmp(s, "... ", dots) == 0) {
		text_add(t, s, dots); /* never on a line of their own */
		s += dots;
		n -= dots;
		used += dots;
	}
	while (n) {
		const size_t room = width > used ? width - used : 1;
		size_t cut = n;

		if (n > room)
			cut = fold_cut(s, n, room);
		text_add(t, s, fold_trim(s, cut));
		text_puts(t, "\n");
		s += cut;
		n -= cut;
		if (!n)
			return;
		used = indent + HANG;
		text_fill(t, ' ', used);
		if (*s == '|' || *s == '[')
			continue;
		text_puts(t, "... ");
		used += dots;
	}
}

/* Returns the end of what is left of |end| once the ids in brackets are cut. */
static size_t fold_before_ids(const char *s, size_t end)
{
	size_t at = end;

	while (at && s[at - 1] != '[')
		at--;
	if (!at || end == 0 || s[end - 1] != ']')
		return end;
	return fold_trim(s, at - 1);
}

/* Writes a line of a case, |n| bytes, wider than |width|. */
static void fold_case_line(struct text *t, const char *s, size_t n,
			   size_t width)
{
	const size_t indent = fold_blanks(s, n);
	const size_t end = fold_comment(s, n);
	const size_t words = fold_trim(s, end);
	const size_t first = fold_before_ids(s, words);
	const size_t ids =
		words - first - fold_blanks(s + first, words - first);

	if (end < n)
		fold_put_comment(t, s + end, n - end, indent, width);
	/* Two blanks instead of those that align the ids may do. */
	if (ids && first < words && first + 2 + ids <= width) {
		text_add(t, s, first);
		text_puts(t, "  ");
		text_add(t, s + words - ids, ids);
		text_puts(t, "\n");
		return;
	}
	if (words > indent)
		fold_put_line(t, s + indent, words - indent, indent, width);
}

void fold_case(struct text *t, const char *s, size_t width)
{
	while (*s) {
		const size_t n = strcspn(s, "\n");

		if (safe_columns(s, n) <= width) {
			text_add(t, s, n);
			text_puts(t, "\n");
		} else {
			fold_case_line(t, s, n, width);
		}
		s += n + (s[n] == '\n');
	}
}
