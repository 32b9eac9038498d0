/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_passes.c -- writes the pass matrix of report.html: the
 * legal variants of the reference, and how many cases each of them passes.
 */
#include "reports/html/html_passes.h"

#include "base/memory.h"
#include "base/text.h"
#include "reports/html/html_piece.h"

#include <stdlib.h>

static void passes_put_variant(struct html *h, const struct passes_variant *v)
{
	const size_t ran = h->p->ncases - v->nna;

	text_puts(h->t, "<tr><th scope=\"row\"><code>");
	html_text(h, v->name);
	text_puts(h->t, "</code><br><span class=\"dim\">");
	html_text(h, v->what);
	text_puts(h->t, "</span><td>");
	html_text(h, v->why);
	text_printf(h->t,
		    "<td class=\"n\">%zu<td class=\"n\">%zu"
		    "<td class=\"n\">%zu\n",
		    ran - v->nfails, v->nna, v->nfails);
}

/*
 * Writes the cases that are not applicable to some variant, and for each
 * variant their numbers, from 1.
 */
static void passes_put_numbers(struct html *h)
{
	const struct passes *p = h->p;
	size_t *number = memory_calloc(p->ncases + 1, sizeof(*number)), n = 0;

	if (!number) {
		h->t->failed = true;
		return;
	}
	for (size_t i = 0; i < p->nvariants; i++)
		for (size_t j = 0; j < p->variants[i].nna; j++)
			number[p->variants[i].na[j]] = 1;
	text_puts(h->t, "<script type=\"application/json\" id=\"passmatrix\">"
			"{\"cases\":[");
	for (size_t i = 0; i < p->ncases; i++) {
		if (!number[i])
			continue;
		text_printf(h->t, "%s\"%s\"", n ? "," : "", p->cases[i]);
		number[i] = ++n;
	}
	text_puts(h->t, "],\"variants\":[");
	for (size_t i = 0; i < p->nvariants; i++) {
		const struct passes_variant *v = &p->variants[i];

		text_printf(h->t, "%s[\"%s\"", i ? ",\n" : "\n", v->name);
		for (size_t j = 0; j < v->nna; j++)
			text_printf(h->t, ",%zu", number[v->na[j]]);
		text_puts(h->t, "]");
	}
	text_puts(h->t, "]}</script>\n");
	free(number);
}

void html_passes(struct html *h)
{
	const struct passes *p = h->p;

	text_puts(h->t, "<section id=\"passes\"><h2>Variants: legal devices "
			"that pass</h2>\n");
	if (!p) {
		text_puts(h->t, "<p>The pass matrix is not at hand: the test "
				"variants.matrix writes it.</p>\n</section>\n");
		return;
	}
	text_printf(h->t,
		    "<p>%zu variants against %zu cases. A variant is the "
		    "reference with another legal behaviour: no case may fail "
		    "on it, and none failed on %zu combinations of them. A "
		    "case that does not apply names the line of the "
		    "declaration that excludes it.</p>\n"
		    "<details><summary>The table</summary>"
		    "<div class=\"wide\"><table><thead><tr><th>Variant"
		    "<th>Why it is legal<th class=\"n\">Passes"
		    "<th class=\"n\">Not applicable<th class=\"n\">Fails"
		    "</thead><tbody>\n",
		    p->nvariants, p->ncases, p->combinations);
	for (size_t i = 0; i < p->nvariants; i++)
		passes_put_variant(h, &p->variants[i]);
	text_puts(h->t, "</tbody></table></div></details>\n");
	passes_put_numbers(h);
	text_puts(h->t, "</section>\n");
}
