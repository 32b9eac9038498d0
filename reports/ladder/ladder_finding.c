/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_finding.c -- writes findings below the arrow that they
 * are about.
 */
#include "reports/ladder/ladder_finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "reports/ladder/ladder_fault.h"
#include "reports/ladder/ladder_row.h"
#include "reports/ladder/ladder_say.h"
#include "reports/ladder/ladder_writer.h"
#include "reports/result/diff.h"
#include "reports/safe.h"

/* Returns the last column up to |width| in which all three lines are blank. */
static size_t cut_column(const struct text *line, size_t width)
{
	size_t longest = max(line[0].len, line[1].len);

	if (longest <= width)
		return longest;
	for (size_t at = width; at > width / 2; at--)
		if ((at >= line[0].len || line[0].s[at] == ' ') &&
		    (at >= line[1].len || line[1].s[at] == ' '))
			return at;
	return width;
}

static void ladder_finding_slice(struct ladder *l, const struct text *line,
				 size_t from, size_t to, enum ink i)
{
	if (from >= line->len)
		return;
	writer_on(l, i);
	text_add(l->t, line->s + from,
		 (to < line->len ? to : line->len) - from);
	writer_off(l, i);
}

static bool has_marks(const struct text *marks, size_t from, size_t to)
{
	for (; from < to && from < marks->len; from++)
		if (marks->s[from] == '^')
			return true;
	return false;
}

static void pair_lines(struct ladder *l, const struct text line[3],
		       unsigned indent)
{
	static const char *const names[] = {"expected  ", "actual    ",
					    "          "};
	static const enum ink colour[] = {INK_GOOD, INK_PLAIN, INK_BAD};
	size_t longest = max(line[0].len, line[1].len), to;
	size_t room = l->o.width - indent - 2 - 10;

	for (size_t from = 0; from < longest; from = to) {
		struct text rest[2] = {line[0], line[1]};

		for (int i = 0; i < 2; i++) {
			size_t skip = from < rest[i].len ? from : rest[i].len;

			if (rest[i].s)
				rest[i].s += skip;
			rest[i].len -= skip;
		}
		to = from + cut_column(rest, room);
		for (int i = 0; i < 3; i++) {
			if (i == 2 && !has_marks(&line[2], from, to))
				continue;
			text_fill(l->t, ' ', indent);
			text_puts(l->t, "! ");
			text_puts(l->t, from ? names[2] : names[i]);
			ladder_finding_slice(l, &line[i], from, to, colour[i]);
			writer_newline(l);
		}
		while (to < longest &&
		       (to >= line[0].len || line[0].s[to] == ' ') &&
		       (to >= line[1].len || line[1].s[to] == ' '))
			to++;
	}
}

bool say_rungs(const struct rec_finding *f, struct text line[3])
{
	struct text e = {0}, a = {0};

	safe_puts(&e, f->expected);
	safe_puts(&a, f->actual);
	if (!e.len && !a.len)
		return false;
	if (e.len && a.len) {
		rung_diff(&line[0], &line[1], &line[2], text_cstr(&e),
			  text_cstr(&a));
		if (f->kind == KIND_TIMING) /* correct, but late */
			text_clear(&line[2]);
	} else {
		text_puts(&line[0], e.len ? e.s : "nothing");
		text_puts(&line[1], a.len ? a.s : "nothing");
	}
	text_free(&e);
	text_free(&a);
	return true;
}

static void finding_rungs(struct ladder *l, const struct rec_finding *f,
			  unsigned indent)
{
	struct text line[3] = {{0}, {0}, {0}};

	if (say_rungs(f, line))
		pair_lines(l, line, indent);
	for (int i = 0; i < 3; i++)
		text_free(&line[i]);
}

static void say_ids(struct text *t, const struct record *r,
		    const struct rec_finding *f)
{
	const struct rec_finding *first = f, *end = r->findings + r->nfindings;

	if (f->req == REQ_NONE)
		return;
	for (; f < end && finding_same(first, f); f++)
		text_printf(t, "%s%s/%s", f > first ? " " : "",
			    req_get(f->req)->id, req_role_name(f->role));
	text_puts(t, ": ");
}

static const char *mark_of(const struct rec_finding *f)
{
	if (f->known)
		return "KNOWN ";
	if (f->consequence)
		return "FOLLOWS ";
	if (f->remark)
		return "REMARK ";
	return "FAIL ";
}

void say_finding(struct text *t, const struct record *r,
		 const struct rec_finding *f)
{
	const char *path = r->test_case ? r->test_case->path : NULL;
	bool elsewhere = f->file && path && strcmp(f->file, path) != 0;

	text_puts(t, mark_of(f));
	say_ids(t, r, f);
	safe_puts(t, text_some(f->text, "not as expected"));
	if (f->kind == KIND_TIMING)
		text_puts(t, ", timing");
	if (!f->line)
		return;
	text_puts(t, " [");
	if (elsewhere) {
		safe_puts(t, f->file);
		text_puts(t, " ");
	}
	text_printf(t, "line %u]", f->line);
}

void finding_block(struct ladder *l, const struct rec_finding *f,
		   unsigned indent)
{
	const enum ink ink = f->remark || f->consequence ? INK_WARN : INK_BAD;
	struct text say = {0};
	const char *s, *next;
	bool first = true;

	say_finding(&say, l->r, f);
	for (s = text_cstr(&say); *s; s = next, first = false) {
		size_t room = l->o.width - indent - 2 - (first ? 0 : 2);
		size_t n = safe_wrap(s, room, &next);

		text_fill(l->t, ' ', indent);
		text_puts(l->t, first ? "! " : "!   ");
		writer_on(l, ink);
		text_add(l->t, s, n);
		writer_off(l, ink);
		writer_newline(l);
	}
	text_free(&say);
	finding_rungs(l, f, indent);
}

static unsigned finding_indent(const struct ladder *l)
{
	return (unsigned)(1 + l->time_w + 2);
}

void finding_of_frame(struct ladder *l, uint32_t frame)
{
	for (size_t i = 0; frame && i < l->r->nfindings; i++)
		if (l->r->findings[i].frame == frame &&
		    !finding_again(l->r, &l->r->findings[i]))
			finding_block(l, &l->r->findings[i], finding_indent(l));
}

void finding_left(struct ladder *l)
{
	size_t *rows = record_rows(l->r);

	for (size_t i = 0; rows && i < l->r->nfindings; i++) {
		const struct rec_finding *f = &l->r->findings[i];

		if (rows[i] || finding_again(l->r, f))
			continue;
		if (!f->frame && *f->expected && !*f->actual)
			row_ghost(l, f);
		finding_block(l, f, finding_indent(l));
	}
	l->t->failed |= l->r->nfindings && !rows;
	free(rows);
}
