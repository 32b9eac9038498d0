/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/markdown.c -- writes the run as a page of Markdown.
 *
 * Spec: GitHub Flavored Markdown 0.29, tables, backslash escapes
 */
#include "reports/format/markdown.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "reports/safe.h"
#include "reports/triage/triage.h"
#include "reports/triage/triage_words.h"

#define CASES_MAX  100 /* servers cut long pages */
#define CAUSES_MAX 20
#define ROWS_MAX   12 /* explained rows of a cause */

/* Writes text of a paragraph or a cell, with markup escaped. */
static void markdown_put(struct text *t, const char *s)
{
	struct text safe = {0};

	safe_puts(&safe, s);
	for (const char *c = text_cstr(&safe); *c; c++) {
		if (strchr("\\`*_{}[]<>|~&#@", *c))
			text_puts(t, "\\");
		text_add(t, c, 1);
	}
	t->failed |= safe.failed;
	text_free(&safe);
}

/* Writes code: an id, a rung.  A bar would end the cell. */
static void put_code(struct text *t, const char *s)
{
	struct text safe = {0};

	safe_puts(&safe, s);
	text_puts(t, "`");
	for (const char *c = text_cstr(&safe); *c; c++) {
		text_puts(t, *c == '|' ? "\\" : "");
		text_add(t, *c == '`' ? "'" : c, 1);
	}
	text_puts(t, "`");
	t->failed |= safe.failed;
	text_free(&safe);
}

static void markdown_put_head(struct text *t, const struct summary *s,
			      const struct about *a)
{
	const size_t fails = summary_fails(s);

	text_puts(t, "# rung: ");
	markdown_put(t, about_device(a));
	text_printf(t, "\n\n**%s**, %zu results",
		    fails ? "Failed"
		    : s->totals[VERDICT_ERROR] + s->totals[VERDICT_INCONCLUSIVE]
			    ? "Not decided"
		    : s->totals[VERDICT_PASS] ? "Passed"
					      : "Nothing was run",
		    summary_results(s));
	if (a->interrupted)
		text_printf(t, " of %zu, **interrupted**", a->planned);
	text_printf(t, ", seed %" PRIu64 "\n\n|", a->seed);
	for (int v = 0; v < VERDICT_COUNT; v++)
		text_printf(t, " %s |", verdict_name((enum verdict)v));
	text_puts(t, "\n|");
	for (int v = 0; v < VERDICT_COUNT; v++)
		text_puts(t, "---:|");
	text_puts(t, "\n|");
	for (int v = 0; v < VERDICT_COUNT; v++)
		text_printf(t, " %zu |", s->totals[v]);
	text_puts(t, "\n");
	if (s->baseline)
		text_printf(t,
			    "\nBaseline: %zu known, %zu unexpected passes, "
			    "%zu to answer for.\n",
			    s->known, s->fixed, fails);
}

static void put_requirement(struct text *t, enum req_id id, enum req_role role)
{
	char citation[REQ_CITATION_MAX];

	text_printf(t, "| `%s/%s` | ", req_get(id)->id, req_role_name(role));
	markdown_put(t, req_get(id)->statement);
	text_puts(t, " | ");
	markdown_put(t, req_citation(id, citation));
	text_puts(t, " |\n");
}

static void markdown_put_cause(struct text *t, const struct triage *tr,
			       const struct triage_cause *c,
			       const struct summary *s, const struct about *a)
{
	struct text piece = {0};

	text_puts(t, "| ");
	triage_name(&piece, c);
	put_code(t, text_cstr(&piece));
	text_puts(t, " | ");
	text_clear(&piece);
	triage_words(&piece, s, &c->shortest);
	markdown_put(t, text_cstr(&piece));
	text_puts(t, "<br>");
	text_clear(&piece);
	triage_alternatives(&piece, tr, s, c, ROWS_MAX);
	if (piece.len) {
		markdown_put(t, text_cstr(&piece));
		text_puts(t, "<br>");
		text_clear(&piece);
	}
	triage_explained(&piece, tr, s, c, ROWS_MAX);
	if (piece.len) {
		markdown_put(t, text_cstr(&piece));
		text_puts(t, "<br>");
		text_clear(&piece);
	}
	triage_command(&piece, a, &s->cases[c->shortest.c]);
	put_code(t, text_cstr(&piece));
	text_printf(t, " | %zu | %zu |\n", c->nfound, c->nexplained);
	t->failed |= piece.failed;
	text_free(&piece);
}

static void markdown_put_claims(struct text *t, const struct summary *s)
{
	for (size_t i = 0; i < s->nclaims; i++) {
		struct text line = {0};

		summary_claim_say(&line, s, i);
		text_puts(t, i ? "* " : "\n* ");
		markdown_put(t, text_cstr(&line));
		text_puts(t, "\n");
		t->failed |= line.failed;
		text_free(&line);
	}
}

static void markdown_put_over(struct text *t, const struct triage *tr,
			      const struct about *a)
{
	struct text line = {0};

	for (size_t i = 0; triage_over(&line, tr, a, i); i++) {
		text_puts(t, i ? "* " : "\n* ");
		markdown_put(t, text_cstr(&line));
		text_puts(t, "\n");
		text_clear(&line);
	}
	t->failed |= line.failed;
	text_free(&line);
}

static void put_causes(struct text *t, const struct summary *s,
		       const struct about *a)
{
	struct triage *tr;

	if (triage_new(&tr, s)) {
		t->failed = true;
		return;
	}
	markdown_put_claims(t, s);
	markdown_put_over(t, tr, a);
	if (tr->nfails)
		text_puts(t, "\n## What is wrong\n\n"
			     "| cause | what came | found in | explains |\n"
			     "|---|---|---:|---:|\n");
	for (size_t i = 0; i < tr->nfails && i < CAUSES_MAX; i++)
		markdown_put_cause(t, tr, &tr->causes[i], s, a);
	if (tr->nfails > CAUSES_MAX)
		text_printf(t, "\nand %zu more\n", tr->nfails - CAUSES_MAX);
	triage_free(tr);
}

static void markdown_put_requirements(struct text *t, const struct summary *s)
{
	bool any = false;

	for (int i = 0; i < 2 * REQ_COUNT; i++) {
		const enum req_id id = (enum req_id)(i / 2);
		const enum req_role role = i % 2 ? REQ_DST : REQ_SRC;

		if (summary_verdict(s, id, role) != REQ_VERDICT_FAIL)
			continue;
		if (!any)
			text_puts(t, "\n## Broken requirements\n\n"
				     "| requirement | says | source |\n"
				     "|---|---|---|\n");
		any = true;
		put_requirement(t, id, role);
	}
}

static bool markdown_counts(const struct summary_case *c)
{
	return c->state == BASELINE_FIXED ||
	       (c->state != BASELINE_KNOWN && c->verdict != VERDICT_PASS &&
		c->verdict != VERDICT_NA);
}

static void markdown_put_rungs(struct text *t, const struct summary_case *c)
{
	const struct rec_finding *f = c->nfindings ? &c->findings[0] : NULL;

	if (!f || (!*f->expected && !*f->actual))
		return;
	text_puts(t, "<br>expected ");
	put_code(t, text_some(f->expected, "nothing"));
	text_puts(t, "<br>actual ");
	put_code(t, text_some(f->actual, "nothing"));
}

static void markdown_put_case(struct text *t, const struct summary_case *c)
{
	struct text say = {0};

	text_printf(t, "| %s | ",
		    c->state == BASELINE_FIXED ? "unexpected pass"
					       : verdict_name(c->verdict));
	put_code(t, c->id);
	text_puts(t, " | ");
	if (c->state == BASELINE_FIXED)
		baseline_say(&say, c->state, c->entry);
	markdown_put(t, say.len ? text_cstr(&say) : c->reason);
	markdown_put_rungs(t, c);
	text_puts(t, " |\n");
	t->failed |= say.failed;
	text_free(&say);
}

static void markdown_put_cases(struct text *t, const struct summary *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ncases; i++) {
		if (!markdown_counts(&s->cases[i]) || n++ >= CASES_MAX)
			continue;
		if (n == 1)
			text_puts(t, "\n## Cases\n\n| verdict | case | why |\n"
				     "|---|---|---|\n");
		markdown_put_case(t, &s->cases[i]);
	}
	if (n > CASES_MAX)
		text_printf(t, "\nand %zu more\n", n - CASES_MAX);
}

int markdown_report(struct text *t, const struct summary *s,
		    const struct about *a)
{
	markdown_put_head(t, s, a);
	put_causes(t, s, a);
	markdown_put_requirements(t, s);
	markdown_put_cases(t, s);
	return text_err(t);
}
