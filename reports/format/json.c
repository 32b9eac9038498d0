/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/json.c -- writes results.json, "rung.results/2".
 *
 * Builders do not check each step: a NULL from jansson makes the object that
 * contains it NULL (json_pack frees the rest), and json_text reports it at the
 * end.
 */
#include "reports/format/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/safe.h"
#include "reports/triage/explain.h"
#include "reports/triage/triage.h"
#include "reports/triage/triage_words.h"
#include "suite/decl/profile.h"
#include "suite/lang/chair.h"
#include "suite/verdict/blame.h"

json_t *json_any_string(const char *s)
{
	json_t *o = json_string(text_or(s, ""));
	struct text t = {0};

	if (o)
		return o;
	safe_puts(&t, s);
	if (text_err(&t))
		o = NULL;
	else
		o = json_string(text_cstr(&t));
	text_free(&t);
	return o;
}

json_t *json_maybe_string(const char *s)
{
	if (s)
		return json_any_string(s);
	return json_null();
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
	if (text_err(t))
		return -1;
	return 0;
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

json_t *json_push(json_t *array, json_t *o)
{
	if (array && o && !json_array_append_new(array, o))
		return array;
	if (!array)
		json_decref(o);
	json_decref(array);
	return NULL;
}

static json_t *json_report_kind_of(enum fail_kind k)
{
	if (k == KIND_NONE)
		return json_null();
	return json_string(fail_kind_name(k));
}

static json_t *req_name(const struct req_ref *r)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/%s", req_get(r->id)->id,
		 req_role_name(r->role));
	return json_string(name);
}

static json_t *json_report_claims_of(const struct decl *d)
{
	json_t *a = json_array();

	for (size_t i = 0; d && i < d->nclaims; i++)
		a = json_push(a, json_any_string(d->claims[i]));
	return a;
}

/* Adds the profile of UET and what it makes mandatory without a claim. */
static json_t *json_add_profile(json_t *dut, const struct decl *d)
{
	struct text lacks = {0};

	if (!d || !d->profile)
		return dut;
	profile_lacks(&lacks, d);
	json_object_set_new(dut, "profile",
			    json_pack("{s:o, s:o}", "name",
				      json_any_string(d->profile->name),
				      "not_claimed",
				      json_any_string(text_cstr(&lacks))));
	text_free(&lacks);
	return dut;
}

static json_t *dut_of(const struct about *a)
{
	const struct decl *d = a->decl;

	json_t *dut = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o}", "spec",
		json_any_string(a->dut), "control",
		or_null(a->control != NULL, json_any_string(a->control)),
		"name", json_any_string(about_device(a)), "release",
		json_maybe_string(d ? d->release : NULL), "version",
		or_null(d != NULL, json_any_string(d ? d->version : "")),
		"claims", json_report_claims_of(d));

	return json_add_profile(dut, d);
}

static json_t *json_report_finding_of(const struct rec_finding *f)
{
	bool known = f->req != REQ_NONE;
	const struct req *q = known ? req_get(f->req) : NULL;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:b, "
		"s:b, s:b, s:s}",
		"requirement", or_null(known, json_string(known ? q->id : "")),
		"role", or_null(known, json_string(req_role_name(f->role))),
		"level",
		or_null(known,
			json_string(known ? req_level_name(q->level) : "")),
		"kind", json_report_kind_of(f->kind), "frame",
		or_null(f->frame != 0, json_integer(f->frame)), "line",
		or_null(f->line != 0, json_integer(f->line)), "text",
		json_any_string(f->text), "expected",
		json_any_string(f->expected), "actual",
		json_any_string(f->actual), "what", f->what, "phase",
		rec_phase_name(f->phase), "known", f->known, "stepped",
		f->stepped, "consequence", f->consequence, "by",
		blame_by_name(f->blamed));
}

static json_t *findings_of(const struct summary_case *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nfindings; i++)
		a = json_push(a, json_report_finding_of(&c->findings[i]));
	return a;
}

static json_t *names_of(const struct req_ref *refs, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		a = json_push(a, req_name(&refs[i]));
	return a;
}

static json_t *teardown_of(const struct summary_case *c)
{
	return json_pack("{s:s, s:o}", "verdict", verdict_name(c->teardown),
			 "reason", json_any_string(c->teardown_reason));
}

static json_t *baseline_of(const struct summary_case *c)
{
	const struct baseline_entry *e = c->entry;

	return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "state",
			 baseline_state_name(c->state), "line", (int)e->line,
			 "because", json_any_string(e->because), "owner",
			 json_maybe_string(e->owner), "until",
			 json_maybe_string(e->until), "link",
			 json_maybe_string(e->link));
}

json_t *json_case(const struct summary_case *c)
{
	json_t *o = json_pack(
		"{s:o, s:s, s:o, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:{s:i, "
		"s:i}, s:I, s:I, s:o}",
		"id", json_any_string(c->id), "chair", chair_name(c->chair),
		"title", json_any_string(c->title), "verdict",
		verdict_name(c->verdict), "kind", json_report_kind_of(c->kind),
		"reason_id", reason_id(c->reason_id), "reason",
		json_any_string(c->reason), "requirements",
		names_of(c->reqs, c->nreqs), "not_reached",
		names_of(c->not_reached, c->nnot_reached), "findings",
		findings_of(c), "rungs", "expected", (int)c->rungs_expected,
		"matched", (int)c->rungs_matched, "wall_ns",
		(json_int_t)c->wall_ns, "virtual_ns", (json_int_t)c->virtual_ns,
		"capture",
		or_null(c->capture != NULL, json_any_string(c->capture)));

	if (o && c->repeat)
		json_object_set_new(o, "repeat", json_integer(c->repeat));
	if (o && c->folded)
		json_object_set_new(o, "folded",
				    json_integer((json_int_t)c->folded));
	if (o && c->teardown != VERDICT_PASS)
		json_object_set_new(o, "teardown", teardown_of(c));
	if (o && c->state != BASELINE_NONE)
		json_object_set_new(o, "baseline", baseline_of(c));
	return o;
}

static json_t *cases_of(const struct summary *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->ncases; i++)
		a = json_push(a, json_case(&s->cases[i]));
	return a;
}

/* The cases that cover each requirement, by role. */
struct about_lists {
	json_t *of[REQ_COUNT][2];
};

static bool json_report_is_last(const json_t *a, const char *id)
{
	const size_t n = json_array_size(a);

	return n &&
	       strcmp(json_string_value(json_array_get(a, n - 1)), id) == 0;
}

/*
 * A case that ran more than once is named once.  The lists share one string for
 * each case, because ten thousand cases have half a million rows.
 */
static struct about_lists *cases_about(const struct summary *s)
{
	struct about_lists *l = memory_calloc(1, sizeof(*l));

	for (size_t i = 0; l && i < s->ncases; i++) {
		const struct summary_case *c = &s->cases[i];
		json_t *name = json_any_string(c->id);

		for (size_t j = 0; j < c->nreqs; j++) {
			json_t **to = &l->of[c->reqs[j].id]
					    [c->reqs[j].role == REQ_DST];

			if (!*to)
				*to = json_array();
			if (!json_report_is_last(*to, c->id))
				*to = json_push(*to, json_incref(name));
		}
		json_decref(name);
	}
	return l;
}

static json_t *or_empty(json_t *a)
{
	if (a)
		return a;
	return json_array();
}

static json_t *json_report_requirement_of(const struct summary *s,
					  enum req_id id, enum req_role role,
					  json_t *cases)
{
	const struct req_ref *by = summary_explained(s, id, role);
	json_t *o = json_pack("{s:s, s:s, s:s, s:o}", "id", req_get(id)->id,
			      "role", req_role_name(role), "verdict",
			      req_verdict_name(summary_verdict(s, id, role)),
			      "cases", cases);

	if (o && by)
		json_object_set_new(o, "explained_by", req_name(by));
	return o;
}

static json_t *requirements_of(const struct summary *s)
{
	struct about_lists *l = cases_about(s);
	json_t *a = l ? json_array() : NULL;

	for (int i = 0; l && i < 2 * REQ_COUNT; i++) {
		enum req_id id = (enum req_id)(i / 2);
		enum req_role role = i % 2 ? REQ_DST : REQ_SRC;

		if (!summary_listed(s, id, role))
			continue;
		a = json_push(a,
			      json_report_requirement_of(
				      s, id, role, or_empty(l->of[id][i % 2])));
	}
	free(l);
	return a;
}

json_t *json_totals(const struct summary *s)
{
	json_t *o = json_object();

	for (int v = 0; v < VERDICT_COUNT; v++)
		json_object_set_new(o, verdict_name((enum verdict)v),
				    json_integer((json_int_t)s->totals[v]));
	return o;
}

/* Returns the cases whose results differ from run to run. */
static json_t *flaky_of(const struct summary *s)
{
	json_t *a = json_array();
	size_t n;

	for (size_t i = 0; i < s->ncases; i += n) {
		const struct summary_flake f = summary_flake(s, i);

		n = summary_repeats(s, i);
		if (f.score <= 0)
			continue;
		a = json_push(a, json_pack("{s:o, s:I, s:I, s:f}", "id",
					   json_any_string(s->cases[i].id),
					   "runs", (json_int_t)f.runs, "pass",
					   (json_int_t)f.of[VERDICT_PASS],
					   "score", f.score));
	}
	return a;
}

static json_t *baseline_total(const struct summary *s)
{
	const struct baseline *b = s->baseline;
	size_t expired = 0;

	if (!b)
		return json_null();
	for (size_t i = 0; i < b->n; i++)
		expired += b->entries[i].expired;
	return json_pack("{s:o, s:I, s:I, s:I, s:I}", "file",
			 json_any_string(b->path), "entries", (json_int_t)b->n,
			 "known", (json_int_t)s->known, "fixed",
			 (json_int_t)s->fixed, "expired", (json_int_t)expired);
}

/* ---- Causes ---- */

static json_t *json_report_form_of(const struct summary *s,
				   const struct triage_form *f)
{
	return json_pack("{s:o, s:o, s:s, s:I, s:o}", "expected",
			 json_any_string(f->expected), "actual",
			 json_any_string(f->actual), "state", f->state, "cases",
			 (json_int_t)f->ncases, "case",
			 json_any_string(s->cases[f->shortest.c].id));
}

static json_t *forms_of(const struct summary *s, const struct triage_cause *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nforms; i++)
		a = json_push(a, json_report_form_of(s, &c->forms[i]));
	return a;
}

/* A case that ran more than once is named once. */
static json_t *cases_with(const struct summary *s, const struct triage_cause *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nfound; i++)
		if (!i || strcmp(s->cases[c->cases[i]].id,
				 s->cases[c->cases[i - 1]].id) != 0)
			a = json_push(
				a, json_any_string(s->cases[c->cases[i]].id));
	return a;
}

static json_t *own_string(struct text *t)
{
	json_t *o = text_err(t) ? NULL : json_any_string(text_cstr(t));

	text_free(t);
	return o;
}

/* Returns the rows that a cause's row explains, once for each row. */
static json_t *json_report_rows_of(const struct summary *s,
				   const struct triage *t,
				   const struct triage_cause *c)
{
	json_t *a = json_array();
	struct req_ref row;

	for (size_t i = 0; triage_row(t, s, c, i, &row); i++)
		a = json_push(a, req_name(&row));
	return a;
}

/* Returns the alternatives to a cause's row, once for each row. */
static json_t *json_report_alternatives_of(const struct summary *s,
					   const struct triage *t,
					   const struct triage_cause *c)
{
	json_t *a = json_array();
	struct req_ref row;

	for (size_t i = 0; triage_alternative(t, s, c, i, &row); i++)
		a = json_push(a, req_name(&row));
	return a;
}

static json_t *json_report_cause_of(const struct summary *s,
				    const struct about *a,
				    const struct triage *t,
				    const struct triage_cause *c)
{
	const struct summary_case *shortest = &s->cases[c->shortest.c];
	const bool named = c->req != REQ_NONE;
	struct text words = {0}, command = {0};

	triage_words(&words, s, &c->shortest);
	triage_command(&command, a, shortest);
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:I, s:I, s:I, s:I, "
		"s:o, s:o, s:o, s:o, s:o, s:o}",
		"requirement",
		or_null(named, json_string(named ? req_get(c->req)->id : "")),
		"role", or_null(named, json_string(req_role_name(c->role))),
		"level",
		or_null(named,
			json_string(
				named ? req_level_name(req_get(c->req)->level)
				      : "")),
		"what", json_any_string(c->what), "remark", (int)c->remark,
		"known", (int)c->known, "stepped", (int)c->stepped, "text",
		own_string(&words), "found", (json_int_t)c->nfound, "first",
		(json_int_t)c->nfirst, "explains", (json_int_t)c->nexplained,
		"behind", (json_int_t)c->nbehind, "rows",
		json_report_rows_of(s, t, c), "alternatives",
		json_report_alternatives_of(s, t, c), "shortest",
		json_any_string(shortest->id), "command", own_string(&command),
		"forms", forms_of(s, c), "cases", cases_with(s, c));
}

static json_t *deviation_of(const struct triage *t, const struct deviation *d)
{
	struct text item = {0};

	deviation_item(&item, d);
	return json_pack("{s:s, s:s, s:o, s:o, s:I}", "requirement",
			 req_get(d->req)->id, "role", req_role_name(d->role),
			 "item", own_string(&item), "text",
			 json_any_string(d->text), "found",
			 (json_int_t)triage_known(t, d));
}

static json_t *deviations_of(const struct summary *s, const struct about *about)
{
	const struct deviation *d =
		about->decl ? about->decl->deviations : NULL;
	json_t *a = json_array();
	struct triage *t;

	if (triage_new(&t, s)) {
		json_decref(a);
		return NULL;
	}
	for (; d; d = d->next)
		a = json_push(a, deviation_of(t, d));
	triage_free(t);
	return a;
}

static json_t *claims_not_kept(const struct summary *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->nclaims; i++) {
		const struct summary_claim *c = &s->claims[i];

		a = json_push(a, json_pack("{s:s, s:s, s:I, s:o}", "claim",
					   c->name, "seen", c->seen, "cases",
					   (json_int_t)c->ncases, "case",
					   json_any_string(c->first)));
	}
	return a;
}

static json_t *causes_of(const struct summary *s, const struct about *about)
{
	json_t *a = json_array();
	struct triage *t;

	if (triage_new(&t, s)) {
		json_decref(a);
		return NULL;
	}
	for (size_t i = 0; i < t->n; i++)
		a = json_push(a,
			      json_report_cause_of(s, about, t, &t->causes[i]));
	triage_free(t);
	return a;
}

/* Writes |"name": value| at the first level. */
static int put_member(struct text *t, const char *name, json_t *o)
{
	text_printf(t, "  \"%s\": ", name);
	if (json_text(t, o, JSON_COMPACT | JSON_ENCODE_ANY))
		return ERR_NOMEM;
	t->s[t->len - 1] = ',';
	text_puts(t, "\n");
	return 0;
}

/* Writes |"name": [...]|, a line for each element; frees |a|. */
static int json_report_put_list(struct text *t, const char *name, json_t *a)
{
	json_t *v;
	size_t i;

	if (!a)
		return ERR_NOMEM;
	text_printf(t, "  \"%s\": [%s", name, json_array_size(a) ? "\n" : "");
	json_array_foreach(a, i, v)
	{
		text_puts(t, "    ");
		if (json_text(t, json_incref(v), JSON_COMPACT))
			break;
		t->len--;
		text_puts(t, i + 1 < json_array_size(a) ? ",\n" : "\n  ");
	}
	json_decref(a);
	text_puts(t, "],\n");
	return text_err(t);
}

static json_t *tool_of(const struct about *a)
{
	return json_pack("{s:s, s:o, s:o}", "name", "rung", "version",
			 json_any_string(a->version), "commit",
			 json_any_string(a->commit));
}

json_t *json_bench(const struct about_bench *b)
{
	if (!b->name)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
			 json_any_string(b->name), "firmware",
			 json_maybe_string(b->firmware), "driver",
			 json_maybe_string(b->driver), "clock",
			 json_maybe_string(b->clock), "cabling",
			 json_maybe_string(b->cabling), "path",
			 json_maybe_string(b->path), "tags",
			 json_maybe_string(b->tags));
}

int json_report(struct text *t, const struct summary *s, const struct about *a)
{
	int err;

	text_puts(t, "{\n  \"schema\": \"rung.results/2\",\n");
	err = put_member(t, "tool", tool_of(a));
	if (!err)
		err = put_member(t, "run", json_maybe_string(a->run));
	if (!err)
		err = put_member(t, "date", json_maybe_string(a->date));
	if (!err)
		err = put_member(t, "host", json_maybe_string(a->host));
	if (!err)
		err = put_member(t, "operator", json_maybe_string(a->operator));
	if (!err)
		err = put_member(t, "bench", json_bench(&a->bench));
	if (!err)
		err = put_member(t, "seed", json_u64(a->seed));
	if (!err)
		err = put_member(t, "dut", dut_of(a));
	if (!err)
		err = put_member(t, "interrupted",
				 json_boolean(a->interrupted));
	if (!err)
		err = put_member(t, "baseline", baseline_total(s));
	if (!err)
		err = json_report_put_list(t, "not_kept", claims_not_kept(s));
	if (!err)
		err = json_report_put_list(t, "deviations",
					   deviations_of(s, a));
	if (!err)
		err = json_report_put_list(t, "causes", causes_of(s, a));
	if (!err)
		err = json_report_put_list(t, "cases", cases_of(s));
	if (!err)
		err = json_report_put_list(t, "requirements",
					   requirements_of(s));
	if (!err)
		err = json_report_put_list(t, "flaky", flaky_of(s));
	if (!err)
		err = put_member(t, "totals", json_totals(s));
	if (err)
		return err;
	t->len -= 2; /* the last comma */
	text_puts(t, "\n}\n");
	return text_err(t);
}
