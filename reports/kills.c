/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/kills.c -- the kill matrix, and who is near to whom in it.
 */
#include "reports/kills.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "reports/doc.h"

/* ---- Reading ---- */

struct reader {
	struct doc doc;
	struct kills *k;
	bool nomem;
};

static void *get(struct reader *r, size_t n, size_t size)
{
	void *p = arena_alloc(&r->k->arena, (n ? n : 1) * size);

	r->nomem |= !p;
	return p;
}

static const char *copy(struct reader *r, const char *s)
{
	const char *c = arena_strndup(&r->k->arena, s, strlen(s));

	r->nomem |= !c;
	return c ? c : "";
}

static const char **names(struct reader *r, const json_t *root, const char *key,
			  size_t *ret_n)
{
	const json_t *a = doc_array(&r->doc, root, "", key), *v;
	const char **all = get(r, json_array_size(a), sizeof(*all));
	size_t i;

	*ret_n = 0;
	if (!all)
		return NULL;
	json_array_foreach(a, i, v)
	{
		const char *name = json_string_value(v);

		if (!name)
			doc_bad(&r->doc, key, "entry %zu is no text", i + 1);
		all[i] = copy(r, name ? name : "");
	}
	*ret_n = json_array_size(a);
	return all;
}

/* An index below |n|. */
static unsigned number(struct reader *r, const json_t *v, size_t n,
		       const char *where)
{
	json_int_t i = json_integer_value(v);

	if (json_is_integer(v) && i >= 0 && (size_t)i < n)
		return (unsigned)i;
	doc_bad(&r->doc, where, "'fails' names what is not listed");
	return 0;
}

static void read_fail(struct reader *r, const json_t *v,
		      const struct kills_mutant *m, const char *where,
		      struct kills_fail *ret)
{
	size_t n = json_array_size(v);
	unsigned *rows = get(r, n, sizeof(*rows));

	if (n < 2)
		doc_bad(&r->doc, where, "'fails' wants a case and its rows");
	if (n < 2 || !rows)
		return;
	ret->kase = number(r, json_array_get(v, 0), r->k->ncases, where);
	for (size_t i = 1; i < n && !r->doc.err; i++) {
		rows[i - 1] =
			number(r, json_array_get(v, i), r->k->nrows, where);
		if (!r->doc.err)
			ret->killed |= strcmp(r->k->rows[rows[i - 1]],
					      m->violates) == 0;
	}
	ret->rows = rows;
	ret->nrows = n - 1;
}

static void read_mutant(struct reader *r, const json_t *v, size_t i,
			struct kills_mutant *ret)
{
	char where[48];
	const json_t *fails;
	struct kills_fail *to;

	snprintf(where, sizeof(where), "mutants[%zu]", i);
	*ret = (struct kills_mutant){
		.name = copy(r, doc_string(&r->doc, v, where, "name")),
		.what = copy(r, doc_string(&r->doc, v, where, "what")),
		.violates = copy(r, doc_string(&r->doc, v, where, "violates")),
	};
	fails = doc_array(&r->doc, v, where, "fails");
	to = get(r, json_array_size(fails), sizeof(*to));
	if (!to)
		return;
	for (size_t j = 0; j < json_array_size(fails) && !r->doc.err; j++) {
		to[j] = (struct kills_fail){0};
		read_fail(r, json_array_get(fails, j), ret, where, &to[j]);
		ret->nkills += to[j].killed;
		ret->nfails++;
	}
	ret->fails = to;
}

/* So that a case can be looked up. */
static void check_order(struct reader *r)
{
	const struct kills *k = r->k;

	for (size_t i = 1; i < k->ncases; i++)
		if (strcmp(k->cases[i - 1], k->cases[i]) >= 0)
			doc_bad(&r->doc, "cases", "entry %zu is not in order",
				i + 1);
}

static void read_root(struct reader *r, const json_t *root)
{
	struct kills *k = r->k;
	const json_t *mutants;

	k->cases = names(r, root, "cases", &k->ncases);
	check_order(r);
	k->rows = names(r, root, "rows", &k->nrows);
	mutants = doc_array(&r->doc, root, "", "mutants");
	k->mutants = get(r, json_array_size(mutants), sizeof(*k->mutants));
	for (size_t i = 0;
	     i < json_array_size(mutants) && !r->doc.err && !r->nomem; i++) {
		read_mutant(r, json_array_get(mutants, i), i, &k->mutants[i]);
		k->nmutants++;
	}
}

int kills_parse(struct kills **ret, const char *path, const char *text,
		size_t len, struct diag *diag)
{
	struct reader r = {.doc = {.path = path, .diag = diag}};
	json_t *root = doc_read(&r.doc, text, len, "rung.kills/1");
	int err;

	if (!root)
		return doc_err(&r.doc);
	r.k = calloc(1, sizeof(*r.k));
	if (r.k)
		read_root(&r, root);
	json_decref(root);
	err = !r.k || r.nomem ? ERR_NOMEM : doc_err(&r.doc);
	if (err)
		kills_free(r.k);
	else
		*ret = r.k;
	return err;
}

void kills_free(struct kills *k)
{
	if (!k)
		return;
	arena_free(&k->arena);
	free(k);
}

/* ---- Likeness ---- */

/* What a device failed, in the numbers of the matrix. */
struct pattern {
	bool *ran;   /* [case] it passed or failed here */
	bool *fails; /* [case] */
	bool *pairs; /* [case * nrows + row] */
	size_t npairs, nfails;
};

static int by_name(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool case_index(const struct kills *k, const char *id, size_t *ret)
{
	const char **at = k->ncases ? bsearch(id, k->cases, k->ncases,
					      sizeof(*k->cases), by_name)
				    : NULL;

	if (at)
		*ret = (size_t)(at - k->cases);
	return at != NULL;
}

static void pattern_finding(const struct kills *k, struct pattern *p,
			    size_t kase, const struct rec_finding *f)
{
	char name[64];

	if (f->req == REQ_NONE || f->remark || f->consequence)
		return;
	snprintf(name, sizeof(name), "%s/%s", req_get(f->req)->id,
		 req_role_name(f->role));
	for (size_t i = 0; i < k->nrows; i++) {
		bool *pair = &p->pairs[kase * k->nrows + i];

		if (strcmp(k->rows[i], name) != 0 || *pair)
			continue;
		*pair = true;
		p->npairs++;
	}
}

static void pattern_case(const struct kills *k, struct pattern *p,
			 const struct summary_case *c)
{
	size_t kase;

	if ((c->verdict != VERDICT_PASS && c->verdict != VERDICT_FAIL) ||
	    !case_index(k, c->id, &kase))
		return;
	p->ran[kase] = true;
	if (c->verdict == VERDICT_PASS)
		return;
	p->nfails += !p->fails[kase];
	p->fails[kase] = true;
	for (size_t i = 0; i < c->nfindings; i++)
		pattern_finding(k, p, kase, &c->findings[i]);
}

static struct kills_like liken(const struct kills *k, const struct pattern *p,
			       const struct kills_mutant *m)
{
	struct kills_like like = {.mutant = m, .mine = p->nfails};
	size_t shared = 0, pairs = 0, all;

	for (size_t i = 0; i < m->nfails; i++) {
		const struct kills_fail *f = &m->fails[i];

		if (!p->ran[f->kase])
			continue;
		like.mutants++;
		like.both += p->fails[f->kase];
		for (size_t j = 0; j < f->nrows; j++) {
			pairs++;
			shared += p->pairs[f->kase * k->nrows + f->rows[j]];
		}
	}
	all = p->npairs + pairs - shared;
	like.score = all ? (double)shared / (double)all : 0;
	return like;
}

/* Puts |like| where it belongs among the |n| best; the last may fall out. */
static size_t insert(struct kills_like *best, size_t n, size_t size,
		     const struct kills_like *like)
{
	size_t at = n;

	while (at && best[at - 1].score < like->score)
		at--;
	if (at == size)
		return n;
	n += n < size;
	memmove(&best[at + 1], &best[at], (n - at - 1) * sizeof(*best));
	best[at] = *like;
	return n;
}

int kills_nearest(const struct kills *k, const struct summary *s,
		  struct kills_like *ret, size_t size)
{
	struct pattern p = {
		.ran = calloc(k->ncases + 1, 1),
		.fails = calloc(k->ncases + 1, 1),
		.pairs = calloc(k->ncases + 1, k->nrows + 1),
	};
	size_t n = 0;
	bool ok = p.ran && p.fails && p.pairs;

	for (size_t i = 0; ok && i < s->ncases; i++)
		pattern_case(k, &p, &s->cases[i]);
	for (size_t i = 0; ok && p.npairs && i < k->nmutants; i++) {
		struct kills_like like = liken(k, &p, &k->mutants[i]);

		if (like.score > 0)
			n = insert(ret, n, size, &like);
	}
	free(p.ran);
	free(p.fails);
	free(p.pairs);
	return ok ? (int)n : ERR_NOMEM;
}
