/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/results.c -- reads results.json back.
 */
#include "reports/result/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/doc.h"
#include "reports/prune.h"

struct results_reader {
	struct doc doc;
	struct results *r;
	bool nomem;
};

static void *results_get(struct results_reader *r, size_t n, size_t size)
{
	void *p = arena_alloc(&r->r->arena, (n ? n : 1) * size);

	r->nomem |= !p;
	return p;
}

static const char *results_copy(struct results_reader *r, const char *s)
{
	const char *c = arena_strndup(&r->r->arena, s, strlen(s));

	r->nomem |= !c;
	if (c)
		return c;
	return "";
}

static const char *results_maybe(struct results_reader *r, const json_t *o,
				 const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return results_copy(r, text_or(s, ""));
}

static enum verdict verdict_at(struct results_reader *r, const json_t *o,
			       const char *where)
{
	const char *name = doc_string(&r->doc, o, where, "verdict");

	for (int v = 0; v < VERDICT_COUNT; v++)
		if (strcmp(name, verdict_name((enum verdict)v)) == 0)
			return (enum verdict)v;
	doc_bad(&r->doc, where, "there is no verdict '%s'", name);
	return VERDICT_ERROR;
}

static bool has_word(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ' ') &&
		    (at[n] == ' ' || at[n] == 0))
			return true;
	return false;
}

/* Collects the requirements that findings name, each once, in their order. */
static const char *found_in(struct results_reader *r, const json_t *o,
			    const char *where)
{
	const json_t *a = doc_array(&r->doc, o, where, "findings"), *f;
	struct text t = {0};
	const char *all;
	size_t i;

	json_array_foreach(a, i, f)
	{
		const char *id =
			json_string_value(json_object_get(f, "requirement"));
		const char *role =
			json_string_value(json_object_get(f, "role"));
		char name[96];

		snprintf(name, sizeof(name), "%s/%s", text_or(id, ""),
			 role ? role : "");
		if (id && !has_word(text_cstr(&t), name))
			text_printf(&t, "%s%s", text_between(t.len, " "), name);
	}
	r->nomem |= text_err(&t) != 0;
	all = results_copy(r, text_cstr(&t));
	text_free(&t);
	return all;
}

static void read_case(struct results_reader *r, const json_t *o, size_t i,
		      struct result *ret)
{
	const char *capture = json_string_value(json_object_get(o, "capture"));
	const json_int_t repeat =
		json_integer_value(json_object_get(o, "repeat"));
	char where[40];

	snprintf(where, sizeof(where), "cases[%zu]", i);
	*ret = (struct result){
		.id = results_copy(r, doc_string(&r->doc, o, where, "id")),
		.title =
			results_copy(r, doc_string(&r->doc, o, where, "title")),
		.reason = results_copy(r,
				       doc_string(&r->doc, o, where, "reason")),
		.reason_id = results_maybe(r, o, "reason_id"),
		.found = found_in(r, o, where),
		.capture = capture ? results_copy(r, capture) : NULL,
		.verdict = verdict_at(r, o, where),
		.repeat = repeat > 0 ? (uint32_t)repeat : 0,
		.virtual_ns = doc_int(&r->doc, o, where, "virtual_ns"),
		.wall_ns = json_integer_value(json_object_get(o, "wall_ns")),
	};
}

static void read_cases(struct results_reader *r, const json_t *root)
{
	const json_t *a = doc_array(&r->doc, root, "", "cases");
	const size_t n = json_array_size(a);

	r->r->at = results_get(r, n, sizeof(*r->r->at));
	for (size_t i = 0; i < n && r->r->at && !r->doc.err && !r->nomem; i++) {
		read_case(r, json_array_get(a, i), i, &r->r->at[i]);
		r->r->n++;
	}
}

static void read_reqs(struct results_reader *r, const json_t *root)
{
	const json_t *a = doc_array(&r->doc, root, "", "requirements");
	const size_t n = json_array_size(a);

	r->r->reqs = results_get(r, n, sizeof(*r->r->reqs));
	for (size_t i = 0; i < n && r->r->reqs && !r->doc.err; i++) {
		const json_t *o = json_array_get(a, i);
		char where[40], name[96];

		snprintf(where, sizeof(where), "requirements[%zu]", i);
		snprintf(name, sizeof(name), "%s/%s",
			 doc_string(&r->doc, o, where, "id"),
			 doc_string(&r->doc, o, where, "role"));
		r->r->reqs[r->r->nreqs++] = (struct result_req){
			.name = results_copy(r, name),
			.verdict = results_copy(
				r, doc_string(&r->doc, o, where, "verdict")),
		};
	}
}

static int results_by_id(const void *a, const void *b)
{
	const struct result *x = a, *y = b;
	const int order = strcmp(x->id, y->id);

	if (order)
		return order;
	return (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

static int results_by_name(const void *a, const void *b)
{
	const struct result_req *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Reads the members that tell of the run; results/1 lacks some. */
static void results_read_run(struct results_reader *r, const json_t *root)
{
	const json_t *bench = json_object_get(root, "bench");
	const json_t *seed = json_object_get(root, "seed");
	char digits[24];

	r->r->run = results_maybe(r, root, "run");
	r->r->date = results_maybe(r, root, "date");
	r->r->commit =
		results_maybe(r, json_object_get(root, "tool"), "commit");
	r->r->bench = results_maybe(r, bench, "name");
	r->r->firmware = results_maybe(r, bench, "firmware");
	snprintf(digits, sizeof(digits), "%lld",
		 (long long)json_integer_value(seed));
	r->r->seed = json_is_string(seed) ? results_maybe(r, root, "seed")
					  : results_copy(r, digits);
}

static void results_read_root(struct results_reader *r, const json_t *root)
{
	const json_t *dut = doc_object(&r->doc, root, "", "dut");

	r->r->path = results_copy(r, r->doc.path);
	r->r->dut = results_maybe(r, dut, "spec");
	r->r->name = results_maybe(r, dut, "name");
	r->r->version = results_maybe(r, dut, "version");
	r->r->interrupted = json_is_true(json_object_get(root, "interrupted"));
	results_read_run(r, root);
	read_cases(r, root);
	read_reqs(r, root);
	if (r->r->n)
		qsort(r->r->at, r->r->n, sizeof(*r->r->at), results_by_id);
	if (r->r->nreqs)
		qsort(r->r->reqs, r->r->nreqs, sizeof(*r->r->reqs),
		      results_by_name);
}

/* The members that read_case() and read_reqs() read. */
static const char *const results_case_members[] = {
	"id",      "title",  "verdict", "reason",     "reason_id", "findings",
	"capture", "repeat", "wall_ns", "virtual_ns", NULL};
static const char *const results_req_members[] = {"id", "role", "verdict",
						  NULL};
static const struct prune_rule results_rules[] = {
	{"cases", results_case_members},
	{"requirements", results_req_members},
	{NULL, NULL}};

/*
 * Builds the tree without the members that results_parse() ignores.  Errors are
 * those of the whole text.
 */
static json_t *results_tree(struct doc *d, const char *text, size_t len)
{
	struct text less = {0};
	json_t *root;

	if (prune_json(&less, text, len, results_rules) && !less.failed)
		root = doc_read_either(d, less.s, less.len, "rung.results/2",
				       "rung.results/1");
	else
		root = doc_read_either(d, text, len, "rung.results/2",
				       "rung.results/1");
	text_free(&less);
	return root;
}

int results_parse(struct results **ret, const char *path, const char *text,
		  size_t len, struct diag *diag)
{
	struct results_reader r = {.doc = {.path = path, .diag = diag}};
	json_t *root = results_tree(&r.doc, text, len);
	int err;

	if (!root)
		return doc_err(&r.doc);
	r.r = memory_calloc(1, sizeof(*r.r));
	if (r.r)
		results_read_root(&r, root);
	json_decref(root);
	if (!r.r || r.nomem)
		err = ERR_NOMEM;
	else
		err = doc_err(&r.doc);
	if (err)
		results_free(r.r);
	else
		*ret = r.r;
	return err;
}

void results_free(struct results *r)
{
	if (!r)
		return;
	arena_free(&r->arena);
	free(r);
}

/* Returns the place of the first result of a case, or where it would be. */
static size_t results_find(const struct results *r, const char *id)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (strcmp(r->at[mid].id, id) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool results_failed(const struct results *r, const char *id)
{
	size_t i = results_find(r, id);

	for (; i < r->n && strcmp(r->at[i].id, id) == 0; i++)
		if (r->at[i].verdict != VERDICT_PASS &&
		    r->at[i].verdict != VERDICT_NA)
			return true;
	return false;
}

vspan results_duration(const struct results *r, const char *id)
{
	size_t i = results_find(r, id), n = 0;
	vspan sum = 0;

	for (; i < r->n && strcmp(r->at[i].id, id) == 0; i++, n++)
		sum += r->at[i].wall_ns;
	return n ? sum / (vspan)n : 0;
}
