/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/doc.c -- reads JSON documents back.
 */
#include "reports/doc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const char *doc_line_of(const char *text, size_t len, int line)
{
	for (size_t i = 0; i < len && line > 1; i++)
		if (text[i] == '\n' && --line == 1)
			return text + i + 1;
	return text;
}

/* The writer may have omitted every newline. */
static void bad_text(struct doc *d, const char *text, size_t len,
		     const json_error_t *e)
{
	const char *source = doc_line_of(text, len, e->line);
	size_t left = len - (size_t)(source - text);
	char line[120];

	snprintf(line, sizeof(line), "%.*s",
		 (int)(left < sizeof(line) ? left : sizeof(line) - 1), source);
	d->err = diag_set(d->diag, d->path, e->line > 0 ? (unsigned)e->line : 0,
			  e->column > 0 ? (unsigned)e->column : 0, line,
			  "no JSON: %s", e->text);
}

json_t *doc_read(struct doc *d, const char *text, size_t len,
		 const char *schema)
{
	return doc_read_either(d, text, len, schema, NULL);
}

json_t *doc_read_either(struct doc *d, const char *text, size_t len,
			const char *schema, const char *before)
{
	json_error_t e;
	json_t *root = json_loadb(text, len, 0, &e);
	const char *is;

	if (!root) {
		bad_text(d, text, len, &e);
		return NULL;
	}
	is = json_string_value(json_object_get(root, "schema"));
	if (is && strcmp(is, schema) == 0)
		return root;
	if (is && before && strcmp(is, before) == 0)
		return root;
	if (is)
		doc_bad(d, "", "the schema is '%s', and %s is wanted", is,
			schema);
	else
		doc_bad(d, "", "this is no %s: it has no 'schema'", schema);
	json_decref(root);
	return NULL;
}

void doc_bad(struct doc *d, const char *where, const char *what, ...)
{
	char say[256];
	va_list ap;

	if (d->err)
		return;
	va_start(ap, what);
	vsnprintf(say, sizeof(say), what, ap);
	va_end(ap);
	d->err = diag_set(d->diag, d->path, 0, 0, NULL, "%s%s%s", where,
			  *where ? ": " : "", say);
}

static const json_t *member(struct doc *d, const json_t *o, const char *where,
			    const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!v)
		doc_bad(d, where, "'%s' is missing", key);
	return v;
}

const char *doc_string(struct doc *d, const json_t *o, const char *where,
		       const char *key)
{
	const json_t *v = member(d, o, where, key);

	if (json_is_string(v))
		return json_string_value(v);
	if (v)
		doc_bad(d, where, "'%s' is no text", key);
	return "";
}

int64_t doc_int(struct doc *d, const json_t *o, const char *where,
		const char *key)
{
	const json_t *v = member(d, o, where, key);

	if (v && !json_is_integer(v))
		doc_bad(d, where, "'%s' is no whole number", key);
	return json_integer_value(v);
}

static bool is_digits(const char *s, uint64_t *ret)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*ret = strtoull(s, &end, 10);
	return !errno && !*end;
}

uint64_t doc_u64(struct doc *d, const json_t *o, const char *where,
		 const char *key)
{
	const json_t *v = member(d, o, where, key);
	uint64_t n = 0;

	if (!v)
		return 0;
	if (json_is_string(v) && is_digits(json_string_value(v), &n))
		return n;
	if (json_is_integer(v) && json_integer_value(v) >= 0)
		return (uint64_t)json_integer_value(v);
	doc_bad(d, where, "'%s' is no number", key);
	return 0;
}

uint32_t doc_u32(struct doc *d, const json_t *o, const char *where,
		 const char *key)
{
	const int64_t n = doc_int(d, o, where, key);

	if (n < 0 || n > UINT32_MAX)
		doc_bad(d, where, "'%s' is out of range", key);
	return (uint32_t)n;
}

vspan doc_span(struct doc *d, const json_t *o, const char *where,
	       const char *key)
{
	const int64_t n = doc_int(d, o, where, key);

	if (n < 0)
		doc_bad(d, where, "'%s' is out of range", key);
	return n;
}

const json_t *doc_array(struct doc *d, const json_t *o, const char *where,
			const char *key)
{
	const json_t *v = member(d, o, where, key);

	if (v && !json_is_array(v))
		doc_bad(d, where, "'%s' is no list", key);
	return v;
}

const json_t *doc_object(struct doc *d, const json_t *o, const char *where,
			 const char *key)
{
	const json_t *v = member(d, o, where, key);

	if (v && !json_is_object(v))
		doc_bad(d, where, "'%s' is no object", key);
	return v;
}

int doc_err(const struct doc *d)
{
	return d->err;
}
