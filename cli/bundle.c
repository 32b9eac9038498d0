/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/bundle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/folder.h"
#include "reports/doc.h"
#include "reports/json.h"

#define NAME 4096

static json_t *maybe(const char *s)
{
	return s ? json_any_string(s) : json_null();
}

static int write_replay(int dir, const struct record *r, const struct about *a)
{
	struct text t = {0};
	int err = json_text(
		&t,
		json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:b, s:b, "
			  "s:I, "
			  "s:s, "
			  "s:o}",
			  "schema", "rung.replay/1", "run", maybe(a->run), "id",
			  json_any_string(r->id), "dut", maybe(a->dut),
			  "control", maybe(a->control), "mutant",
			  maybe(a->mutant), "seed", json_u64(a->seed), "repeat",
			  (json_int_t)r->repeat, "strict", (int)a->strict,
			  "step_over", (int)a->step_over, "timeout_ns",
			  (json_int_t)a->timeout, "verdict",
			  verdict_name(r->verdict), "reason",
			  json_any_string(r->reason)),
		JSON_INDENT(2));

	if (!err)
		err = folder_put(dir, "replay.json", text_cstr(&t), t.len);
	text_free(&t);
	return err;
}

static int write_decl(int dir, const struct about *a)
{
	struct text t = {0};
	int err;

	decl_print(&t, a->decl);
	err = text_err(&t);
	if (!err)
		err = folder_put(dir, "device.decl", text_cstr(&t), t.len);
	text_free(&t);
	return err;
}

/* ---- Fragments ---- */

/* The text of a fragment: an embedded one, or a file. */
static int fragment(struct arena *a, const char *path, const char **ret,
		    size_t *ret_len)
{
	for (const struct case_file *f = embedded_cases; f->name; f++)
		if (strcmp(f->name, path) == 0) {
			*ret = f->text;
			*ret_len = f->len;
			return 0;
		}
	return file_read(a, path, ret, ret_len);
}

static int write_fragment(int dir, const char *path)
{
	const char *slash = strrchr(path, '/'), *text;
	struct arena a = {0};
	size_t len;
	int common, err = fragment(&a, path, &text, &len);

	if (!err)
		err = folder_sub(dir, "common", &common);
	if (!err) {
		err = folder_put(common, slash ? slash + 1 : path, text, len);
		if (err && errno == EEXIST) /* the case uses it twice */
			err = 0;
		close(common);
	}
	arena_free(&a);
	return err;
}

/* Each file that a step comes from, in runs: a fragment's steps follow. */
static int write_fragments(int dir, const struct kase *k, const struct step *s)
{
	const char *last = k->path;
	int err = 0;

	for (; s && !err; s = s->next) {
		if (s->file && strcmp(s->file, last) != 0 &&
		    strcmp(s->file, k->path) != 0)
			err = write_fragment(dir, s->file);
		if (s->file)
			last = s->file;
		for (size_t i = 0; i < s->ngroups && !err; i++)
			err = write_fragments(dir, k, s->groups[i]);
	}
	return err;
}

int bundle_write(int dir, const struct record *r, const struct about *a)
{
	int err = write_replay(dir, r, a);

	if (!err)
		err = write_decl(dir, a);
	if (!err)
		err = write_fragments(dir, r->kase,
				      r->kase->chairs[r->chair].first);
	return err;
}

/* ---- Reading ---- */

/* NULL for null and for what is not there. */
static const char *text_at(struct arena *a, const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

/* A seed that does not fit into 63 bits is a text. */
static uint64_t seed_at(struct doc *d, const json_t *o)
{
	const json_t *v = json_object_get(o, "seed");
	uint64_t seed = 0;

	if (json_is_string(v)) {
		if (!cli_number(json_string_value(v), UINT64_MAX, &seed))
			doc_bad(d, "", "'seed' is no number");
		return seed;
	}
	return (uint64_t)doc_int(d, o, "", "seed");
}

static void read_root(struct doc *d, const json_t *o, struct arena *a,
		      struct bundle *ret)
{
	const int64_t repeat = doc_int(d, o, "", "repeat");
	const int64_t timeout = doc_int(d, o, "", "timeout_ns");

	doc_string(d, o, "", "id");
	doc_string(d, o, "", "dut");
	doc_string(d, o, "", "verdict");
	if (repeat < 0 || repeat > UINT32_MAX)
		doc_bad(d, "", "'repeat' is out of range");
	if (timeout < 0)
		doc_bad(d, "", "'timeout_ns' is out of range");
	*ret = (struct bundle){
		.id = text_at(a, o, "id"),
		.dut = text_at(a, o, "dut"),
		.control = text_at(a, o, "control"),
		.mutant = text_at(a, o, "mutant"),
		.verdict = text_at(a, o, "verdict"),
		.reason = text_at(a, o, "reason"),
		.seed = seed_at(d, o),
		.repeat = (uint32_t)repeat,
		.timeout = timeout,
		.strict = json_is_true(json_object_get(o, "strict")),
		.step_over = json_is_true(json_object_get(o, "step_over")),
	};
}

int bundle_read(const char *who, const char *dir, struct arena *arena,
		struct bundle *ret)
{
	struct diag diag = {0};
	char path[NAME];
	struct doc d = {.path = path, .diag = &diag};
	const char *text;
	json_t *root;
	size_t len;
	int err;

	snprintf(path, sizeof(path), "%s/replay.json", dir);
	err = file_read(arena, path, &text, &len);
	if (err == ERR_SYS) {
		cli_sys(who, path);
		return EXIT_USAGE;
	}
	if (err)
		return cli_bad_text(who, err, &diag);
	root = doc_read(&d, text, len, "rung.replay/1");
	if (root)
		read_root(&d, root, arena, ret);
	json_decref(root);
	return doc_err(&d) ? cli_bad_text(who, doc_err(&d), &diag) : 0;
}
