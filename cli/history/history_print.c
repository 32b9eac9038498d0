/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/history_print.c -- prints tables of the history.
 */
#include "cli/history/history_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "reports/safe.h"

static int history_take(void *ctx, const char *const values[STORE_COLUMNS])
{
	struct history_table *h = ctx;
	const char **row;

	if (h->n == h->room) {
		const size_t room = h->room ? 2 * h->room : 64;
		void *p = memory_realloc(h->rows, room * sizeof(*h->rows));

		if (!p)
			return EXIT_HARNESS;
		h->rows = p;
		h->room = room;
	}
	row = h->rows[h->n];
	for (size_t i = 0; i < STORE_COLUMNS; i++) {
		row[i] = NULL;
		if (!values[i])
			continue;
		row[i] = arena_strndup(&h->arena, values[i], strlen(values[i]));
		if (!row[i])
			return EXIT_HARNESS;
	}
	h->n++;
	return 0;
}

int history_ask(struct store *s, store_query_fn *query,
		const struct store_filter *f, struct history_table *ret)
{
	ret->answer.row = history_take;
	ret->answer.ctx = ret;
	return query(s, f, &ret->answer);
}

void history_free(struct history_table *t)
{
	free(t->rows);
	arena_free(&t->arena);
	*t = (struct history_table){.n = 0};
}

/* Appends a value and fills its column. */
static void history_cell(struct text *t, const char *s, size_t width)
{
	const size_t at = t->len;

	safe_puts(t, text_some(s, "-"));
	if (t->failed)
		return;
	for (size_t n = safe_columns(t->s + at, t->len - at); n < width; n++)
		text_puts(t, " ");
}

static size_t history_width(const struct history_table *h, size_t column)
{
	size_t width = strlen(h->answer.heads[column]);

	for (size_t i = 0; i < h->n; i++) {
		const char *s = h->rows[i][column];
		const size_t n = safe_columns(s, strlen(s));

		if (n > width)
			width = n;
	}
	return width;
}

void history_text(struct text *t, const struct history_table *h,
		  const char *title)
{
	size_t width[STORE_COLUMNS] = {0};

	text_printf(t, "%s%s\n", title, h->n ? "" : ": none");
	if (!h->n)
		return;
	for (size_t k = 0; h->answer.heads[k]; k++) {
		width[k] = history_width(h, k);
		text_puts(t, "  ");
		history_cell(t, h->answer.heads[k], width[k]);
	}
	text_puts(t, "\n");
	for (size_t i = 0; i < h->n; i++) {
		for (size_t k = 0; h->answer.heads[k]; k++) {
			text_puts(t, "  ");
			history_cell(t, h->rows[i][k], width[k]);
		}
		text_puts(t, "\n");
	}
}

void history_html(struct text *t, const struct history_table *h,
		  const char *title)
{
	text_puts(t, "<section><h2>");
	safe_xml(t, title);
	text_puts(t, "</h2>\n");
	if (!h->n) {
		text_puts(t, "<p>none</p></section>\n");
		return;
	}
	text_puts(t, "<table><thead><tr>");
	for (size_t k = 0; h->answer.heads[k]; k++)
		text_printf(t, "<th>%s", h->answer.heads[k]);
	text_puts(t, "</thead>\n<tbody>\n");
	for (size_t i = 0; i < h->n; i++) {
		text_puts(t, "<tr>");
		for (size_t k = 0; h->answer.heads[k]; k++) {
			text_puts(t, "<td>");
			safe_xml(t, h->rows[i][k]);
		}
		text_puts(t, "\n");
	}
	text_puts(t, "</tbody></table></section>\n");
}

/* Names the untested versions between two rows, and the middle one. */
static void bisection_gap(struct text *t, const struct history_table *h,
			  size_t good, size_t bad)
{
	if (bad - good < 2)
		return;
	text_puts(t, "untested between them:");
	for (size_t i = good + 1; i < bad; i++) {
		text_puts(t, i == good + 1 ? " " : ", ");
		safe_puts(t, h->rows[i][0]);
	}
	text_puts(t, "; test ");
	safe_puts(t, h->rows[(good + bad) / 2][0]);
	text_puts(t, " next\n");
}

void history_bisection(struct text *t, const struct history_table *h)
{
	size_t bad = h->n, good = h->n;

	/* The latest row of bad versions; a good one ends it. */
	for (size_t i = h->n; i-- > 0 && good == h->n;) {
		const char *state = h->rows[i][1];

		if (strcmp(state, "bad") == 0 || strcmp(state, "flaky") == 0)
			bad = i;
		else if (strcmp(state, "good") == 0)
			good = i;
	}
	if (bad == h->n) {
		text_puts(t, "no firmware is bad since the last good one\n");
		return;
	}
	text_puts(t, "first bad firmware: ");
	safe_puts(t, h->rows[bad][0]);
	if (good == h->n) {
		text_puts(t, "; no earlier one was good\n");
		return;
	}
	text_puts(t, "; last good: ");
	safe_puts(t, h->rows[good][0]);
	text_puts(t, "\n");
	bisection_gap(t, h, good, bad);
}
