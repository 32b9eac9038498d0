/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/option_help.c -- prints the help of a command from its rows.
 *
 * Names are on the left, and the texts begin in one column.  A name that is too
 * long for its column has a line of its own.
 */
#include "cli/option/option_help.h"

#include <string.h>

#include "reports/safe.h"

#define WIDTH  80
#define COLUMN 24 /* largest column of the texts */

const struct option_row option_help_row = {
	.letter = 'h',
	.name = "help",
	.help = "print this text",
	.kind = OPTION_KIND_SET,
};

/* Appends one line of a text, wrapped; the cursor stands at |column|. */
static void option_help_line(struct text *t, const char *s, size_t len,
			     size_t column)
{
	char line[512];
	const char *rest = line, *next;
	size_t hang;

	if (len >= sizeof(line))
		len = sizeof(line) - 1;
	memcpy(line, s, len);
	line[len] = 0;
	/* The text after two blanks is a separate column. */
	hang = strspn(line, " ");
	next = strstr(line + hang, "  ");
	if (next)
		hang = (size_t)(next - line) + strspn(next, " ");
	text_printf(t, "%.*s", (int)hang, line);
	for (rest += hang; *rest; rest = next) {
		const size_t n = safe_wrap(rest, WIDTH - column - hang, &next);

		if (rest != line + hang)
			text_fill(t, ' ', column + hang);
		text_printf(t, "%.*s\n", (int)n, rest);
	}
}

static void option_help_text(struct text *t, const char *s, size_t column)
{
	while (*s) {
		const size_t len = strcspn(s, "\n");

		option_help_line(t, s, len, column);
		s += len;
		if (!*s)
			return;
		s++;
		text_fill(t, ' ', column);
	}
}

/* Appends paragraphs, with a blank line between two. */
static void option_help_paragraphs(struct text *t, const char *s)
{
	while (*s) {
		const size_t len = strcspn(s, "\n");

		if (len)
			option_help_line(t, s, len, 0);
		else
			text_puts(t, "\n");
		s += len + (s[len] == '\n');
	}
}

/* Appends "  -o, --output FILE".  Return: its columns. */
static size_t option_help_name(struct text *t, const struct option_row *row)
{
	const size_t before = t->len;

	if (row->kind <= OPTION_KIND_CASES) {
		text_printf(t, "  %s", row->name);
		return t->len - before;
	}
	if (row->letter)
		text_printf(t, "  -%c, --%s", row->letter, row->name);
	else
		text_printf(t, "      --%s", row->name);
	if (row->argument && row->optional)
		text_printf(t, "[=%s]", row->argument);
	else if (row->argument)
		text_printf(t, " %s", row->argument);
	return t->len - before;
}

static size_t option_help_longer(size_t column, const struct option_row *row)
{
	struct text t = {0};
	const size_t n = option_help_name(&t, row) + 2;

	text_free(&t);
	if (n > column && n <= COLUMN)
		return n;
	return column;
}

/* Returns the column in which the texts begin. */
static size_t option_help_column(const struct command *c)
{
	size_t column = option_help_longer(0, &option_help_row);

	for (const struct option_group *g = c->groups; g->rows; g++)
		for (const struct option_row *r = g->rows; r->kind; r++)
			column = option_help_longer(column, r);
	return column;
}

static void option_help_entry(struct text *t, const struct option_row *row,
			      size_t column)
{
	const size_t n = option_help_name(t, row);

	if (n + 2 <= column) {
		text_fill(t, ' ', column - n);
	} else {
		text_puts(t, "\n");
		text_fill(t, ' ', column);
	}
	option_help_text(t, row->help, column);
}

static void option_help_usage(struct text *t, const struct command *c)
{
	const char *form = c->usage;

	for (const char *head = "Usage:"; *form; head = "      ") {
		const size_t len = strcspn(form, "\n");

		text_printf(t, "%s rung %s%s%.*s\n", head, c->name,
			    len ? " " : "", (int)len, form);
		form += len + (form[len] == '\n');
	}
}

void option_help(struct text *t, const struct command *c)
{
	const size_t column = option_help_column(c);

	option_help_usage(t, c);
	text_puts(t, "\n");
	option_help_paragraphs(t, c->about);
	text_puts(t, "\n");
	for (const struct option_group *g = c->groups; g->rows; g++) {
		if (g->title)
			text_printf(t, "%s%s:\n", g == c->groups ? "" : "\n",
				    g->title);
		for (const struct option_row *r = g->rows; r->kind; r++)
			option_help_entry(t, r, column);
	}
	option_help_entry(t, &option_help_row, column);
	if (c->exits)
		text_puts(t, "\n");
	if (c->exits)
		option_help_paragraphs(t, c->exits);
}
