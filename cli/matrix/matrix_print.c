/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix_print.c -- the tables of a matrix, and its faults, as text.
 *
 * The columns of a table have numbers, which stand before the names of the
 * rows, so that long names fit.
 */
#include "cli/matrix/matrix_print.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "reports/safe.h"
#include "reports/text/text_line.h"

#define MATRIX_COLUMN 6 /* of a cell */
#define MATRIX_NAME   30

static const struct matrix_cell *
matrix_find(const struct matrix *m, unsigned family, size_t i, size_t k)
{
	for (size_t c = 0; c < m->ncells; c++)
		if (m->cells[c].family == family && m->cells[c].ends[0] == i &&
		    m->cells[c].ends[1] == k)
			return &m->cells[c];
	return NULL;
}

static void matrix_word(struct text *t, const struct matrix_cell *c)
{
	static const char *const words[] = {
		[MATRIX_NOT_RUN] = "-",           [MATRIX_PASS] = "pass",
		[MATRIX_FAIL] = "FAIL",           [MATRIX_NA] = "na",
		[MATRIX_INCONCLUSIVE] = "incon.",
	};

	text_printf(t, " %*s", MATRIX_COLUMN, words[c->verdict]);
}

static void matrix_name(struct text *t, const char *name)
{
	const size_t at = t->len;
	size_t columns;

	safe_puts(t, name);
	columns =
		t->failed ? MATRIX_NAME : safe_columns(t->s + at, t->len - at);
	if (columns < MATRIX_NAME)
		text_fill(t, ' ', MATRIX_NAME - columns);
}

static void matrix_table(struct text *t, const struct matrix *m,
			 unsigned family)
{
	text_printf(t, "%-6s %*s target\n", family_name((enum family)family),
		    MATRIX_NAME - 4, "");
	text_puts(t, "initiator");
	text_fill(t, ' ', MATRIX_NAME + 4 - strlen("initiator"));
	for (size_t k = 0; k < m->nends; k++)
		if (matrix_find(m, family, k, k))
			text_printf(t, " %*zu", MATRIX_COLUMN, k + 1);
	text_puts(t, "\n");
	for (size_t i = 0; i < m->nends; i++) {
		if (!matrix_find(m, family, i, i))
			continue;
		text_printf(t, "%3zu ", i + 1);
		matrix_name(t, m->ends[i].name);
		for (size_t k = 0; k < m->nends; k++)
			if (matrix_find(m, family, i, k))
				matrix_word(t, matrix_find(m, family, i, k));
		text_puts(t, "\n");
	}
	text_puts(t, "\n");
}

/* Appends a line that is wrapped to the terminal. */
static void matrix_line(struct text *t, const struct text *line)
{
	const struct text_opts opts = {.ladder = {.width = cli_width()}};

	text_puts(t, "      ");
	text_wrap(t, &opts, text_cstr(line), 6, 8);
	t->failed |= line->failed;
}

static void matrix_print_fault(struct text *t, const struct matrix *m,
			       const struct matrix_cell *c,
			       const struct matrix_fault *f)
{
	struct text line = {0};

	safe_puts(&line, matrix_blamed(m, c, f));
	if (f->fault.req != REQ_NONE) {
		text_puts(&line, " breaks ");
		matrix_fault_req(&line, f);
	}
	text_puts(&line, ": ");
	safe_puts(&line, f->fault.text);
	matrix_line(t, &line);
	text_clear(&line);
	text_printf(&line,
		    "shortest, %llu packet%s: ", (unsigned long long)f->packets,
		    text_plural(f->packets));
	exchange_print(&line, &f->exchange);
	matrix_line(t, &line);
	text_puts(t, f->alone ? "      also with the reference"
			      : "      not with the reference");
	if (*f->capture)
		text_printf(t, "; %s", f->capture);
	text_puts(t, "\n");
	text_free(&line);
}

static void matrix_print_cell(struct text *t, const struct matrix *m,
			      const struct matrix_cell *c)
{
	if (c->verdict == MATRIX_PASS || c->verdict == MATRIX_NOT_RUN)
		return;
	text_printf(t, "%-5s %s: ",
		    c->verdict == MATRIX_FAIL ? "FAIL"
					      : matrix_verdict_name(c->verdict),
		    family_name(c->family));
	safe_puts(t, m->ends[c->ends[0]].name);
	text_puts(t, " -> ");
	safe_puts(t, m->ends[c->ends[1]].name);
	text_printf(t, "%s%s\n", *c->why ? ": " : "", c->why);
	for (size_t i = 0; i < c->n; i++)
		matrix_print_fault(t, m, c, &c->faults[i]);
}

void matrix_text(struct text *t, const struct matrix *m)
{
	size_t count[MATRIX_INCONCLUSIVE + 1] = {0};

	for (unsigned f = 0; f < wire_nfamilies; f++) {
		bool any = false;

		for (size_t c = 0; c < m->ncells; c++)
			any |= m->cells[c].family == f;
		if (any)
			matrix_table(t, m, f);
	}
	for (size_t c = 0; c < m->ncells; c++) {
		matrix_print_cell(t, m, &m->cells[c]);
		count[m->cells[c].verdict]++;
	}
	text_printf(t,
		    "%zu cells: %zu pass, %zu fail, %zu inconclusive, "
		    "%zu na\n",
		    m->ncells, count[MATRIX_PASS], count[MATRIX_FAIL],
		    count[MATRIX_INCONCLUSIVE], count[MATRIX_NA]);
}
