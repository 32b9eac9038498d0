/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/passes.c -- reads the pass matrix.
 */
#include "reports/format/passes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "reports/doc.h"

struct passes_reader {
	struct doc doc;
	struct passes *p;
	bool nomem;
};

static void *passes_get(struct passes_reader *r, size_t n, size_t size)
{
	void *p = arena_alloc(&r->p->arena, (n ? n : 1) * size);

	r->nomem |= !p;
	return p;
}

static const char *passes_copy(struct passes_reader *r, const char *s)
{
	const char *c = arena_strndup(&r->p->arena, s, strlen(s));

	r->nomem |= !c;
	return c ? c : "";
}

static void passes_read_cases(struct passes_reader *r, const json_t *root)
{
	const json_t *a = doc_array(&r->doc, root, "", "cases"), *v;
	size_t i;

	r->p->cases = passes_get(r, json_array_size(a), sizeof(*r->p->cases));
	if (!r->p->cases)
		return;
	json_array_foreach(a, i, v)
	{
		if (!json_is_string(v)) {
			doc_bad(&r->doc, "cases", "entry %zu is no text",
				i + 1);
			return;
		}
		r->p->cases[i] = passes_copy(r, json_string_value(v));
		r->p->ncases++;
	}
}

static void read_na(struct passes_reader *r, const json_t *a, const char *where,
		    struct passes_variant *ret)
{
	unsigned *na = passes_get(r, json_array_size(a), sizeof(*na));
	const json_t *v;
	size_t i;

	if (!na)
		return;
	ret->na = na;
	json_array_foreach(a, i, v)
	{
		const json_int_t at = json_integer_value(v);

		if (!json_is_integer(v) || at < 0 ||
		    (size_t)at >= r->p->ncases) {
			doc_bad(&r->doc, where, "'na' names what is no case");
			return;
		}
		na[ret->nna++] = (unsigned)at;
	}
}

static void read_variant(struct passes_reader *r, const json_t *v, size_t i,
			 struct passes_variant *ret)
{
	char where[48];

	snprintf(where, sizeof(where), "variants[%zu]", i);
	*ret = (struct passes_variant){
		.name = passes_copy(r, doc_string(&r->doc, v, where, "name")),
		.what = passes_copy(r, doc_string(&r->doc, v, where, "what")),
		.why = passes_copy(r, doc_string(&r->doc, v, where, "why")),
		.nfails =
			json_array_size(doc_array(&r->doc, v, where, "fails")),
	};
	read_na(r, doc_array(&r->doc, v, where, "na"), where, ret);
}

static void passes_read_root(struct passes_reader *r, const json_t *root)
{
	struct passes *p = r->p;
	const json_t *variants;

	passes_read_cases(r, root);
	p->combinations = doc_u32(&r->doc, root, "", "combinations");
	variants = doc_array(&r->doc, root, "", "variants");
	p->variants =
		passes_get(r, json_array_size(variants), sizeof(*p->variants));
	for (size_t i = 0;
	     i < json_array_size(variants) && !r->doc.err && !r->nomem; i++) {
		read_variant(r, json_array_get(variants, i), i,
			     &p->variants[i]);
		p->nvariants++;
	}
}

int passes_parse(struct passes **ret, const char *path, const char *text,
		 size_t len, struct diag *diag)
{
	struct passes_reader r = {.doc = {.path = path, .diag = diag}};
	json_t *root = doc_read(&r.doc, text, len, "rung.passes/1");
	int err;

	if (!root)
		return doc_err(&r.doc);
	r.p = memory_calloc(1, sizeof(*r.p));
	if (r.p)
		passes_read_root(&r, root);
	json_decref(root);
	err = !r.p || r.nomem ? ERR_NOMEM : doc_err(&r.doc);
	if (err)
		passes_free(r.p);
	else
		*ret = r.p;
	return err;
}

void passes_free(struct passes *p)
{
	if (!p)
		return;
	arena_free(&p->arena);
	free(p);
}
