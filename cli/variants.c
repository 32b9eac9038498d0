/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/variants.c -- reads the heads of variants and combines several of them.
 */
#include "cli/variants.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/file/file.h"
#include "cli/mutants.h"
#include "oracle/setting.h"

#define NAME_MAX_LEN 256

const struct variants variants_none = {.api = &orc_reference};

/* Copies the next line without its end; returns the text after it. */
static const char *line_next(const char *s, char *ret, size_t size)
{
	const size_t n = strcspn(s, "\n");

	snprintf(ret, size, "%.*s", (int)n, s);
	return s + n + (s[n] == '\n');
}

/* Returns the text behind "KEY ", NULL if the line has another key. */
static const char *behind_key(const char *line, const char *key)
{
	const size_t n = strlen(key);

	if (strncmp(line, key, n) != 0 || line[n] != ' ')
		return NULL;
	return line + n + strspn(line + n, " ");
}

static bool ends_in(const char *s, const char *end)
{
	const size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

/* ---- Lines of a declaration with the same subject ---- */

/*
 * Returns how many leading words name the subject of a line.  A later line with
 * the same subject replaces an earlier one; 0: it does not, both count.
 */
static unsigned key_words(const char *line)
{
	static const char *const pairs[] = {
		"id", "size", "dscp", "timer", "limit", "cause", "setting",
	};

	if (behind_key(line, "claims"))
		return 0;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (behind_key(line, pairs[i]))
			return 2;
	return 1;
}

/* Returns true if |a| and |b| begin with the same |n| words. */
static bool same_words(const char *a, const char *b, unsigned n)
{
	while (n-- > 0) {
		const size_t la = strcspn(a, " ="), lb = strcspn(b, " =");

		if (la != lb || strncmp(a, b, la) != 0)
			return false;
		a += la + strspn(a + la, " =");
		b += lb + strspn(b + lb, " =");
	}
	return true;
}

static bool says_the_same(const char *a, const char *b)
{
	const unsigned n = key_words(a);

	return n && *a && same_words(a, b, n);
}

/* Returns true if a line of |lines| has the same subject as |line|. */
static bool variants_says(const char *lines, const char *line)
{
	char other[NAME_MAX_LEN];

	while (*lines) {
		lines = line_next(lines, other, sizeof(other));
		if (says_the_same(other, line))
			return true;
	}
	return false;
}

/* Returns whether a line of |lines| is the word of |n| bytes. */
static bool is_line(const char *lines, const char *word, size_t n)
{
	while (*lines) {
		const size_t len = strcspn(lines, "\n");

		if (len == n && strncmp(lines, word, n) == 0)
			return true;
		lines += len + (lines[len] == '\n');
	}
	return false;
}

/* Appends a line of claims, but not those that the variants lack. */
static void variants_claims(const struct variants *v, const char *words,
			    struct text *t)
{
	struct text left = {0};

	while (*words) {
		const size_t n = strcspn(words, " ");

		if (!is_line(v->without, words, n)) {
			text_puts(&left, " ");
			text_add(&left, words, n);
		}
		words += n + strspn(words + n, " ");
	}
	if (left.len)
		text_printf(t, "claims%s\n", text_cstr(&left));
	t->failed |= left.failed;
	text_free(&left);
}

void variants_decl(const struct variants *v, const char *base, struct text *t)
{
	char line[512];

	while (*base) {
		base = line_next(base, line, sizeof(line));
		if (behind_key(line, "claims"))
			variants_claims(v, behind_key(line, "claims"), t);
		else if (!variants_says(v->declares, line))
			text_printf(t, "%s\n", line);
	}
	text_puts(t, v->declares);
}

/* ---- Heads ---- */

static int append(const char *who, char *buf, const char *line)
{
	const size_t n = strlen(buf);

	if (n + strlen(line) + 2 > VARIANTS_TEXT)
		return cli_usage(who, "too many variants at once");
	snprintf(buf + n, VARIANTS_TEXT - n, "%s\n", line);
	return 0;
}

/* Appends a line that no earlier variant contradicts. */
static int variants_add(const char *who, const char *name, char *buf,
			const char *line, bool said)
{
	if (said)
		return cli_usage(who,
				 "variant %s: another one also declares '%s'",
				 name, line);
	return append(who, buf, line);
}

static bool variants_is_set(const struct variants *v, const char *line)
{
	const char *s = v->sets;
	char other[NAME_MAX_LEN];

	while (*s) {
		s = line_next(s, other, sizeof(other));
		if (same_words(other, line, 1))
			return true;
	}
	return false;
}

/* Reads a head; *ret_file becomes true if a file of the oracle differs. */
static int read_head(const char *who, const char *name, const char *text,
		     struct variants *ret, bool *ret_file)
{
	char line[512];
	const char *value;
	int code = 0;

	while (!code && *text) {
		text = line_next(text, line, sizeof(line));
		if (strcmp(line, "replace") == 0)
			break;
		*ret_file |= behind_key(line, "file") != NULL;
		value = behind_key(line, "set");
		if (value)
			code = variants_add(who, name, ret->sets, value,
					    variants_is_set(ret, value));
		value = behind_key(line, "without");
		if (value)
			code = append(who, ret->without, value);
		value = behind_key(line, "declares");
		if (value && !code)
			code = variants_add(
				who, name, ret->declares, value,
				variants_says(ret->declares, value));
	}
	return code;
}

static const char *embedded_head(const char *name)
{
	const struct case_file *file;
	char path[NAME_MAX_LEN + 16];

	snprintf(path, sizeof(path), "variants/%s.var", name);
	file = builtin_find(path);
	return file ? file->text : NULL;
}

/* ---- Loading ---- */

static int variants_object(const char *who, const char *name,
			   struct variants *ret)
{
	if (ret->api != &orc_reference)
		return cli_usage(who,
				 "'%s' changes a file of the reference, and "
				 "so does another one",
				 name);
	ret->mutant = !embedded_head(name);
	return mutant_load(who, name, &ret->api);
}

/*
 * Fails for a .var file that needs a shared object, since the object cannot be
 * found.
 */
static int variants_path(const char *who, const char *path,
			 struct variants *ret)
{
	struct arena a = {0};
	const char *text;
	bool file = false;
	size_t len;
	int code;
	int err = file_read(&a, path, &text, &len);

	if (err == ERR_NOMEM)
		return cli_nomem(who);
	if (err)
		return cli_sys(who, path);
	code = read_head(who, path, text, ret, &file);
	arena_free(&a);
	if (!code && file)
		return cli_usage(who,
				 "%s: the build makes the shared object "
				 "of a variant with a file line",
				 path);
	return code;
}

static int variants_one(const char *who, const char *name, struct variants *ret)
{
	const char *text = embedded_head(name);
	bool file = false;
	int code;

	if (ends_in(name, ".var"))
		return variants_path(who, name, ret);
	if (!text)
		return variants_object(who, name, ret);
	code = read_head(who, name, text, ret, &file);
	if (!code && file)
		code = variants_object(who, name, ret);
	return code;
}

int variants_load(const char *who, const char *names, struct variants *ret)
{
	char name[NAME_MAX_LEN];
	int code = 0;

	*ret = variants_none;
	while (!code && names && *names) {
		const size_t n = strcspn(names, "+");

		if (n >= sizeof(name))
			return cli_usage(who, "%s: too long a name", names);
		snprintf(name, sizeof(name), "%.*s", (int)n, names);
		code = variants_one(who, name, ret);
		names += n + (names[n] == '+');
	}
	return code;
}

int variants_conf(const char *who, const struct variants *v,
		  struct orc_conf *conf)
{
	const char *s = v->sets;
	char line[NAME_MAX_LEN], *value;

	while (*s) {
		s = line_next(s, line, sizeof(line));
		value = line + strcspn(line, " ");
		if (*value)
			*value++ = 0;
		if (setting_put(conf, line, value))
			return cli_usage(who,
					 "the reference has no setting '%s' "
					 "with the value '%s'",
					 line, value);
	}
	return 0;
}
