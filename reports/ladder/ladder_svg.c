/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_svg.c -- draws the rows of a ladder as shapes.
 *
 * The drawing grows downward row by row.  Its height is known only at the end,
 * so the rows are written to a separate text first.
 */
#include "reports/ladder/ladder_svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/ladder/ladder_entry.h"
#include "reports/ladder/ladder_fault.h"
#include "reports/ladder/ladder_finding.h"
#include "reports/ladder/ladder_row.h"
#include "reports/ladder/ladder_say.h"
#include "reports/ladder/ladder_writer.h"
#include "reports/safe.h"
#include "reports/words.h"

enum {
	ROW = 22,    /* height of a row */
	LINE = 16,   /* height of a further line of text */
	COLUMN = 7,  /* approximate width of a character */
	TIME_X = 66, /* right edges of the gutter */
	FRAME_X = 78,
	CASE_X = 158,
	LEFT_X = 178, /* x of the lifelines */
	RIGHT_X = 618,
	WORDS_X = 634,
	WIDTH = 1120,
	LOST_X = 60, /* distance of a lost packet's end from the other side */
	HEAD = 7,    /* length of an arrow head */
};

struct svg {
	struct ladder l; /* words, folds, pauses */
	struct text rows;
	const char *prefix;
	int y; /* base line of the next row */
};

static const char style[] =
	".lad{--bg:#fff;--fg:#1b1f24;--dim:#68707a;--good:#1a7f37;"
	"--bad:#cf222e;--warn:#9a6700;--hover:#eef2f6;background:var(--bg);"
	"font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
	"max-width:100%;height:auto}"
	"@media(prefers-color-scheme:dark){.lad{--bg:#0d1117;--fg:#e6edf3;"
	"--dim:#8b949e;--good:#3fb950;--bad:#f85149;--warn:#d29922;"
	"--hover:#1c2430}}"
	".lad text{fill:var(--fg);white-space:pre;stroke:var(--bg);"
	"stroke-width:3px;paint-order:stroke}"
	".lad .lad-head{font-weight:600}"
	".lad .lad-dim text,.lad text.lad-dim{fill:var(--dim)}"
	".lad .lad-life{stroke:var(--dim)}"
	".lad .lad-hit{fill:transparent}"
	".lad .lad-pkt:hover .lad-hit,.lad .lad-pkt:target .lad-hit"
	"{fill:var(--hover)}"
	".lad .lad-arrow{stroke:var(--fg);stroke-width:1.4;fill:none}"
	".lad .lad-tip{fill:var(--fg);stroke:none}"
	".lad .lad-late{stroke-dasharray:7 3}"
	".lad .lad-copy{stroke-dasharray:2 2;stroke-width:2.4}"
	".lad .lad-ghost{stroke-dasharray:1 5}"
	".lad .lad-good .lad-arrow{stroke:var(--good)}"
	".lad .lad-good .lad-tip{fill:var(--good)}"
	".lad .lad-warn .lad-arrow{stroke:var(--warn)}"
	".lad .lad-warn .lad-tip,.lad text.lad-warn{fill:var(--warn)}"
	".lad .lad-bad .lad-arrow{stroke:var(--bad)}"
	".lad .lad-bad .lad-tip,.lad text.lad-bad{fill:var(--bad)}";

void ladder_svg_style(struct text *t)
{
	text_puts(t, style);
}

/* ---- Shapes ---- */

static void svg_text(struct svg *s, int x, const char *anchor,
		     const char *class, const char *words)
{
	text_printf(&s->rows, "<text x=\"%d\" y=\"%d\"", x, s->y);
	if (*anchor)
		text_printf(&s->rows, " text-anchor=\"%s\"", anchor);
	if (*class)
		text_printf(&s->rows, " class=\"%s\"", class);
	text_puts(&s->rows, ">");
	safe_xml(&s->rows, words);
	text_puts(&s->rows, "</text>\n");
}

/* Writes words from |x| to the right edge, in as many lines as needed. */
static void svg_words(struct svg *s, int x, const char *class,
		      const char *words)
{
	const size_t room = (size_t)(WIDTH - x) / COLUMN;
	struct text line = {0};
	const char *next;

	for (bool first = true; *words; words = next, first = false) {
		const size_t n = safe_wrap(words, room, &next);

		if (!first)
			s->y += LINE;
		text_clear(&line);
		text_add(&line, words, n);
		svg_text(s, x, "", class, text_cstr(&line));
	}
	text_free(&line);
}

static void svg_gutter(struct svg *s, const struct rec *e)
{
	char buf[32];

	svg_text(s, TIME_X, "end", "",
		 writer_ms(buf, ladder_when(e) - s->l.origin));
	if (e->frame) {
		snprintf(buf, sizeof(buf), "#%" PRIu32, e->frame);
		svg_text(s, FRAME_X, "", "", buf);
	}
	if (e->line && !e->setup) {
		snprintf(buf, sizeof(buf), "%u", e->line);
		svg_text(s, CASE_X, "end", "lad-dim", buf);
	}
}

static void svg_line(struct svg *s, int from, int to, const char *how)
{
	const int y = s->y + 4, back = to > from ? -HEAD : HEAD;

	text_printf(&s->rows,
		    "<path class=\"lad-arrow %s\" d=\"M%d %dH%d\"/>"
		    "<path class=\"lad-tip\" d=\"M%d %dl%d -4v8z\"/>\n",
		    how, from, y, to + back, to, y, back);
}

static void svg_cross(struct svg *s, int x)
{
	text_printf(&s->rows,
		    "<path class=\"lad-arrow\" d=\"M%d %dl8 8m0 -8l-8 8\"/>\n",
		    x - 4, s->y);
}

/* ---- Arrows ---- */

static const char *way_of(enum fate f)
{
	switch (f) {
	case FATE_DELAYED:
		return "lad-late";
	case FATE_DUPLICATE:
		return "lad-copy";
	case FATE_DROPPED:
	case FATE_CHANGED:
	case FATE_INJECTED:
	case FATE_CROSSED:
		break;
	}
	return "lad-plain";
}

static const char *ink_of(const struct svg *s, const struct rec *e)
{
	if (finding_on(s->l.r, e->frame))
		return "lad-bad";
	if (e->fate != FATE_CROSSED)
		return "lad-warn";
	if (e->kind == REC_RX && e->line && !e->setup)
		return "lad-good";
	return "lad-usual";
}

/* Writes all fields as a tooltip. */
static void svg_title(struct svg *s, const struct rec *e)
{
	char src[IP_ADDR_TEXT], dst[IP_ADDR_TEXT];
	struct text all = {0};
	struct packet pkt;

	record_packet(s->l.r, e, &pkt);
	packet_print(&all, &pkt, PACKET_FULL, NULL);
	ip_addr_print(&e->src, src);
	ip_addr_print(&e->dst, dst);
	text_printf(&s->rows,
		    "<title>#%" PRIu32 " %s to %s, entropy 0x%04x, dscp %u, "
		    "ecn %u\n",
		    e->frame, src, dst, e->entropy, e->dscp, e->ecn);
	safe_xml(&s->rows, text_cstr(&all));
	text_puts(&s->rows, "</title>");
	text_free(&all);
}

/* Writes the words above the line, next to their sender. */
static void svg_over(struct svg *s, bool to_dut, const char *words)
{
	const size_t room = (RIGHT_X - LEFT_X - 24) / COLUMN;
	const int x = to_dut ? LEFT_X + 12 : RIGHT_X - 12;
	struct text line = {0};
	const char *next;

	for (; *words; words = next) {
		const size_t n = safe_wrap(words, room, &next);

		text_clear(&line);
		text_add(&line, words, n);
		svg_text(s, x, to_dut ? "" : "end", "", text_cstr(&line));
		if (*next)
			s->y += LINE;
	}
	text_free(&line);
}

static void svg_arrow(struct svg *s, const struct rec *e, const char *how)
{
	const bool to_dut = e->kind == REC_TX;
	const int from = to_dut ? LEFT_X : RIGHT_X;
	int to = to_dut ? RIGHT_X : LEFT_X;

	if (e->fate == FATE_DROPPED)
		to += to_dut ? -LOST_X : LOST_X;
	svg_line(s, from, to, how);
	if (e->fate == FATE_DROPPED)
		svg_cross(s, to + (to_dut ? 8 : -8));
	if (e->fate == FATE_CHANGED)
		svg_text(s, to + (to_dut ? -20 : 12), "", "lad-warn", "*");
}

static void svg_packet(struct svg *s, const struct rec *e)
{
	const int top = s->y;
	int below;

	say_packet(&s->l, e);
	say_note(&s->l, e);
	text_printf(&s->rows, "<g class=\"lad-pkt %s\"", ink_of(s, e));
	if (s->prefix && e->frame) {
		text_puts(&s->rows, " id=\"");
		safe_xml(&s->rows, s->prefix);
		text_printf(&s->rows, "f%" PRIu32 "\"", e->frame);
	}
	text_puts(&s->rows, ">");
	svg_title(s, e);
	text_printf(&s->rows,
		    "<rect class=\"lad-hit\" x=\"0\" y=\"%d\" width=\"%d\" "
		    "height=\"%d\"/>",
		    top - 14, WIDTH, ROW);
	svg_gutter(s, e);
	svg_over(s, e->kind == REC_TX, text_cstr(&s->l.pds));
	svg_arrow(s, e, way_of(e->fate));
	below = s->y;
	s->y = top;
	svg_words(s, WORDS_X, "", text_cstr(&s->l.ses));
	if (s->l.ses.len && s->l.note.len)
		s->y += LINE;
	svg_words(s, WORDS_X, "lad-dim", text_cstr(&s->l.note));
	s->y = (s->y > below ? s->y : below) + ROW;
	text_puts(&s->rows, "</g>\n");
}

/* ---- The other rows ---- */

static void svg_control(struct svg *s, const struct rec *e)
{
	struct text *words = &s->l.ses;

	text_clear(words);
	text_puts(words, e->kind == REC_CONTROL ? "<= " : "=> ");
	if (!words_control(words, record_text_of(s->l.r, e), !s->l.o.verbose) &&
	    !s->l.o.verbose)
		return; /* a plain "ok" */
	svg_gutter(s, e);
	svg_words(s, WORDS_X, "lad-dim", text_cstr(words));
	s->y += ROW;
}

static void svg_note(struct svg *s, const struct rec *e)
{
	struct text *words = &s->l.ses;

	text_clear(words);
	text_puts(words, record_text_of(s->l.r, e));
	if (e->note) {
		text_puts(words, e->text ? "; " : "");
		text_puts(words, record_note_of(s->l.r, e));
	}
	svg_gutter(s, e);
	svg_words(s, LEFT_X + 12, "lad-dim", text_cstr(words));
	s->y += ROW;
}

static void svg_between(struct svg *s, const char *words)
{
	svg_text(s, (LEFT_X + RIGHT_X) / 2, "middle", "lad-dim", words);
	s->y += ROW;
}

static void svg_ghost(struct svg *s, const struct rec_finding *f)
{
	const struct rec e = {.kind = REC_RX};

	text_clear(&s->l.pds);
	safe_puts(&s->l.pds, f->expected);
	text_puts(&s->rows, "<g class=\"lad-bad\">");
	svg_over(s, false, text_cstr(&s->l.pds));
	svg_arrow(s, &e, "lad-ghost");
	svg_text(s, WORDS_X, "", "lad-bad", "never came");
	text_puts(&s->rows, "</g>\n");
	s->y += ROW;
}

static void svg_finding(struct svg *s, const struct rec_finding *f)
{
	static const char *const names[] = {"expected  ", "actual    ",
					    "          "};
	struct text say = {0}, line[3] = {{0}, {0}, {0}};

	say_finding(&say, s->l.r, f);
	svg_words(s, LEFT_X + 12, f->remark ? "lad-warn" : "lad-bad",
		  text_cstr(&say));
	if (say_rungs(f, line))
		for (int i = 0; i < 3; i++) {
			if (!line[i].len)
				continue;
			text_clear(&say);
			text_puts(&say, names[i]);
			text_add(&say, line[i].s, line[i].len);
			s->y += LINE;
			svg_text(s, LEFT_X + 12, "", i == 2 ? "lad-bad" : "",
				 text_cstr(&say));
		}
	s->y += ROW;
	for (int i = 0; i < 3; i++)
		text_free(&line[i]);
	text_free(&say);
}

static void svg_findings(struct svg *s, uint32_t frame)
{
	const struct record *r = s->l.r;

	for (size_t i = 0; frame && i < r->nfindings; i++)
		if (r->findings[i].frame == frame &&
		    !finding_again(r, &r->findings[i]))
			svg_finding(s, &r->findings[i]);
}

static void svg_left(struct svg *s)
{
	const struct record *r = s->l.r;
	size_t *rows = record_rows(r);

	for (size_t i = 0; rows && i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];

		if (rows[i] || finding_again(r, f))
			continue;
		if (!f->frame && *f->expected && !*f->actual)
			svg_ghost(s, f);
		svg_finding(s, f);
	}
	s->l.t->failed |= r->nfindings && !rows;
	free(rows);
}

static void svg_entry(struct svg *s, const struct rec *e)
{
	char words[40];

	switch (e->kind) {
	case REC_TX:
	case REC_RX:
		if (say_wait(&s->l, ladder_when(e), words))
			svg_between(s, words);
		svg_packet(s, e);
		svg_findings(s, e->frame);
		break;
	case REC_CONTROL:
	case REC_ANSWER:
	case REC_EVENT:
		svg_control(s, e);
		break;
	case REC_NOTE:
		svg_note(s, e);
		break;
	}
}

static void svg_body(struct svg *s)
{
	const struct record *r = s->l.r;
	char words[96];

	for (size_t i = 0; i < r->nrecs;) {
		if (!r->recs[i].setup || !ladder_folds(&s->l, i)) {
			svg_entry(s, &r->recs[i++]);
			continue;
		}
		if (say_fold(&s->l, i, ladder_fold_end(&s->l, i), words))
			svg_between(s, words);
		i = ladder_fold_end(&s->l, i);
	}
	svg_left(s);
}

static void svg_caption(struct svg *s)
{
	const struct record *r = s->l.r;
	const struct test_case *k = r->test_case;

	if (s->l.o.bare)
		return;
	svg_text(s, 8, "", "lad-head", r->id);
	if (k && k->ref)
		svg_text(s, WIDTH - 8, "end", "lad-dim", k->ref);
	s->y += LINE;
	if (k && k->title)
		svg_text(s, 8, "", "", k->title);
	s->y += ROW;
}

static void svg_verdict(struct svg *s)
{
	const struct record *r = s->l.r;
	struct text t = {0};

	if (s->l.o.bare)
		return;
	text_puts(&t, verdict_name(r->verdict));
	if (*r->reason)
		text_printf(&t, ": %s", r->reason);
	svg_words(s, 8, r->verdict == VERDICT_FAIL ? "lad-bad" : "",
		  text_cstr(&t));
	s->y += ROW;
	text_free(&t);
}

static void svg_frame(struct svg *s, enum svg_form form, int top, int bottom)
{
	struct text *t = s->l.t;

	text_printf(t,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lad\" "
		    "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
		    WIDTH, s->y, WIDTH, s->y);
	if (form == SVG_FILE)
		text_printf(t,
			    "<style>%s</style>\n<rect width=\"%d\" "
			    "height=\"%d\" fill=\"var(--bg)\"/>\n",
			    style, WIDTH, s->y);
	text_printf(t, "<path class=\"lad-life\" d=\"M%d %dV%dM%d %dV%d\"/>\n",
		    LEFT_X, top, bottom, RIGHT_X, top, bottom);
	text_add(t, text_cstr(&s->rows), s->rows.len);
	text_puts(t, "</svg>\n");
}

void ladder_svg(struct text *t, const struct record *r,
		const struct svg_opts *opts)
{
	struct svg s = {.prefix = opts ? opts->prefix : NULL, .y = LINE};
	int top, bottom;

	ladder_init(&s.l, t, r, opts ? &opts->ladder : NULL);
	svg_caption(&s);
	svg_text(&s, LEFT_X, "middle", "lad-head", ladder_host(&s.l, false));
	svg_text(&s, RIGHT_X, "middle", "lad-head", ladder_host(&s.l, true));
	top = s.y + 6;
	s.y += ROW + 4;
	svg_body(&s);
	bottom = s.y - 4;
	s.y += 8;
	svg_verdict(&s);
	svg_frame(&s, opts ? opts->form : SVG_FILE, top, bottom);
	if (text_err(&s.rows))
		t->failed = true;
	ladder_done(&s.l);
	text_free(&s.rows);
}
