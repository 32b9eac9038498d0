/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/graph/graph_svg.c -- draws the marks of a graph as shapes.
 *
 * A small graph has a tooltip for each mark.  In a large one the marks of a
 * kind are one path, and a mark that would cover the one before it is left out.
 */
#include "reports/graph/graph_svg.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/vtime.h"
#include "reports/safe.h"

enum {
	WIDTH = 1120,
	HEAD = 30,   /* height of the title */
	LEGEND = 44, /* height of the heading of a panel */
	PLOT = 320,  /* height of the plot of a panel */
	AXIS = 48,   /* height of the labels below it */
	LEFT_X = 100,
	RIGHT_X = 1100,
	PAD = 8,     /* distance of the first and the last mark to the edge */
	TICKS = 8,   /* about as many lines of a grid */
	KEY = 150,   /* width of an entry of the legend */
	TIPS = 5000, /* most marks of a panel that have tooltips */
};

static const struct {
	const char *word, *tip;
	const char *shape; /* around the place of the mark */
} kinds[GRAPH_KINDS] = {
	[GRAPH_SENT] = {"sent", "sent", "h0"},
	[GRAPH_REPEAT] = {"retransmitted", "retransmitted",
			  "m-4 0l4 -4 4 4 -4 4z"},
	[GRAPH_DUPLICATE] = {"duplicate", "a copy, as networks make",
			     "m-3 -3h6v6h-6z"},
	[GRAPH_REMOVED] = {"removed", "removed by an impairment",
			   "m-4 -4l8 8m0 -8l-8 8"},
	[GRAPH_ACK] = {"ACK", "acknowledged up to here", "h0"},
	[GRAPH_SACK] = {"SACK", "acknowledged out of order", "v0"},
	[GRAPH_NACK] = {"NACK", "refused, or asked for again",
			"m-5 0h10m-5 -5v10"},
	[GRAPH_FINDING] = {"finding", "breaks a requirement",
			   "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0z"},
};

static const char style[] =
	".gr{--bg:#fff;--fg:#1b1f24;--dim:#68707a;--grid:#e4e8ec;"
	"--sent:#0969da;--good:#1a7f37;--bad:#cf222e;--warn:#bc4c00;"
	"background:var(--bg);max-width:100%;height:auto;"
	"font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
	"@media(prefers-color-scheme:dark){.gr{--bg:#0d1117;--fg:#e6edf3;"
	"--dim:#8b949e;--grid:#21262d;--sent:#58a6ff;--good:#3fb950;"
	"--bad:#f85149;--warn:#f0883e}}"
	".gr text{fill:var(--fg)}.gr .gr-dim{fill:var(--dim)}"
	".gr .gr-head{font-weight:600}"
	".gr path{fill:none;stroke:var(--fg);stroke-width:1.4}"
	".gr .gr-grid{stroke:var(--grid)}"
	".gr .gr-0 path{stroke:var(--sent);stroke-width:5;"
	"stroke-linecap:round}"
	".gr .gr-1 path{stroke:var(--warn);fill:var(--warn)}"
	".gr .gr-2 path{stroke:var(--dim);fill:var(--bg)}"
	".gr .gr-3 path{stroke-width:2}"
	".gr .gr-4 path{stroke:var(--good);stroke-width:1.6}"
	".gr .gr-5 path{stroke:var(--good);stroke-width:4;"
	"stroke-linecap:round}"
	".gr .gr-6 path{stroke:var(--bad);stroke-width:2}"
	".gr .gr-7 path{stroke:var(--bad);stroke-width:2}";

/* One side of the graph, with its scales. */
struct panel {
	const struct graph *g;
	struct text *t;
	unsigned side;
	uint32_t base;       /* the PSN that the others are counted from */
	int64_t least, most; /* PSNs from the base on */
	vtime from, to;      /* of the whole graph */
	int top;             /* y of the plot's upper edge */
	uint64_t counts[GRAPH_KINDS];
	size_t n; /* marks */
};

/* ---- Scales ---- */

/* Returns how far a PSN is from the base, which may be before it. */
static int64_t distance(const struct panel *p, uint32_t psn)
{
	const uint32_t mask = p->g->psn_mask;
	const uint32_t d = (psn - p->base) & mask;

	if (d > mask / 2)
		return (int64_t)d - mask - 1;
	return d;
}

/* Coordinates are tenths of a pixel. */
static int64_t x_of(const struct panel *p, vtime at)
{
	const int64_t room = (RIGHT_X - LEFT_X - 2 * PAD) * 10;
	const double span = (double)(p->to - p->from);

	if (span <= 0)
		return (LEFT_X + PAD) * 10;
	return (LEFT_X + PAD) * 10 +
	       (int64_t)((double)(at - p->from) / span * (double)room);
}

static int64_t y_of(const struct panel *p, int64_t psn)
{
	const int64_t room = (PLOT - 2 * PAD) * 10;
	const double span = (double)(p->most - p->least);

	if (span <= 0)
		return (p->top + PLOT / 2) * 10;
	return (p->top + PLOT - PAD) * 10 -
	       (int64_t)((double)(psn - p->least) / span * (double)room);
}

static void put_tenths(struct text *t, int64_t v)
{
	text_printf(t, "%" PRId64, v / 10);
	if (v % 10)
		text_printf(t, ".%" PRId64, v % 10);
}

static void graph_svg_place(struct text *t, int64_t x, int64_t y)
{
	text_puts(t, "M");
	put_tenths(t, x);
	text_puts(t, " ");
	put_tenths(t, y);
}

/* Returns 1, 2 or 5 times a power of ten, for about TICKS steps in a span. */
static int64_t step_of(int64_t span)
{
	static const int64_t next[] = {2, 5, 10};
	int64_t ten = 1, step = 1;

	for (unsigned i = 0; span / step > TICKS; i = (i + 1) % 3) {
		step = ten * next[i];
		if (next[i] == 10)
			ten *= 10;
	}
	return step;
}

/* ---- A panel ---- */

static bool is_sent(const struct graph_mark *m)
{
	return m->kind <= GRAPH_DUPLICATE;
}

/*
 * Sets the scale of a side by the PSNs that it sent.
 * Return: false if it sent none.
 */
static bool panel_scale(struct panel *p)
{
	bool any = false;

	for (size_t i = 0; i < p->g->n; i++) {
		const struct graph_mark *m = &p->g->marks[i];
		int64_t d;

		if (m->side != p->side)
			continue;
		p->n++;
		if (!is_sent(m))
			continue;
		if (!any)
			p->base = m->psn;
		d = distance(p, m->psn);
		if (!any || d < p->least)
			p->least = d;
		if (!any || d > p->most)
			p->most = d;
		any = true;
	}
	for (unsigned k = 0; k < GRAPH_KINDS; k++)
		p->counts[k] = graph_count(p->g, p->side, k);
	return any;
}

static void put_label(struct panel *p, int x, int y, const char *anchor,
		      const char *words)
{
	text_printf(p->t,
		    "<text class=\"gr-dim\" x=\"%d\" y=\"%d\" "
		    "text-anchor=\"%s\">%s</text>\n",
		    x, y, anchor, words);
}

static void put_psn_grid(struct panel *p, bool live)
{
	const int64_t step = step_of(p->most - p->least);
	int64_t psn = p->least - p->least % step;
	char words[32];

	if (psn < p->least)
		psn += step;
	for (; psn <= p->most; psn += step) {
		const int64_t y = y_of(p, psn);

		if (live)
			snprintf(words, sizeof(words), "%" PRIu32,
				 (p->base + (uint32_t)psn) & p->g->psn_mask);
		else
			snprintf(words, sizeof(words), "%" PRId64, psn);
		text_puts(p->t, "<path class=\"gr-grid\" d=\"");
		graph_svg_place(p->t, LEFT_X * 10, y);
		text_printf(p->t, "H%d\"/>", RIGHT_X);
		put_label(p, LEFT_X - 8, (int)(y / 10) + 4, "end", words);
	}
}

static const struct time_unit {
	vspan ns;
	const char *name;
} units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};

static const struct time_unit *unit_of(vspan span)
{
	unsigned i = 0;

	while (i < 3 && span < 10 * units[i].ns)
		i++;
	return &units[i];
}

static void put_time_grid(struct panel *p)
{
	const struct time_unit *unit = unit_of(p->to - p->from);
	const int64_t span = (p->to - p->from) / unit->ns;
	const int64_t step = step_of(span);
	const int y = p->top + PLOT;
	char words[32];

	for (int64_t at = 0; at <= span; at += step) {
		const int64_t x = x_of(p, p->from + at * unit->ns);

		text_puts(p->t, "<path class=\"gr-grid\" d=\"");
		graph_svg_place(p->t, x, p->top * 10);
		text_printf(p->t, "V%d\"/>", y);
		snprintf(words, sizeof(words), "%" PRId64, at);
		put_label(p, (int)(x / 10), y + 18, "middle", words);
	}
	put_label(p, RIGHT_X, y + 34, "end", unit->name);
}

static void put_legend(struct panel *p, const struct graph_names *names)
{
	int x = LEFT_X;
	const int y = p->top - 12;

	text_printf(p->t, "<text class=\"gr-head\" x=\"%d\" y=\"%d\">", LEFT_X,
		    p->top - LEGEND + 14);
	text_puts(p->t, "PSNs from ");
	safe_xml(p->t, names->side[p->side]);
	text_puts(p->t, " to ");
	safe_xml(p->t, names->side[!p->side]);
	text_printf(p->t, ", first %" PRIu32 "</text>\n", p->base);
	for (unsigned k = 0; k < GRAPH_KINDS; k++) {
		const char *shape = kinds[k].shape;

		if (!p->counts[k])
			continue;
		if (k == GRAPH_ACK)
			shape = "h10";
		text_printf(p->t,
			    "<g class=\"gr-%u\"><path d=\"M%d %d%s\"/></g>"
			    "<text x=\"%d\" y=\"%d\">%s %" PRIu64 "</text>\n",
			    k, x + 4, y - 4, shape, x + 18, y, kinds[k].word,
			    p->counts[k]);
		x += KEY;
	}
}

/* ---- Marks ---- */

static void put_tip(struct panel *p, const struct graph_mark *m)
{
	const vspan since = m->at - p->from;

	text_printf(p->t, "<title>frame %" PRIu32 ", PSN %" PRIu32, m->frame,
		    m->psn);
	if (m->to != m->psn)
		text_printf(p->t, " to %" PRIu32, m->to);
	text_printf(p->t, ", %" PRId64 ".%06" PRId64 " ms: %s</title>",
		    since / 1000000, since % 1000000, kinds[m->kind].tip);
}

static bool is_shown(const struct panel *p, const struct graph_mark *m,
		     enum graph_kind kind)
{
	return m->side == p->side && m->kind == kind &&
	       distance(p, m->to) >= p->least && distance(p, m->psn) <= p->most;
}

/* The cumulative ACK is a staircase. */
static void put_acks(struct panel *p)
{
	bool any = false;

	for (size_t i = 0; i < p->g->n; i++) {
		const struct graph_mark *m = &p->g->marks[i];
		int64_t x, y;

		if (!is_shown(p, m, GRAPH_ACK))
			continue;
		x = x_of(p, m->at);
		y = y_of(p, distance(p, m->psn));
		if (!any) {
			text_puts(p->t, "<g class=\"gr-4\"><path d=\"");
			graph_svg_place(p->t, x, y);
		} else {
			text_puts(p->t, "H");
			put_tenths(p->t, x);
			text_puts(p->t, "V");
			put_tenths(p->t, y);
		}
		any = true;
	}
	if (any)
		text_printf(p->t, "H%d\"/></g>\n", RIGHT_X);
}

/* The shape of one mark: a range is a line upward. */
static void put_shape(struct panel *p, const struct graph_mark *m, int64_t x,
		      int64_t y)
{
	graph_svg_place(p->t, x, y);
	if (m->psn != m->to) {
		text_puts(p->t, "V");
		put_tenths(p->t, y_of(p, distance(p, m->to)));
	}
	text_puts(p->t, kinds[m->kind].shape);
}

static void put_marks(struct panel *p, enum graph_kind kind)
{
	const bool tips = p->n <= TIPS;
	int64_t last_x = -1, last_y = -1;

	text_printf(p->t, "<g class=\"gr-%d\">", (int)kind);
	if (!tips)
		text_puts(p->t, "<path d=\"");
	for (size_t i = 0; i < p->g->n; i++) {
		const struct graph_mark *m = &p->g->marks[i];
		int64_t x, y;

		if (!is_shown(p, m, kind))
			continue;
		x = x_of(p, m->at);
		y = y_of(p, distance(p, m->psn));
		if (tips) {
			text_puts(p->t, "<path d=\"");
			put_shape(p, m, x, y);
			text_puts(p->t, "\">");
			put_tip(p, m);
			text_puts(p->t, "</path>\n");
		} else if (x / 10 != last_x / 10 || y / 10 != last_y / 10) {
			put_shape(p, m, x, y);
		}
		last_x = x;
		last_y = y;
	}
	text_puts(p->t, tips ? "</g>\n" : "\"/></g>\n");
}

static void put_panel(struct panel *p, const struct graph_names *names)
{
	static const enum graph_kind order[] = {
		GRAPH_SACK,    GRAPH_SENT, GRAPH_REPEAT, GRAPH_DUPLICATE,
		GRAPH_REMOVED, GRAPH_NACK, GRAPH_FINDING};

	put_legend(p, names);
	put_psn_grid(p, names->live);
	put_time_grid(p);
	put_acks(p);
	for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (p->counts[order[i]])
			put_marks(p, order[i]);
}

/* ---- The document ---- */

static void put_head(struct text *t, const struct graph *g,
		     const struct graph_names *names, unsigned panels)
{
	const int height =
		HEAD + (panels ? (int)panels * (LEGEND + PLOT + AXIS) : 40);

	text_printf(t,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gr\" "
		    "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n"
		    "<style>%s</style>\n<rect width=\"%d\" height=\"%d\" "
		    "fill=\"var(--bg)\"/>\n"
		    "<text class=\"gr-head\" x=\"8\" y=\"20\">",
		    WIDTH, height, WIDTH, height, style, WIDTH, height);
	safe_xml(t, names->title);
	text_puts(t, "</text>\n");
	if (g->left_out)
		text_printf(t,
			    "<text class=\"gr-dim\" x=\"%d\" y=\"20\" "
			    "text-anchor=\"end\">%" PRIu64
			    " later marks are left out</text>\n",
			    WIDTH - 8, g->left_out);
	if (!panels)
		text_puts(t, "<text x=\"8\" y=\"50\">no packet of this flow "
			     "has a PSN</text>\n");
}

void graph_svg(struct text *t, const struct graph *g,
	       const struct graph_names *names)
{
	struct panel panels[2];
	unsigned n = 0;
	int top = HEAD + LEGEND;

	for (unsigned side = 0; side < 2; side++) {
		panels[n] = (struct panel){.g = g, .t = t, .side = side};
		if (panel_scale(&panels[n]))
			n++;
	}
	put_head(t, g, names, n);
	for (unsigned i = 0; i < n; i++) {
		struct panel *p = &panels[i];

		p->from = p->to = g->marks[0].at;
		for (size_t k = 0; k < g->n; k++) {
			p->from = vtime_min(p->from, g->marks[k].at);
			p->to = vtime_max(p->to, g->marks[k].at);
		}
		p->top = top;
		put_panel(p, names);
		top += LEGEND + PLOT + AXIS;
	}
	text_puts(t, "</svg>\n");
}
