/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_case.c -- writes each case of report.html, and its
 * findings.
 *
 * The results of one case (several with --repeat) are listed together.
 */
#include "reports/html/html_case.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "reports/html/html_piece.h"
#include "reports/html/html_set.h"
#include "reports/ladder/ladder_fault.h"
#include "reports/ladder/ladder_finding.h"
#include "reports/ladder/ladder_writer.h"
#include "reports/safe.h"

#define OPEN_MAX 8 /* failed cases that are expanded at first */

/* ---- Findings ---- */

size_t html_group(const struct summary_case *c, size_t i)
{
	size_t n = 1;

	while (i + n < c->nfindings &&
	       finding_same(&c->findings[i], &c->findings[i + n]))
		n++;
	return n;
}

/* Writes a line of say_rungs with the marked text highlighted. */
static void put_marked(struct html *h, const struct text *line,
		       const struct text *marks)
{
	struct text part = {0};
	size_t i = 0;

	while (i < line->len) {
		const bool on = i < marks->len && marks->s[i] == '^';
		size_t end = i;

		while (end < line->len &&
		       on == (end < marks->len && marks->s[end] == '^'))
			end++;
		text_clear(&part);
		text_add(&part, line->s + i, end - i);
		text_puts(h->t, on ? "<mark>" : "");
		html_text(h, text_cstr(&part));
		text_puts(h->t, on ? "</mark>" : "");
		i = end;
	}
	h->t->failed |= part.failed;
	text_free(&part);
}

static void html_case_put_rungs(struct html *h, const struct rec_finding *f)
{
	struct text line[3] = {{0}, {0}, {0}};

	if (say_rungs(f, line)) {
		text_puts(h->t, "<pre><b>expected</b>  <span class=\"e\">");
		put_marked(h, &line[0], &line[2]);
		text_puts(h->t, "</span>\n<b>actual</b>    <span class=\"a\">");
		put_marked(h, &line[1], &line[2]);
		text_puts(h->t, "</span></pre>\n");
	}
	for (int i = 0; i < 3; i++) {
		h->t->failed |= line[i].failed;
		text_free(&line[i]);
	}
}

/* Writes the place of a finding: "Packet #4 at 0.020 ms, line 26: < ack ..." */
static void put_place(struct html *h, size_t at, size_t i)
{
	const struct summary_case *c = &h->s->cases[at];
	const struct rec_finding *f = &c->findings[i];
	const struct summary_place *p = &c->places[i];
	char ms[32];

	text_puts(h->t, "<p class=\"dim\">");
	if (f->frame && c->drawing)
		text_printf(h->t,
			    "Packet <a href=\"#c%zuf%" PRIu32 "\">#%" PRIu32
			    "</a>",
			    c->number, f->frame, f->frame);
	else if (f->frame)
		text_printf(h->t, "Packet #%" PRIu32, f->frame);
	else
		text_puts(h->t, *f->expected && !*f->actual
					? "A packet that never came"
					: "No single packet");
	if (p->timed)
		text_printf(h->t, " at %s ms", writer_ms(ms, p->at));
	if (!f->line)
		text_puts(h->t, "; a monitor that looks at every packet found "
				"it");
	else
		text_printf(h->t, "; line %u of the case", f->line);
	if (*p->source) {
		text_puts(h->t, ": <code>");
		html_text(h, p->source);
		text_puts(h->t, "</code>");
	}
	text_puts(h->t, "</p>\n");
}

static void html_case_put_statement(struct html *h, const struct rec_finding *f)
{
	const struct req *q = req_get(f->req);
	char citation[REQ_CITATION_MAX];

	text_puts(h->t, "<p>");
	html_req(h, f->req, f->role);
	text_puts(h->t, " says: ");
	html_text(h, q->statement);
	text_puts(h->t, " <span class=\"dim\">(");
	html_text(h, req_citation(f->req, citation));
	text_puts(h->t, ")</span></p>\n");
}

void html_finding(struct html *h, size_t at, size_t first, size_t n)
{
	const struct summary_case *c = &h->s->cases[at];
	const struct rec_finding *f = &c->findings[first];
	const bool remark = (f->remark && !h->s->strict) || f->consequence;

	text_printf(h->t,
		    "<div class=\"f%s\"><p><strong class=\"%s\">%s"
		    "</strong> ",
		    remark ? " remark" : "", remark ? "remark" : "fail",
		    f->consequence ? "Follows"
		    : remark       ? "Remark"
				   : "Fail");
	if (f->kind == KIND_TIMING)
		text_puts(h->t, "(timing) ");
	html_text(h, text_some(f->text, "not as expected"));
	text_puts(h->t, "</p>\n");
	put_place(h, at, first);
	html_case_put_rungs(h, f);
	for (size_t i = 0; i < n && f[i].req != REQ_NONE; i++)
		html_case_put_statement(h, &f[i]);
	text_puts(h->t, "</div>\n");
}

/* ---- A result ---- */

static void put_files(struct html *h, const struct summary_case *c)
{
	const char *slash = c->capture ? strrchr(c->capture, '/') : NULL;

	if (!slash)
		return;
	text_puts(h->t, "; <a href=\"");
	html_text(h, c->capture);
	text_puts(h->t, "\">capture</a>");
	if (c->verdict == VERDICT_PASS || c->verdict == VERDICT_NA)
		return;
	text_puts(h->t, ", <a href=\"");
	safe_add(h->t, c->capture, (size_t)(slash - c->capture));
	text_puts(h->t, "/\">all files of this case</a>");
}

static void put_drawing(struct html *h, const struct summary_case *c)
{
	if (c->drawing) {
		text_puts(h->t, "<div class=\"lw\">");
		text_puts(h->t, c->drawing);
		text_puts(h->t, "</div>\n");
	} else if (c->packed) {
		text_printf(h->t, "<p data-p=%zu>\n", c->packed - 1);
	} else if (c->verdict != VERDICT_NA && c->capture) {
		text_puts(h->t, "<p class=dim>The ladder is in its folder.\n");
	}
}

static void put_findings(struct html *h, size_t at)
{
	const struct summary_case *c = &h->s->cases[at];

	for (size_t i = 0; i < c->nfindings; i += html_group(c, i))
		html_finding(h, at, i, html_group(c, i));
}

/* Writes "5 of 6 expected rungs matched; 200.0 ms; seed 7; capture". */
static void put_meta(struct html *h, const struct summary_case *c)
{
	text_puts(h->t, "<p class=dim>");
	if (c->rungs_expected)
		text_printf(h->t, "%u of %u expected rungs matched; ",
			    c->rungs_matched, c->rungs_expected);
	html_ms(h, c->virtual_ns);
	text_puts(h->t, " on the link, ");
	html_ms(h, c->wall_ns);
	text_puts(h->t, " here");
	put_files(h, c);
	text_puts(h->t, "\n");
}

static void put_known(struct html *h, const struct summary_case *c)
{
	struct text say = {0};

	if (c->state == BASELINE_NONE)
		return;
	text_puts(h->t, "<p><strong>Baseline</strong>, ");
	baseline_say(&say, c->state, c->entry);
	html_text(h, text_cstr(&say));
	text_puts(h->t, "</p>\n");
	h->t->failed |= say.failed;
	text_free(&say);
}

/*
 * Writes the verdict of the closing fragments, and the requirements not
 * reached.
 */
static void put_around(struct html *h, const struct summary_case *c)
{
	if (c->teardown != VERDICT_PASS) {
		text_puts(h->t, "<p>Tear-down: ");
		html_verdict(h, verdict_name(c->teardown));
		text_puts(h->t, " ");
		html_text(h, c->teardown_reason);
		text_puts(h->t, "\n");
	}
	for (size_t i = 0; i < c->nnot_reached; i++) {
		text_puts(h->t, i ? ", " : "<p class=\"dim\">Not reached: ");
		html_req(h, c->not_reached[i].id, c->not_reached[i].role);
	}
	text_puts(h->t, c->nnot_reached ? "\n" : "");
}

static void put_result(struct html *h, size_t at)
{
	const struct summary_case *c = &h->s->cases[at];

	if (*c->reason) {
		text_puts(h->t, "<p>");
		html_verdict(h, verdict_name(c->verdict));
		text_printf(h->t,
			    "%s%s: ", *fail_kind_name(c->kind) ? ", " : "",
			    fail_kind_name(c->kind));
		html_text(h, c->reason);
		text_puts(h->t, "</p>\n");
	}
	put_known(h, c);
	put_findings(h, at);
	put_around(h, c);
	put_meta(h, c);
	put_drawing(h, c);
}

/* ---- A case with its results ---- */

/* Returns the worst verdict, which a reader must see first. */
static enum verdict worst(const struct summary_case *c, size_t n)
{
	static const enum verdict order[] = {VERDICT_ERROR, VERDICT_FAIL,
					     VERDICT_INCONCLUSIVE,
					     VERDICT_PASS};

	for (size_t v = 0; v < sizeof(order) / sizeof(order[0]); v++)
		for (size_t i = 0; i < n; i++)
			if (c[i].verdict == order[v])
				return order[v];
	return VERDICT_NA;
}

static void put_summary(struct html *h, const struct summary_case *c, size_t n,
			enum verdict v, double flake)
{
	text_puts(h->t, "<summary>");
	html_verdict(h, verdict_name(v));
	text_puts(h->t, "<code>");
	html_text(h, c->id);
	text_puts(h->t, "</code><span class=t>");
	if (c->state != BASELINE_NONE)
		text_printf(h->t, "<b>%s</b> ",
			    c->state == BASELINE_FIXED
				    ? "unexpected pass"
				    : baseline_state_name(c->state));
	html_text(h, c->title);
	text_puts(h->t, "</span><span class=ms>");
	if (n == 1)
		html_ms(h, c->virtual_ns ? c->virtual_ns : c->wall_ns);
	else
		text_printf(h->t, "%zu runs, flake score %.2f", n, flake);
	text_puts(h->t, "</span></summary>\n");
}

static void put_runs(struct html *h, size_t at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct summary_case *c = &h->s->cases[at + i];

		if (n > 1)
			text_printf(h->t, "<h3>Run %" PRIu32 ": %s</h3>\n",
				    c->repeat + 1, verdict_name(c->verdict));
		put_result(h, at + i);
	}
}

static void html_case_put_case(struct html *h, size_t at, size_t n, bool open)
{
	const struct summary_case *c = &h->s->cases[at];
	const enum verdict v = worst(c, n);

	text_printf(h->t, "<details class=\"c %s\" id=c%zu data-s=%zu%s>",
		    verdict_name(v), c->number, html_set(h, c),
		    open ? " open" : "");
	put_summary(h, c, n, v, summary_flake(h->s, at).score);
	text_puts(h->t, "<div class=b>");
	if (*c->ref) {
		text_puts(h->t, "<p>");
		html_text(h, c->ref);
		text_puts(h->t, "\n");
	}
	put_runs(h, at, n);
	text_puts(h->t, "</div></details>\n");
}

static void put_verdict_boxes(struct html *h)
{
	text_puts(h->t, "<fieldset><legend>Verdict</legend>");
	for (int v = 0; v < VERDICT_COUNT; v++) {
		const char *name = verdict_name((enum verdict)v);

		text_printf(h->t,
			    "<label><input type=\"checkbox\" name=\"v\" "
			    "value=\"%s\" checked> %s</label>\n",
			    name, name);
	}
	text_puts(h->t, "</fieldset>\n");
}

/* Writes the filter; the script fills the lists and shows the form. */
static void put_filter(struct html *h)
{
	text_puts(h->t, "<form class=\"filter js\" id=\"filter\" hidden "
			"role=\"search\" aria-label=\"Filter the cases and "
			"requirements\">\n");
	put_verdict_boxes(h);
	text_puts(h->t,
		  "<label>Search <input type=\"search\" name=\"q\" "
		  "placeholder=\"id, title, reason\"></label>\n"
		  "<label>Requirement <input name=\"r\" list=\"rl\" "
		  "autocomplete=\"off\" placeholder=\"RUD-SEQ-76/dst\">"
		  "</label><datalist id=\"rl\"></datalist>\n"
		  "<label>Family <select name=\"f\"><option value=\"\">all"
		  "</option></select></label>\n"
		  "<label>Folder <select name=\"d\"><option value=\"\">all"
		  "</option></select></label>\n"
		  "<label>Device is <select name=\"c\">"
		  "<option value=\"\">either</option>"
		  "<option>target</option><option>initiator</option>"
		  "</select></label>\n"
		  "<button type=\"reset\">Show all</button>\n</form>\n"
		  "<p class=\"count\" id=\"count\" role=\"status\"></p>\n");
}

/* Writes the cases whose worst result is |v|. */
static void html_case_put_cases(struct html *h, enum verdict v)
{
	unsigned opened = 0;
	size_t n;

	for (size_t at = 0; at < h->s->ncases; at += n) {
		n = summary_repeats(h->s, at);
		if (worst(&h->s->cases[at], n) != v)
			continue;
		html_case_put_case(h, at, n,
				   v == VERDICT_FAIL && opened < OPEN_MAX);
		opened++;
	}
}

void html_cases(struct html *h)
{
	static const enum verdict order[] = {
		VERDICT_FAIL, VERDICT_ERROR, VERDICT_INCONCLUSIVE,
		VERDICT_PASS, VERDICT_NA,
	};

	text_puts(h->t, "<section id=\"cases\"><h2>Cases</h2>\n");
	put_filter(h);
	if (!h->s->ncases)
		text_puts(h->t, "<p>No case was run.</p>\n");
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		html_case_put_cases(h, order[i]);
	text_puts(h->t, "</section>\n");
}
