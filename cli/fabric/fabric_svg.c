/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_svg.c -- draws the result of a fabric as panels, each with
 * a curve and, dashed, the ideal or a bound.
 */
#include "cli/fabric/fabric_svg.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	WIDTH = 1120,
	HEAD = 56,
	PANEL_W = 520,
	PANEL_H = 230,
	PLOT_X = 74, /* of the plot in its panel */
	PLOT_Y = 28,
	PLOT_W = 420,
	PLOT_H = 160,
	PANELS = 5,
};

/* The colours are those of report.html and of rung graph. */
static const char fabric_style[] =
	".fb{--bg:#fff;--fg:#1b1f24;--dim:#68707a;--grid:#e4e8ec;"
	"--line:#0969da;--also:#bc4c00;background:var(--bg);max-width:100%;"
	"height:auto;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"
	"monospace}"
	"@media(prefers-color-scheme:dark){.fb{--bg:#0d1117;--fg:#e6edf3;"
	"--dim:#8b949e;--grid:#21262d;--line:#58a6ff;--also:#f0883e}}"
	".fb text{fill:var(--fg)}.fb .fb-dim{fill:var(--dim)}"
	".fb .fb-head{font-weight:600}"
	".fb path{fill:none;stroke-width:1.6;stroke:var(--line)}"
	".fb .fb-grid{stroke:var(--grid);stroke-width:1}"
	".fb .fb-also{stroke:var(--also)}"
	".fb .fb-ideal{stroke:var(--dim);stroke-dasharray:5 4}";

/* A panel: its place, and what its axes reach to. */
struct fabric_panel {
	struct text *t;
	double x0, y0, x_most, y_most;
};

static double panel_x(const struct fabric_panel *p, double x)
{
	return p->x0 + PLOT_X + PLOT_W * (p->x_most > 0 ? x / p->x_most : 0);
}

static double panel_y(const struct fabric_panel *p, double y)
{
	const double part = p->y_most > 0 ? y / p->y_most : 0;

	return p->y0 + PLOT_Y + PLOT_H * (1 - (part < 1 ? part : 1));
}

/* Returns four steps of 1, 2, 2.5 or 5 times a power of ten that reach |v|. */
static double panel_round(double v)
{
	static const double steps[] = {1, 2, 2.5, 5};
	double power = 1;

	while (4 * power > v && power > 1e-9)
		power /= 10;
	for (;; power *= 10)
		for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps); i++)
			if (4 * steps[i] * power >= v)
				return 4 * steps[i] * power;
}

/*
 * Begins panel |i| with its axes, which reach a little farther than |x_most|
 * and |y_most|, to round numbers.
 */
static struct fabric_panel panel_begin(struct text *t, unsigned i,
				       const char *title, const char *x_unit,
				       const char *y_unit, double x_most,
				       double y_most)
{
	const struct fabric_panel p = {
		.t = t,
		.x0 = 20 + (i % 2) * (PANEL_W + 30.0),
		.y0 = HEAD + (i / 2) * (PANEL_H + 10.0),
		.x_most = panel_round(x_most),
		.y_most = panel_round(y_most),
	};
	const double left = p.x0 + PLOT_X, top = p.y0 + PLOT_Y;

	text_printf(t,
		    "<text class=\"fb-head\" x=\"%.0f\" y=\"%.0f\">%s</text>\n",
		    left, p.y0 + 16, title);
	for (unsigned k = 0; k <= 4; k++) {
		const double y = top + PLOT_H - PLOT_H * k / 4.0;

		text_printf(t,
			    "<path class=\"fb-grid\" d=\"M%.1f %.1fh%d\"/>"
			    "<text class=\"fb-dim\" text-anchor=\"end\" "
			    "x=\"%.1f\" y=\"%.1f\">%.9g</text>\n",
			    left, y, PLOT_W, left - 6, y + 4,
			    p.y_most * k / 4.0);
		text_printf(t,
			    "<text class=\"fb-dim\" text-anchor=\"middle\" "
			    "x=\"%.1f\" y=\"%.1f\">%.6g</text>\n",
			    left + PLOT_W * k / 4.0, top + PLOT_H + 16,
			    p.x_most * k / 4.0);
	}
	text_printf(t,
		    "<text class=\"fb-dim\" text-anchor=\"end\" x=\"%.1f\" "
		    "y=\"%.1f\">%s</text><text class=\"fb-dim\" x=\"%.1f\" "
		    "y=\"%.1f\">%s</text>\n",
		    left + PLOT_W, top + PLOT_H + 30, x_unit, p.x0, p.y0 + 16,
		    y_unit);
	return p;
}

/* Draws a line across the plot at |y|. */
static void panel_level(const struct fabric_panel *p, double y,
			const char *what)
{
	if (y > p->y_most)
		return;
	text_printf(p->t,
		    "<path class=\"fb-ideal\" d=\"M%.1f %.1fh%d\"/>"
		    "<text class=\"fb-dim\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		    panel_x(p, 0), panel_y(p, y), PLOT_W, panel_x(p, 0) + 4,
		    panel_y(p, y) - 4, what);
}

static void curve_begin(const struct fabric_panel *p, const char *class)
{
	text_printf(p->t, "<path class=\"%s\" d=\"", class);
}

static void curve_point(const struct fabric_panel *p, bool first, double x,
			double y)
{
	text_printf(p->t, "%c%.1f %.1f", first ? 'M' : 'L', panel_x(p, x),
		    panel_y(p, y));
}

static void curve_end(const struct fabric_panel *p, const char *what)
{
	text_printf(p->t, "\"><title>%s</title></path>\n", what);
}

static double svg_us(vspan span)
{
	return (double)span / 1e3;
}

/* ---- The flows ---- */

static void svg_completion(struct text *t, const struct fabric_result *r)
{
	const double ideal = svg_us(r->ideal);
	const double most = svg_us(r->completion.max);
	const struct fabric_panel p =
		panel_begin(t, 0, "Completion time of flows", "percentile",
			    "us", 100, 1.1 * (most > ideal ? most : ideal));

	panel_level(&p, ideal, "ideal of the workload");
	if (!r->complete)
		return;
	curve_begin(&p, "fb-line");
	for (unsigned i = 0; i < FABRIC_PERCENTILES; i++)
		curve_point(&p, !i, i, svg_us(r->percentiles[i]));
	curve_end(&p, "completion time");
}

/* Rates in Mbit/s: bits of a flow over its time. */
static void svg_rates(struct text *t, const struct fabric_conf *conf,
		      const struct fabric_result *r)
{
	const double bits =
		r->complete ? (double)r->payload * 8e3 / (double)r->complete
			    : 0;
	const double equal =
		r->completion.mean ? bits / (double)r->completion.mean : 0;
	const double most = r->percentiles[0] ? bits / (double)r->percentiles[0]
					      : conf->topology.rate;
	char title[64];
	struct fabric_panel p;

	snprintf(title, sizeof(title), "Rates of flows; fairness %.3f (Jain)",
		 r->fairness);
	p = panel_begin(t, 1, title, "percentile", "Mbit/s", 100, most);
	panel_level(&p, equal, "equal shares");
	if (!r->complete)
		return;
	curve_begin(&p, "fb-line");
	for (unsigned i = 0; i < FABRIC_PERCENTILES; i++) {
		const vspan span = r->percentiles[100 - i];

		curve_point(&p, !i, i, span ? bits / (double)span : most);
	}
	curve_end(&p, "rate");
}

/* ---- The course of the run ---- */

static double svg_end(const struct fabric_result *r)
{
	return r->series.n ? svg_us(r->series.v[r->series.n - 1].at) : 0;
}

/* Payload that has arrived, in hundredths of what the links could carry. */
static void svg_goodput(struct text *t, const struct fabric_conf *conf,
			const struct fabric_result *r)
{
	const double total = (double)conf->load.bytes * (double)r->flows;
	const double all = conf->load.kind == FABRIC_ALL_REDUCE
				   ? total / r->endpoints
				   : total;
	const double per_us = r->ideal ? all / svg_us(r->ideal) : 0;
	const struct fabric_panel p =
		panel_begin(t, 2, "Goodput, in percent of the ideal", "us", "%",
			    svg_end(r), 120);
	double payload = 0, at = 0;

	panel_level(&p, 100, "ideal");
	curve_begin(&p, "fb-line");
	for (uint32_t i = 0; i < r->series.n; i++) {
		const struct series_sample *s = &r->series.v[i];
		const double span = svg_us(s->at) - at;
		const double could = per_us * span;

		curve_point(&p, !i, svg_us(s->at),
			    could > 0 ? 100 * ((double)s->payload - payload) /
						could
				      : 0);
		payload = (double)s->payload;
		at = svg_us(s->at);
	}
	curve_end(&p, "goodput");
}

static void svg_losses(struct text *t, const struct fabric_result *r)
{
	const double most = (double)(r->retransmitted > r->trimmed + r->dropped
					     ? r->retransmitted
					     : r->trimmed + r->dropped);
	const struct fabric_panel p = panel_begin(
		t, 3, "Repeated (blue), trimmed and dropped (orange)", "us",
		"packets", svg_end(r), most > 4 ? most : 4);

	curve_begin(&p, "fb-line");
	for (uint32_t i = 0; i < r->series.n; i++)
		curve_point(&p, !i, svg_us(r->series.v[i].at),
			    (double)r->series.v[i].retransmitted);
	curve_end(&p, "repeated");
	curve_begin(&p, "fb-also");
	for (uint32_t i = 0; i < r->series.n; i++)
		curve_point(&p, !i, svg_us(r->series.v[i].at),
			    (double)(r->series.v[i].trimmed +
				     r->series.v[i].dropped));
	curve_end(&p, "trimmed and dropped");
}

static void svg_queue(struct text *t, const struct fabric_conf *conf,
		      const struct fabric_result *r)
{
	const struct fabric_topology *top = &conf->topology;
	const struct fabric_panel p =
		panel_begin(t, 4, "Largest queue of all ports", "us", "bytes",
			    svg_end(r), 1.1 * top->queue);

	panel_level(&p, top->queue, "its size");
	if (!top->no_ecn) {
		panel_level(&p, top->ecn_min, "marks from here");
		panel_level(&p, top->ecn_max, "marks all");
	}
	curve_begin(&p, "fb-line");
	for (uint32_t i = 0; i < r->series.n; i++)
		curve_point(&p, !i, svg_us(r->series.v[i].at),
			    r->series.v[i].queue);
	curve_end(&p, "queue");
}

void fabric_svg(struct text *t, const struct fabric_conf *conf,
		const struct fabric_result *r)
{
	const int height = HEAD + (PANELS + 1) / 2 * (PANEL_H + 10);

	text_printf(t,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fb\" "
		    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		    "<style>%s</style>\n"
		    "<rect width=\"100%%\" height=\"100%%\" "
		    "style=\"fill:var(--bg)\"/>\n",
		    WIDTH, height, WIDTH, height, fabric_style);
	text_printf(t,
		    "<text class=\"fb-head\" x=\"20\" y=\"24\">%u endpoints, "
		    "%zu of %zu flows of %" PRIu64 " bytes complete: %.1f us, "
		    "ideal %.1f us, goodput %.1f %%, seed %" PRIu64 "</text>\n",
		    r->endpoints, r->complete, r->flows, conf->load.bytes,
		    svg_us(r->took), svg_us(r->ideal), 100 * r->goodput,
		    conf->seed);
	svg_completion(t, r);
	svg_rates(t, conf, r);
	svg_goodput(t, conf, r);
	svg_losses(t, r);
	svg_queue(t, conf, r);
	text_puts(t, "</svg>\n");
}
