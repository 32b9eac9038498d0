/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/manifest.c -- run.json: writes it, reads it back, and names the
 * first difference between a manifest and a new run.
 *
 * A case is compared by a digest (FNV-1a) of its text and of the lines of its
 * fragments.
 */
#include "cli/file/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/file/atomic_file.h"
#include "cli/file/environment.h"
#include "cli/file/folder.h"
#include "cli/file/folder_read.h"
#include "reports/doc.h"
#include "reports/format/json.h"
#include "suite/decl/decl_parse.h"
#include "suite/decl/decl_print.h"

#define SCHEMA "rung.run/1"

/* ---- Writing ---- */

static uint64_t hash_add(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * UINT64_C(0x100000001b3);
	return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

/* Hashes the lines of a chair, fragments included. */
static uint64_t hash_steps(uint64_t h, const struct step *s)
{
	for (; s; s = s->next) {
		h = hash_add(h, text_or(s->source, ""));
		for (size_t i = 0; i < s->ngroups; i++)
			h = hash_steps(h, s->groups[i]);
	}
	return h;
}

/*
 * Returns FNV-1a over the text of a case, which shows whether it has changed.
 */
static uint64_t manifest_digest(const struct pick *p)
{
	const uint64_t h =
		hash_add(UINT64_C(0xcbf29ce484222325),
			 p->test_case->text ? p->test_case->text : "");

	return hash_steps(h, p->test_case->chairs[p->chair].first);
}

uint64_t manifest_plan(const struct selection *selection)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < selection->n; i++) {
		char id[320], hex[20];

		pick_id(&selection->at[i], id, sizeof(id));
		snprintf(hex, sizeof(hex), "%016" PRIx64,
			 manifest_digest(&selection->at[i]));
		h = hash_add(hash_add(h, id), hex);
	}
	return h;
}

static json_t *manifest_cases_of(const struct selection *selection)
{
	json_t *a = json_array();

	for (size_t i = 0; a && i < selection->n; i++) {
		char id[320], hex[20];

		pick_id(&selection->at[i], id, sizeof(id));
		snprintf(hex, sizeof(hex), "%016" PRIx64,
			 manifest_digest(&selection->at[i]));
		if (json_array_append_new(
			    a, json_pack("[o, s]", json_any_string(id), hex))) {
			json_decref(a);
			return NULL;
		}
	}
	return a;
}

static json_t *manifest_file_of(const struct manifest_file *f)
{
	if (!f->text)
		return json_null();
	return json_pack("{s:o, s:o}", "file", json_any_string(f->path), "text",
			 json_any_string(f->text));
}

static json_t *manifest_decl_of(const struct decl *d)
{
	struct text t = {0};
	json_t *o;

	decl_print(&t, d);
	if (text_err(&t))
		o = NULL;
	else
		o = json_any_string(text_cstr(&t));
	text_free(&t);
	return o;
}

static json_t *manifest_device_of(const struct manifest_conf *c)
{
	const struct about *a = c->about;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "dut",
			 json_maybe_string(a->dut), "control",
			 json_maybe_string(a->control), "trigger",
			 json_maybe_string(c->trigger), "without",
			 json_maybe_string(c->without), "bridge",
			 json_maybe_string(c->bridge), "sizes",
			 json_maybe_string(c->sizes), "mutant",
			 json_maybe_string(a->mutant));
}

static json_t *manifest_options_of(const struct manifest_conf *c)
{
	const struct about *a = c->about;

	return json_pack("{s:I, s:b, s:b, s:b, s:b, s:b, s:I, s:I}",
			 "timeout_ns", (json_int_t)a->timeout, "strict",
			 (int)a->strict, "step_over", (int)a->step_over,
			 "fail_fast", (int)c->fail_fast, "evidence",
			 (int)c->evidence, "rounds", (int)c->rounds, "repeat",
			 (json_int_t)c->repeat, "from", (json_int_t)c->from);
}

/* Describes which share of the selection this run has. */
static json_t *manifest_shard_of(const struct manifest_conf *c)
{
	const struct shard *s = c->shard;
	json_t *at = json_array();
	char plan[20];

	for (size_t i = 0; at && i < c->selection->n; i++)
		if (json_array_append_new(at, json_integer(s->at[i]))) {
			json_decref(at);
			return NULL;
		}
	snprintf(plan, sizeof(plan), "%016" PRIx64, s->plan);
	return json_pack("{s:I, s:I, s:I, s:s, s:o}", "number",
			 (json_int_t)s->number, "of", (json_int_t)s->of,
			 "cases", (json_int_t)s->total, "plan", plan, "at", at);
}

static json_t *manifest_about_of(const struct about *a)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "began",
			 json_maybe_string(a->date), "host",
			 json_maybe_string(a->host), "operator",
			 json_maybe_string(a->operator), "device",
			 json_maybe_string(a->name));
}

json_t *manifest_json(const struct manifest_conf *c)
{
	const struct about *a = c->about;
	json_t *o;

	o = json_pack(
		"{s:s, s:o, s:{s:s, s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:b, "
		"s:s, s:o, s:o, s:o, s:o}",
		"schema", SCHEMA, "run", json_maybe_string(a->run), "tool",
		"name", "rung", "version", json_maybe_string(a->version),
		"commit", json_maybe_string(a->commit), "out",
		json_maybe_string(a->out), "rerun", json_maybe_string(a->rerun),
		"seed", json_u64(a->seed), "device", manifest_device_of(c),
		"options", manifest_options_of(c), "about",
		manifest_about_of(a), "bench", json_bench(&a->bench),
		"environment", environment_json(c->virtual), "virtual",
		(int)c->virtual, "date", c->date, "baseline",
		manifest_file_of(&c->baseline), "map",
		manifest_file_of(&c->map), "declaration",
		manifest_decl_of(a->decl), "cases",
		manifest_cases_of(c->selection));
	if (o && c->shard &&
	    json_object_set_new(o, "shard", manifest_shard_of(c))) {
		json_decref(o);
		return NULL;
	}
	return o;
}

int manifest_write(const char *who, int dir, const char *out, json_t *manifest)
{
	struct text t = {0};
	int err = json_text(&t, manifest, JSON_INDENT(1));

	if (!err)
		err = atomic_write_at(dir, MANIFEST, text_cstr(&t), t.len);
	text_free(&t);
	if (err == ERR_SYS)
		return cli_sys(who, out);
	if (err)
		return cli_nomem(who);
	return 0;
}

/* ---- Reading ---- */

/* Returns a member that may be null or missing. */
static const char *manifest_text_at(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static bool manifest_flag_at(const json_t *o, const char *key)
{
	return json_is_true(json_object_get(o, key));
}

static void manifest_read_file(struct doc *d, const json_t *root,
			       const char *key, struct manifest_file *ret)
{
	const json_t *o = json_object_get(root, key);

	if (!json_is_object(o))
		return;
	ret->path = doc_string(d, o, key, "file");
	ret->text = doc_string(d, o, key, "text");
	ret->len = strlen(ret->text);
}

static void manifest_read_bench(const json_t *o, struct about_bench *ret)
{
	*ret = (struct about_bench){
		.name = manifest_text_at(o, "name"),
		.firmware = manifest_text_at(o, "firmware"),
		.driver = manifest_text_at(o, "driver"),
		.clock = manifest_text_at(o, "clock"),
		.cabling = manifest_text_at(o, "cabling"),
		.path = manifest_text_at(o, "path"),
		.tags = manifest_text_at(o, "tags"),
	};
}

static void manifest_read_about(struct doc *d, const json_t *root,
				struct about *ret)
{
	const json_t *tool = doc_object(d, root, "", "tool");
	const json_t *dut = doc_object(d, root, "", "device");
	const json_t *options = doc_object(d, root, "", "options");
	const json_t *about = json_object_get(root, "about");

	*ret = (struct about){
		.name = manifest_text_at(about, "device"),
		.date = manifest_text_at(about, "began"),
		.host = manifest_text_at(about, "host"),
		.operator= manifest_text_at(about, "operator"),
		.version = doc_string(d, tool, "tool", "version"),
		.commit = doc_string(d, tool, "tool", "commit"),
		.run = doc_string(d, root, "", "run"),
		.seed = doc_u64(d, root, "", "seed"),
		.dut = doc_string(d, dut, "device", "dut"),
		.mutant = manifest_text_at(dut, "mutant"),
		.control = manifest_text_at(dut, "control"),
		.timeout = doc_span(d, options, "options", "timeout_ns"),
		.strict = manifest_flag_at(options, "strict"),
		.step_over = manifest_flag_at(options, "step_over"),
		.out = manifest_text_at(root, "out"),
		.rerun = manifest_text_at(root, "rerun"),
	};
	manifest_read_bench(json_object_get(root, "bench"), &ret->bench);
}

static void manifest_read_cases(struct doc *d, const json_t *root,
				struct manifest *m)
{
	const json_t *c;
	size_t i;

	m->cases = doc_array(d, root, "", "cases");
	json_array_foreach(m->cases, i, c)
	{
		char where[40];

		snprintf(where, sizeof(where), "cases[%zu]", i);
		if (!json_is_string(json_array_get(c, 0)))
			doc_bad(d, where, "the id is no text");
	}
	m->total = json_array_size(m->cases) * m->repeat;
}

static int manifest_read_root(struct doc *d, struct manifest *m)
{
	const json_t *options = doc_object(d, m->root, "", "options");
	const char *decl = doc_string(d, m->root, "", "declaration");

	manifest_read_about(d, m->root, &m->about);
	m->virtual = manifest_flag_at(m->root, "virtual");
	m->rounds = manifest_flag_at(options, "rounds");
	m->repeat = doc_u32(d, options, "options", "repeat");
	m->from = doc_u32(d, options, "options", "from");
	m->date = doc_string(d, m->root, "", "date");
	manifest_read_file(d, m->root, "baseline", &m->baseline);
	manifest_read_file(d, m->root, "map", &m->map);
	manifest_read_cases(d, m->root, m);
	if (doc_err(d))
		return doc_err(d);
	return decl_parse(&m->decl, d->path, decl, strlen(decl), d->diag);
}

int manifest_read(const char *who, int dir, const char *out,
		  struct manifest *ret, bool *ret_none)
{
	struct diag diag = {0};
	struct arena a = {0};
	char path[FOLDER_NAME];
	struct doc d = {.path = path, .diag = &diag};
	const char *text;
	size_t len;
	int err;

	*ret = (struct manifest){0};
	*ret_none = false;
	snprintf(path, sizeof(path), "%s/" MANIFEST, out);
	err = folder_read(&a, dir, MANIFEST, &text, &len);
	if (err == ERR_SYS && errno == ENOENT) {
		*ret_none = true;
		return 0;
	}
	if (err == ERR_SYS) {
		cli_sys(who, path);
		return EXIT_USAGE;
	}
	if (!err) {
		ret->root = doc_read(&d, text, len, SCHEMA);
		if (ret->root)
			err = manifest_read_root(&d, ret);
		else
			err = doc_err(&d);
	}
	arena_free(&a);
	ret->about.decl = ret->decl;
	if (err)
		return cli_bad_text(who, err, &diag);
	return 0;
}

void manifest_free(struct manifest *m)
{
	json_decref(m->root);
	decl_free(m->decl);
	*m = (struct manifest){0};
}

/* Returns the place of the case of result |at| in the list of cases. */
static size_t manifest_case_at(const struct manifest *m, size_t at)
{
	if (m->rounds)
		return at % json_array_size(m->cases);
	return at / m->repeat;
}

const char *manifest_id(const struct manifest *m, size_t at,
			uint32_t *ret_repeat)
{
	const size_t n = json_array_size(m->cases);
	const size_t i = manifest_case_at(m, at);

	*ret_repeat = m->from + (uint32_t)(m->rounds ? at / n : at % m->repeat);
	return json_string_value(
		json_array_get(json_array_get(m->cases, i), 0));
}

bool manifest_has(const struct manifest *m, size_t at, const struct pick *p)
{
	const char *digest = json_string_value(json_array_get(
		json_array_get(m->cases, manifest_case_at(m, at)), 1));
	char hex[20];

	snprintf(hex, sizeof(hex), "%016" PRIx64, manifest_digest(p));
	return digest && strcmp(hex, digest) == 0;
}

/* ---- Comparing ---- */

static int manifest_append_json(const char *s, size_t len, void *ctx)
{
	text_add(ctx, s, len);
	return 0;
}

/* Appends a value if it is short enough to read. */
static void manifest_say_value(struct text *t, const json_t *v)
{
	struct text s = {0};
	const bool bad =
		!v || json_dump_callback(v, manifest_append_json, &s,
					 JSON_COMPACT | JSON_ENCODE_ANY);

	text_puts(t, !bad && s.len <= 100 ? text_cstr(&s) : "something else");
	text_free(&s);
}

static void manifest_say_both(struct text *t, const char *what,
			      const json_t *was, const json_t *is)
{
	text_printf(t, "%s was ", what);
	manifest_say_value(t, was);
	text_puts(t, " and is ");
	manifest_say_value(t, is);
}

/* Finds the first member that differs between |was| and |is|. */
static bool members_differ(struct text *t, json_t *was, json_t *is)
{
	const char *key;
	json_t *v;

	json_object_foreach(is, key, v)
	{
		if (json_equal(json_object_get(was, key), v))
			continue;
		manifest_say_both(t, key, json_object_get(was, key), v);
		return true;
	}
	return false;
}

static bool cases_differ(struct text *t, const json_t *was, const json_t *is)
{
	const size_t n = json_array_size(was), m = json_array_size(is);

	if (n != m) {
		text_printf(t, "the selection had %zu cases and has %zu", n, m);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		const json_t *x = json_array_get(was, i);
		const json_t *y = json_array_get(is, i);

		if (json_equal(x, y))
			continue;
		if (!json_equal(json_array_get(x, 0), json_array_get(y, 0)))
			manifest_say_both(t, "the selection differs: a case",
					  json_array_get(x, 0),
					  json_array_get(y, 0));
		else
			text_printf(t, "the case %s has changed since",
				    json_string_value(json_array_get(y, 0)));
		return true;
	}
	return false;
}

/* Compares all members but the cases. */
static bool roots_differ(struct text *t, const json_t *was, const json_t *is)
{
	static const struct {
		const char *key, *what;
	} texts[] = {
		{"seed", "the seed"},
		{"declaration", "the declaration"},
		{"baseline", "the baseline"},
		{"map", "the checklist"},
		{"bench", "the bench"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const json_t *x = json_object_get(was, texts[i].key);
		const json_t *y = json_object_get(is, texts[i].key);

		if (json_equal(x, y))
			continue;
		manifest_say_both(t, texts[i].what, x, y);
		return true;
	}
	return members_differ(t, json_object_get(was, "tool"),
			      json_object_get(is, "tool")) ||
	       members_differ(t, json_object_get(was, "device"),
			      json_object_get(is, "device")) ||
	       members_differ(t, json_object_get(was, "options"),
			      json_object_get(is, "options"));
}

bool manifest_differs(struct text *t, const struct manifest *then,
		      const struct manifest_conf *now)
{
	json_t *is = manifest_json(now);
	bool differs;

	if (!is) {
		text_puts(t, "out of memory");
		return true;
	}
	differs = roots_differ(t, then->root, is) ||
		  cases_differ(t, json_object_get(then->root, "cases"),
			       json_object_get(is, "cases"));
	json_decref(is);
	return differs;
}

bool manifest_unlike(struct text *t, const struct manifest *one,
		     const struct manifest *other)
{
	return roots_differ(t, one->root, other->root);
}
