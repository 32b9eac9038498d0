/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/progress.c -- draws the progress line of a run, every 100 ms at most,
 * and only while the terminal takes output.
 */
#include "cli/run/progress.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

#define BAR       20
#define BETWEEN   (100 * VSPAN_MS)
#define LAST_WAIT 1000 /* ms for a terminal that is behind */
#define COLUMNS   80   /* if the terminal does not report its width */

/*
 * Reads the environment without setlocale, which would change the form of
 * reports.
 */
static bool is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *v = getenv(names[i]);

		if (v && *v)
			return strstr(v, "UTF-8") || strstr(v, "utf8");
	}
	return false;
}

void progress_begin(struct progress *p, size_t total, bool quiet, bool colour,
		    vtime now)
{
	const char *term = getenv("TERM");

	*p = (struct progress){
		.on = !quiet && isatty(STDERR_FILENO) &&
		      !(term && strcmp(term, "dumb") == 0),
		.unicode = is_utf8(),
		.colour = colour,
		.total = total,
		.began = now,
	};
}

/*
 * Returns false if a write to stderr would block the run for longer than |ms|
 * (Ctrl-S).
 */
static bool takes_more(int ms)
{
	struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};

	return poll(&p, 1, ms) > 0;
}

static void hide_within(struct progress *p, int ms)
{
	if (!p->on || !p->drawn || !takes_more(ms))
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->drawn = 0;
}

void progress_hide(struct progress *p)
{
	hide_within(p, 0);
}

void progress_end(struct progress *p)
{
	hide_within(p, LAST_WAIT);
}

static unsigned columns(void)
{
	struct winsize w;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) || w.ws_col < 20)
		return COLUMNS;
	return w.ws_col;
}

/* "0:12", "1:02:03" */
static void put_clock(struct text *t, vspan ns)
{
	const int64_t s = ns / VSPAN_S;

	if (s >= 3600)
		text_printf(t, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600,
			    s / 60 % 60, s % 60);
	else
		text_printf(t, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
}

static void progress_put_bar(const struct progress *p, struct text *t,
			     size_t done)
{
	static const char *const bars[2][2] = {{"-", "#"},
					       {"\u2591", "\u2588"}};
	const size_t full = p->total ? done * BAR / p->total : 0;

	text_puts(t, "[");
	for (size_t i = 0; i < BAR; i++)
		text_puts(t, bars[p->unicode][i < full]);
	text_printf(t, "] %3zu%% [%zu/%zu]",
		    p->total ? done * 100 / p->total : 0, done, p->total);
}

static void progress_put_count(const struct progress *p, struct text *t,
			       const char *ink, size_t n, const char *what,
			       size_t *hidden)
{
	if (!n)
		return;
	text_puts(t, "  ");
	if (p->colour) {
		text_puts(t, ink);
		*hidden += strlen(ink) + 4;
	}
	text_printf(t, "%zu %s%s", n, what, p->colour ? "\033[0m" : "");
}

static void progress_put_counts(const struct progress *p, struct text *t,
				const struct summary *s, size_t *hidden)
{
	progress_put_count(p, t, "\033[31m", s->totals[VERDICT_FAIL], "fail",
			   hidden);
	progress_put_count(p, t, "\033[35m", s->totals[VERDICT_ERROR], "error",
			   hidden);
	progress_put_count(p, t, "\033[33m", s->totals[VERDICT_INCONCLUSIVE],
			   "inconclusive", hidden);
}

static void put_times(const struct progress *p, struct text *t, size_t done,
		      vtime now)
{
	const vspan took = now - p->began;

	text_puts(t, "  ");
	put_clock(t, took);
	if (done && done < p->total && took > VSPAN_S) {
		text_puts(t, ", left ");
		put_clock(t, (vspan)((double)took / (double)done *
				     (double)(p->total - done)));
	}
}

void progress_show(struct progress *p, const struct summary *s, vtime now)
{
	struct text t = {0};
	size_t hidden = 0, used;
	const unsigned wide = columns();

	if (!p->on || (p->drawn && now - p->drawn < BETWEEN) || !takes_more(0))
		return;
	progress_put_bar(p, &t, summary_results(s));
	if (p->unicode)
		hidden += 2 * BAR;
	progress_put_counts(p, &t, s, &hidden);
	put_times(p, &t, summary_results(s), now);
	used = t.len - hidden + 3;
	if (p->now && used < wide)
		text_printf(&t, "  %.*s", (int)(wide - used), p->now);
	if (!text_err(&t))
		fprintf(stderr, "\r\033[K%s", text_cstr(&t));
	fflush(stderr);
	p->drawn = now;
	text_free(&t);
}
