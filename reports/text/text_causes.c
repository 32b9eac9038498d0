/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_causes.c -- writes the end of a run as text: the faults
 * of the device by cause, and undecided cases by reason.
 */
#include "reports/text/text_causes.h"

#include <string.h>

#include "base/text.h"
#include "reports/fold.h"
#include "reports/safe.h"
#include "reports/text/text_line.h"
#include "reports/triage/triage_words.h"

#define INDENT        6
#define DETAILS       8
#define NAME_COLUMNS  48
#define ROWS_QUIET    12 /* rows and remarks in the short form */
#define REASONS_QUIET 6
#define FORMS_MAX     4 /* further forms of a cause, at most */

static void count_cases(struct text *t, size_t n)
{
	text_printf(t, "%zu case%s", n, text_plural(n));
}

static void pad(struct text *t, size_t start, size_t columns)
{
	const size_t used = t->len - start;

	text_fill(t, ' ', used < columns ? columns - used : 2);
}

/* ---- One cause ---- */

static void text_causes_put_statement(struct text *t,
				      const struct triage_cause *c,
				      const struct text_opts *o)
{
	char citation[REQ_CITATION_MAX];
	struct text say = {0};

	if (c->req == REQ_NONE)
		return;
	text_fill(t, ' ', INDENT);
	text_printf(&say, "%s (%s)", req_get(c->req)->statement,
		    req_citation(c->req, citation));
	text_wrap(t, o, text_cstr(&say), INDENT, INDENT);
	text_free(&say);
}

static void put_words(struct text *t, const struct triage_cause *c,
		      const struct summary *s, const struct text_opts *o)
{
	struct text say = {0}, safe = {0};

	triage_words(&say, s, &c->shortest);
	safe_puts(&safe, text_cstr(&say));
	if (c->nforms && strcmp(c->forms[0].state, "body") != 0)
		text_printf(&safe, " (%s)", c->forms[0].state);
	text_fill(t, ' ', DETAILS);
	text_wrap(t, o, text_cstr(&safe), DETAILS, DETAILS);
	text_free(&say);
	text_free(&safe);
}

/* Writes other forms of a cause: "req=clear and got req=none in 3 cases". */
static void text_causes_put_forms(struct text *t, const struct triage_cause *c,
				  const struct text_opts *o)
{
	for (size_t i = 1; i < c->nforms && i <= FORMS_MAX; i++) {
		const struct triage_form *f = &c->forms[i];
		struct text say = {0};

		if (!*f->expected && !*f->actual)
			continue;
		text_puts(&say, "also ");
		safe_puts(&say, text_some(f->expected, "nothing"));
		text_puts(&say, ", got ");
		safe_puts(&say, text_some(f->actual, "nothing"));
		if (strcmp(f->state, "body") != 0)
			text_printf(&say, ", %s", f->state);
		text_puts(&say, " (");
		count_cases(&say, f->ncases);
		text_puts(&say, ")");
		text_fill(t, ' ', DETAILS);
		text_wrap(t, o, text_cstr(&say), DETAILS, DETAILS);
		text_free(&say);
	}
}

/* Writes the alternatives to a cause, and the rows that it explains. */
static void text_causes_put_other_rows(struct text *t, const struct triage *tr,
				       const struct triage_cause *c,
				       const struct summary *s,
				       const struct text_opts *o)
{
	const size_t most = o->quiet ? ROWS_QUIET : SIZE_MAX;
	struct text alternatives = {0}, explained = {0};

	triage_alternatives(&alternatives, tr, s, c, most);
	triage_explained(&explained, tr, s, c, most);
	if (alternatives.len) {
		text_fill(t, ' ', DETAILS);
		text_wrap(t, o, text_cstr(&alternatives), DETAILS, DETAILS);
	}
	if (explained.len) {
		text_fill(t, ' ', DETAILS);
		text_wrap(t, o, text_cstr(&explained), DETAILS, DETAILS);
	}
	text_free(&alternatives);
	text_free(&explained);
}

static void text_causes_put_cause(struct text *t, const struct triage *tr,
				  size_t n, const struct summary *s,
				  const struct about *a,
				  const struct text_opts *o)
{
	const struct triage_cause *c = &tr->causes[n - 1];
	struct text command = {0}, safe = {0};
	size_t start;

	text_printf(t, "%4zu  %s", n, text_color(o, VERDICT_FAIL));
	start = t->len;
	triage_name(t, c);
	text_puts(t, text_plain(o));
	pad(t, start, NAME_COLUMNS);
	count_cases(t, c->nfound);
	if (c->nexplained != c->nfound)
		text_printf(t, ", %zu of them by no cause above",
			    c->nexplained);
	text_puts(t, "\n");
	text_causes_put_statement(t, c, o);
	put_words(t, c, s, o);
	if (!o->quiet)
		text_causes_put_forms(t, c, o);
	text_causes_put_other_rows(t, tr, c, s, o);
	triage_command(&command, a, &s->cases[c->shortest.c]);
	safe_puts(&safe, text_cstr(&command));
	fold_command(t, text_cstr(&safe), DETAILS, text_width(o));
	text_free(&command);
	text_free(&safe);
}

/* ---- Rows that are not a cause ---- */

/* Names in a list of bounded length. */
struct list {
	struct text say;
	size_t n, most;
};

static void list_begin(struct list *l, const struct text_opts *o)
{
	*l = (struct list){.most = o->quiet ? ROWS_QUIET : SIZE_MAX};
}

static void list_end(struct text *t, struct list *l, const char *title,
		     const struct text_opts *o)
{
	if (l->n > l->most)
		text_printf(&l->say, " and %zu more", l->n - l->most);
	if (l->n) {
		text_puts(t, title);
		text_wrap(t, o, text_cstr(&l->say), strlen(title), INDENT);
	}
	text_free(&l->say);
}

static bool list_more(struct list *l)
{
	if (l->n++ >= l->most)
		return false;
	text_puts(&l->say, l->n > 1 ? " " : "");
	return true;
}

static bool is_cause_row(const struct triage *tr, enum req_id id,
			 enum req_role role)
{
	for (size_t i = 0; i < tr->nfails; i++)
		if (tr->causes[i].req == id && (tr->causes[i].role & role))
			return true;
	return false;
}

static void text_causes_put_rows(struct text *t, const struct triage *tr,
				 const struct summary *s,
				 const struct text_opts *o)
{
	struct list l;

	list_begin(&l, o);
	for (int i = 0; i < 2 * REQ_COUNT; i++) {
		const enum req_id id = (enum req_id)(i / 2);
		const enum req_role role = i % 2 ? REQ_DST : REQ_SRC;

		if (summary_verdict(s, id, role) == REQ_VERDICT_FAIL &&
		    !is_cause_row(tr, id, role) && list_more(&l))
			text_printf(&l.say, "%s/%s", req_get(id)->id,
				    req_role_name(role));
	}
	list_end(t, &l, "rows that fail behind these: ", o);
}

static void put_remarks(struct text *t, const struct summary *s,
			const struct text_opts *o)
{
	struct list l;

	list_begin(&l, o);
	for (int i = 0; i < 2 * REQ_COUNT; i++)
		if (s->reqs[i / 2][i % 2].remarks && list_more(&l))
			text_printf(&l.say, "%s/%s", req_get(i / 2)->id,
				    req_role_name(i % 2 ? REQ_DST : REQ_SRC));
	list_end(t, &l, "remarks, which fail nothing: ", o);
}

void text_causes(struct text *t, const struct triage *tr,
		 const struct summary *s, const struct about *a,
		 const struct text_opts *o)
{
	const size_t n =
		o->causes && o->causes < tr->nfails ? o->causes : tr->nfails;

	if (n) {
		text_printf(t, "\nwhat is wrong, by the number of failed cases "
			       "that it explains, of ");
		text_printf(t, "%zu:\n", tr->nfailed);
	}
	for (size_t i = 0; i < n; i++)
		text_causes_put_cause(t, tr, i + 1, s, a, o);
	if (n < tr->nfails) {
		text_printf(t, "  and %zu more: ", tr->nfails - n);
		if (o->out) {
			safe_puts(t, o->out);
			text_puts(t, "/report.txt\n");
		} else {
			text_puts(t, "--out DIR writes them all\n");
		}
	}
	text_causes_put_rows(t, tr, s, o);
	put_remarks(t, s, o);
}

/* ---- Undecided cases ---- */

static bool is_open(const struct summary_case *c)
{
	return c->verdict == VERDICT_ERROR ||
	       c->verdict == VERDICT_INCONCLUSIVE;
}

/* Compares reasons without their numbers: "line 12", "frame 7". */
static bool same_reason(const char *a, const char *b)
{
	for (;;) {
		const size_t n = strspn(a, "0123456789");
		const size_t m = strspn(b, "0123456789");

		if (!n != !m)
			return false;
		a += n;
		b += m;
		if (*a != *b)
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

static bool same_end(const struct summary_case *a, const struct summary_case *b)
{
	return a->verdict == b->verdict && same_reason(a->reason, b->reason);
}

static void text_causes_put_reason(struct text *t, const struct summary *s,
				   size_t at, const struct about *a,
				   const struct text_opts *o)
{
	const struct summary_case *c = &s->cases[at];
	struct text say = {0}, command = {0}, safe = {0};
	size_t n = 0;

	for (size_t i = at; i < s->ncases; i++)
		n += same_end(c, &s->cases[i]);
	text_printf(t, "  %s%-12s%s  ", text_color(o, c->verdict),
		    verdict_name(c->verdict), text_plain(o));
	safe_puts(t, c->id);
	if (n > 1)
		text_printf(t, " and %zu more", n - 1);
	text_puts(t, "\n");
	text_fill(t, ' ', INDENT);
	safe_puts(&say, c->reason);
	text_wrap(t, o, text_cstr(&say), INDENT, INDENT);
	triage_again(&command, a, c);
	safe_puts(&safe, text_cstr(&command));
	fold_command(t, text_cstr(&safe), INDENT, text_width(o));
	text_free(&say);
	text_free(&command);
	text_free(&safe);
}

void text_open(struct text *t, const struct summary *s, const struct about *a,
	       const struct text_opts *o)
{
	const size_t most = o->quiet ? REASONS_QUIET : SIZE_MAX;
	size_t n = 0;

	for (size_t i = 0; i < s->ncases; i++) {
		bool told = !is_open(&s->cases[i]);

		for (size_t j = 0; j < i && !told; j++)
			told = same_end(&s->cases[j], &s->cases[i]);
		if (told || n++ >= most)
			continue;
		if (n == 1)
			text_puts(t, "\nwhat stayed open:\n");
		text_causes_put_reason(t, s, i, a, o);
	}
	if (n > most)
		text_printf(t, "  and %zu more reasons\n", n - most);
}
