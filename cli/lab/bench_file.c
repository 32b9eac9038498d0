/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/bench_file.c -- reads bench.yaml with libyaml.
 */
#include "cli/lab/bench_file.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"

struct bench_reader {
	yaml_document_t doc;
	struct arena *a;
	const char *path;
	struct diag *diag;
};

static const struct {
	const char *key;
	size_t at;
} bench_keys[] = {
#define BENCH_KEY(name)                             \
	{                                           \
#name, offsetof(struct bench, name) \
	}
	BENCH_KEY(dut),     BENCH_KEY(control),  BENCH_KEY(decl),
	BENCH_KEY(trigger), BENCH_KEY(firmware), BENCH_KEY(driver),
	BENCH_KEY(clock),   BENCH_KEY(cabling),  BENCH_KEY(path),
	BENCH_KEY(tags),    BENCH_KEY(reset),    BENCH_KEY(power),
	BENCH_KEY(acquire), BENCH_KEY(release),  BENCH_KEY(canary),
#undef BENCH_KEY
};

__attribute__((format(printf, 3, 4))) static int
bench_bad(struct bench_reader *r, const yaml_node_t *node, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return diag_set(r->diag, r->path, (unsigned)node->start_mark.line + 1,
			(unsigned)node->start_mark.column + 1, NULL, "%s",
			text);
}

/* Returns the text of a scalar, or NULL. */
static const char *bench_scalar(const yaml_node_t *node)
{
	const char *s;

	if (!node || node->type != YAML_SCALAR_NODE)
		return NULL;
	s = (const char *)node->data.scalar.value;
	if (strlen(s) != node->data.scalar.length)
		return NULL; /* it has a NUL */
	return s;
}

/* Appends the scalars of a list, separated by blanks. */
static int bench_list(struct bench_reader *r, const yaml_node_t *node,
		      struct text *t)
{
	const yaml_node_item_t *i = node->data.sequence.items.start;

	for (; i < node->data.sequence.items.top; i++) {
		const char *s =
			bench_scalar(yaml_document_get_node(&r->doc, *i));

		if (!s)
			return bench_bad(r, node, "expected a list of words");
		text_printf(t, "%s%s", text_between(t->len, " "), s);
	}
	return text_err(t);
}

/* Copies a text or a list of words. */
static int bench_value(struct bench_reader *r, const yaml_node_t *node,
		       const char *key, const char **ret)
{
	struct text t = {0};
	const char *s = bench_scalar(node);
	int err = 0;

	if (s)
		text_puts(&t, s);
	else if (node->type == YAML_SEQUENCE_NODE && strcmp(key, "tags") == 0)
		err = bench_list(r, node, &t);
	else
		err = bench_bad(r, node, "'%.40s' must be a text", key);
	if (!err && !t.len)
		err = bench_bad(r, node, "'%.40s' is empty", key);
	if (!err) {
		*ret = arena_strndup(r->a, text_cstr(&t), t.len);
		err = *ret ? 0 : ERR_NOMEM;
	}
	text_free(&t);
	return err;
}

static int bench_member(struct bench_reader *r, const yaml_node_t *key,
			const yaml_node_t *value, struct bench *b)
{
	const char *name = bench_scalar(key);

	if (!name)
		return bench_bad(r, key, "expected the name of a key");
	if (strcmp(name, "lease") == 0) {
		const char *s = bench_scalar(value);

		if (s && cli_span(s, &b->lease) && b->lease >= VSPAN_S)
			return 0;
		return bench_bad(r, value,
				 "'lease' must be a time of a second or more, "
				 "such as 60s");
	}
	for (size_t i = 0; i < sizeof(bench_keys) / sizeof(bench_keys[0]);
	     i++) {
		const char **to = (const char **)((char *)b + bench_keys[i].at);

		if (strcmp(name, bench_keys[i].key) != 0)
			continue;
		if (*to)
			return bench_bad(r, key, "'%.40s' stands twice", name);
		return bench_value(r, value, name, to);
	}
	return bench_bad(r, key, "'%.40s' is no key of a bench", name);
}

static int bench_read(struct bench_reader *r, const yaml_node_t *node,
		      struct bench *b)
{
	const yaml_node_pair_t *p;

	if (node->type != YAML_MAPPING_NODE)
		return bench_bad(r, node, "a bench must be a mapping");
	for (p = node->data.mapping.pairs.start;
	     p < node->data.mapping.pairs.top; p++) {
		int err = bench_member(
			r, yaml_document_get_node(&r->doc, p->key),
			yaml_document_get_node(&r->doc, p->value), b);

		if (err)
			return err;
	}
	if (!b->dut)
		return bench_bad(r, node, "the bench has no 'dut'");
	if (!b->acquire && (b->release || b->lease))
		return bench_bad(r, node,
				 "'release' and 'lease' need 'acquire'");
	return 0;
}

/* Returns true if the name can be part of a file's name. */
static bool bench_is_name(const char *s)
{
	return s && *s && strlen(s) <= 100 && *s != '.' &&
	       s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")] == 0;
}

/* Reads all benches, so that an error in any of them shows. */
static int bench_read_all(struct bench_reader *r, const yaml_node_t *node,
			  const char *name, struct bench *ret)
{
	struct text known = {0};
	const yaml_node_pair_t *p = node->data.mapping.pairs.start;
	int err = 0;

	for (; !err && p < node->data.mapping.pairs.top; p++) {
		const yaml_node_t *key =
			yaml_document_get_node(&r->doc, p->key);
		struct bench b = {.name = bench_scalar(key)};

		if (!bench_is_name(b.name)) {
			err = bench_bad(r, key,
					"the name of a bench has letters, "
					"digits and ._- only");
			break;
		}
		text_printf(&known, "%s%s", text_between(known.len, ", "),
			    b.name);
		err = bench_read(r, yaml_document_get_node(&r->doc, p->value),
				 &b);
		if (err || strcmp(b.name, name) != 0)
			continue;
		if (ret->name)
			err = bench_bad(r, key, "the bench stands twice");
		*ret = b;
		ret->name = name;
	}
	if (!err && !ret->name)
		err = bench_bad(r, node,
				"there is no bench '%.60s'; there is %.100s",
				name, text_some(text_cstr(&known), "none"));
	text_free(&known);
	return err;
}

static int bench_read_root(struct bench_reader *r, const char *name,
			   struct bench *ret)
{
	const yaml_node_t *root = yaml_document_get_root_node(&r->doc);
	const yaml_node_pair_t *p;
	const yaml_node_t *benches = NULL;
	const char *key = NULL;

	if (!root)
		return diag_set(r->diag, r->path, 0, 0, NULL,
				"the file is empty");
	if (root->type == YAML_MAPPING_NODE) {
		p = root->data.mapping.pairs.start;
		if (p + 1 == root->data.mapping.pairs.top) {
			key = bench_scalar(
				yaml_document_get_node(&r->doc, p->key));
			benches = yaml_document_get_node(&r->doc, p->value);
		}
	}
	if (!key || strcmp(key, "benches") != 0 ||
	    benches->type != YAML_MAPPING_NODE)
		return bench_bad(r, root, "expected one mapping, 'benches:'");
	return bench_read_all(r, benches, name, ret);
}

int bench_file_parse(struct bench *ret, struct arena *a, const char *path,
		     const char *text, size_t len, const char *name,
		     struct diag *diag)
{
	struct bench_reader r = {.a = a, .path = path, .diag = diag};
	yaml_parser_t parser;
	int err;

	*ret = (struct bench){.name = NULL};
	if (!yaml_parser_initialize(&parser))
		return ERR_NOMEM;
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	if (yaml_parser_load(&parser, &r.doc)) {
		err = bench_read_root(&r, name, ret);
		yaml_document_delete(&r.doc);
	} else if (parser.error == YAML_MEMORY_ERROR) {
		err = ERR_NOMEM;
	} else {
		err = diag_set(diag, path,
			       (unsigned)parser.problem_mark.line + 1,
			       (unsigned)parser.problem_mark.column + 1, NULL,
			       "%s", text_or(parser.problem, "no YAML"));
	}
	yaml_parser_delete(&parser);
	return err;
}
