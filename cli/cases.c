/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cases.c -- the corpus: finds, reads and parses cases, and sorts them by
 * id.
 *
 * Cases come from the embedded tree or from a folder; corpus_add_file() appends
 * single files.  Of a case that the caller does not run, only the head is kept.
 * The fragments of a tree are in its folder common/.  Those of a single file
 * are searched in common/ beside it, then in the folders above, then among the
 * embedded ones.
 */
#include "cli/cases.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/file/file.h"
#include "suite/lang/case_brief.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/case_section.h"
#include "suite/lang/chair.h"
#include "suite/lang/glob.h"
#include "suite/lang/lex/case_lex.h"

#define CLIMB_MAX 8 /* folders above a file in which common/ is looked for */

/* A file of common/, read once. */
struct fragment_text {
	struct fragment_text *next;
	const char *path, *text;
};

struct corpus {
	struct arena arena; /* paths, fragments, and heads of cases */
	struct fragment_text *fragments;
	struct test_case **at;
	size_t n, size;
	size_t nfirst;   /* cases of corpus_new; those of added files follow */
	const char *dir; /* the tree; NULL: the embedded cases */
	bool probes; /* read the stimuli of "rung probe" instead of the cases */
	/* selection while the corpus is made; NULL: all */
	const struct corpus_want *want;
};

/* The position of the fragments of a file. */
struct cases_place {
	struct corpus *corpus;
	const char *tree; /* folder of the tree; NULL: embedded, or climb */
	const char *path; /* path of the file; NULL: embedded */
};

static bool cases_ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

/* Returns the length of a file's name without ".lad". */
static int cases_stem(const char *name)
{
	const int len = (int)strlen(name);

	if (cases_ends_with(name, ".lad"))
		return len - 4;
	return len;
}

/*
 * Returns true if a selector matches a case of that file, or one of its chairs.
 * |section| NULL: the plain case.  |value| NULL: a case without a "for" line;
 * else the "len=1" of the case.
 */
static bool cases_is_wanted(const struct corpus *c, const char *name,
			    const char *section, const char *value)
{
	char id[320];

	if (!c->want || !c->want->n)
		return true;
	snprintf(id, sizeof(id), "%.*s%s%s%s%s%s", cases_stem(name), name,
		 section ? "-" : "", text_or(section, ""), value ? "[" : "",
		 text_or(value, ""), value ? "]" : "");
	for (size_t i = 0; i < c->want->n; i++)
		if (glob_selects(c->want->selectors[i], id, "target") ||
		    glob_selects(c->want->selectors[i], id, "initiator"))
			return true;
	return false;
}

/* Returns true if a selector matches the plain case, or may match another. */
static bool cases_may_be_wanted(const struct corpus *c, const char *name)
{
	static const char *const more[] = {"-", "["}; /* a section, a value */
	char begin[320];

	if (cases_is_wanted(c, name, NULL, NULL))
		return true;
	for (size_t k = 0; k < sizeof(more) / sizeof(more[0]); k++) {
		snprintf(begin, sizeof(begin), "%.*s%s", cases_stem(name), name,
			 more[k]);
		for (size_t i = 0; i < c->want->n; i++)
			if (glob_may_select(c->want->selectors[i], begin))
				return true;
	}
	return false;
}

/*
 * Fragments and mutants are in the same tree, but are no cases.  The stimuli of
 * "rung probe" are read only for that command.
 */
static bool is_case(const struct corpus *c, const char *name)
{
	return cases_ends_with(name, ".lad") &&
	       strncmp(name, "common/", 7) != 0 &&
	       strncmp(name, "mutants/", 8) != 0 &&
	       (strncmp(name, "probe/", 6) == 0) == c->probes;
}

static const char *fragment_file(struct corpus *c, const char *path,
				 const char **ret_path)
{
	struct fragment_text *f = c->fragments;
	const char *text;
	size_t len;

	while (f && strcmp(f->path, path) != 0)
		f = f->next;
	if (!f) {
		if (file_read(&c->arena, path, &text, &len))
			return NULL;
		f = arena_alloc(&c->arena, sizeof(*f));
		path = arena_strndup(&c->arena, path, strlen(path));
		if (!f || !path)
			return NULL;
		*f = (struct fragment_text){c->fragments, path, text};
		c->fragments = f;
	}
	*ret_path = f->path;
	return f->text;
}

/* Searches in common/ beside the file, then in each folder above. */
static const char *fragment_climb(const struct cases_place *p, const char *name,
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
static const char *cases_fragment(void *ctx, const char *name,
				  const char **ret_path)
{
	const struct cases_place *p = ctx;
	const char *text = NULL;
	char file[256], path[4096];

	snprintf(file, sizeof(file), "common/%s%s", name,
		 cases_ends_with(name, ".lad") ? "" : ".lad");
	if (p->tree) {
		snprintf(path, sizeof(path), "%s/%s", p->tree, file);
		return fragment_file(p->corpus, path, ret_path);
	}
	if (p->path)
		text = fragment_climb(p, file, ret_path);
	if (text)
		return text;
	return builtin_fragment_file(file, ret_path);
}

static int cases_append(struct corpus *c, struct test_case *k)
{
	if (c->n == c->size) {
		size_t size = c->size ? 2 * c->size : 64;
		struct test_case **at =
			memory_realloc(c->at, size * sizeof(*at));

		if (!at)
			return ERR_NOMEM;
		c->at = at;
		c->size = size;
	}
	c->at[c->n++] = k;
	return 0;
}

/* Returns true if the lines of a case are needed. */
static bool cases_is_whole(const struct corpus *c, const struct test_case *k)
{
	if (!c->want)
		return true;
	if (c->want->brief)
		return false;
	return !c->want->runs || c->want->runs(c->want->ctx, k);
}

/* Appends a case, or only its head.  Owns |k| from now on. */
static int append_wanted(struct corpus *c, struct test_case *k)
{
	struct test_case *kept = k;
	int err;

	if (!cases_is_whole(c, k)) {
		kept = case_brief(&c->arena, k);
		case_free(k);
		if (!kept)
			return ERR_NOMEM;
	}
	err = cases_append(c, kept);
	if (err)
		case_free(kept);
	return err;
}

static int cases_add_one(struct cases_place *p,
			 const struct case_source *source, struct diag *diag)
{
	struct test_case *k;
	int err = case_parse(&k, source, cases_fragment, p, diag);

	if (err)
		return err;
	return append_wanted(p->corpus, k);
}

/* Parses the wanted cases of a section: one, or one for each value. */
static int cases_add_section(struct cases_place *p, const char *name,
			     struct case_source *source, struct diag *diag)
{
	struct case_values values;
	int err = 0;

	source->value = NULL;
	case_values(&values, source->text, source->len, source->section);
	if (!values.n) {
		if (cases_is_wanted(p->corpus, name, source->section, NULL))
			err = cases_add_one(p, source, diag);
		return err;
	}
	for (size_t i = 0; i < values.n && !err; i++) {
		char value[CASE_VALUE_NAME_MAX + CASE_VALUE_MAX + 2];

		snprintf(value, sizeof(value), "%s=%s", values.name,
			 values.words[i]);
		source->value = values.words[i];
		if (cases_is_wanted(p->corpus, name, source->section, value))
			err = cases_add_one(p, source, diag);
	}
	return err;
}

/*
 * Parses the wanted cases of a file.  Its name, with or without ".lad", is the
 * id of the plain case.
 */
static int cases_add(struct cases_place *p, const char *name, const char *path,
		     const char *text, size_t len, struct diag *diag)
{
	struct case_source source = {.path = path, .text = text, .len = len};
	struct case_sections sections;
	char id[256];
	int err;

	snprintf(id, sizeof(id), "%.*s", cases_stem(name), name);
	source.id = id;
	err = cases_add_section(p, name, &source, diag);
	case_sections(&sections, text, len);
	for (size_t i = 0; i < sections.n && !err; i++) {
		source.section = sections.names[i];
		err = cases_add_section(p, name, &source, diag);
	}
	return err;
}

static int add_embedded(struct corpus *c, struct diag *diag)
{
	struct cases_place p = {.corpus = c};

	for (const struct case_file *f = builtin_files(); f->name; f++) {
		char path[256];
		int err;

		if (!is_case(c, f->name) || !cases_may_be_wanted(c, f->name))
			continue;
		snprintf(path, sizeof(path), "cases/%s", f->name);
		err = cases_add(&p, f->name, path, f->text, f->len, diag);
		if (err)
			return err;
	}
	return 0;
}

/* Names the file that could not be opened or read. */
static int cases_refused(struct diag *diag, const char *path)
{
	int kept = errno;

	snprintf(diag->file, sizeof(diag->file), "%s", path);
	snprintf(diag->text, sizeof(diag->text), "%s", strerror(kept));
	errno = kept;
	return ERR_SYS;
}

static int cases_add_entry(struct cases_place *p, const FTSENT *e,
			   struct diag *diag)
{
	const char *name = e->fts_path + strlen(p->tree);
	struct arena file = {0};
	const char *text;
	size_t len;
	int err;

	if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR ||
	    e->fts_info == FTS_NS) {
		errno = e->fts_errno;
		return cases_refused(diag, e->fts_path);
	}
	while (*name == '/')
		name++;
	if (e->fts_info != FTS_F || !is_case(p->corpus, name) ||
	    !cases_may_be_wanted(p->corpus, name))
		return 0;
	err = file_read(&file, e->fts_path, &text, &len);
	if (err == ERR_SYS)
		return cases_refused(diag, e->fts_path);
	if (!err)
		err = cases_add(p, name, e->fts_path, text, len, diag);
	arena_free(&file);
	return err;
}

static int add_tree(struct corpus *c, const char *dir, struct diag *diag)
{
	struct cases_place p = {.corpus = c, .tree = dir};
	char *roots[] = {arena_strndup(&c->arena, dir, strlen(dir)), NULL};
	FTSENT *e;
	FTS *fts;
	int err = 0;

	if (!roots[0])
		return ERR_NOMEM;
	fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	if (!fts)
		return cases_refused(diag, dir);
	while (!err && (e = fts_read(fts)))
		err = cases_add_entry(&p, e, diag);
	fts_close(fts);
	return err;
}

static int cases_by_id(const void *a, const void *b)
{
	const struct test_case *const *x = a, *const *y = b;

	return strcmp((*x)->id, (*y)->id);
}

static int corpus_make(struct corpus **ret, bool probes, const char *dir,
		       const struct corpus_want *want, struct diag *diag)
{
	struct corpus *c = memory_calloc(1, sizeof(*c));
	int err;

	if (!c)
		return ERR_NOMEM;
	c->probes = probes;
	c->dir = dir;
	c->want = want;
	if (dir)
		err = add_tree(c, dir, diag);
	else
		err = add_embedded(c, diag);
	if (err) {
		corpus_free(c);
		return err;
	}
	if (c->n)
		qsort(c->at, c->n, sizeof(struct test_case *), cases_by_id);
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

static void cases_offer(const struct corpus *c, const char *name,
			struct near *near)
{
	char id[256];

	if (!is_case(c, name))
		return;
	snprintf(id, sizeof(id), "%.*s", cases_stem(name), name);
	near_offer_copy(near, id);
}

static void cases_offer_tree(const struct corpus *c, struct near *near)
{
	char *roots[] = {strdup(c->dir), NULL};
	FTSENT *e;
	FTS *fts = NULL;

	if (roots[0])
		fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	while (fts && (e = fts_read(fts))) {
		const char *name = e->fts_path + strlen(c->dir);

		cases_offer(c, name + strspn(name, "/"), near);
	}
	if (fts)
		fts_close(fts);
	free(roots[0]);
}

void corpus_offer(const struct corpus *c, struct near *near)
{
	if (c->dir) {
		cases_offer_tree(c, near);
		return;
	}
	for (const struct case_file *f = builtin_files(); f->name; f++)
		cases_offer(c, f->name, near);
}

static bool corpus_holds(const struct corpus *c, const char *selector)
{
	for (size_t i = 0; i < c->n; i++)
		for (int chair = 0; chair < CHAIR_COUNT; chair++)
			if (c->at[i]->chairs[chair].present &&
			    glob_selects(selector, c->at[i]->id,
					 chair_name((enum chair)chair)))
				return true;
	return false;
}

bool corpus_has(const struct corpus *c, const char *selector)
{
	char *copy;
	struct corpus_want want = {.selectors = &copy, .n = 1, .brief = true};
	struct corpus *all = NULL;
	struct diag diag = {0};
	bool has = true;

	if (corpus_holds(c, selector))
		return true;
	copy = strdup(selector);
	if (copy && !corpus_make(&all, c->probes, c->dir, &want, &diag))
		has = corpus_holds(all, selector);
	corpus_free(all);
	free(copy);
	return has;
}

size_t corpus_count(const struct corpus *c)
{
	return c->n;
}

const struct test_case *corpus_at(const struct corpus *c, size_t n)
{
	return c->at[n];
}

/* Returns the part of a path that becomes the id. */
static const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (const char *p = path; p; p = strstr(p + 1, "cases/"))
		if (strncmp(p, "cases/", 6) == 0 && (p == path || p[-1] == '/'))
			name = p + 6;
	return name;
}

/* Finds the cases of an added file, which are contiguous in |c|. */
static void corpus_find_file(const struct corpus *c, const char *path,
			     size_t *ret_first, size_t *ret_n)
{
	size_t i = c->nfirst;

	while (i < c->n && strcmp(c->at[i]->path, path) != 0)
		i++;
	*ret_first = i;
	while (i < c->n && strcmp(c->at[i]->path, path) == 0)
		i++;
	*ret_n = i - *ret_first;
}

int corpus_add_file(struct corpus *c, const char *path, const char *as,
		    struct diag *diag, size_t *ret_first, size_t *ret_n)
{
	struct cases_place p = {.corpus = c, .path = path};
	const char *text;
	size_t len;
	int err;

	corpus_find_file(c, path, ret_first, ret_n);
	if (*ret_n)
		return 0;
	err = file_read(&c->arena, path, &text, &len);
	if (err == ERR_SYS)
		return cases_refused(diag, path);
	if (!err)
		err = cases_add(&p, as ? as : path_name(path), path, text, len,
				diag);
	corpus_find_file(c, path, ret_first, ret_n);
	return err;
}
