/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cases.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/file.h"
#include "suite/glob.h"

#define CLIMB_MAX 8 /* folders above a file in which common/ is looked for */

struct corpus {
	struct arena arena; /* texts and paths */
	struct kase **at;
	size_t n, size;
	size_t nfirst; /* those of corpus_new; files that were added follow */
	bool probes;   /* the stimuli of "rung probe", not the cases */
	const struct corpus_want *want; /* while it is made; NULL: all */
};

/* Where the fragments of one file are. */
struct place {
	struct corpus *corpus;
	const char *tree; /* folder of the tree; NULL: embedded, or climb */
	const char *path; /* of the file; NULL: embedded */
};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

/* Whether a selector matches the id of that file, or one of its chairs. */
static bool is_wanted(const struct corpus *c, const char *name)
{
	const int len = (int)strlen(name) - 4; /* ".lad" */
	char id[3][320];

	if (!c->want || !c->want->n)
		return true;
	snprintf(id[0], sizeof(id[0]), "%.*s", len, name);
	snprintf(id[1], sizeof(id[1]), "%.*s@target", len, name);
	snprintf(id[2], sizeof(id[2]), "%.*s@initiator", len, name);
	for (size_t i = 0; i < c->want->n; i++)
		for (size_t k = 0; k < 3; k++)
			if (glob_match(c->want->selectors[i], id[k]))
				return true;
	return false;
}

/*
 * Fragments and mutants live in the same tree and are no cases; the stimuli of
 * "rung probe" are read for it alone.
 */
static bool is_case(const struct corpus *c, const char *name)
{
	return ends_with(name, ".lad") && strncmp(name, "common/", 7) != 0 &&
	       strncmp(name, "mutants/", 8) != 0 &&
	       (strncmp(name, "probe/", 6) == 0) == c->probes;
}

static const char *fragment_embedded(const char *name, const char **ret_path)
{
	for (const struct case_file *f = embedded_cases; f->name; f++)
		if (strcmp(f->name, name) == 0) {
			*ret_path = f->name;
			return f->text;
		}
	return NULL;
}

static const char *fragment_file(struct corpus *c, const char *path,
				 const char **ret_path)
{
	const char *text;
	size_t len;

	if (file_read(&c->arena, path, &text, &len))
		return NULL;
	*ret_path = arena_strndup(&c->arena, path, strlen(path));
	return *ret_path ? text : NULL;
}

/* Looks in common/ beside the file, then in each folder above. */
static const char *fragment_climb(const struct place *p, const char *name,
				  const char **ret_path)
{
	const char *slash = strrchr(p->path, '/');
	int dir = slash ? (int)(slash - p->path) + 1 : 0;
	char up[3 * CLIMB_MAX + 1] = "";
	char path[4096];

	for (int i = 0; i < CLIMB_MAX; i++) {
		const char *text;

		snprintf(path, sizeof(path), "%.*s%s%s", dir, p->path, up,
			 name);
		text = fragment_file(p->corpus, path, ret_path);
		if (text)
			return text;
		strcat(up, "../");
	}
	return NULL;
}

/* As case_fragment_fn: the text of "common/NAME.lad". */
static const char *fragment(void *ctx, const char *name, const char **ret_path)
{
	const struct place *p = ctx;
	const char *text = NULL;
	char file[256], path[4096];

	snprintf(file, sizeof(file), "common/%s%s", name,
		 ends_with(name, ".lad") ? "" : ".lad");
	if (p->tree) {
		snprintf(path, sizeof(path), "%s/%s", p->tree, file);
		return fragment_file(p->corpus, path, ret_path);
	}
	if (p->path)
		text = fragment_climb(p, file, ret_path);
	return text ? text : fragment_embedded(file, ret_path);
}

static int append(struct corpus *c, struct kase *k)
{
	if (c->n == c->size) {
		size_t size = c->size ? 2 * c->size : 64;
		struct kase **at = realloc(c->at, size * sizeof(*at));

		if (!at)
			return ERR_NOMEM;
		c->at = at;
		c->size = size;
	}
	c->at[c->n++] = k;
	return 0;
}

/* Parses a text whose name is the id, maybe with ".lad" at its end. */
static int add(struct place *p, const char *name, const char *path,
	       const char *text, size_t len, struct diag *diag)
{
	struct kase *k;
	char id[256];
	int err;

	snprintf(id, sizeof(id), "%.*s",
		 (int)strlen(name) - (ends_with(name, ".lad") ? 4 : 0), name);
	err = case_parse(&k, id, path, text, len, fragment, p, diag);
	if (err)
		return err;
	err = append(p->corpus, k);
	if (err)
		case_free(k);
	return err;
}

static int add_embedded(struct corpus *c, struct diag *diag)
{
	struct place p = {.corpus = c};

	for (const struct case_file *f = embedded_cases; f->name; f++) {
		char path[256];
		int err;

		if (!is_case(c, f->name) || !is_wanted(c, f->name))
			continue;
		snprintf(path, sizeof(path), "cases/%s", f->name);
		err = add(&p, f->name, path, f->text, f->len, diag);
		if (err)
			return err;
	}
	return 0;
}

/* Names the file that the system refused. */
static int refused(struct diag *diag, const char *path)
{
	int kept = errno;

	snprintf(diag->file, sizeof(diag->file), "%s", path);
	snprintf(diag->text, sizeof(diag->text), "%s", strerror(kept));
	errno = kept;
	return ERR_SYS;
}

static int add_entry(struct place *p, const FTSENT *e, struct diag *diag)
{
	const char *name = e->fts_path + strlen(p->tree);
	const char *text;
	size_t len;
	int err;

	if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR ||
	    e->fts_info == FTS_NS) {
		errno = e->fts_errno;
		return refused(diag, e->fts_path);
	}
	while (*name == '/')
		name++;
	if (e->fts_info != FTS_F || !is_case(p->corpus, name) ||
	    !is_wanted(p->corpus, name))
		return 0;
	err = file_read(&p->corpus->arena, e->fts_path, &text, &len);
	if (err == ERR_SYS)
		return refused(diag, e->fts_path);
	return err ? err : add(p, name, e->fts_path, text, len, diag);
}

static int add_tree(struct corpus *c, const char *dir, struct diag *diag)
{
	struct place p = {.corpus = c, .tree = dir};
	char *roots[] = {arena_strndup(&c->arena, dir, strlen(dir)), NULL};
	FTSENT *e;
	FTS *fts;
	int err = 0;

	if (!roots[0])
		return ERR_NOMEM;
	fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	if (!fts)
		return refused(diag, dir);
	while (!err && (e = fts_read(fts)))
		err = add_entry(&p, e, diag);
	fts_close(fts);
	return err;
}

static int by_id(const void *a, const void *b)
{
	const struct kase *const *x = a, *const *y = b;

	return strcmp((*x)->id, (*y)->id);
}

static int corpus_make(struct corpus **ret, bool probes, const char *dir,
		       const struct corpus_want *want, struct diag *diag)
{
	struct corpus *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return ERR_NOMEM;
	c->probes = probes;
	c->want = want;
	err = dir ? add_tree(c, dir, diag) : add_embedded(c, diag);
	if (err) {
		corpus_free(c);
		return err;
	}
	if (c->n)
		qsort(c->at, c->n, sizeof(struct kase *), by_id);
	c->nfirst = c->n;
	c->want = NULL;
	*ret = c;
	return 0;
}

int corpus_new(struct corpus **ret, const char *dir,
	       const struct corpus_want *want, struct diag *diag)
{
	return corpus_make(ret, false, dir, want, diag);
}

int corpus_new_probes(struct corpus **ret, const char *dir, struct diag *diag)
{
	return corpus_make(ret, true, dir, NULL, diag);
}

void corpus_free(struct corpus *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++)
		case_free(c->at[i]);
	free(c->at);
	arena_free(&c->arena);
	free(c);
}

size_t corpus_count(const struct corpus *c)
{
	return c->n;
}

const struct kase *corpus_at(const struct corpus *c, size_t n)
{
	return c->at[n];
}

/* The part of a path that becomes the id. */
static const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (const char *p = path; p; p = strstr(p + 1, "cases/"))
		if (strncmp(p, "cases/", 6) == 0 && (p == path || p[-1] == '/'))
			name = p + 6;
	return name;
}

int corpus_add_file(struct corpus *c, const char *path, struct diag *diag,
		    const struct kase **ret)
{
	return corpus_add_named(c, path, path_name(path), diag, ret);
}

int corpus_add_named(struct corpus *c, const char *path, const char *id,
		     struct diag *diag, const struct kase **ret)
{
	struct place p = {.corpus = c, .path = path};
	const char *text;
	size_t len;
	int err;

	for (size_t i = c->nfirst; i < c->n; i++)
		if (strcmp(c->at[i]->path, path) == 0) {
			*ret = c->at[i];
			return 0;
		}
	err = file_read(&c->arena, path, &text, &len);
	if (err == ERR_SYS)
		return refused(diag, path);
	if (!err)
		err = add(&p, id, path, text, len, diag);
	if (!err)
		*ret = c->at[c->n - 1];
	return err;
}
