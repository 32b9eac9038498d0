/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_kills.c -- writes the kill matrix of report.html, and the
 * mutants most like the device.
 *
 * The matrix is a table by folders of cases; the script gets all of it as
 * numbers and draws a dot for each mutant and case.
 */
#include "reports/html/html_kills.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/html/html_piece.h"

#include <stdlib.h>
#include <string.h>

#define NEAREST 5

/* ---- The most similar mutants ---- */

static void put_like(struct html *h, const struct kills_like *l)
{
	const struct kills_mutant *m = l->mutant;
	const int percent = (int)(l->score * 100 + 0.5);

	text_printf(h->t,
		    "<tr><td><span class=\"meter\" aria-hidden=\"true\"><i "
		    "style=\"width:%d%%\"></i></span>%d %%<td><code>",
		    percent, percent);
	html_text(h, m->name);
	text_puts(h->t, "</code><td>");
	html_text(h, m->what);
	text_puts(h->t, "<td>");
	html_text(h, m->violates);
	text_printf(h->t, "<td class=\"n\">%zu<td class=\"n\">%zu\n", l->both,
		    l->mutants);
}

void html_like(struct html *h)
{
	struct kills_like like[NEAREST];
	int n = h->k ? kills_nearest(h->k, h->s, like, NEAREST) : 0;

	h->t->failed |= n < 0;
	text_puts(h->t, "<section id=\"like\"><h2>Behaves like</h2>\n");
	if (!h->s->totals[VERDICT_FAIL]) {
		text_puts(h->t, "<p>Nothing failed, so there is nothing to "
				"compare.</p>\n</section>\n");
		return;
	}
	if (n <= 0) {
		text_puts(h->t, h->k ? "<p>No mutant fails in a like way.</p>\n"
				     : "<p>The kill matrix is not at hand: the "
				       "build target kills writes it.</p>\n");
		text_puts(h->t, "</section>\n");
		return;
	}
	text_printf(h->t,
		    "<p>The failures of this device, %zu case%s, compared with "
		    "those of each mutant, a reference with one known bug. "
		    "Likeness is the share of pairs of case and requirement "
		    "that both fail, of all that either fails. It is a hint "
		    "where to look, no verdict.</p>\n",
		    like[0].mine, text_plural(like[0].mine));
	text_puts(h->t, "<div class=\"wide\"><table><thead><tr><th>Likeness"
			"<th>Mutant<th>What it does wrong<th>Breaks"
			"<th class=\"n\">Both fail<th class=\"n\">It fails"
			"</thead><tbody>\n");
	for (int i = 0; i < n; i++)
		put_like(h, &like[i]);
	text_puts(h->t, "</tbody></table></div>\n</section>\n");
}

/* ---- The matrix ---- */

/* Folders of the cases in the order of the matrix, which is sorted. */
struct folders {
	unsigned *of;       /* [case] its folder */
	size_t *cases;      /* [folder] number of its cases */
	size_t *kills;      /* [folder] kills of the current mutant */
	const char **first; /* [folder] its first case */
	size_t n;
};

/* "uet/rud/ack" of "uet/rud/ack/at-once@target". */
static size_t html_kills_folder_len(const char *id)
{
	const char *slash = strrchr(id, '/');

	if (slash)
		return (size_t)(slash - id);
	return 0;
}

static bool html_kills_same_folder(const char *a, const char *b)
{
	const size_t n = html_kills_folder_len(a);

	return n == html_kills_folder_len(b) && memcmp(a, b, n) == 0;
}

static void folders_free(struct folders *f)
{
	free(f->of);
	free(f->cases);
	free(f->kills);
	free(f->first);
}

static void folders_add(struct folders *f, const struct kills *k, size_t at)
{
	size_t i = 0;

	while (i < f->n && !html_kills_same_folder(f->first[i], k->cases[at]))
		i++;
	if (i == f->n)
		f->first[f->n++] = k->cases[at];
	f->of[at] = (unsigned)i;
	f->cases[i]++;
}

static bool folders_new(struct folders *f, const struct kills *k)
{
	*f = (struct folders){
		.of = memory_calloc(k->ncases + 1, sizeof(*f->of)),
		.cases = memory_calloc(k->ncases + 1, sizeof(*f->cases)),
		.kills = memory_calloc(k->ncases + 1, sizeof(*f->kills)),
		.first = memory_calloc(k->ncases + 1, sizeof(*f->first)),
	};
	if (!f->of || !f->cases || !f->kills || !f->first) {
		folders_free(f);
		return false;
	}
	for (size_t i = 0; i < k->ncases; i++)
		folders_add(f, k, i);
	return true;
}

static void put_folders(struct html *h, const struct folders *f)
{
	for (size_t i = 0; i < f->n; i++)
		text_printf(h->t, "<th class=\"n\">%.*s<br>of %zu",
			    (int)html_kills_folder_len(f->first[i]),
			    f->first[i], f->cases[i]);
}

static void put_cells(struct html *h, struct folders *f,
		      const struct kills_mutant *m)
{
	memset(f->kills, 0, f->n * sizeof(*f->kills));
	for (size_t i = 0; i < m->nfails; i++)
		f->kills[f->of[m->fails[i].test_case]] += m->fails[i].killed;
	for (size_t i = 0; i < f->n; i++)
		if (f->kills[i])
			text_printf(
				h->t, "<td class=\"k\" style=\"--p:%zu\">%zu",
				f->kills[i] * 70 / f->cases[i], f->kills[i]);
		else
			text_puts(h->t, "<td>");
}

static void put_mutant(struct html *h, struct folders *f,
		       const struct kills_mutant *m)
{
	text_puts(h->t, "<tr><th scope=\"row\"><code>");
	html_text(h, m->name);
	text_puts(h->t, "</code><br><span class=\"dim\">");
	html_text(h, m->what);
	text_puts(h->t, "</span><td>");
	html_text(h, m->violates);
	text_printf(h->t, "<td class=\"n\">%zu<td class=\"n\">%zu", m->nkills,
		    m->nfails - m->nkills);
	put_cells(h, f, m);
	text_puts(h->t, "\n");
}

/*
 * Writes the names of cases, and for each mutant the cases that fail; a kill is
 * negative.
 */
static void put_numbers(struct html *h)
{
	const struct kills *k = h->k;

	text_puts(h->t, "<script type=\"application/json\" id=\"matrix\">"
			"{\"cases\":[");
	for (size_t i = 0; i < k->ncases; i++)
		text_printf(h->t, "%s\"%s\"", i ? "," : "", k->cases[i]);
	text_puts(h->t, "],\"mutants\":[");
	for (size_t i = 0; i < k->nmutants; i++) {
		const struct kills_mutant *m = &k->mutants[i];

		text_printf(h->t, "%s[\"%s\"", i ? ",\n" : "\n", m->name);
		for (size_t j = 0; j < m->nfails; j++)
			text_printf(h->t, ",%s%u",
				    m->fails[j].killed ? "-" : "",
				    m->fails[j].test_case + 1);
		text_puts(h->t, "]");
	}
	text_puts(h->t, "]}</script>\n");
}

void html_kills(struct html *h)
{
	const struct kills *k = h->k;
	struct folders f;

	text_puts(h->t, "<section id=\"kills\"><h2>Mutants: who tests the tests"
			"</h2>\n");
	if (!k) {
		text_puts(h->t,
			  "<p>The kill matrix is not at hand: the "
			  "build target kills writes it.</p>\n</section>\n");
		return;
	}
	if (!folders_new(&f, k)) {
		h->t->failed = true;
		return;
	}
	text_printf(h->t,
		    "<p>%zu mutants against %zu cases. A case kills a mutant "
		    "if it fails with a finding of the requirement that the "
		    "mutant breaks.%s</p>\n"
		    "<div class=\"grid js\" hidden tabindex=\"0\" "
		    "aria-label=\"Kill matrix, also in the table below\">"
		    "<canvas id=\"grid\"></canvas></div>\n"
		    "<p class=\"js dim\" id=\"dot\" hidden role=\"status\">"
		    "Red: killed; grey: fails under another requirement. "
		    "The first row is this device. Point at a dot to read "
		    "it.</p>\n"
		    "<details><summary>The table</summary>"
		    "<div class=\"wide\"><table><thead><tr><th>Mutant<th>Breaks"
		    "<th class=\"n\">Killed by<th class=\"n\">Other fails",
		    k->nmutants, k->ncases,
		    k->listed ? " Only the kills are shown that each mutant "
				"lists; the build target kills measures all."
			      : "");
	put_folders(h, &f);
	text_puts(h->t, "</thead><tbody>\n");
	for (size_t i = 0; i < k->nmutants; i++)
		put_mutant(h, &f, &k->mutants[i]);
	text_puts(h->t, "</tbody></table></div></details>\n");
	put_numbers(h);
	folders_free(&f);
	text_puts(h->t, "</section>\n");
}
