/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_req.c -- writes the requirements of report.html by role.
 */
#include "reports/html/html_req.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/html/html_piece.h"
#include "reports/result/diff.h"
#include "reports/safe.h"

static const enum req_role roles[] = {REQ_SRC, REQ_DST};

static bool obliged(enum req_id id, int dst)
{
	return (req_get(id)->role & roles[dst]) != 0;
}

static bool touched(const struct html *h, enum req_id id)
{
	return summary_listed(h->s, id, REQ_SRC) ||
	       summary_listed(h->s, id, REQ_DST);
}

/* ---- Failed requirements ---- */

static size_t first_finding(const struct summary_case *c, enum req_id id,
			    enum req_role role)
{
	for (size_t i = 0; i < c->nfindings; i++)
		if (c->findings[i].req == id && (c->findings[i].role & role))
			return i;
	return 0;
}

/* Writes the differing fields, or the finding's text if there is no rung. */
static void put_what(struct html *h, const struct rec_finding *f)
{
	struct text t = {0};

	if (*f->expected && *f->actual && f->kind != KIND_TIMING)
		rung_diff_words(&t, f->expected, f->actual);
	html_text(h, t.len ? text_cstr(&t) : f->text);
	h->t->failed |= t.failed;
	text_free(&t);
}

/* Writes a requirement with the first packet that violates it. */
static void put_failed(struct html *h, enum req_id id, int dst)
{
	const struct html_count *n = &h->counts[id][dst];
	const struct summary_case *c = &h->s->cases[n->first];
	const struct rec_finding *f =
		&c->findings[first_finding(c, id, roles[dst])];
	const bool fails =
		summary_verdict(h->s, id, roles[dst]) == REQ_VERDICT_FAIL;

	text_puts(h->t, "<tr><td>");
	html_verdict(h, fails ? "fail" : "remark");
	text_puts(h->t, "<td>");
	html_req(h, id, roles[dst]);
	text_puts(h->t, "<td>");
	html_text(h, req_get(id)->statement);
	text_puts(h->t, "<td>");
	put_what(h, f);
	text_puts(h->t, "<br><span class=\"dim\">");
	if (f->frame)
		text_printf(h->t, "packet #%u of ", f->frame);
	text_printf(h->t, "</span><a href=\"#c%zu\"><code>", c->number);
	html_text(h, c->id);
	text_printf(h->t, "</code></a><td class=\"n\">%zu\n", n->found);
}

/* A requirement with findings in a role. */
struct broken {
	enum req_id id;
	int dst;
	bool fails;
	size_t found;
};

/* Orders fails before remarks, then by number of cases. */
static int by_weight(const void *a, const void *b)
{
	const struct broken *x = a, *y = b;

	if (x->fails != y->fails)
		return x->fails ? -1 : 1;
	if (x->found != y->found)
		return x->found > y->found ? -1 : 1;
	if (x->id != y->id)
		return (int)x->id - (int)y->id;
	return x->dst - y->dst;
}

static void put_all_failed(struct html *h)
{
	struct broken *all = memory_calloc(2 * REQ_COUNT, sizeof(*all));
	size_t n = 0;

	h->t->failed |= !all;
	for (int i = 0; all && i < 2 * REQ_COUNT; i++) {
		const enum req_id id = (enum req_id)(i / 2);

		if (h->counts[id][i % 2].found)
			all[n++] = (struct broken){
				id, i % 2,
				summary_verdict(h->s, id, roles[i % 2]) ==
					REQ_VERDICT_FAIL,
				h->counts[id][i % 2].found};
	}
	if (n)
		qsort(all, n, sizeof(*all), by_weight);
	for (size_t i = 0; i < n; i++)
		put_failed(h, all[i].id, all[i].dst);
	free(all);
}

static bool any_finding(const struct html *h)
{
	for (int i = 0; i < 2 * REQ_COUNT; i++)
		if (h->counts[i / 2][i % 2].found)
			return true;
	return false;
}

/* Writes the cases that failed without naming a requirement. */
static void put_unnamed(struct html *h)
{
	for (size_t i = 0; i < h->s->ncases; i++) {
		const struct summary_case *c = &h->s->cases[i];

		if (c->verdict == VERDICT_PASS || c->verdict == VERDICT_NA ||
		    c->nfindings)
			continue;
		text_puts(h->t, "<p>");
		html_verdict(h, verdict_name(c->verdict));
		text_printf(h->t, " <a href=\"#c%zu\"><code>", c->number);
		html_text(h, c->id);
		text_puts(h->t, "</code></a>: ");
		html_text(h, c->reason);
		text_puts(h->t, "</p>\n");
	}
}

void html_failed(struct html *h)
{
	text_puts(h->t,
		  "<section id=\"failed\"><h2>Requirements that fail</h2>\n");
	if (any_finding(h)) {
		text_puts(h->t,
			  "<div class=\"wide\"><table><thead><tr><th>Verdict"
			  "<th>Requirement<th>What it says<th>What came"
			  "<th class=\"n\">Cases</thead><tbody>\n");
		put_all_failed(h);
		text_puts(h->t,
			  "</tbody></table></div>\n<p class=\"dim\">A "
			  "requirement is judged for each role: src sends the "
			  "request, dst receives it. Below each case stands "
			  "the packet, what was expected and what came.</p>\n");
	} else {
		text_puts(h->t, "<p>No requirement was broken.</p>\n");
	}
	put_unnamed(h);
	text_puts(h->t, "</section>\n");
}

/* ---- All requirements ---- */

static size_t proofs(const struct html *h, enum req_id id, int dst)
{
	char name[64];
	size_t n = 0;

	snprintf(name, sizeof(name), "%s/%s", req_get(id)->id,
		 req_role_name(roles[dst]));
	for (size_t i = 0; h->k && i < h->k->nmutants; i++)
		n += h->k->mutants[i].nkills &&
		     strcmp(h->k->mutants[i].violates, name) == 0;
	return n;
}

static size_t ran(const struct html_count *n)
{
	return n->of[VERDICT_PASS] + n->of[VERDICT_FAIL] +
	       n->of[VERDICT_INCONCLUSIVE] + n->of[VERDICT_ERROR];
}

static void put_role(struct html *h, enum req_id id, int dst)
{
	const struct html_count *n = &h->counts[id][dst];

	if (!obliged(id, dst)) {
		text_puts(h->t, "<td class=\"dim\">-<td><td>");
		return;
	}
	text_puts(h->t, "<td>");
	if (summary_listed(h->s, id, roles[dst]))
		html_verdict(h, req_verdict_name(
					summary_verdict(h->s, id, roles[dst])));
	else
		text_puts(h->t, "<span class=\"dim\">untested</span>");
	if (h->s->reqs[id][dst].remarks)
		text_puts(h->t, " <span class=\"remark\">remark</span>");
	text_printf(h->t, "<td class=\"n\">%zu<td class=\"n\">", ran(n));
	if (h->k)
		text_printf(h->t, "%zu", proofs(h, id, dst));
}

static void put_req(struct html *h, enum req_id id)
{
	const struct req *q = req_get(id);
	char citation[REQ_CITATION_MAX];

	text_printf(h->t,
		    "<tr id=\"%s\"><th scope=\"row\"><code>%s</code><td>%s<td>",
		    q->id, q->id, req_level_name(q->level));
	html_text(h, q->statement);
	text_puts(h->t, " <span class=\"dim\">(");
	html_text(h, req_citation(id, citation));
	text_puts(h->t, ")</span>");
	put_role(h, id, 0);
	put_role(h, id, 1);
	text_puts(h->t, "\n");
}

void html_requirements(struct html *h)
{
	text_puts(h->t,
		  "<section id=\"reqs\"><h2>Requirements</h2>\n<p "
		  "class=\"dim\">pass: every half of it, wire and control, was "
		  "seen; partial: a half was; not reached: a deviation of "
		  "another row came before; na: nothing was. Mutants are "
		  "endpoints with one bug; so many of them prove "
		  "that the row is tested.</p>\n"
		  "<dl id=\"levels\"><dt>M<dd>must: what breaks it, fails"
		  "<dt>S<dd>should: a remark; with --strict it fails"
		  "<dt>O<dd>optional: may be left out, a remark if done wrong"
		  "<dt>N<dd>note: reported, no verdict"
		  "<dt>I<dd>interface inside the device: judged on the "
		  "reference, a remark elsewhere</dl>\n"
		  "<div class=\"wide\"><table id=\"rt\"><thead><tr><th>"
		  "Requirement<th><a href=\"#levels\">Level</a><th>What it "
		  "says<th>src<th class=\"n\">"
		  "Cases<th class=\"n\">Mutants<th>dst<th class=\"n\">Cases"
		  "<th class=\"n\">Mutants</thead><tbody>\n");
	for (int id = 0; id < REQ_COUNT; id++)
		if (touched(h, (enum req_id)id))
			put_req(h, (enum req_id)id);
	text_puts(h->t, "</tbody></table></div>\n</section>\n");
}

/* ---- Requirements that do not apply ---- */

static bool reason_before(const struct summary *s, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (s->cases[i].verdict == VERDICT_NA &&
		    strcmp(summary_na_reason(&s->cases[i]),
			   summary_na_reason(&s->cases[at])) == 0)
			return true;
	return false;
}

static void html_req_put_reason(struct html *h, size_t at)
{
	const char *reason = summary_na_reason(&h->s->cases[at]);
	const char *last = "";
	size_t n = 0;

	for (size_t i = at; i < h->s->ncases; i++)
		n += h->s->cases[i].verdict == VERDICT_NA &&
		     strcmp(summary_na_reason(&h->s->cases[i]), reason) == 0;
	text_puts(h->t, "<details><summary>");
	html_text(h, reason);
	text_printf(h->t, " <span class=\"dim\">(%zu)</span></summary>\n<p>",
		    n);
	for (size_t i = at; i < h->s->ncases; i++) {
		const struct summary_case *c = &h->s->cases[i];

		if (c->verdict != VERDICT_NA ||
		    strcmp(summary_na_reason(c), reason) ||
		    !strcmp(c->id, last))
			continue;
		last = c->id;
		text_puts(h->t, "<code>");
		html_text(h, c->id);
		text_puts(h->t, "</code>\n");
	}
	text_puts(h->t, "</p></details>\n");
}

void html_skipped(struct html *h)
{
	text_puts(h->t,
		  "<section id=\"skipped\"><h2>Not applicable, and why</h2>\n");
	if (!h->s->totals[VERDICT_NA])
		text_puts(h->t, "<p>Every case applies to this device.</p>\n");
	for (size_t i = 0; i < h->s->ncases; i++)
		if (h->s->cases[i].verdict == VERDICT_NA &&
		    !reason_before(h->s, i))
			html_req_put_reason(h, i);
	text_puts(h->t, "</section>\n");
}

/* ---- Coverage ---- */

struct html_req_cover {
	size_t must, of[REQ_VERDICT_COUNT], untested, proved, other;
};

static void cover_role(struct html *h, enum req_id id, int dst,
		       struct html_req_cover *c)
{
	if (!obliged(id, dst))
		return;
	if (req_get(id)->level != REQ_M) {
		c->other++;
		return;
	}
	c->must++;
	c->proved += proofs(h, id, dst) != 0;
	if (summary_listed(h->s, id, roles[dst]))
		c->of[summary_verdict(h->s, id, roles[dst])]++;
	else
		c->untested++;
}

static void put_cover(struct html *h, const char *name, size_t len,
		      const struct html_req_cover *c)
{
	text_printf(h->t, "<tr><th scope=\"row\">%.*s", (int)len, name);
	text_printf(h->t, "<td class=\"n\">%zu", c->must);
	for (int v = 0; v < REQ_VERDICT_COUNT; v++)
		text_printf(h->t, "<td class=\"n %s\">%zu",
			    c->of[v] ? req_verdict_name((enum req_verdict)v)
				     : "dim",
			    c->of[v]);
	text_printf(h->t, "<td class=\"n\">%zu", c->untested);
	if (h->k)
		text_printf(h->t, "<td class=\"n\">%zu", c->proved);
	text_printf(h->t, "<td class=\"n\">%zu\n", c->other);
}

static bool same_family(const char *a, const char *b)
{
	const size_t n = html_family(a);

	return n == html_family(b) && memcmp(a, b, n) == 0;
}

static bool family_before(int id)
{
	for (int i = 0; i < id; i++)
		if (same_family(req_get((enum req_id)i)->id,
				req_get((enum req_id)id)->id))
			return true;
	return false;
}

static void put_family(struct html *h, int first, struct html_req_cover *all)
{
	const char *name = req_get((enum req_id)first)->id;
	struct html_req_cover c = {0};

	for (int id = first; id < REQ_COUNT; id++)
		for (int dst = 0; dst < 2; dst++)
			if (same_family(name, req_get((enum req_id)id)->id)) {
				cover_role(h, (enum req_id)id, dst, &c);
				cover_role(h, (enum req_id)id, dst, all);
			}
	put_cover(h, name, html_family(name), &c);
}

/* Writes the M rows that no case of this run covers. */
static void put_untested(struct html *h)
{
	text_puts(h->t, "<details><summary>M rows that no case of this run is "
			"about</summary>\n<p>");
	for (int i = 0; i < 2 * REQ_COUNT; i++) {
		const enum req_id id = (enum req_id)(i / 2);

		if (req_get(id)->level == REQ_M && obliged(id, i % 2) &&
		    !summary_listed(h->s, id, roles[i % 2]))
			text_printf(h->t, "<code>%s/%s</code>\n",
				    req_get(id)->id,
				    req_role_name(roles[i % 2]));
	}
	text_puts(h->t, "</p></details>\n");
}

void html_coverage(struct html *h)
{
	struct html_req_cover all = {0};

	text_puts(h->t,
		  "<section id=\"coverage\"><h2>Coverage of the catalogue</h2>"
		  "\n<div class=\"wide\"><table><thead><tr><th>Family"
		  "<th class=\"n\">M rows<th class=\"n\">pass"
		  "<th class=\"n\">fail<th class=\"n\">partial"
		  "<th class=\"n\">not reached"
		  "<th class=\"n\">na<th class=\"n\">untested");
	text_printf(h->t, "%s<th class=\"n\">Other rows</thead><tbody>\n",
		    h->k ? "<th class=\"n\">proved by mutants" : "");
	for (int id = 0; id < REQ_COUNT; id++)
		if (!family_before(id))
			put_family(h, id, &all);
	put_cover(h, "all", 3, &all);
	text_puts(h->t, "</tbody></table></div>\n<p class=\"dim\">A row is a "
			"requirement in a role.</p>\n");
	put_untested(h);
	text_puts(h->t, "</section>\n");
}
