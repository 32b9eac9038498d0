/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/kills.c -- reads the kill matrix and ranks its mutants by
 * likeness.
 */
#include "reports/format/kills.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/doc.h"

/* ---- Reading ---- */

struct kills_reader {
	struct doc doc;
	struct kills *k;
	bool nomem;
};

static void *kills_get(struct kills_reader *r, size_t n, size_t size)
{
	void *p = arena_alloc(&r->k->arena, (n ? n : 1) * size);

	r->nomem |= !p;
	return p;
}

static const char *kills_copy(struct kills_reader *r, const char *s)
{
	const char *c = arena_strndup(&r->k->arena, s, strlen(s));

	r->nomem |= !c;
	if (c)
		return c;
	return "";
}

static const char **kills_names(struct kills_reader *r, const json_t *root,
				const char *key, size_t *ret_n)
{
	const json_t *a = doc_array(&r->doc, root, "", key), *v;
	const char **all = kills_get(r, json_array_size(a), sizeof(*all));
	size_t i;

	*ret_n = 0;
	if (!all)
		return NULL;
	json_array_foreach(a, i, v)
	{
		const char *name = json_string_value(v);

		if (!name)
			doc_bad(&r->doc, key, "entry %zu is no text", i + 1);
		all[i] = kills_copy(r, text_or(name, ""));
	}
	*ret_n = json_array_size(a);
	return all;
}

/* Reads an index below |n|. */
static unsigned kills_number(struct kills_reader *r, const json_t *v, size_t n,
			     const char *where)
{
	json_int_t i = json_integer_value(v);

	if (json_is_integer(v) && i >= 0 && (size_t)i < n)
		return (unsigned)i;
	doc_bad(&r->doc, where, "'fails' names what is not listed");
	return 0;
}

static void read_fail(struct kills_reader *r, const json_t *v,
		      const struct kills_mutant *m, const char *where,
		      struct kills_fail *ret)
{
	size_t n = json_array_size(v);
	unsigned *rows = kills_get(r, n, sizeof(*rows));

	if (n < 2)
		doc_bad(&r->doc, where, "'fails' wants a case and its rows");
	if (n < 2 || !rows)
		return;
	ret->test_case =
		kills_number(r, json_array_get(v, 0), r->k->ncases, where);
	for (size_t i = 1; i < n && !r->doc.err; i++) {
		rows[i - 1] = kills_number(r, json_array_get(v, i), r->k->nrows,
					   where);
		if (!r->doc.err)
			ret->killed |= strcmp(r->k->rows[rows[i - 1]],
					      m->violates) == 0;
	}
	ret->rows = rows;
	ret->nrows = n - 1;
}

static void read_mutant(struct kills_reader *r, const json_t *v, size_t i,
			struct kills_mutant *ret)
{
	char where[48];
	const json_t *fails;
	struct kills_fail *to;

	snprintf(where, sizeof(where), "mutants[%zu]", i);
	*ret = (struct kills_mutant){
		.name = kills_copy(r, doc_string(&r->doc, v, where, "name")),
		.what = kills_copy(r, doc_string(&r->doc, v, where, "what")),
		.violates = kills_copy(
			r, doc_string(&r->doc, v, where, "violates")),
	};
	fails = doc_array(&r->doc, v, where, "fails");
	to = kills_get(r, json_array_size(fails), sizeof(*to));
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

/* Checks that cases are sorted, for the binary search. */
static void kills_check_order(struct kills_reader *r)
{
	const struct kills *k = r->k;

	for (size_t i = 1; i < k->ncases; i++)
		if (strcmp(k->cases[i - 1], k->cases[i]) >= 0)
			doc_bad(&r->doc, "cases", "entry %zu is not in order",
				i + 1);
}

static void kills_read_root(struct kills_reader *r, const json_t *root)
{
	struct kills *k = r->k;
	const json_t *mutants;

	k->cases = kills_names(r, root, "cases", &k->ncases);
	kills_check_order(r);
	k->rows = kills_names(r, root, "rows", &k->nrows);
	mutants = doc_array(&r->doc, root, "", "mutants");
	k->mutants =
		kills_get(r, json_array_size(mutants), sizeof(*k->mutants));
	for (size_t i = 0;
	     i < json_array_size(mutants) && !r->doc.err && !r->nomem; i++) {
		read_mutant(r, json_array_get(mutants, i), i, &k->mutants[i]);
		k->nmutants++;
	}
}

int kills_parse(struct kills **ret, const char *path, const char *text,
		size_t len, struct diag *diag)
{
	struct kills_reader r = {.doc = {.path = path, .diag = diag}};
	json_t *root = doc_read(&r.doc, text, len, "rung.kills/1");
	int err;

	if (!root)
		return doc_err(&r.doc);
	r.k = memory_calloc(1, sizeof(*r.k));
	if (r.k)
		kills_read_root(&r, root);
	json_decref(root);
	if (!r.k || r.nomem)
		err = ERR_NOMEM;
	else
		err = doc_err(&r.doc);
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

/* The failures of a device, in indices of the matrix. */
struct pattern {
	bool *ran;   /* [case] it passed or failed in this run */
	bool *fails; /* [case] it failed */
	bool *pairs; /* [case * nrows + row] a finding names the row */
	size_t npairs, nfails;
};

static int kills_by_name(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool case_index(const struct kills *k, const char *id, size_t *ret)
{
	const char **at = k->ncases ? bsearch(id, k->cases, k->ncases,
					      sizeof(*k->cases), kills_by_name)
				    : NULL;

	if (at)
		*ret = (size_t)(at - k->cases);
	return at != NULL;
}

static void pattern_finding(const struct kills *k, struct pattern *p,
			    size_t test_case, const struct rec_finding *f)
{
	char name[64];

	if (f->req == REQ_NONE || f->remark || f->consequence)
		return;
	snprintf(name, sizeof(name), "%s/%s", req_get(f->req)->id,
		 req_role_name(f->role));
	for (size_t i = 0; i < k->nrows; i++) {
		bool *pair = &p->pairs[test_case * k->nrows + i];

		if (strcmp(k->rows[i], name) != 0 || *pair)
			continue;
		*pair = true;
		p->npairs++;
	}
}

static void pattern_case(const struct kills *k, struct pattern *p,
			 const struct summary_case *c)
{
	size_t test_case;

	if ((c->verdict != VERDICT_PASS && c->verdict != VERDICT_FAIL) ||
	    !case_index(k, c->id, &test_case))
		return;
	p->ran[test_case] = true;
	if (c->verdict == VERDICT_PASS)
		return;
	p->nfails += !p->fails[test_case];
	p->fails[test_case] = true;
	for (size_t i = 0; i < c->nfindings; i++)
		pattern_finding(k, p, test_case, &c->findings[i]);
}

static struct kills_like liken(const struct kills *k, const struct pattern *p,
			       const struct kills_mutant *m)
{
	struct kills_like like = {.mutant = m, .mine = p->nfails};
	size_t shared = 0, pairs = 0, all;

	for (size_t i = 0; i < m->nfails; i++) {
		const struct kills_fail *f = &m->fails[i];

		if (!p->ran[f->test_case])
			continue;
		like.mutants++;
		like.both += p->fails[f->test_case];
		for (size_t j = 0; j < f->nrows; j++) {
			pairs++;
			shared +=
				p->pairs[f->test_case * k->nrows + f->rows[j]];
		}
	}
	all = p->npairs + pairs - shared;
	if (all)
		like.score = (double)shared / (double)all;
	else
		like.score = 0;
	return like;
}

/* Inserts |like| among the |n| best; the last may drop out. */
static size_t kills_insert(struct kills_like *best, size_t n, size_t size,
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
		.ran = memory_calloc(k->ncases + 1, 1),
		.fails = memory_calloc(k->ncases + 1, 1),
		.pairs = memory_calloc(k->ncases + 1, k->nrows + 1),
	};
	size_t n = 0;
	bool ok = p.ran && p.fails && p.pairs;

	for (size_t i = 0; ok && i < s->ncases; i++)
		pattern_case(k, &p, &s->cases[i]);
	for (size_t i = 0; ok && p.npairs && i < k->nmutants; i++) {
		struct kills_like like = liken(k, &p, &k->mutants[i]);

		if (like.score > 0)
			n = kills_insert(ret, n, size, &like);
	}
	free(p.ran);
	free(p.fails);
	free(p.pairs);
	if (ok)
		return (int)n;
	return ERR_NOMEM;
}
