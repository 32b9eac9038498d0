/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/bench_file.c -- reads bench.yaml with libyaml.
 */
#include "cli/lab/bench_file.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/yaml/yaml_file.h"
#include "suite/lang/lex/case_lex.h"

struct bench_reader {
	struct yaml_file file;
	struct arena *a;
	const char *name; /* of the wanted bench */
	struct bench *ret;
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

/* Appends the scalars of a list, separated by blanks. */
static int bench_list(struct bench_reader *r, const yaml_node_t *node,
		      struct text *t)
{
	const yaml_node_item_t *i = node->data.sequence.items.start;

	for (; i < node->data.sequence.items.top; i++) {
		const char *s = yaml_file_scalar(yaml_file_node(&r->file, *i));

		if (!s)
			return yaml_file_bad(&r->file, node,
					     "expected a list of words");
		text_printf(t, "%s%s", text_between(t->len, " "), s);
	}
	return text_err(t);
}

/* Copies a text or a list of words. */
static int bench_value(struct bench_reader *r, const yaml_node_t *node,
		       const char *key, const char **ret)
{
	struct text t = {0};
	const char *s = yaml_file_scalar(node);
	int err = 0;

	if (s)
		text_puts(&t, s);
	else if (node->type == YAML_SEQUENCE_NODE && strcmp(key, "tags") == 0)
		err = bench_list(r, node, &t);
	else
		err = yaml_file_bad(&r->file, node, "'%.40s' must be a text",
				    key);
	if (!err && !t.len)
		err = yaml_file_bad(&r->file, node, "'%.40s' is empty", key);
	if (!err) {
		*ret = arena_strndup(r->a, text_cstr(&t), t.len);
		err = *ret ? 0 : ERR_NOMEM;
	}
	text_free(&t);
	return err;
}

/* Refuses an unknown key, and names the most similar one. */
static int bench_no_key(const struct bench_reader *r, const yaml_node_t *key,
			const char *name)
{
	struct near near;

	near_init(&near, (struct word){name, strlen(name)});
	near_offer(&near, "lease");
	for (size_t i = 0; i < sizeof(bench_keys) / sizeof(bench_keys[0]); i++)
		near_offer(&near, bench_keys[i].key);
	return yaml_file_bad(&r->file, key, "'%.40s' is no key of a bench%.60s",
			     name, near_hint(&near));
}

static int bench_member(struct bench_reader *r, const yaml_node_t *key,
			const yaml_node_t *value, struct bench *b)
{
	const char *name = yaml_file_scalar(key);

	if (!name)
		return yaml_file_bad(&r->file, key,
				     "expected the name of a key");
	if (strcmp(name, "lease") == 0) {
		const char *s = yaml_file_scalar(value);

		if (s && cli_span(s, &b->lease) && b->lease >= VSPAN_S)
			return 0;
		return yaml_file_bad(
			&r->file, value,
			"'lease' must be a time of a second or more, "
			"such as 60s");
	}
	for (size_t i = 0; i < sizeof(bench_keys) / sizeof(bench_keys[0]);
	     i++) {
		const char **to = (const char **)((char *)b + bench_keys[i].at);

		if (strcmp(name, bench_keys[i].key) != 0)
			continue;
		if (*to)
			return yaml_file_bad(&r->file, key,
					     "'%.40s' stands twice", name);
		return bench_value(r, value, name, to);
	}
	return bench_no_key(r, key, name);
}

static int bench_read(struct bench_reader *r, const yaml_node_t *node,
		      struct bench *b)
{
	const yaml_node_pair_t *p;

	if (node->type != YAML_MAPPING_NODE)
		return yaml_file_bad(&r->file, node,
				     "a bench must be a mapping");
	for (p = node->data.mapping.pairs.start;
	     p < node->data.mapping.pairs.top; p++) {
		int err = bench_member(r, yaml_file_node(&r->file, p->key),
				       yaml_file_node(&r->file, p->value), b);

		if (err)
			return err;
	}
	if (!b->dut)
		return yaml_file_bad(&r->file, node, "the bench has no 'dut'");
	if (!b->acquire && (b->release || b->lease))
		return yaml_file_bad(&r->file, node,
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
static int bench_read_all(struct bench_reader *r, const yaml_node_t *node)
{
	const char *name = r->name;
	struct bench *ret = r->ret;
	struct text known = {0};
	const yaml_node_pair_t *p = node->data.mapping.pairs.start;
	int err = 0;

	for (; !err && p < node->data.mapping.pairs.top; p++) {
		const yaml_node_t *key = yaml_file_node(&r->file, p->key);
		struct bench b = {.name = yaml_file_scalar(key)};

		if (!bench_is_name(b.name)) {
			err = yaml_file_bad(&r->file, key,
					    "the name of a bench has letters, "
					    "digits and ._- only");
			break;
		}
		text_printf(&known, "%s%s", text_between(known.len, ", "),
			    b.name);
		err = bench_read(r, yaml_file_node(&r->file, p->value), &b);
		if (err || strcmp(b.name, name) != 0)
			continue;
		if (ret->name)
			err = yaml_file_bad(&r->file, key,
					    "the bench stands twice");
		*ret = b;
		ret->name = name;
	}
	if (!err && !ret->name)
		err = yaml_file_bad(
			&r->file, node,
			"there is no bench '%.60s'; the file has %.100s", name,
			text_some(text_cstr(&known), "none"));
	text_free(&known);
	return err;
}

static int bench_read_root(struct yaml_file *f, const yaml_node_t *root,
			   void *arg)
{
	const yaml_node_pair_t *p;
	const yaml_node_t *benches = NULL;
	const char *key = NULL;

	if (root->type == YAML_MAPPING_NODE) {
		p = root->data.mapping.pairs.start;
		if (p + 1 == root->data.mapping.pairs.top) {
			key = yaml_file_scalar(yaml_file_node(f, p->key));
			benches = yaml_file_node(f, p->value);
		}
	}
	if (!key || strcmp(key, "benches") != 0 ||
	    benches->type != YAML_MAPPING_NODE)
		return yaml_file_bad(f, root,
				     "expected one mapping, 'benches:'");
	return bench_read_all(arg, benches);
}

int bench_file_parse(struct bench *ret, struct arena *a, const char *path,
		     const char *text, size_t len, const char *name,
		     struct diag *diag)
{
	struct bench_reader r = {
		.file = {.path = path, .text = text, .len = len, .diag = diag},
		.a = a,
		.name = name,
		.ret = ret};

	*ret = (struct bench){.name = NULL};
	return yaml_file_read(&r.file, bench_read_root, &r);
}
