/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/compare/compare_print.c -- prints a comparison as text, JSON and
 * HTML.
 */
#include "reports/compare/compare_print.h"

#include <inttypes.h>

#include "base/text.h"
#include "reports/format/json.h"
#include "reports/safe.h"

/* in generated/html.c */
extern const char html_report_css[];

static const struct {
	const char *title, *why;
} parts[COMPARE_COUNT] = {
	[COMPARE_BROKEN] = {"New failures", "they fail now, and did not"},
	[COMPARE_FIXED] = {"Fixed", "they pass now, and did not"},
	[COMPARE_OTHER] = {"Fail otherwise",
			   "they failed before, under other requirements"},
	[COMPARE_CHANGED] = {"Another verdict", "neither broken nor fixed"},
	[COMPARE_SLOWER] = {"Slower", "beyond noise"},
	[COMPARE_FASTER] = {"Faster", "beyond noise"},
	[COMPARE_ADDED] = {"Only in the second", ""},
	[COMPARE_REMOVED] = {"Only in the first", ""},
};

static const char *compare_print_device(const struct results *r)
{
	if (*r->name)
		return r->name;
	return r->dut;
}

static void put_ms(struct text *t, vspan ns)
{
	const uint64_t us = ns > 0 ? (uint64_t)ns / 1000 : 0;

	text_printf(t, "%" PRIu64 ".%03" PRIu64 " ms", us / 1000, us % 1000);
}

static void put_side(struct text *t, const struct compare_side *s)
{
	if (!s->worst) {
		text_puts(t, "-");
		return;
	}
	text_puts(t, verdict_name(s->worst->verdict));
	if (s->runs > 1)
		text_printf(t, " (%zu of %zu fail)", s->fails, s->runs);
}

static bool is_timing(enum compare_what w)
{
	return w == COMPARE_SLOWER || w == COMPARE_FASTER;
}

static void put_change(struct text *t, const struct compare_case *c)
{
	if (is_timing(c->what)) {
		put_ms(t, c->a.median);
		text_puts(t, " to ");
		put_ms(t, c->b.median);
		return;
	}
	put_side(t, &c->a);
	text_puts(t, " to ");
	put_side(t, &c->b);
}

/* ---- Text ---- */

static void text_part(struct text *t, const struct compare *c,
		      enum compare_what w)
{
	if (!c->count[w])
		return;
	text_printf(t, "\n%s (%zu)\n", parts[w].title, c->count[w]);
	for (size_t i = 0; i < c->n; i++) {
		const struct compare_case *k = &c->cases[i];

		if (k->what != w)
			continue;
		text_puts(t, "  ");
		safe_puts(t, k->id);
		text_puts(t, "  ");
		put_change(t, k);
		text_puts(t, "\n");
		if (!k->b.worst || !*k->b.worst->reason || is_timing(w))
			continue;
		text_puts(t, "      ");
		safe_puts(t, k->b.worst->reason);
		text_puts(t, "\n");
	}
}

static void text_reqs(struct text *t, const struct compare *c)
{
	if (!c->nreqs)
		return;
	text_printf(t, "\nRequirements (%zu)\n", c->nreqs);
	for (size_t i = 0; i < c->nreqs; i++) {
		text_puts(t, "  ");
		safe_puts(t, c->reqs[i].name);
		text_puts(t, "  ");
		safe_puts(t, *c->reqs[i].a ? c->reqs[i].a : "-");
		text_puts(t, " to ");
		safe_puts(t, *c->reqs[i].b ? c->reqs[i].b : "-");
		text_puts(t, "\n");
	}
}

static void text_run(struct text *t, const char *name, const struct results *r)
{
	text_printf(t, "%s  ", name);
	safe_puts(t, r->path);
	text_puts(t, ": ");
	safe_puts(t, compare_print_device(r));
	text_printf(t, ", %zu results%s\n", r->n,
		    r->interrupted ? ", interrupted" : "");
}

int compare_text(struct text *t, const struct compare *c)
{
	text_run(t, "A", c->a);
	text_run(t, "B", c->b);
	text_puts(t, "\n");
	for (int w = 0; w < COMPARE_COUNT; w++)
		text_printf(t, "%s%zu %s", text_between((size_t)w, ", "),
			    c->count[w], compare_name((enum compare_what)w));
	text_puts(t, "\n");
	for (int w = 0; w < COMPARE_SAME; w++)
		text_part(t, c, (enum compare_what)w);
	text_reqs(t, c);
	return text_err(t);
}

/* ---- JSON ---- */

static json_t *json_run(const struct results *r)
{
	return json_pack("{s:o, s:o, s:I, s:b}", "file",
			 json_any_string(r->path), "device",
			 json_any_string(compare_print_device(r)), "results",
			 (json_int_t)r->n, "interrupted", (int)r->interrupted);
}

static json_t *json_side(const struct compare_side *s)
{
	if (!s->worst)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:I}", "verdict",
			 verdict_name(s->worst->verdict), "reason",
			 json_any_string(s->worst->reason), "found",
			 json_any_string(s->worst->found), "runs",
			 (json_int_t)s->runs, "fails", (json_int_t)s->fails,
			 "median_ns", (json_int_t)s->median, "spread_ns",
			 (json_int_t)s->spread);
}

static json_t *json_cases(const struct compare *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->n; i++) {
		const struct compare_case *k = &c->cases[i];

		if (k->what == COMPARE_SAME)
			continue;
		json_array_append_new(
			a, json_pack("{s:o, s:s, s:o, s:o}", "id",
				     json_any_string(k->id), "what",
				     compare_name(k->what), "a",
				     json_side(&k->a), "b", json_side(&k->b)));
	}
	return a;
}

static json_t *json_reqs(const struct compare *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nreqs; i++)
		json_array_append_new(
			a, json_pack("{s:o, s:o, s:o}", "name",
				     json_any_string(c->reqs[i].name), "a",
				     json_any_string(c->reqs[i].a), "b",
				     json_any_string(c->reqs[i].b)));
	return a;
}

int compare_json(struct text *t, const struct compare *c)
{
	json_t *totals = json_object();

	for (int w = 0; w < COMPARE_COUNT; w++)
		json_object_set_new(totals, compare_name((enum compare_what)w),
				    json_integer((json_int_t)c->count[w]));
	return json_text(t,
			 json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema",
				   "rung.compare/1", "a", json_run(c->a), "b",
				   json_run(c->b), "totals", totals, "cases",
				   json_cases(c), "requirements", json_reqs(c)),
			 JSON_INDENT(1));
}

/* ---- HTML ---- */

static void html_part(struct text *t, const struct compare *c,
		      enum compare_what w)
{
	if (!c->count[w])
		return;
	text_printf(t,
		    "<section id=\"%s\"><h2>%s <span class=\"dim\">(%zu)"
		    "</span></h2>\n<p class=\"dim\">%s</p>\n"
		    "<div class=\"wide\"><table><thead><tr><th>Case"
		    "<th>Change<th>Why</thead><tbody>\n",
		    compare_name(w), parts[w].title, c->count[w], parts[w].why);
	for (size_t i = 0; i < c->n; i++) {
		const struct compare_case *k = &c->cases[i];
		const struct result *b = k->b.worst;

		if (k->what != w)
			continue;
		text_puts(t, "<tr><th scope=\"row\"><code>");
		safe_xml(t, k->id);
		text_puts(t, "</code><br><span class=\"dim\">");
		safe_xml(t, b ? b->title : k->a.worst->title);
		text_puts(t, "</span><td>");
		put_change(t, k);
		text_puts(t, "<td>");
		safe_xml(t, b && !is_timing(w) ? b->reason : "");
		text_puts(t, "\n");
	}
	text_puts(t, "</tbody></table></div></section>\n");
}

static void html_reqs(struct text *t, const struct compare *c)
{
	if (!c->nreqs)
		return;
	text_printf(t,
		    "<section id=\"reqs\"><h2>Requirements <span class=\"dim\">"
		    "(%zu)</span></h2>\n<div class=\"wide\"><table><thead><tr>"
		    "<th>Requirement<th>A<th>B</thead><tbody>\n",
		    c->nreqs);
	for (size_t i = 0; i < c->nreqs; i++) {
		text_puts(t, "<tr><th scope=\"row\"><code>");
		safe_xml(t, c->reqs[i].name);
		for (int side = 0; side < 2; side++) {
			const char *v = side ? c->reqs[i].b : c->reqs[i].a;

			text_puts(t, side ? "</span><td><span class=\"v "
					  : "</code><td><span class=\"v ");
			safe_xml(t, text_some(v, "na"));
			text_puts(t, "\">");
			safe_xml(t, text_some(v, "-"));
		}
		text_puts(t, "</span>\n");
	}
	text_puts(t, "</tbody></table></div></section>\n");
}

static void html_run(struct text *t, const char *name, const struct results *r)
{
	text_printf(t, "<div class=\"long\"><dt>%s<dd><strong>", name);
	safe_xml(t, compare_print_device(r));
	text_puts(t, "</strong> <code>");
	safe_xml(t, r->path);
	text_printf(t, "</code>, %zu results%s</div>\n", r->n,
		    r->interrupted ? ", interrupted" : "");
}

static void html_tiles(struct text *t, const struct compare *c)
{
	static const char *const inks[COMPARE_COUNT] = {
		[COMPARE_BROKEN] = "fail",   [COMPARE_FIXED] = "pass",
		[COMPARE_OTHER] = "fail",    [COMPARE_CHANGED] = "partial",
		[COMPARE_SLOWER] = "remark", [COMPARE_FASTER] = "partial",
		[COMPARE_ADDED] = "partial", [COMPARE_REMOVED] = "remark",
		[COMPARE_SAME] = "na",
	};

	text_puts(t, "<ul class=\"tiles\">\n");
	for (int w = 0; w < COMPARE_COUNT; w++)
		text_printf(t, "<li class=\"%s\"><b>%zu</b>%s</li>\n",
			    c->count[w] ? inks[w] : "none", c->count[w],
			    compare_name((enum compare_what)w));
	text_puts(t, "</ul>\n");
}

int compare_html(struct text *t, const struct compare *c)
{
	text_puts(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		     "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		     "content=\"width=device-width, initial-scale=1\">\n"
		     "<link rel=\"icon\" href=\"data:,\">\n"
		     "<title>rung compare</title>\n<style>\n");
	text_puts(t, html_report_css);
	text_puts(t, "</style>\n</head>\n<body>\n<header><h1>Two runs compared"
		     "</h1>\n<dl class=\"facts\">\n");
	html_run(t, "A, before", c->a);
	html_run(t, "B, after", c->b);
	text_puts(t, "</dl></header>\n<main>\n");
	html_tiles(t, c);
	for (int w = 0; w < COMPARE_SAME; w++)
		html_part(t, c, (enum compare_what)w);
	html_reqs(t, c);
	text_puts(t, "</main>\n</body>\n</html>\n");
	return text_err(t);
}
