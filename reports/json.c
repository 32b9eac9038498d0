/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/json.c -- results.json, "rung.results/1".
 *
 * Building never checks on its way: a NULL from jansson turns what it is put
 * into to NULL (json_pack frees the rest), and json_text tells it at the end.
 */
#include "reports/json.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "reports/safe.h"

json_t *json_any_string(const char *s)
{
	json_t *o = json_string(s ? s : "");
	struct text t = {0};

	if (o)
		return o;
	safe_puts(&t, s);
	o = text_err(&t) ? NULL : json_string(text_cstr(&t));
	text_free(&t);
	return o;
}

json_t *json_u64(uint64_t n)
{
	char s[24];

	if (n <= INT64_MAX)
		return json_integer((json_int_t)n);
	snprintf(s, sizeof(s), "%llu", (unsigned long long)n);
	return json_string(s);
}

static int dump(const char *s, size_t len, void *ctx)
{
	struct text *t = ctx;

	text_add(t, s, len);
	return text_err(t) ? -1 : 0;
}

int json_text(struct text *t, json_t *o, size_t flags)
{
	int err = o ? json_dump_callback(o, dump, t, flags) : -1;

	json_decref(o);
	if (err)
		return ERR_NOMEM;
	text_puts(t, "\n");
	return text_err(t);
}

static json_t *or_null(bool there, json_t *o)
{
	if (there)
		return o;
	json_decref(o);
	return json_null();
}

/* Appends to an array and lets go of both if one of them is missing. */
static json_t *push(json_t *array, json_t *o)
{
	if (array && o && !json_array_append_new(array, o))
		return array;
	if (!array)
		json_decref(o);
	json_decref(array);
	return NULL;
}

static json_t *kind_of(enum fail_kind k)
{
	return k == KIND_NONE ? json_null() : json_string(fail_kind_name(k));
}

static json_t *req_name(const struct req_ref *r)
{
	return json_sprintf("%s/%s", req_get(r->id)->id,
			    req_role_name(r->role));
}

static json_t *claims_of(const struct decl *d)
{
	json_t *a = json_array();

	for (size_t i = 0; d && i < d->nclaims; i++)
		a = push(a, json_any_string(d->claims[i]));
	return a;
}

static json_t *dut_of(const struct about *a)
{
	const struct decl *d = a->decl;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o}", "spec", json_any_string(a->dut),
		"control",
		or_null(a->control != NULL, json_any_string(a->control)),
		"name", or_null(d != NULL, json_any_string(d ? d->name : "")),
		"version",
		or_null(d != NULL, json_any_string(d ? d->version : "")),
		"claims", claims_of(d));
}

static json_t *finding_of(const struct rec_finding *f)
{
	bool known = f->req != REQ_NONE;
	const struct req *q = known ? req_get(f->req) : NULL;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "requirement",
		or_null(known, json_string(known ? q->id : "")), "role",
		or_null(known, json_string(req_role_name(f->role))), "level",
		or_null(known,
			json_string(known ? req_level_name(q->level) : "")),
		"kind", kind_of(f->kind), "frame",
		or_null(f->frame != 0, json_integer(f->frame)), "line",
		or_null(f->line != 0, json_integer(f->line)), "text",
		json_any_string(f->text), "expected",
		json_any_string(f->expected), "actual",
		json_any_string(f->actual));
}

static json_t *findings_of(const struct summary_case *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nfindings; i++)
		a = push(a, finding_of(&c->findings[i]));
	return a;
}

static json_t *names_of(const struct summary_case *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nreqs; i++)
		a = push(a, req_name(&c->reqs[i]));
	return a;
}

static json_t *case_of(const struct summary_case *c)
{
	json_t *o = json_pack(
		"{s:o, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:{s:i, s:i}, s:I, "
		"s:I, s:o}",
		"id", json_any_string(c->id), "chair", chair_name(c->chair),
		"title", json_any_string(c->title), "verdict",
		verdict_name(c->verdict), "kind", kind_of(c->kind), "reason",
		json_any_string(c->reason), "requirements", names_of(c),
		"findings", findings_of(c), "rungs", "expected",
		(int)c->rungs_expected, "matched", (int)c->rungs_matched,
		"wall_ns", (json_int_t)c->wall_ns, "virtual_ns",
		(json_int_t)c->virtual_ns, "capture",
		or_null(c->capture != NULL, json_any_string(c->capture)));

	if (o && c->repeat)
		json_object_set_new(o, "repeat", json_integer(c->repeat));
	return o;
}

static json_t *cases_of(const struct summary *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->ncases; i++)
		a = push(a, case_of(&s->cases[i]));
	return a;
}

/* A case that ran more than once is named once. */
static json_t *cases_about(const struct summary *s, enum req_id id,
			   enum req_role role)
{
	json_t *a = json_array();
	const char *last = "";

	for (size_t i = 0; i < s->ncases; i++) {
		const struct summary_case *c = &s->cases[i];

		if (!summary_has(c, id, role) || !strcmp(c->id, last))
			continue;
		last = c->id;
		a = push(a, json_any_string(c->id));
	}
	return a;
}

static json_t *requirements_of(const struct summary *s)
{
	json_t *a = json_array();

	for (int i = 0; i < 2 * REQ_COUNT; i++) {
		enum req_id id = (enum req_id)(i / 2);
		enum req_role role = i % 2 ? REQ_DST : REQ_SRC;

		if (!summary_listed(s, id, role))
			continue;
		a = push(a,
			 json_pack(
				 "{s:s, s:s, s:s, s:o}", "id", req_get(id)->id,
				 "role", req_role_name(role), "verdict",
				 req_verdict_name(summary_verdict(s, id, role)),
				 "cases", cases_about(s, id, role)));
	}
	return a;
}

static json_t *totals_of(const struct summary *s)
{
	json_t *o = json_object();

	for (int v = 0; v < VERDICT_COUNT; v++)
		json_object_set_new(o, verdict_name((enum verdict)v),
				    json_integer((json_int_t)s->totals[v]));
	return o;
}

int json_report(struct text *t, const struct summary *s, const struct about *a)
{
	json_t *o = json_pack(
		"{s:s, s:{s:s, s:o, s:o}, s:o, s:o, s:o, s:o, s:o}", "schema",
		"rung.results/1", "tool", "name", "rung", "version",
		json_any_string(a->version), "commit",
		json_any_string(a->commit), "seed", json_u64(a->seed), "dut",
		dut_of(a), "cases", cases_of(s), "requirements",
		requirements_of(s), "totals", totals_of(s));

	return json_text(t, o, JSON_INDENT(2));
}
