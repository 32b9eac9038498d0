/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/kcidb.c -- writes the run as KCIDB.
 *
 * Builders do not check each step: a NULL from jansson makes the object that
 * contains it NULL, and json_text reports it at the end.
 */
#include "reports/export/kcidb.h"

#include <ctype.h>
#include <string.h>

#include "reports/export/export.h"
#include "reports/format/json.h"

#define MAJOR       5
#define MINOR       0
#define EXCERPT_MAX 15000 /* the schema permits 16384 characters */

struct kcidb {
	const struct summary *s;
	const struct about *a;
	const char *build; /* as the user named it, or NULL */
	int origin_len;
	const char *origin; /* |origin_len| characters */
};

size_t kcidb_origin(const char *build)
{
	size_t n = 0;

	while (islower((unsigned char)build[n]) ||
	       isdigit((unsigned char)build[n]) || build[n] == '_')
		n++;
	return build[n] == ':' && build[n + 1] ? n : 0;
}

static json_t *kcidb_origin_name(const struct kcidb *k)
{
	return json_sprintf("%.*s", k->origin_len, k->origin);
}

/* Returns an id that no other run has. */
static json_t *kcidb_id(const struct kcidb *k, const char *what)
{
	return json_sprintf("%.*s:%s:%s", k->origin_len, k->origin,
			    text_or(k->a->run, "run"), what);
}

static json_t *kcidb_build_id(const struct kcidb *k)
{
	if (k->build)
		return json_any_string(k->build);
	return kcidb_id(k, "device");
}

/* "rung.uet.rud.send-gtd.target": the parts hold no other characters. */
static json_t *kcidb_path(const char *id)
{
	struct text t = {0};

	text_puts(&t, "rung.");
	for (; *id; id++) {
		const bool plain = isalnum((unsigned char)*id) || *id == '-';

		if (*id == '/' || *id == '@')
			text_puts(&t, ".");
		else
			text_printf(&t, "%c", plain ? *id : '_');
	}
	return export_text(&t);
}

static const char *kcidb_status(const struct summary_case *c)
{
	switch (c->verdict) {
	case VERDICT_PASS:
		return c->teardown == VERDICT_FAIL ? "FAIL" : "PASS";
	case VERDICT_FAIL:
		return "FAIL";
	case VERDICT_NA:
		return "SKIP";
	default:
		return "ERROR";
	}
}

static json_t *kcidb_findings(const struct summary_case *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nfindings; i++) {
		const struct rec_finding *f = &c->findings[i];
		json_t *o =
			json_pack("{s:o}", "text", json_any_string(f->text));

		if (o && f->req != REQ_NONE)
			json_object_set_new(o, "requirement",
					    export_finding(f));
		a = json_push(a, o);
	}
	return a;
}

static json_t *kcidb_misc(const struct summary_case *c)
{
	json_t *o = json_pack("{s:s, s:o, s:o, s:o, s:o}", "verdict",
			      verdict_name(c->verdict), "reason",
			      json_any_string(c->reason), "requirements",
			      export_rows(c->reqs, c->nreqs), "findings",
			      kcidb_findings(c), "seed", json_u64(c->seed));

	if (o && c->state != BASELINE_NONE)
		json_object_set_new(o, "baseline", export_baseline(c));
	return o;
}

/* Adds a text if it is known; the format permits no null. */
static void kcidb_put(json_t *o, const char *key, const char *text)
{
	if (o && text)
		json_object_set_new(o, key, json_any_string(text));
}

static json_t *kcidb_environment(const struct about *a)
{
	json_t *misc = json_object();

	kcidb_put(misc, "dut", a->dut);
	kcidb_put(misc, "host", a->host);
	kcidb_put(misc, "bench", a->bench.name);
	kcidb_put(misc, "firmware", a->bench.firmware);
	kcidb_put(misc, "driver", a->bench.driver);
	return json_pack(
		"{s:o, s:o}", "comment",
		json_any_string(text_or(a->bench.name, text_or(a->host, ""))),
		"misc", misc);
}

static json_t *kcidb_date(const struct about *a, int64_t ns)
{
	struct text t = {0};

	if (!a->date)
		return json_string("1970-01-01T00:00:00Z");
	export_date(&t, ns);
	return export_text(&t);
}

static json_t *kcidb_case(const struct kcidb *k, const struct summary_case *c)
{
	struct text what = {0}, ladder = {0};
	json_t *o;

	text_printf(&what, "%s.%u", c->id, (unsigned)c->repeat + 1);
	o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:o, s:f, s:o, s:o}",
		      "id", kcidb_id(k, text_cstr(&what)), "build_id",
		      kcidb_build_id(k), "origin", kcidb_origin_name(k), "path",
		      kcidb_path(c->id), "comment", json_any_string(c->title),
		      "status", kcidb_status(c), "waived",
		      (int)(c->state == BASELINE_KNOWN), "start_time",
		      kcidb_date(k->a, export_start(k->a, c)), "duration",
		      (double)c->wall_ns / 1e9, "environment",
		      kcidb_environment(k->a), "misc", kcidb_misc(c));
	if (o && c->ladder) {
		export_ladder(&ladder, k->a, c, EXCERPT_MAX);
		json_object_set_new(o, "log_excerpt", export_text(&ladder));
	}
	if (what.failed) {
		json_decref(o);
		o = NULL;
	}
	text_free(&what);
	return o;
}

static json_t *kcidb_claim(const struct kcidb *k, size_t i)
{
	const char *name = k->s->claims[i].name;
	struct text line = {0}, id = {0};
	json_t *o;

	summary_claim_say(&line, k->s, i);
	text_printf(&id, "declaration/%s", name);
	o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "id",
		      kcidb_id(k, text_cstr(&id)), "build_id",
		      kcidb_build_id(k), "origin", kcidb_origin_name(k), "path",
		      kcidb_path(text_cstr(&id)), "comment", export_text(&line),
		      "status", "FAIL");
	text_free(&id);
	return o;
}

static json_t *kcidb_tests(const struct kcidb *k)
{
	json_t *all = json_array();

	for (size_t i = 0; i < k->s->ncases; i++)
		all = json_push(all, kcidb_case(k, &k->s->cases[i]));
	for (size_t i = 0; i < k->s->nclaims; i++)
		all = json_push(all, kcidb_claim(k, i));
	return all;
}

/* The device stands for the source code that was tested. */
static json_t *kcidb_checkout(const struct kcidb *k)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:b}", "id",
			 kcidb_id(k, "device"), "origin", kcidb_origin_name(k),
			 "comment", json_any_string(about_device(k->a)),
			 "start_time", kcidb_date(k->a, export_begin(k->a)),
			 "valid", 1);
}

static json_t *kcidb_build(const struct kcidb *k)
{
	const struct about *a = k->a;
	json_t *misc = json_object();

	kcidb_put(misc, "release", a->decl ? a->decl->release : NULL);
	kcidb_put(misc, "firmware", a->bench.firmware);
	kcidb_put(misc, "driver", a->bench.driver);
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "id",
			 kcidb_build_id(k), "checkout_id",
			 kcidb_id(k, "device"), "origin", kcidb_origin_name(k),
			 "comment", json_any_string(about_device(a)), "status",
			 "PASS", "misc", misc);
}

int kcidb_report(struct text *t, const struct summary *s, const struct about *a,
		 const char *build)
{
	struct kcidb k = {.s = s,
			  .a = a,
			  .build = build,
			  .origin = build ? build : "rung",
			  .origin_len = build ? (int)kcidb_origin(build) : 4};
	json_t *o = json_pack("{s:{s:i, s:i}, s:o}", "version", "major", MAJOR,
			      "minor", MINOR, "tests", kcidb_tests(&k));

	if (o && !build) {
		json_object_set_new(o, "checkouts",
				    json_pack("[o]", kcidb_checkout(&k)));
		json_object_set_new(o, "builds",
				    json_pack("[o]", kcidb_build(&k)));
	}
	return json_text(t, o, JSON_INDENT(1));
}
