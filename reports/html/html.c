/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html.c -- writes report.html: head, totals and the order of the
 * sections.
 */
#include "reports/html/html.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/html/html_case.h"
#include "reports/html/html_causes.h"
#include "reports/html/html_kills.h"
#include "reports/html/html_passes.h"
#include "reports/html/html_piece.h"
#include "reports/html/html_req.h"
#include "reports/html/html_set.h"
#include "reports/html/html_state.h"
#include "reports/ladder/ladder_svg.h"
#include "reports/safe.h"
#include "suite/decl/profile.h"

/* both are in generated/html.c */
extern const char html_report_css[], html_report_js[];

/* ---- Pieces ---- */

/* ---- Counts of the tables ---- */

static void html_count_seen(struct html *h, const struct summary_case *c)
{
	for (size_t i = 0; i < c->nreqs; i++) {
		const struct req_ref *q = &c->reqs[i];

		h->counts[q->id][html_role(q->role)].of[c->verdict]++;
	}
}

static void count_found(struct html *h, size_t at)
{
	const struct summary_case *c = &h->s->cases[at];

	for (size_t i = 0; i < c->nfindings; i++)
		for (int dst = 0; dst < 2; dst++) {
			const struct rec_finding *f = &c->findings[i];
			struct html_count *n;

			if (f->req == REQ_NONE ||
			    !(f->role & (dst ? REQ_DST : REQ_SRC)))
				continue;
			n = &h->counts[f->req][dst];
			if (n->last == at + 1)
				continue;
			n->last = at + 1;
			if (!n->found++)
				n->first = at;
		}
}

static int html_count(struct html *h)
{
	h->counts = memory_calloc(REQ_COUNT, sizeof(*h->counts));
	if (!h->counts)
		return ERR_NOMEM;
	for (size_t i = 0; i < h->s->ncases; i++) {
		html_count_seen(h, &h->s->cases[i]);
		count_found(h, i);
	}
	return 0;
}

/* ---- The head ---- */

static void html_put_lead(struct html *h)
{
	const size_t *n = h->s->totals;
	size_t broken = 0;

	for (int i = 0; i < 2 * REQ_COUNT; i++)
		broken += summary_verdict(h->s, (enum req_id)(i / 2),
					  i % 2 ? REQ_DST : REQ_SRC) ==
			  REQ_VERDICT_FAIL;
	text_puts(h->t, "<p class=\"lead\">");
	if (!n[VERDICT_FAIL] && h->s->nclaims)
		text_printf(h->t,
			    "<strong class=\"fail\">Failed:</strong> the "
			    "device does not keep %zu of its claims.",
			    h->s->nclaims);
	else if (n[VERDICT_FAIL])
		text_printf(h->t,
			    "<strong class=\"fail\">Failed:</strong> %zu of "
			    "%zu results fail, %zu requirement%s broken.",
			    n[VERDICT_FAIL], summary_results(h->s), broken,
			    broken == 1 ? " is" : "s are");
	else if (n[VERDICT_ERROR] || n[VERDICT_INCONCLUSIVE])
		text_printf(h->t,
			    "<strong class=\"inconclusive\">Not decided:"
			    "</strong> nothing fails, but %zu of %zu results "
			    "stay open.",
			    n[VERDICT_ERROR] + n[VERDICT_INCONCLUSIVE],
			    summary_results(h->s));
	else if (n[VERDICT_PASS])
		text_printf(h->t,
			    "<strong class=\"pass\">Passed:</strong> %zu of "
			    "%zu results; nothing fails.",
			    n[VERDICT_PASS], summary_results(h->s));
	else
		text_puts(h->t, "<strong class=\"na\">Nothing was run"
				"</strong> that applies to this device.");
	if (h->s->baseline)
		text_printf(h->t,
			    " Against the baseline: %zu known, %zu unexpected "
			    "passes, %zu things that count as failures.",
			    h->s->known, h->s->fixed, summary_fails(h->s));
	if (h->a->interrupted)
		text_printf(h->t,
			    " <strong class=\"error\">The run was interrupted"
			    "</strong> after %zu of %zu results.",
			    summary_results(h->s), h->a->planned);
	text_puts(h->t, "</p>\n");
}

static void put_fact(struct html *h, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	text_printf(h->t, "<div><dt>%s<dd>", name);
	html_text(h, value);
	text_puts(h->t, "</div>\n");
}

static void html_put_claims(struct html *h)
{
	const struct decl *d = h->a->decl;
	struct text all = {0};

	for (size_t i = 0; d && i < d->nclaims; i++)
		text_printf(&all, "%s%s", text_between(i, " "), d->claims[i]);
	text_puts(h->t, "<div class=\"long\"><dt>Claims<dd>");
	html_text(h, all.len ? text_cstr(&all) : "nothing");
	text_puts(h->t, "</div>\n");
	h->t->failed |= all.failed;
	text_free(&all);
}

static void put_rerun(struct html *h)
{
	const struct about *a = h->a;

	text_puts(h->t, "<div class=\"long\"><dt>Again<dd><code>rung run ");
	if (a->rerun && *a->rerun) {
		html_text(h, a->rerun);
		text_puts(h->t, " ");
	}
	text_printf(h->t, "--seed %" PRIu64 "%s</code></div>\n", a->seed,
		    a->strict ? " --strict" : "");
}

static void html_put_profile(struct html *h)
{
	const struct decl *d = h->a->decl;
	struct text lacks = {0};

	if (!d || !d->profile)
		return;
	profile_lacks(&lacks, d);
	put_fact(h, "Profile", d->profile->name);
	put_fact(h, "Not claimed of the profile", text_cstr(&lacks));
	text_free(&lacks);
}

static void put_facts(struct html *h)
{
	const struct about *a = h->a;
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, a->seed);
	text_puts(h->t, "<dl class=\"facts\">\n");
	put_fact(h, "Date", a->date);
	put_fact(h, "Device", a->dut);
	put_fact(h, "Release", a->decl ? a->decl->release : NULL);
	put_fact(h, "UET version", a->decl ? a->decl->version : NULL);
	html_put_profile(h);
	put_fact(h, "Control", a->control);
	put_fact(h, "Seed", seed);
	text_puts(h->t, "<div><dt>Took<dd>");
	html_ms(h, a->elapsed ? a->elapsed : h->s->wall_ns);
	text_puts(h->t, "</div>\n<div><dt>Tester<dd>rung ");
	html_text(h, a->version);
	text_puts(h->t, " (");
	html_text(h, a->commit);
	text_puts(h->t, ")</div>\n");
	put_fact(h, "Host", a->host);
	put_fact(h, "Operator", a->operator);
	put_fact(h, "Bench", a->bench.name);
	put_fact(h, "Firmware", a->bench.firmware);
	put_fact(h, "Driver", a->bench.driver);
	put_fact(h, "Clock", a->bench.clock);
	put_fact(h, "Cabling", a->bench.cabling);
	html_put_claims(h);
	put_rerun(h);
	text_puts(h->t, "</dl>\n");
}

static void put_tiles(struct html *h)
{
	const size_t *n = h->s->totals;

	text_puts(h->t, "<ul class=\"tiles\">\n");
	for (int v = 0; v < VERDICT_COUNT; v++) {
		const char *name = verdict_name((enum verdict)v);

		text_printf(h->t, "<li class=\"%s\"><b>%zu</b>%s</li>\n",
			    n[v] ? name : "none", n[v], name);
	}
	text_puts(h->t, "</ul>\n<div class=\"bar\" aria-hidden=\"true\">");
	for (int v = 0; v < VERDICT_COUNT; v++)
		if (n[v])
			text_printf(h->t,
				    "<i class=\"%s\" style=\"flex:%zu\"></i>",
				    verdict_name((enum verdict)v), n[v]);
	text_puts(h->t, "</div>\n");
}

static void put_nav(struct html *h)
{
	static const char *const links[][2] = {
		{"causes", "What is wrong"},
		{"failed", "Requirements that fail"},
		{"like", "Behaves like"},
		{"cases", "Cases"},
		{"reqs", "Requirements"},
		{"skipped", "Not applicable"},
		{"coverage", "Coverage"},
		{"kills", "Mutants"},
		{"passes", "Variants"},
	};

	text_puts(h->t, "<nav aria-label=\"Sections\">");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		text_printf(h->t, "<a href=\"#%s\">%s</a>\n", links[i][0],
			    links[i][1]);
	text_puts(h->t, "</nav>\n");
}

static void html_put_head(struct html *h)
{
	text_puts(h->t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			"<meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width, "
			"initial-scale=1\">\n"
			"<meta name=\"generator\" content=\"rung.report/1\">\n"
			"<link rel=\"icon\" href=\"data:,\">\n<title>rung: ");
	html_text(h, about_device(h->a));
	text_printf(h->t, ", %zu of %zu fail</title>\n<style>\n",
		    h->s->totals[VERDICT_FAIL], summary_results(h->s));
	text_puts(h->t, html_report_css);
	ladder_svg_style(h->t);
	text_puts(h->t,
		  "\n</style>\n</head>\n<body>\n"
		  "<a class=\"skip\" href=\"#cases\">Skip to the cases</a>\n"
		  "<header>\n<h1>");
	html_text(h, about_device(h->a));
	text_puts(h->t, "</h1>\n");
	html_put_lead(h);
	put_facts(h);
	text_puts(h->t, "</header>\n");
	put_nav(h);
}

/* Writes the packed drawings for the script, a block to a line. */
static void put_packs(struct html *h)
{
	const char *blocks = pack_close(&h->s->pack);

	if (*blocks) {
		text_puts(h->t, "<script type=\"text/plain\" id=\"packs\">");
		text_puts(h->t, blocks);
		text_puts(h->t, "</script>\n");
	}
	h->t->failed |= text_err(&h->s->pack.closed) != 0;
}

int html_report(struct text *t, struct summary *s, const struct about *a,
		const struct kills *k, const struct passes *p)
{
	struct html h = {.t = t, .s = s, .a = a, .k = k, .p = p};
	int err = html_count(&h);

	if (!err)
		err = html_sets_new(&h);
	if (err) {
		free(h.counts);
		return err;
	}
	html_put_head(&h);
	text_puts(t, "<main>\n");
	put_tiles(&h);
	html_causes(&h);
	html_failed(&h);
	html_like(&h);
	html_cases(&h);
	html_requirements(&h);
	html_skipped(&h);
	html_coverage(&h);
	html_kills(&h);
	html_passes(&h);
	text_puts(t, "</main>\n<footer>Written by rung; docs/reports.md says "
		     "how to read it.</footer>\n");
	html_sets_put(&h);
	put_packs(&h);
	text_puts(t, "<script>\n");
	text_puts(t, html_report_js);
	text_puts(t, "</script>\n</body>\n</html>\n");
	html_sets_free(&h);
	free(h.counts);
	return text_err(t);
}
