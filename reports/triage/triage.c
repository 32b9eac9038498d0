/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/triage/triage.c -- sorts a run's findings by cause instead of by
 * case.
 *
 * Every finding is reduced to a key: its row and its item.  The keys are
 * candidates.  The most suspect candidate is the first cause; the cases that it
 * explains are removed, and so on until no failed case is left.  The remaining
 * candidates explain nothing on their own: consequences.
 *
 * A row is more suspect the more failed cases it explains; a row that explains
 * others (explain.h) explains their cases as well.  The surest evidence is a
 * line that names the item for the row, because the case was written to test
 * it; then a monitor, which finds the violation wherever it looks; the tables
 * of the catalogue only assume the row.  Bytes that differ count as a monitor
 * does.  A case with surer evidence counts ten times as much as one with the
 * next.  The cases of a sweep have the same lines and count as one.  Of rows
 * that weigh the same, a must is more suspect than another one, and then the
 * one that fewer cases fulfil.
 *
 * Two rows may fail by one difference (summary_alternative).  If many cases
 * fulfil the more suspect one and none fulfils the other, the other comes
 * first: the device obeys the wide row elsewhere, and never the narrow one.
 */
#include "reports/triage/triage.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/result/diff.h"
#include "reports/triage/explain.h"
#include "suite/verdict/blame.h"

/* A candidate cause. */
struct candidate {
	struct triage_cause is;
	size_t cases_size, forms_size;
	bool named; /* the line of a failed case names the item for the row */
	uint8_t *blamed; /* [case of the cause] enum blame_by, the surest */
	size_t blamed_size;
	/* time of its earliest packet, since the first rung of the case */
	vtime earliest;
	size_t place; /* least number of findings before it */
	size_t open;  /* failed cases that are not explained yet */
	size_t row;   /* weight of the unexplained cases of its row */
	size_t row_first;
	size_t fulfilled;         /* passed cases that cover its row */
	const struct req_ref *by; /* the row that explains its own, or NULL */
};

struct sorter {
	const struct summary *s;
	struct arena *arena;
	struct candidate *all;
	size_t n, size;
	bool *explained; /* [case] a cause explains the case */
	size_t *sweep;   /* [case] see triage_sweep */
	size_t *counted; /* [sweep] the last turn of count_row that counted it
			  */
	size_t *weight;  /* [sweep] how much it counted then */
	size_t turn;
};

/* ---- Keys ---- */

static const char *state_of(const struct rec_finding *f)
{
	switch (f->phase) {
	case PHASE_SETUP:
		return "opening";
	case PHASE_TEARDOWN:
		return "closing";
	case PHASE_BODY:
		break;
	}
	return "body";
}

/* Stores the first field that differs, for a finding that names no item. */
static void item_of(const struct rec_finding *f, char *ret, size_t size)
{
	const char *rung = *f->expected ? f->expected : f->actual;
	const size_t len = strcspn(rung, " =");
	char field[32] = "", kind[32];

	*ret = 0;
	if (*f->what || !*rung) {
		snprintf(ret, size, "%s", f->what);
		return;
	}
	if (rung[len] == '=') /* a monitor's value, not a packet */
		*field = 0;
	else if (!*f->actual)
		snprintf(field, sizeof(field), "missing");
	else if (!*f->expected)
		snprintf(field, sizeof(field), "forbidden");
	else
		rung_diff_field(field, sizeof(field), f->expected, f->actual);
	snprintf(kind, sizeof(kind), "%.*s", (int)len, rung);
	snprintf(ret, size, "%s%s%s", *field ? blame_class(kind) : kind,
		 *field ? "." : "", field);
}

/* Writes the packet type of a rung without counterpart. */
static void put_kind(struct text *t, const char *rung)
{
	text_add(t, rung, strcspn(rung, " ="));
}

static void triage_put_form(struct text *expected, struct text *actual,
			    const struct rec_finding *f)
{
	const char *dot = strchr(f->what, '.');

	if (*f->expected && *f->actual) {
		rung_diff_form(expected, actual, f->expected, f->actual,
			       dot ? dot + 1 : NULL);
		return;
	}
	put_kind(expected, text_some(f->expected, ""));
	put_kind(actual, text_some(f->actual, ""));
}

/* ---- Gathering ---- */

/* Makes room for one more element.  Return: false if there is no memory. */
static bool triage_grow(struct arena *a, void **array, size_t n, size_t *size,
			size_t each)
{
	const size_t more = *size ? 2 * *size : 8;
	void *p;

	if (n < *size)
		return true;
	p = arena_alloc(a, more * each);
	if (!p)
		return false;
	if (n)
		memcpy(p, *array, n * each);
	*array = p;
	*size = more;
	return true;
}

static bool is_candidate(const struct candidate *c, const struct rec_finding *f,
			 const char *what)
{
	return c->is.req == f->req && c->is.role == f->role &&
	       c->is.remark == f->remark && c->is.known == f->known &&
	       strcmp(c->is.what, what) == 0;
}

static struct candidate *add_candidate(struct sorter *so)
{
	void *all = so->all;
	struct candidate *c;

	if (!triage_grow(so->arena, &all, so->n, &so->size, sizeof(*c)))
		return NULL;
	so->all = all;
	c = &so->all[so->n++];
	*c = (struct candidate){.earliest = VTIME_NEVER, .place = SIZE_MAX};
	c->is.what = c->is.reason = "";
	c->is.req = REQ_NONE;
	c->is.role = REQ_BOTH;
	return c;
}

static struct candidate *candidate_of(struct sorter *so,
				      const struct rec_finding *f)
{
	char what[sizeof(f->what)];
	struct candidate *c;

	item_of(f, what, sizeof(what));
	for (size_t i = 0; i < so->n; i++)
		if (is_candidate(&so->all[i], f, what))
			return &so->all[i];
	c = add_candidate(so);
	if (!c)
		return NULL;
	c->is.req = f->req;
	c->is.role = f->role;
	c->is.remark = f->remark;
	c->is.known = f->known;
	c->is.what = arena_strndup(so->arena, what, strlen(what));
	if (f->role == REQ_DST || f->role == REQ_SRC)
		c->by = summary_explained(so->s, f->req, f->role);
	if (c->is.what)
		return c;
	return NULL;
}

/*
 * Returns the candidate of failed cases without a requirement, by their reason.
 */
static struct candidate *nameless(struct sorter *so, const char *reason)
{
	struct candidate *c;

	for (size_t i = 0; i < so->n; i++)
		if (so->all[i].is.req == REQ_NONE &&
		    strcmp(so->all[i].is.reason, reason) == 0)
			return &so->all[i];
	c = add_candidate(so);
	if (c)
		c->is.reason = reason;
	return c;
}

static bool triage_is_shorter(const struct summary *s, size_t a, size_t b)
{
	const struct summary_case *x = &s->cases[a], *y = &s->cases[b];

	if (x->packets != y->packets)
		return x->packets < y->packets;
	return x->virtual_ns < y->virtual_ns;
}

static bool add_case(struct sorter *so, struct candidate *c,
		     struct triage_at at, uint8_t blamed, bool first)
{
	struct triage_cause *is = &c->is;
	void *cases = is->cases, *sure = c->blamed;

	if (is->nfound && is->cases[is->nfound - 1] == at.c) {
		if (blamed < c->blamed[is->nfound - 1])
			c->blamed[is->nfound - 1] = blamed;
		return true;
	}
	if (!triage_grow(so->arena, &cases, is->nfound, &c->cases_size,
			 sizeof(*is->cases)) ||
	    !triage_grow(so->arena, &sure, is->nfound, &c->blamed_size,
			 sizeof(*c->blamed)))
		return false;
	is->cases = cases;
	c->blamed = sure;
	c->blamed[is->nfound] = blamed;
	if (!is->nfound || triage_is_shorter(so->s, at.c, is->shortest.c))
		is->shortest = at;
	is->cases[is->nfound++] = at.c;
	is->nfirst += first;
	return true;
}

static struct triage_form *triage_form_of(struct sorter *so,
					  struct candidate *c,
					  const char *expected,
					  const char *actual, const char *state)
{
	void *forms = c->is.forms;
	struct triage_form *f;

	for (size_t i = 0; i < c->is.nforms; i++) {
		f = &c->is.forms[i];
		if (!strcmp(f->expected, expected) &&
		    !strcmp(f->actual, actual) && !strcmp(f->state, state))
			return f;
	}
	if (!triage_grow(so->arena, &forms, c->is.nforms, &c->forms_size,
			 sizeof(*f)))
		return NULL;
	c->is.forms = forms;
	f = &c->is.forms[c->is.nforms++];
	*f = (struct triage_form){.state = state};
	f->expected = arena_strndup(so->arena, expected, strlen(expected));
	f->actual = arena_strndup(so->arena, actual, strlen(actual));
	if (f->expected && f->actual)
		return f;
	return NULL;
}

static bool add_form(struct sorter *so, struct candidate *c,
		     const struct rec_finding *f, struct triage_at at)
{
	struct text expected = {0}, actual = {0};
	struct triage_form *form = NULL;

	triage_put_form(&expected, &actual, f);
	if (!text_err(&expected) && !text_err(&actual))
		form = triage_form_of(so, c, text_cstr(&expected),
				      text_cstr(&actual), state_of(f));
	text_free(&expected);
	text_free(&actual);
	if (!form)
		return false;
	if (!form->ncases || triage_is_shorter(so->s, at.c, form->shortest.c))
		form->shortest = at;
	form->ncases++;
	return true;
}

static bool triage_fails(const struct sorter *so, size_t at)
{
	return so->s->cases[at].verdict == VERDICT_FAIL;
}

static bool triage_add_finding(struct sorter *so, struct triage_at at,
			       bool first)
{
	const struct summary_case *sc = &so->s->cases[at.c];
	const struct rec_finding *f = &sc->findings[at.f];
	struct candidate *c = candidate_of(so, f);

	if (!c || !add_case(so, c, at, f->blamed, first) ||
	    !add_form(so, c, f, at))
		return false;
	c->is.stepped |= f->stepped;
	c->named |= f->blamed == BLAME_BY_LINE && triage_fails(so, at.c);
	if (sc->places && sc->places[at.f].timed &&
	    sc->places[at.f].at < c->earliest)
		c->earliest = sc->places[at.f].at;
	if (at.f < c->place)
		c->place = at.f;
	return true;
}

/* Returns true for findings with the same reason and the same line. */
static bool same_moment(const struct rec_finding *a,
			const struct rec_finding *b)
{
	return a->frame == b->frame && a->line == b->line &&
	       strcmp(a->text, b->text) == 0;
}

/*
 * A deviation after which the case continued does not explain later findings.
 */
static bool is_passed(const struct rec_finding *f)
{
	return f->known || f->stepped || f->remark;
}

static bool add_failed(struct sorter *so, size_t at)
{
	const struct summary_case *sc = &so->s->cases[at];
	/* the finding that ended the case */
	const struct rec_finding *first = NULL;
	bool ok = true;

	for (size_t i = 0; ok && i < sc->nfindings; i++) {
		const struct rec_finding *f = &sc->findings[i];

		if (f->doubtful || f->consequence)
			continue;
		ok = triage_add_finding(so, (struct triage_at){at, i},
					!first || same_moment(first, f));
		if (!first && !is_passed(f))
			first = f;
	}
	if (ok && sc->verdict == VERDICT_FAIL && !sc->nfindings) {
		struct candidate *c = nameless(so, sc->reason);

		ok = c && add_case(so, c, (struct triage_at){at, SIZE_MAX},
				   UINT8_MAX, true);
	}
	return ok;
}

/* ---- Order ---- */

static void count_open(const struct sorter *so, struct candidate *c)
{
	c->open = 0;
	for (size_t i = 0; i < c->is.nfound; i++)
		c->open += triage_fails(so, c->is.cases[i]) &&
			   !so->explained[c->is.cases[i]];
}

static bool same_row(const struct candidate *a, const struct candidate *b)
{
	return a->is.req == b->is.req && a->is.role == b->is.role &&
	       a->is.remark == b->is.remark && a->is.known == b->is.known;
}

/* Returns true if the row of |c| explains the findings of |other|. */
static bool triage_explains(const struct candidate *c,
			    const struct candidate *other)
{
	return other->by && other->by->id == c->is.req &&
	       (c->is.role & other->by->role) &&
	       c->is.remark == other->is.remark && !c->is.known;
}

/* Returns how much a case counts whose finding names its row like this. */
static size_t triage_weight(uint8_t blamed)
{
	if (blamed == BLAME_BY_LINE)
		return EXPLAIN_TIMES * EXPLAIN_TIMES;
	if (blamed == BLAME_BY_MONITOR || blamed == BLAME_BY_CONTENT)
		return EXPLAIN_TIMES;
	return 1;
}

/*
 * Returns the first case of the sweep that a case is of, or the case itself.
 * The cases of a sweep have the same lines with other values ("send[len=1]",
 * "send[len=mtu]").  so->sweep of the cases before it is set.
 */
static size_t triage_sweep(const struct sorter *so, size_t at)
{
	const struct summary_case *c = so->s->cases;
	const size_t n = strcspn(c[at].id, "[");

	if (!c[at].id[n])
		return at;
	for (size_t i = at; i-- > 0 && !strncmp(c[i].id, c[at].id, n + 1);)
		if (c[i].chair == c[at].chair)
			return so->sweep[i];
	return at;
}

/*
 * Counts the open cases of |from| for |c|, those of a sweep once, and by their
 * surest evidence.
 */
static void triage_count_cases(const struct sorter *so, struct candidate *c,
			       const struct candidate *from, bool own)
{
	for (size_t i = 0; i < from->is.nfound; i++) {
		const size_t at = from->is.cases[i], sweep = so->sweep[at];
		const size_t weight = own ? triage_weight(from->blamed[i]) : 1;

		if (!triage_fails(so, at) || so->explained[at])
			continue;
		if (so->counted[sweep] != so->turn)
			so->weight[sweep] = 0;
		so->counted[sweep] = so->turn;
		if (weight <= so->weight[sweep])
			continue;
		c->row += weight - so->weight[sweep];
		so->weight[sweep] = weight;
	}
}

/* Returns true if the rows are the same but for the role. */
static bool triage_same_id(const struct candidate *a, const struct candidate *b)
{
	return a->is.req == b->is.req && a->is.remark == b->is.remark &&
	       a->is.known == b->is.known;
}

/*
 * Counts the open cases that all items of a row explain together, in both
 * roles: an endpoint has one receiver and one sender, in either role.  Counts
 * those of the rows that it explains as well.
 */
static void count_row(struct sorter *so, struct candidate *c)
{
	so->turn++;
	c->row = c->row_first = 0;
	for (size_t i = 0; i < so->n; i++) {
		const struct candidate *other = &so->all[i];

		if (triage_explains(c, other))
			triage_count_cases(so, c, other, false);
		if (!triage_same_id(other, c))
			continue;
		triage_count_cases(so, c, other, true);
		c->row_first += other->is.nfirst;
	}
}

/* Counts, for the row of each candidate, the cases that pass. */
static void count_fulfilled(struct sorter *so)
{
	size_t n[REQ_COUNT][2] = {{0}};

	for (size_t i = 0; i < so->s->ncases; i++) {
		const struct summary_case *c = &so->s->cases[i];

		for (size_t j = 0; c->verdict == VERDICT_PASS && j < c->nreqs;
		     j++)
			n[c->reqs[j].id][c->reqs[j].role == REQ_DST]++;
	}
	for (size_t i = 0; i < so->n; i++)
		if (so->all[i].is.req != REQ_NONE)
			so->all[i].fulfilled = n[so->all[i].is.req]
						[so->all[i].is.role == REQ_DST];
}

static bool triage_is_must(const struct candidate *c)
{
	return c->is.req != REQ_NONE && req_get(c->is.req)->level == REQ_M;
}

/*
 * Compares the rows of two candidates: positive if that of |a| is the more
 * suspect one.
 */
static int triage_compare_rows(const struct candidate *a,
			       const struct candidate *b)
{
	if (a->row != b->row)
		return a->row > b->row ? 1 : -1;
	if (triage_is_must(a) != triage_is_must(b))
		return triage_is_must(a) ? 1 : -1;
	if (a->fulfilled != b->fulfilled)
		return a->fulfilled < b->fulfilled ? 1 : -1;
	return (a->row_first > b->row_first) - (a->row_first < b->row_first);
}

/* Returns true if |a| is the better explanation. */
static bool triage_is_better(const struct candidate *a,
			     const struct candidate *b)
{
	if (a->is.remark != b->is.remark)
		return b->is.remark;
	if (a->is.known != b->is.known)
		return b->is.known;
	if (!a->by != !b->by)
		return !a->by;
	if (!same_row(a, b) && triage_compare_rows(a, b))
		return triage_compare_rows(a, b) > 0;
	if (a->open != b->open)
		return a->open > b->open;
	if (a->is.nfirst != b->is.nfirst)
		return a->is.nfirst > b->is.nfirst;
	if (a->earliest != b->earliest)
		return a->earliest < b->earliest;
	if (a->place != b->place)
		return a->place < b->place;
	return (int)a->is.req < (int)b->is.req;
}

static int by_cases(const void *a, const void *b)
{
	const struct triage_form *x = a, *y = b;
	int order;

	if (x->ncases != y->ncases)
		return x->ncases > y->ncases ? -1 : 1;
	order = strcmp(x->expected, y->expected);
	if (!order)
		order = strcmp(x->actual, y->actual);
	if (order)
		return order;
	return strcmp(x->state, y->state);
}

/* Marks the cases of a candidate that a cause explains. */
static void triage_close_cases(struct sorter *so, struct triage_cause *by,
			       const struct candidate *c)
{
	for (size_t i = 0; i < c->is.nfound; i++) {
		const size_t at = c->is.cases[i];

		by->nbehind += triage_fails(so, at) && !so->explained[at];
		so->explained[at] = true;
	}
}

static void triage_take(struct sorter *so, struct triage *t, size_t best)
{
	struct candidate *c = &so->all[best];
	struct triage_cause *to = &t->causes[t->n++];

	*to = c->is;
	to->nexplained = c->open;
	t->nfails += !to->remark && !to->known;
	for (size_t i = 0; i < to->nfound; i++)
		so->explained[to->cases[i]] = true;
	for (size_t i = 0; i < so->n; i++)
		if (triage_explains(c, &so->all[i]))
			triage_close_cases(so, to, &so->all[i]);
	if (to->nforms)
		qsort(to->forms, to->nforms, sizeof(*to->forms), by_cases);
	so->all[best] = so->all[--so->n];
}

/*
 * A remark or a known deviation is always reported; others must explain a case,
 * as its first finding or by a line that tests the item.
 */
static bool is_cause(const struct candidate *c)
{
	return c->is.remark || c->is.known ||
	       (c->open && (c->is.nfirst || c->named));
}

/* Returns true if no case fulfils the row of |c|, which a line names. */
static bool triage_is_narrow(const struct candidate *c,
			     const struct req_ref *row)
{
	return c->is.req == row->id && c->is.role == row->role &&
	       !c->is.known && !c->by && c->named && c->open && !c->fulfilled;
}

/*
 * Returns the best candidate of an alternative to the row of the best one that
 * no case fulfils, if many cases fulfil that row; else the best one itself.
 */
static size_t triage_narrower(const struct sorter *so, size_t best)
{
	const struct candidate *c = &so->all[best];
	const struct req_ref *row;
	size_t ret = best;

	if (c->is.req == REQ_NONE ||
	    c->fulfilled < EXPLAIN_STRAY * c->is.nfound)
		return best;
	for (size_t i = 0;
	     (row = summary_alternative(so->s, c->is.req, c->is.role, i)); i++)
		for (size_t j = 0; j < so->n; j++) {
			const struct candidate *d = &so->all[j];

			if (!triage_is_narrow(d, row) ||
			    d->is.remark != c->is.remark ||
			    triage_is_must(d) < triage_is_must(c))
				continue;
			if (ret == best || triage_is_better(d, &so->all[ret]))
				ret = j;
		}
	return ret;
}

/* Takes the best explanation, then the best one of the rest. */
static void triage_order(struct sorter *so, struct triage *t)
{
	count_fulfilled(so);
	while (so->n) {
		size_t best = so->n;

		for (size_t i = 0; i < so->n; i++) {
			struct candidate *c = &so->all[i];

			count_open(so, c);
			count_row(so, c);
			if (is_cause(c) &&
			    (best == so->n ||
			     triage_is_better(c, &so->all[best])))
				best = i;
		}
		if (best == so->n)
			return;
		triage_take(so, t, triage_narrower(so, best));
	}
}

int triage_new(struct triage **ret, const struct summary *s)
{
	struct triage *t = memory_calloc(1, sizeof(*t));
	struct sorter so = {.s = s};
	bool ok = t != NULL;

	if (!ok)
		return ERR_NOMEM;
	so.arena = &t->arena;
	so.explained = arena_alloc(&t->arena, s->ncases + 1);
	so.counted =
		arena_alloc(&t->arena, (s->ncases + 1) * sizeof(*so.counted));
	so.weight =
		arena_alloc(&t->arena, (s->ncases + 1) * sizeof(*so.weight));
	so.sweep = arena_alloc(&t->arena, (s->ncases + 1) * sizeof(*so.sweep));
	ok = so.explained && so.counted && so.weight && so.sweep;
	for (size_t i = 0; ok && i < s->ncases; i++)
		so.sweep[i] = triage_sweep(&so, i);
	for (size_t i = 0; ok && i < s->ncases; i++) {
		if (s->cases[i].state == BASELINE_KNOWN)
			continue;
		t->nfailed += triage_fails(&so, i);
		ok = add_failed(&so, i);
	}
	if (ok)
		t->causes =
			arena_alloc(&t->arena, (so.n + 1) * sizeof(*t->causes));
	if (!ok || !t->causes) {
		triage_free(t);
		return ERR_NOMEM;
	}
	triage_order(&so, t);
	*ret = t;
	return 0;
}

void triage_free(struct triage *t)
{
	if (!t)
		return;
	arena_free(&t->arena);
	free(t);
}
