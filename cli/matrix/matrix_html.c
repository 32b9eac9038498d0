/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix_html.c -- a matrix as a page, in the style of report.html.
 */
#include "cli/matrix/matrix_print.h"
#include "reports/html/html_page.h"
#include "reports/safe.h"

static bool matrix_has(const struct matrix *m, unsigned family, size_t end)
{
	for (size_t c = 0; c < m->ncells; c++)
		if (m->cells[c].family == family && m->cells[c].ends[0] == end)
			return true;
	return false;
}

static void matrix_html_cell(struct text *t, const struct matrix_cell *c)
{
	const char *verdict = matrix_verdict_name(c->verdict);

	text_puts(t, "<td title=\"");
	safe_xml(t, c->why);
	text_printf(t, "\">");
	if (c->n)
		text_printf(t, "<a href=\"#%s-%zu-%zu\">",
			    family_name(c->family), c->ends[0], c->ends[1]);
	text_printf(t, "<span class=\"v %s\">%s</span>", verdict, verdict);
	if (c->n)
		text_printf(t, "</a> %zu", c->n);
}

static void matrix_html_table(struct text *t, const struct matrix *m,
			      unsigned family)
{
	text_printf(t,
		    "<section><h2>%s</h2>\n<table><thead><tr>"
		    "<th>initiator \\ target",
		    family_name((enum family)family));
	for (size_t k = 0; k < m->nends; k++) {
		if (!matrix_has(m, family, k))
			continue;
		text_puts(t, "<th>");
		safe_xml(t, m->ends[k].name);
	}
	text_puts(t, "</thead>\n<tbody>");
	for (size_t c = 0; c < m->ncells; c++) {
		const struct matrix_cell *cell = &m->cells[c];

		if (cell->family != family)
			continue;
		if (c == 0 || m->cells[c - 1].ends[0] != cell->ends[0] ||
		    m->cells[c - 1].family != cell->family) {
			text_puts(t, "\n<tr><th>");
			safe_xml(t, m->ends[cell->ends[0]].name);
		}
		matrix_html_cell(t, cell);
	}
	text_puts(t, "\n</tbody></table></section>\n");
}

static void matrix_html_fault(struct text *t, const struct matrix *m,
			      const struct matrix_cell *c,
			      const struct matrix_fault *f)
{
	struct text exchange = {0};

	text_puts(t, "<tr><td>");
	safe_xml(t, matrix_blamed(m, c, f));
	text_puts(t, "<td>");
	matrix_fault_req(t, f);
	text_puts(t, "<td>");
	safe_xml(t, f->fault.text);
	text_puts(t, "<td>");
	exchange_print(&exchange, &f->exchange);
	safe_xml(t, text_cstr(&exchange));
	text_printf(t, "<td>%llu<td>%s<td>", (unsigned long long)f->packets,
		    f->alone ? "yes" : "no");
	if (*f->capture)
		text_printf(t, "<a href=\"%s\">%s</a>", f->capture, f->capture);
	text_puts(t, "\n");
	text_free(&exchange);
}

static void matrix_html_faults(struct text *t, const struct matrix *m,
			       const struct matrix_cell *c)
{
	text_printf(t, "<section id=\"%s-%zu-%zu\"><h2>",
		    family_name(c->family), c->ends[0], c->ends[1]);
	text_printf(t, "%s: ", family_name(c->family));
	safe_xml(t, m->ends[c->ends[0]].name);
	text_puts(t, " &rarr; ");
	safe_xml(t, m->ends[c->ends[1]].name);
	text_puts(t, "</h2>\n<table><thead><tr><th>who is wrong"
		     "<th>requirement<th>finding<th>shortest exchange"
		     "<th>packets<th>also with the reference<th>capture"
		     "</thead>\n<tbody>\n");
	for (size_t i = 0; i < c->n; i++)
		matrix_html_fault(t, m, c, &c->faults[i]);
	text_puts(t, "</tbody></table></section>\n");
}

void matrix_html(struct text *t, const struct matrix *m)
{
	html_page_begin(t, "rung matrix", "Matrix");
	for (unsigned f = 0; f < wire_nfamilies; f++) {
		bool any = false;

		for (size_t i = 0; i < m->nends; i++)
			any |= matrix_has(m, f, i);
		if (any)
			matrix_html_table(t, m, f);
	}
	for (size_t c = 0; c < m->ncells; c++)
		if (m->cells[c].n)
			matrix_html_faults(t, m, &m->cells[c]);
	html_page_end(t);
}
