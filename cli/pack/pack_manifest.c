/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/pack_manifest.c -- writes pack.json and reads its list of files.
 */
#include "cli/pack/pack_manifest.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/pack/evidence.h"
#include "reports/doc.h"
#include "reports/format/json.h"

#define SCHEMA "rung.pack/1"

/* ---- Writing ---- */

static json_t *pack_files_json(const struct pack_files *files)
{
	json_t *a = json_array();

	for (size_t i = 0; a && i < files->n; i++) {
		const struct pack_file *f = &files->at[i];

		if (json_array_append_new(
			    a, json_pack("[o, I, s]", json_any_string(f->path),
					 (json_int_t)f->size, f->sha256))) {
			json_decref(a);
			return NULL;
		}
	}
	return a;
}

static json_t *pack_results_json(const struct statement_results *results)
{
	json_t *o = json_object();

	for (int v = 0; o && v < VERDICT_COUNT; v++)
		if (json_object_set_new(
			    o, verdict_name((enum verdict)v),
			    json_integer((json_int_t)results->n[v]))) {
			json_decref(o);
			return NULL;
		}
	return o;
}

/* Returns a new reference to a member of run.json, or null. */
static json_t *pack_member(const struct manifest *run, const char *key)
{
	json_t *o = json_object_get(run->root, key);

	if (!o)
		return json_null();
	return json_incref(o);
}

/* Describes the declaration; its text is in run.json. */
static json_t *pack_decl_json(const struct manifest *run)
{
	const char *text =
		json_string_value(json_object_get(run->root, "declaration"));
	char sha256[SHA256_HEX];

	if (!text || sha256_hex(text, strlen(text), sha256))
		return NULL;
	return json_pack("{s:o, s:o, s:s}", "name",
			 json_any_string(run->decl->name), "version",
			 json_any_string(run->decl->version), "sha256", sha256);
}

static json_t *pack_selection_json(const struct manifest *run)
{
	struct text ids = {0};
	char sha256[SHA256_HEX];
	json_t *o = NULL;
	uint32_t repeat;

	for (size_t i = 0; i < run->total; i++)
		text_printf(&ids, "%s\n", manifest_id(run, i, &repeat));
	if (!text_err(&ids) && !sha256_hex(text_cstr(&ids), ids.len, sha256))
		o = json_pack("{s:I, s:s}", "results", (json_int_t)run->total,
			      "sha256", sha256);
	text_free(&ids);
	return o;
}

int pack_manifest_print(struct text *t, const struct manifest *run,
			const struct pack_files *files,
			const struct statement_results *results)
{
	const bool evidence = evidence_claimed(run);

	return json_text(
		t,
		json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			  "s:o, s:o, s:o, s:o, s:o}",
			  "schema", SCHEMA, "kind",
			  evidence ? "evidence" : "record", "says",
			  evidence ? EVIDENCE_SAYS : EVIDENCE_LESS, "run",
			  pack_member(run, "run"), "tool",
			  pack_member(run, "tool"), "seed",
			  pack_member(run, "seed"), "device",
			  pack_member(run, "device"), "options",
			  pack_member(run, "options"), "about",
			  pack_member(run, "about"), "environment",
			  pack_member(run, "environment"), "bench",
			  pack_member(run, "bench"), "declaration",
			  pack_decl_json(run), "selection",
			  pack_selection_json(run), "results",
			  pack_results_json(results), "files",
			  pack_files_json(files)),
		JSON_INDENT(1));
}

/* ---- Reading ---- */

static bool is_digest(const char *s)
{
	return s && strlen(s) == SHA256_HEX - 1 &&
	       strspn(s, "0123456789abcdef") == SHA256_HEX - 1;
}

/* Reads entry |i| of the list of files.  The list is sorted by path. */
static int pack_file_read(struct doc *d, const json_t *v, size_t i,
			  struct pack_files *ret)
{
	const char *path = json_string_value(json_array_get(v, 0));
	const json_t *size = json_array_get(v, 1);
	const char *sha256 = json_string_value(json_array_get(v, 2));
	struct pack_file *f;
	char where[40];

	snprintf(where, sizeof(where), "files[%zu]", i);
	if (!path || !json_is_integer(size) || json_integer_value(size) < 0 ||
	    !is_digest(sha256)) {
		doc_bad(d, where, "expected a path, a size and a digest");
		return 0;
	}
	if (ret->n && strcmp(ret->at[ret->n - 1].path, path) >= 0) {
		doc_bad(d, where, "it is out of order");
		return 0;
	}
	f = pack_files_add(ret, path);
	if (!f)
		return ERR_NOMEM;
	f->size = (uint64_t)json_integer_value(size);
	memcpy(f->sha256, sha256, SHA256_HEX);
	return 0;
}

int pack_manifest_parse(struct pack_files *ret, const char *path,
			const char *text, size_t len, struct diag *diag)
{
	struct doc d = {.path = path, .diag = diag};
	json_t *root = doc_read(&d, text, len, SCHEMA);
	const json_t *files, *v;
	size_t i;
	int err = 0;

	if (!root)
		return doc_err(&d);
	files = doc_array(&d, root, "", "files");
	json_array_foreach(files, i, v)
	{
		err = pack_file_read(&d, v, i, ret);
		if (err || doc_err(&d))
			break;
	}
	json_decref(root);
	return err ? err : doc_err(&d);
}
