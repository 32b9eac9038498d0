/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_causes.c -- writes the device's faults of report.html by
 * cause.
 */
#include "reports/html/html_causes.h"

#include <string.h>

#include "base/text.h"
#include "reports/html/html_piece.h"
#include "reports/triage/triage.h"
#include "reports/triage/triage_words.h"

#define FORMS_MAX 8 /* forms of one cause; results.json has all */

static void put_title(struct html *h, const struct triage_cause *c)
{
	if (c->req != REQ_NONE)
		html_req(h, c->req, c->role);
	else
		text_puts(h->t, "no requirement");
	if (*c->what) {
		text_puts(h->t, " <code>");
		html_text(h, c->what);
		text_puts(h->t, "</code>");
	}
}

/* Writes a text made by triage_*(). */
static void put_made(struct html *h, struct text *made)
{
	html_text(h, text_cstr(made));
	h->t->failed |= made->failed;
	text_free(made);
}

static void html_causes_put_form(struct html *h, const struct triage_form *f)
{
	if (!*f->expected && !*f->actual)
		return;
	text_puts(h->t, "<li><code>");
	html_text(h, text_some(f->expected, "nothing"));
	text_puts(h->t, "</code>, got <code>");
	html_text(h, text_some(f->actual, "nothing"));
	text_printf(h->t, "</code> <span class=\"dim\">%s, %zu case%s</span>",
		    f->state, f->ncases, text_plural(f->ncases));
	text_puts(h->t, "</li>\n");
}

static void html_causes_put_forms(struct html *h, const struct triage_cause *c)
{
	if (c->nforms < 2)
		return;
	text_printf(h->t, "<details><summary>%zu forms</summary>\n<ul>\n",
		    c->nforms);
	for (size_t i = 0; i < c->nforms && i < FORMS_MAX; i++)
		html_causes_put_form(h, &c->forms[i]);
	text_puts(h->t, "</ul></details>\n");
}

/* Writes the rows that the device may violate in the place of this one. */
static void html_causes_put_alternatives(struct html *h,
					 const struct triage *tr,
					 const struct triage_cause *c)
{
	struct req_ref row;
	size_t n = 0;

	for (; triage_alternative(tr, h->s, c, n, &row); n++) {
		text_puts(h->t, n ? " " : "<p class=\"dim\">or ");
		html_req(h, row.id, row.role);
	}
	if (n)
		text_printf(h->t, ", which fail%s by the same difference</p>\n",
			    n > 1 ? "" : "s");
}

/* Writes the rows that fail only because of this one. */
static void html_causes_put_rows(struct html *h, const struct triage *tr,
				 const struct triage_cause *c)
{
	struct req_ref row;
	size_t n = 0;

	for (; triage_row(tr, h->s, c, n, &row); n++) {
		text_puts(h->t, n ? " " : "<p class=\"dim\">explains ");
		html_req(h, row.id, row.role);
	}
	if (n && c->nbehind)
		text_printf(h->t, ", in %zu further case%s", c->nbehind,
			    text_plural(c->nbehind));
	if (n)
		text_puts(h->t, "</p>\n");
}

static void html_causes_put_case(struct html *h, const struct triage_cause *c)
{
	const struct summary_case *sc = &h->s->cases[c->shortest.c];
	struct text command = {0};

	text_printf(h->t, "<a href=\"#c%zu\"><code>", sc->number);
	html_text(h, sc->id);
	text_puts(h->t, "</code></a><br><code class=\"dim\">");
	triage_command(&command, h->a, sc);
	put_made(h, &command);
	text_puts(h->t, "</code>");
}

static void html_causes_put_cause(struct html *h, const struct triage *tr,
				  const struct triage_cause *c)
{
	struct text words = {0};

	text_puts(h->t, "<tr><td>");
	html_verdict(h, c->remark ? "remark" : "fail");
	if (c->known)
		text_puts(h->t, " <span class=\"dim\">known</span>");
	text_puts(h->t, "<td>");
	put_title(h, c);
	text_puts(h->t, "<td>");
	html_text(h, c->req != REQ_NONE ? req_get(c->req)->statement : "");
	text_puts(h->t, "<td>");
	triage_words(&words, h->s, &c->shortest);
	put_made(h, &words);
	html_causes_put_forms(h, c);
	html_causes_put_alternatives(h, tr, c);
	html_causes_put_rows(h, tr, c);
	text_puts(h->t, "<td>");
	html_causes_put_case(h, c);
	text_printf(h->t, "<td class=\"n\">%zu<td class=\"n\">%zu\n", c->nfound,
		    c->nexplained);
}

/* Writes the known deviations, and those after which cases continued. */
static void html_causes_put_over(struct html *h, const struct triage *tr)
{
	struct text line = {0};

	for (size_t i = 0; triage_over(&line, tr, h->a, i); i++) {
		text_puts(h->t, i ? "<li>" : "<ul class=\"over\">\n<li>");
		html_text(h, text_cstr(&line));
		text_puts(h->t, "</li>\n");
		text_clear(&line);
	}
	h->t->failed |= line.failed;
	text_free(&line);
	if (triage_over(&line, tr, h->a, 0))
		text_puts(h->t, "</ul>\n");
	text_free(&line);
}

static void html_causes_put_claims(struct html *h)
{
	for (size_t i = 0; i < h->s->nclaims; i++) {
		struct text line = {0};

		summary_claim_say(&line, h->s, i);
		text_puts(h->t, "<p class=\"fail\">");
		html_text(h, text_cstr(&line));
		text_puts(h->t, "</p>\n");
		h->t->failed |= line.failed;
		text_free(&line);
	}
}

void html_causes(struct html *h)
{
	struct triage *t;

	if (triage_new(&t, h->s)) {
		h->t->failed = true;
		return;
	}
	text_puts(h->t, "<section id=\"causes\"><h2>What is wrong</h2>\n");
	html_causes_put_claims(h);
	html_causes_put_over(h, t);
	if (t->n)
		text_puts(h->t,
			  "<div class=\"wide\"><table><thead><tr><th>Verdict"
			  "<th>Requirement<th>What it says<th>What came"
			  "<th>Shortest case<th class=\"n\">Found in"
			  "<th class=\"n\">Explains</thead><tbody>\n");
	for (size_t i = 0; i < t->n; i++)
		html_causes_put_cause(h, t, &t->causes[i]);
	if (t->n)
		text_puts(h->t,
			  "</tbody></table></div>\n<p class=\"dim\">Findings "
			  "of all cases, grouped by what differs. The first "
			  "one explains most failed results; each further one "
			  "counts those that none above explains.</p>\n");
	else
		text_puts(h->t, "<p>No case found anything.</p>\n");
	text_puts(h->t, "</section>\n");
	triage_free(t);
}
