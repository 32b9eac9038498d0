/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_section.c -- finds the sections of a case file by their
 * "impaired NAME" lines, without parsing the lines between.
 */
#include "suite/lang/case_section.h"

#include <string.h>

#include "suite/lang/case.h"

#define SECTION_WORD "impaired"

/* A line of the file; |end| is after its newline. */
struct section_line {
	const char *s, *end;
};

static bool section_next_line(struct section_line *l, const char *end)
{
	const char *nl;

	l->s = l->end;
	if (l->s >= end)
		return false;
	nl = memchr(l->s, '\n', (size_t)(end - l->s));
	if (nl)
		l->end = nl + 1;
	else
		l->end = end;
	return true;
}

static bool section_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns true if the first word of a line, in column 1, is |word|. */
static bool section_begins(const struct section_line *l, const char *word)
{
	const size_t n = strlen(word), len = (size_t)(l->end - l->s);

	return len >= n && !memcmp(l->s, word, n) &&
	       (len == n || section_is_blank(l->s[n]));
}

/*
 * Finds the second word of the line; false if there is none, or if it is too
 * long.
 */
static bool section_name(const struct section_line *l,
			 char ret[CASE_SECTION_NAME_MAX + 1])
{
	const char *s = l->s + strlen(SECTION_WORD), *e;

	while (s < l->end && section_is_blank(*s))
		s++;
	for (e = s; e < l->end && !section_is_blank(*e);)
		e++;
	if (e == s || e - s > CASE_SECTION_NAME_MAX)
		return false;
	memcpy(ret, s, (size_t)(e - s));
	ret[e - s] = 0;
	return true;
}

void case_sections(struct case_sections *ret, const char *text, size_t len)
{
	struct section_line l = {text, text};

	ret->n = 0;
	while (ret->n < CASE_SECTIONS_MAX && section_next_line(&l, text + len))
		if (section_begins(&l, SECTION_WORD) &&
		    section_name(&l, ret->names[ret->n]))
			ret->n++;
}

/* Takes the words of one line of a "for" line; |skip| of them come first. */
static void section_values(struct case_values *ret,
			   const struct section_line *l, const char *s,
			   unsigned skip)
{
	while (s < l->end) {
		const char *e;

		while (s < l->end && section_is_blank(*s))
			s++;
		if (s == l->end || *s == '#')
			return;
		for (e = s; e < l->end && !section_is_blank(*e);)
			e++;
		if (!skip && ((e - s == 4 && !memcmp(s, "from", 4)) ||
			      (e - s == 2 && !memcmp(s, "to", 2))))
			return; /* the bounds */
		if (skip == 2 && e - s <= CASE_VALUE_NAME_MAX) {
			memcpy(ret->name, s, (size_t)(e - s));
			ret->name[e - s] = 0;
		}
		if (skip) {
			skip--;
		} else {
			const char *word = *s == '$' ? s + 1 : s;
			const size_t n = (size_t)(e - word);

			if (ret->n == CASE_VALUES_MAX || n > CASE_VALUE_MAX)
				return;
			memcpy(ret->words[ret->n], word, n);
			ret->words[ret->n++][n] = 0;
		}
		s = e;
	}
}

/* Returns where a continuation line goes on; NULL if it is none. */
static const char *section_more(const struct section_line *l)
{
	const char *s = l->s;

	while (s < l->end && section_is_blank(*s))
		s++;
	if (l->end - s >= 3 && !memcmp(s, "...", 3))
		return s + 3;
	return NULL;
}

void case_values(struct case_values *ret, const char *text, size_t len,
		 const char *section)
{
	struct section_line l = {text, text};
	bool own = !section, in_for = false;

	ret->n = 0;
	ret->name[0] = 0;
	while (section_next_line(&l, text + len)) {
		char name[CASE_SECTION_NAME_MAX + 1];
		const char *more = in_for ? section_more(&l) : NULL;

		if (more) {
			section_values(ret, &l, more, 0);
			continue;
		}
		in_for = own && section_begins(&l, "for");
		if (in_for)
			section_values(ret, &l, l.s, 3);
		else if (section_begins(&l, SECTION_WORD))
			own = section && section_name(&l, name) &&
			      !strcmp(name, section);
		else if (own && section_begins(&l, "chair"))
			return;
	}
}

void case_section_text(struct text *t, const struct test_case *c)
{
	const char *end = c->text + strlen(c->text);
	struct section_line l = {c->text, c->text};
	bool plain = true, own = true;

	while (section_next_line(&l, end)) {
		char name[CASE_SECTION_NAME_MAX + 1];

		if (section_begins(&l, SECTION_WORD)) {
			plain = false;
			own = c->section && section_name(&l, name) &&
			      !strcmp(name, c->section);
		} else if (plain && section_begins(&l, "chair")) {
			own = !c->section;
		}
		if (own)
			text_add(t, l.s, (size_t)(l.end - l.s));
	}
}
