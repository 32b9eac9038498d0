/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/bundle.c -- writes the files that repeat one result, and reads
 * replay.json back.
 *
 * Fragments are copied to common/ beside the case, so that a replay does not
 * depend on the tree of cases.
 */
#include "cli/file/bundle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/file/file.h"
#include "cli/file/folder_put.h"
#include "reports/doc.h"
#include "reports/format/json.h"
#include "suite/decl/decl_print.h"
#include "suite/lang/case_section.h"

#define NAME 4096

static int write_replay(int dir, const struct record *r, const struct about *a)
{
	struct text t = {0};
	int err = json_text(
		&t,
		json_pack(
			"{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:b, s:b, "
			"s:I, "
			"s:s, "
			"s:o, "
			"s:o}",
			"schema", "rung.replay/1", "run",
			json_maybe_string(a->run), "id", json_any_string(r->id),
			"dut", json_maybe_string(a->dut), "control",
			json_maybe_string(a->control), "mutant",
			json_maybe_string(a->mutant), "seed", json_u64(a->seed),
			"repeat", (json_int_t)r->repeat, "strict",
			(int)a->strict, "step_over", (int)a->step_over,
			"timeout_ns", (json_int_t)a->timeout, "verdict",
			verdict_name(r->verdict), "reason",
			json_any_string(r->reason), "section",
			json_maybe_string(r->test_case->section)),
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

/* Returns the text of a fragment, which is embedded or a file. */
static int bundle_fragment(struct arena *a, const char *path, const char **ret,
			   size_t *ret_len)
{
	const struct case_file *f = builtin_find(path);

	if (!f)
		return file_read(a, path, ret, ret_len);
	*ret = f->text;
	*ret_len = f->len;
	return 0;
}

static int write_fragment(int dir, const char *path)
{
	const char *slash = strrchr(path, '/'), *text;
	struct arena a = {0};
	size_t len;
	int common, err = bundle_fragment(&a, path, &text, &len);

	if (!err)
		err = folder_sub(dir, "common", &common);
	if (!err) {
		err = folder_put(common, slash ? slash + 1 : path, text, len);
		/* the case uses the fragment twice */
		if (err && errno == EEXIST)
			err = 0;
		close(common);
	}
	arena_free(&a);
	return err;
}

/*
 * Writes each file that steps come from; the steps of a fragment are
 * consecutive.
 */
static int write_fragments(int dir, const struct test_case *k,
			   const struct step *s)
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
		err = write_fragments(dir, r->test_case,
				      r->test_case->chairs[r->chair].first);
	return err;
}

/* ---- Reading ---- */

/* Returns the text, or NULL for null and for a missing member. */
static const char *text_at(struct arena *a, const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	if (s)
		return arena_strndup(a, s, strlen(s));
	return NULL;
}

static void bundle_read_root(struct doc *d, const json_t *o, struct arena *a,
			     struct bundle *ret)
{
	doc_string(d, o, "", "id");
	doc_string(d, o, "", "dut");
	doc_string(d, o, "", "verdict");
	*ret = (struct bundle){
		.id = text_at(a, o, "id"),
		.section = text_at(a, o, "section"),
		.dut = text_at(a, o, "dut"),
		.control = text_at(a, o, "control"),
		.mutant = text_at(a, o, "mutant"),
		.verdict = text_at(a, o, "verdict"),
		.reason = text_at(a, o, "reason"),
		.seed = doc_u64(d, o, "", "seed"),
		.repeat = doc_u32(d, o, "", "repeat"),
		.timeout = doc_span(d, o, "", "timeout_ns"),
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
		cli_remark(who, path, "%s%s", strerror(errno),
			   errno == ENOENT || errno == ENOTDIR
				   ? "; name the folder of one result, such as "
				     "OUT/cases/uet/rud/send-gtd@target"
				   : "");
		return EXIT_USAGE;
	}
	if (err)
		return cli_bad_text(who, err, &diag);
	root = doc_read(&d, text, len, "rung.replay/1");
	if (root)
		bundle_read_root(&d, root, arena, ret);
	json_decref(root);
	if (doc_err(&d))
		return cli_bad_text(who, doc_err(&d), &diag);
	return 0;
}

void bundle_id(const struct bundle *b, char ret[256])
{
	const size_t more = b->section ? strlen(b->section) + 1 : 0;
	size_t len = strcspn(b->id, "[@"); /* "ID[len=1]@target" */

	if (more < len)
		len -= more;
	snprintf(ret, 256, "%.*s", (int)len, b->id);
}

void bundle_selector(const struct bundle *b, const char *dir, char *ret,
		     size_t size)
{
	snprintf(ret, size, "%s/case.lad:%s%s", dir,
		 text_or(b->section, CASE_SECTION_PLAIN),
		 b->id + strcspn(b->id, "[@"));
}
