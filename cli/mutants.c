/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/mutants.c -- reads the heads of mutants, and loads the shared objects of
 * mutants and variants with dlopen().
 *
 * A name with a slash is the path of a shared object.  The matrix of kills
 * (kills.json) is in the folder of the mutants.
 */
#include "cli/mutants.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/file/file.h"
#include "oracle/oracle.h"
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
	for (const struct case_file *f = embedded_cases; f->name; f++)
		if (strcmp(f->name, path) == 0)
			return true;
	return false;
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

	for (const struct case_file *f = embedded_cases; f->name; f++) {
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
		"%s: there is no mutant '%s'%s\n"
		"docs/mutants.md lists the mutants.\n",
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
			"%s: %s\n(the release preset builds mutants and "
			"variants)\n",
			who, dlerror());
		return EXIT_HARNESS;
	}
	/* POSIX permits converting a symbol's address to a function pointer. */
	memcpy(&get, &symbol, sizeof(get));
	*ret = get();
	return 0;
}

int kills_load(const char *who, struct kills **ret)
{
	char path[PATH_MAX + 128];
	struct arena a = {0};
	struct diag diag = {0};
	const char *text;
	size_t len;
	int err;

	*ret = NULL;
	if (mutants_path_of("mutants", "kills", ".json", path, sizeof(path)))
		return cli_sys(who, "/proc/self/exe");
	err = file_read(&a, path, &text, &len);
	if (err == ERR_SYS && errno == ENOENT)
		return 0;
	if (err == ERR_SYS)
		return cli_sys(who, path);
	if (!err)
		err = kills_parse(ret, path, text, len, &diag);
	arena_free(&a);
	if (err)
		return cli_bad_text(who, err, &diag);
	return 0;
}
