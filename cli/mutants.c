/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/mutants.c -- reads the heads of mutants, and loads the shared objects of
 * mutants and variants with dlopen().
 *
 * A name with a slash is the path of a shared object.  The matrix of kills
 * (kills.json) is in the folder of the mutants, and that of passes
 * (passes.json) in the folder of the variants.
 */
#include "cli/mutants.h"

#include <dlfcn.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/file/file.h"
#include "oracle/oracle.h"
#include "reports/format/json.h"
#include "suite/lang/lex/case_lex.h"

static bool is_mutant(const char *name)
{
	size_t len = strlen(name);

	return strncmp(name, "mutants/", 8) == 0 && len > 12 &&
	       strcmp(name + len - 4, ".mut") == 0;
}

/* Returns true if a variant of that name exists. */
static bool is_variant(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "variants/%.64s.var", name);
	return builtin_find(path) != NULL;
}

/* Copies the text after "KEY " on a line of the head; "" if there is none. */
static void mutants_head(const char *text, const char *key, char *buf,
			 size_t size)
{
	size_t len = strlen(key);

	buf[0] = 0;
	while (*text) {
		const char *end = strchr(text, '\n');
		size_t n = end ? (size_t)(end - text) : strlen(text);

		if (n > len && strncmp(text, key, len) == 0 &&
		    text[len] == ' ') {
			snprintf(buf, size, "%.*s", (int)(n - len - 1),
				 text + len + 1);
			return;
		}
		text += n + (end ? 1 : 0);
	}
}

int mutant_at(size_t n, struct mutant *ret)
{
	char violates[64];

	for (const struct case_file *f = builtin_files(); f->name; f++) {
		if (!is_mutant(f->name) || n-- > 0)
			continue;
		mutants_head(f->text, "mutant", ret->name, sizeof(ret->name));
		mutants_head(f->text, "what", ret->what, sizeof(ret->what));
		mutants_head(f->text, "killed-by", ret->killed_by,
			     sizeof(ret->killed_by));
		mutants_head(f->text, "violates", violates, sizeof(violates));
		ret->id = req_find(violates, strlen(violates), &ret->role);
		return 0;
	}
	return ERR_VALUE;
}

static int mutants_unknown(const char *who, const char *name)
{
	struct near near;
	struct mutant m;

	near_init(&near, (struct word){.s = name, .len = strlen(name)});
	for (size_t i = 0; mutant_at(i, &m) == 0; i++)
		near_offer_copy(&near, m.name);
	fprintf(stderr,
		"%s: there is no mutant or variant '%s'%s\n"
		"docs/mutants.md and docs/variants.md list them.\n",
		who, name, near_hint(&near));
	return EXIT_USAGE;
}

/*
 * Finds a file of the mutants, relative to the program: in the folder of the
 * build, or of the package.
 */
static int mutants_path_of(const char *folder, const char *name,
			   const char *end, char *buf, size_t size)
{
	static const char *const dirs[] = {"..", "../lib/rung"};
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (n < 0)
		return ERR_SYS;
	self[n] = 0;
	slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(buf, size, "%s/%s/%s/%s%s", self, dirs[i], folder,
			 name, end);
		if (access(buf, R_OK) == 0)
			return 0;
	}
	snprintf(buf, size, "%s/%s/%s/%s%s", self, dirs[0], folder, name, end);
	return 0;
}

/*
 * Finds the shared object of a mutant; a name with a slash is the path itself.
 */
static int object_of(const char *who, const char *name, char *buf, size_t size)
{
	const bool variant = is_variant(name);
	struct mutant m = {.name = ""};

	if (strchr(name, '/')) {
		snprintf(buf, size, "%s", name);
		return 0;
	}
	for (size_t i = 0; !variant && strcmp(m.name, name) != 0; i++)
		if (mutant_at(i, &m))
			return mutants_unknown(who, name);
	if (mutants_path_of(variant ? "variants" : "mutants", name, ".so", buf,
			    size))
		return cli_sys(who, "/proc/self/exe");
	return 0;
}

int mutant_load(const char *who, const char *name, const struct orc_api **ret)
{
	char path[PATH_MAX + 128];
	orc_api_fn *get;
	void *so, *symbol;
	int code = object_of(who, name, path, sizeof(path));

	if (code)
		return code;
	so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (so)
		symbol = dlsym(so, ORC_API_SYMBOL);
	else
		symbol = NULL;
	if (!symbol) {
		fprintf(stderr,
			"%s: %s\n(the package rung-mutants installs mutants "
			"and "
			"variants, the release preset builds them)\n",
			who, dlerror());
		return EXIT_HARNESS;
	}
	/* POSIX permits converting a symbol's address to a function pointer. */
	memcpy(&get, &symbol, sizeof(get));
	*ret = get();
	return 0;
}

/* ---- The kill matrix ---- */

static int case_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Adds the cases of all killed-by lines to the matrix, sorted, and to |index|
 * their numbers.
 */
static void kills_cases(json_t *cases, json_t *index)
{
	size_t n = 0;
	const char **names;
	const char *name;
	struct mutant m;
	json_t *value;

	for (size_t i = 0; mutant_at(i, &m) == 0; i++)
		for (char *s = m.killed_by, *word;
		     (word = strtok_r(s, " ", &s));)
			json_object_set_new(index, word, json_null());
	names = memory_calloc(json_object_size(index) + 1, sizeof(*names));
	json_object_foreach(index, name, value) if (names) names[n++] = name;
	if (n)
		qsort(names, n, sizeof(*names), case_by_name);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(cases, json_string(names[i]));
	for (size_t i = 0; i < n; i++)
		json_object_set_new(index,
				    json_string_value(json_array_get(cases, i)),
				    json_integer((json_int_t)i));
	free(names);
}

/* Returns the number of a row, which is added if it is new. */
static json_int_t kills_row(json_t *rows, const char *row)
{
	const json_t *known;
	size_t i;

	json_array_foreach(rows, i, known)
	{
		if (strcmp(json_string_value(known), row) == 0)
			return (json_int_t)i;
	}
	json_array_append_new(rows, json_string(row));
	return (json_int_t)i;
}

/* Returns a mutant of the matrix: the cases of its killed-by line. */
static json_t *kills_listed(struct mutant *m, const json_t *index, json_t *rows)
{
	json_t *fails = json_array();
	char *s = m->killed_by, *word;
	char row[80];
	json_int_t at;

	snprintf(row, sizeof(row), "%s/%s", req_get(m->id)->id,
		 req_role_name(m->role));
	at = kills_row(rows, row);
	while ((word = strtok_r(s, " ", &s)))
		json_array_append_new(
			fails,
			json_pack("[O, I]", json_object_get(index, word), at));
	return json_pack("{s:s, s:s, s:s, s:o}", "name", m->name, "violates",
			 row, "what", m->what, "fails", fails);
}

/* Makes the matrix of the heads, in the form of the file. */
static int kills_of_heads(const char *who, struct kills **ret)
{
	json_t *cases = json_array(), *rows = json_array();
	json_t *mutants = json_array(), *index = json_object(), *root;
	struct diag diag = {0};
	struct text t = {0};
	struct mutant m;
	int err;

	kills_cases(cases, index);
	for (size_t i = 0; mutant_at(i, &m) == 0; i++)
		if (m.id != REQ_NONE)
			json_array_append_new(mutants,
					      kills_listed(&m, index, rows));
	root = json_pack("{s:s, s:o, s:o, s:o}", "schema", "rung.kills/1",
			 "cases", cases, "rows", rows, "mutants", mutants);
	err = json_text(&t, root, JSON_COMPACT);
	if (!err)
		err = kills_parse(ret, "killed-by lines", text_cstr(&t), t.len,
				  &diag);
	text_free(&t);
	json_decref(index);
	if (err)
		return cli_bad_text(who, err, &diag);
	(*ret)->listed = true;
	return 0;
}

struct matrix_file {
	char path[PATH_MAX + 128];
	struct arena arena; /* of |text| */
	const char *text;   /* NULL: there is no such file */
	size_t len;
};

/* Reads the matrix "NAME.json" in a folder beside the program. */
static int matrix_read(const char *who, const char *folder, const char *name,
		       struct matrix_file *ret)
{
	struct diag diag = {0};
	int err;

	if (mutants_path_of(folder, name, ".json", ret->path,
			    sizeof(ret->path)))
		return cli_sys(who, "/proc/self/exe");
	err = file_read(&ret->arena, ret->path, &ret->text, &ret->len);
	if (err == ERR_SYS && errno == ENOENT) {
		ret->text = NULL;
		return 0;
	}
	if (err == ERR_SYS)
		return cli_sys(who, ret->path);
	if (err)
		return cli_bad_text(who, err, &diag);
	return 0;
}

int kills_load(const char *who, struct kills **ret)
{
	struct matrix_file f = {0};
	struct diag diag = {0};
	int code = matrix_read(who, "mutants", "kills", &f), err;

	*ret = NULL;
	if (!code && !f.text)
		code = kills_of_heads(who, ret);
	else if (!code) {
		err = kills_parse(ret, f.path, f.text, f.len, &diag);
		if (err)
			code = cli_bad_text(who, err, &diag);
	}
	arena_free(&f.arena);
	return code;
}

int passes_load(const char *who, struct passes **ret)
{
	struct matrix_file f = {0};
	struct diag diag = {0};
	int code = matrix_read(who, "variants", "passes", &f), err;

	*ret = NULL;
	if (!code && f.text) {
		err = passes_parse(ret, f.path, f.text, f.len, &diag);
		if (err)
			code = cli_bad_text(who, err, &diag);
	}
	arena_free(&f.arena);
	return code;
}
