/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_parse.c -- parses the frame of a case file: head lines,
 * chairs, impaired sections and fragments, and checks that the case is
 * complete.
 */
#include "suite/lang/case_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/lang/case.h"
#include "suite/lang/case_head.h"
#include "suite/lang/case_section.h"
#include "suite/lang/chair.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/line/case_step.h"
#include "suite/lang/line/line_cache.h"
#include "suite/lang/parse_state.h"
#include "suite/lang/rung/case_rung.h"

/*
 * The line "chair target", perhaps with the capabilities that it needs.  For a
 * misspelt word *ret is the chair that is meant, if that is clear.
 */
static int parse_chair_line(struct parse *p, enum chair *ret,
			    struct needs *needs)
{
	struct word w;
	struct near n;

	if (lex_indented(p->lex))
		return lex_error(p->lex, NULL, "'chair' begins in column 1");
	if (!lex_take(p->lex, "chair"))
		return lex_error(p->lex, NULL, "expected a chair");
	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected target or initiator");
	for (unsigned i = 0; i < CHAIR_COUNT; i++) {
		if (!word_is(w, chair_name((enum chair)i)))
			continue;
		*ret = (enum chair)i;
		if (lex_take(p->lex, "needs"))
			return read_needs(p, needs);
		return lex_done(p->lex);
	}
	near_init(&n, w);
	for (unsigned i = 0; i < CHAIR_COUNT; i++) {
		near_offer(&n, chair_name((enum chair)i));
		if (n.best == chair_name((enum chair)i))
			*ret = (enum chair)i;
	}
	return lex_error(p->lex, w.s,
			 "expected target or initiator, not '%.*s'%s", WORD(w),
			 near_hint(&n));
}

static bool at_word(struct parse *p, const char *word)
{
	struct word w;

	return lex_peek(p->lex, &w) && word_is(w, word);
}

static bool at_chair(struct parse *p)
{
	return at_word(p, "chair");
}

static bool at_section(struct parse *p)
{
	return at_word(p, "impaired");
}

static int late_head(struct parse *p)
{
	struct word w;

	if (!lex_peek(p->lex, &w) || !parse_is_head(w))
		return 0;
	if (p->uses && word_is(w, "needs")) /* belongs to a fragment's chair */
		return 0;
	return lex_error(p->lex, w.s, "'%.*s' belongs above the first chair",
			 WORD(w));
}

/* Skips the rest of |groups| open groups; 1, 0 at the end, or an error. */
static int skip_groups(struct parse *p, unsigned groups)
{
	int more = 1;

	while (groups && (more = lex_line(p->lex)) > 0) {
		if (at_word(p, "}"))
			groups--;
		else if (p->lex->eol > p->lex->p && p->lex->eol[-1] == '{')
			groups++;
	}
	return more;
}

/*
 * Keeps an error of a line, so that the parser can go on behind that line.
 * Symbols then count as bound, since the line may have bound some.
 *
 * Return: 0: go on; else the error.  Errors of fragments end the parse.
 */
static int parse_go_on(struct parse *p, int err)
{
	if (err != ERR_SYNTAX || p->uses || p->errors + 1 == ERRORS_MAX)
		return err;
	if (p->errors++)
		diag_append(p->first, &p->later);
	else
		p->first = p->lex->diag;
	p->later = (struct diag){0};
	p->lex->diag = &p->later;
	p->loose = true;
	return 0;
}

/* parse_line for a line of the case itself; goes on after an error. */
static int parse_case_line(struct parse *p, struct step_list *list)
{
	struct lex *const lex = p->lex;
	const unsigned uses = p->uses;
	const char *const need = p->need;
	int err;

	if (p->errors && at_word(p, "}"))
		return 0; /* of a group whose first line had an error */
	err = late_head(p);
	if (!err)
		err = parse_line(p, list);
	if (!err)
		return 0;
	p->lex = lex;
	p->uses = uses;
	p->need = need;
	err = parse_go_on(p, err);
	if (!err && skip_groups(p, p->groups) < 0)
		err = ERR_SYNTAX;
	p->groups = 0;
	return err;
}

/*
 * Reads lines up to the next chair or section.  Returns 1 if the current line
 * begins one, 0 at the end.
 */
static int parse_steps(struct parse *p, struct step_list *list)
{
	int more;

	for (;;) {
		do
			more = line_cache_take_next(p, list);
		while (more > 0);
		if (!more)
			more = lex_line(p->lex);
		if (more <= 0 || at_chair(p) || at_section(p))
			return more;
		more = parse_case_line(p, list);
		if (more)
			return more;
	}
}

/* Skips lines up to the next chair or section.  Returns as parse_steps(). */
static int skip_steps(struct parse *p)
{
	int more;

	while ((more = lex_line(p->lex)) > 0 && !at_chair(p) && !at_section(p))
		;
	return more;
}

static int parse_chair(struct parse *p, struct test_case *c)
{
	struct step_list list = {0};
	const unsigned line = p->lex->line;
	const char *source = p->lex->source;
	struct needs needs = {0};
	int err, more;

	p->chair = CHAIR_COUNT;
	err = parse_chair_line(p, &p->chair, &needs);
	if (err)
		err = parse_go_on(p, err);
	if (err)
		return err;
	if (p->chair == CHAIR_COUNT) /* an error; the lines have no meaning */
		return skip_steps(p);
	if (c->chairs[p->chair].present)
		return lex_error(p->lex, source, "a second 'chair %s'",
				 chair_name(p->chair));
	p->symbols = NULL;
	p->expecting = 0;
	if (c->param.name && parse_bind(p, c->param.name))
		return ERR_NOMEM;
	if (p->lines)
		line_cache_prefetch(p->lines, p->lex->at, p->lex->end,
				    p->chair);
	more = parse_steps(p, &list);
	if (more < 0)
		return more;
	if (!p->expecting && !p->errors)
		return diag_set(p->lex->diag, p->lex->file, line, 1, source,
				"chair %s checks nothing: no line of it "
				"expects anything",
				chair_name(p->chair));
	c->chairs[p->chair] = (struct chair_steps){
		.present = true, .needs = needs, .first = list.first};
	return more;
}

/* Finds and reads the section of p->chair in the fragment. */
static int parse_fragment(struct parse *p, struct step_list *list,
			  const char *name)
{
	bool found = false;
	int more = skip_steps(p);

	while (more > 0) {
		enum chair chair;
		struct needs needs = {
			0}; /* the chair of a fragment has none of its own */
		int err = parse_chair_line(p, &chair, &needs);

		if (err)
			return err;
		found |= chair == p->chair;
		more = chair == p->chair ? parse_steps(p, list) : skip_steps(p);
	}
	if (more < 0)
		return more;
	if (!found)
		return lex_error(p->lex, p->lex->source,
				 "fragment '%s' has no 'chair %s'", name,
				 chair_name(p->chair));
	return 0;
}

static int enter_fragment(struct parse *p, struct word w, const char *name)
{
	for (unsigned i = 0; i < p->uses; i++)
		if (!strcmp(p->used[i], name))
			return lex_error(p->lex, w.s,
					 "fragment '%s' uses itself", name);
	if (p->uses == USE_DEPTH)
		return lex_error(p->lex, w.s,
				 "fragments in fragments, deeper than %d",
				 USE_DEPTH);
	p->used[p->uses++] = name;
	return 0;
}

/* |similar|: the path of a fragment with a similar name, or NULL. */
static int no_fragment(struct lex *l, struct word w, const char *name,
		       const char *similar)
{
	const char *slash = similar ? strrchr(similar, '/') : NULL;
	const char *base = slash ? slash + 1 : similar;

	if (!similar)
		return lex_error(l, w.s, "no fragment '%s'", name);
	return lex_error(l, w.s, "no fragment '%s'; did you mean '%.*s'?", name,
			 (int)strcspn(base, "."), base);
}

static int parse_use(struct parse *p, struct word w, struct step_list *list)
{
	const char *name = lex_copy(p->lex, w), *path = NULL, *text = NULL;
	const char *const need = p->need;
	struct lex *outer = p->lex, inner;
	int err;

	if (!name)
		return ERR_NOMEM;
	err = enter_fragment(p, w, name);
	if (err)
		return err;
	if (p->fragment)
		text = p->fragment(p->fragment_ctx, name, &path);
	if (!text)
		return no_fragment(outer, w, name, path);
	path = arena_strndup(p->arena, path ? path : name,
			     strlen(path ? path : name));
	text = arena_strndup(p->arena, text, strlen(text));
	if (!path || !text)
		return ERR_NOMEM;
	lex_open(&inner, p->arena, outer->diag, path, text, strlen(text));
	p->lex = &inner;
	err = parse_fragment(p, list, name);
	p->lex = outer;
	p->need = need;
	p->uses--;
	return err;
}

/* Reads head lines up to the first chair. */
static int parse_head(struct parse *p, struct test_case *c)
{
	int more;

	while ((more = lex_line(p->lex)) > 0 && !at_chair(p)) {
		int err = parse_head_line(p, c);

		if (err)
			err = parse_go_on(p, err);
		if (err)
			return err;
	}
	return more;
}

static int parse_chairs(struct parse *p, struct test_case *c)
{
	int more = 1;

	while (more > 0 && at_chair(p))
		more = parse_chair(p, c);
	return more;
}

/* A name is part of an id: lower case letters, digits and '-'. */
static bool section_name_valid(struct word w)
{
	if (word_is(w, CASE_SECTION_PLAIN))
		return false;
	for (size_t i = 0; i < w.len; i++)
		if (!(w.s[i] >= 'a' && w.s[i] <= 'z') &&
		    !(w.s[i] >= '0' && w.s[i] <= '9') && w.s[i] != '-')
			return false;
	return w.len && w.len <= CASE_SECTION_NAME_MAX && w.s[0] != '-';
}

/* Reads "impaired NAME"; |seen| has the names of the sections above. */
static int parse_section_name(struct parse *p, struct case_sections *seen)
{
	struct word w;

	if (lex_indented(p->lex))
		return lex_error(p->lex, NULL, "'impaired' begins in column 1");
	lex_take(p->lex, "impaired");
	if (!lex_word(p->lex, &w) || !section_name_valid(w))
		return lex_error(p->lex, w.s,
				 "expected a name, such as drop: up to %d of "
				 "a-z, 0-9 and '-', but not %s",
				 CASE_SECTION_NAME_MAX, CASE_SECTION_PLAIN);
	for (size_t i = 0; i < seen->n; i++)
		if (word_is(w, seen->names[i]))
			return lex_error(p->lex, w.s,
					 "a second 'impaired %.*s'", WORD(w));
	if (seen->n == CASE_SECTIONS_MAX)
		return lex_error(p->lex, w.s, "more than %d sections",
				 CASE_SECTIONS_MAX);
	memcpy(seen->names[seen->n], w.s, w.len);
	seen->names[seen->n++][w.len] = 0;
	return lex_done(p->lex);
}

/*
 * Skips sections up to the one called |name| and stops on its line; NULL: up
 * to the end.
 */
static int skip_sections(struct parse *p, const char *name,
			 struct case_sections *seen)
{
	int more = 1;

	while (more > 0) {
		int err = at_section(p) ? parse_section_name(p, seen) : 0;

		if (err)
			return err;
		if (name && seen->n && !strcmp(seen->names[seen->n - 1], name))
			return 1;
		more = skip_steps(p);
	}
	return more;
}

/*
 * Reads the head and the chairs of a section.  A head line that it omits is
 * taken from the plain case, except title, covers and profile.
 */
static int parse_impaired(struct parse *p, struct test_case *c)
{
	const struct test_case plain = *c;
	int more;

	c->title = c->ref = NULL;
	c->param = (struct parameter){0};
	c->covers = c->violates = NULL;
	c->needs = (struct needs){0};
	c->ncovers = c->nviolates = 0;
	c->smoke = c->exclusive = false;
	more = parse_head(p, c);
	if (more > 0)
		more = parse_chairs(p, c);
	if (!c->ref)
		c->ref = plain.ref;
	if (!c->needs.n) {
		c->needs = plain.needs;
	}
	if (!c->nviolates) {
		c->violates = plain.violates;
		c->nviolates = plain.nviolates;
	}
	return more;
}

static int parse_impaired_all(struct parse *p, struct test_case *c, int more)
{
	struct case_sections seen = {0};

	if (c->section && more > 0)
		more = skip_sections(p, c->section, &seen);
	if (c->section && !more)
		return lex_error(p->lex, p->lex->source,
				 "there is no 'impaired %s'", c->section);
	if (c->section && more > 0)
		more = parse_impaired(p, c);
	if (more > 0)
		return skip_sections(p, NULL, &seen);
	return more;
}

static int parse_all(struct parse *p, struct test_case *c)
{
	int err, more = parse_head(p, c);

	if (more > 0 && !c->section)
		more = parse_chairs(p, c);
	err = more < 0 ? more : parse_impaired_all(p, c, more);
	if (err || p->errors)
		return err;
	if (!c->ref)
		c->ref = "";
	return check_head(p, c);
}

/* The id of a section is that of the plain case, '-', and its name. */
static const char *test_case_id(struct arena *a, const struct case_source *s)
{
	const size_t n = strlen(s->id);
	const size_t more = s->section ? strlen(s->section) + 1 : 0;
	char *id = arena_alloc(a, n + more + 1);

	if (!id)
		return NULL;
	memcpy(id, s->id, n);
	if (s->section) {
		id[n] = '-';
		memcpy(id + n + 1, s->section, more - 1);
	}
	id[n + more] = 0;
	return id;
}

/* Appends "[len=1023]" to the id of a case with a parameter. */
static int test_case_id_value(struct test_case *c)
{
	const size_t n = strlen(c->id);
	const size_t name = c->param.name ? strlen(c->param.name) : 0;
	const size_t word = c->param.word ? strlen(c->param.word) : 0;
	char *id;

	if (!name)
		return 0;
	id = arena_alloc(&c->arena, n + name + word + 4);
	if (!id)
		return ERR_NOMEM;
	snprintf(id, n + name + word + 4, "%s[%s=%s]", c->id, c->param.name,
		 c->param.word);
	c->id = id;
	return 0;
}

static bool test_case_texts(struct test_case *c, const struct case_source *s)
{
	struct arena *a = &c->arena;

	if (s->section)
		c->section = arena_strndup(a, s->section, strlen(s->section));
	c->id = test_case_id(a, s);
	c->path = arena_strndup(a, s->path, strlen(s->path));
	c->text = arena_strndup(a, s->text, s->len);
	return c->id && c->path && c->text && (c->section || !s->section);
}

/* Adds the error that ended the parse, if one did, to those before it. */
static int parse_end_errors(struct parse *p, int err)
{
	if (p->later.text[0])
		diag_append(p->first, &p->later);
	if (err == ERR_NOMEM)
		return err;
	return ERR_SYNTAX;
}

int case_parse_cached(struct test_case **ret, const struct case_source *source,
		      case_fragment_fn *fragment, void *fragment_ctx,
		      struct line_cache *lines, struct diag *diag)
{
	struct test_case *c = memory_calloc(1, sizeof(*c));
	struct parse p = {.fragment = fragment,
			  .fragment_ctx = fragment_ctx,
			  .use = parse_use,
			  .lines = lines};
	struct lex lex;
	int err = ERR_NOMEM;

	if (!c)
		return ERR_NOMEM;
	if (test_case_texts(c, source)) {
		p.lex = &lex;
		p.arena = &c->arena;
		lex_open(&lex, &c->arena, diag, c->path, c->text, source->len);
		p.value = source->value;
		err = parse_all(&p, c);
		if (!err)
			err = test_case_id_value(c);
		if (p.errors)
			err = parse_end_errors(&p, err);
	}
	if (err < 0) {
		case_free(c);
		return err;
	}
	*ret = c;
	return 0;
}

int case_parse(struct test_case **ret, const struct case_source *source,
	       case_fragment_fn *fragment, void *fragment_ctx,
	       struct diag *diag)
{
	return case_parse_cached(ret, source, fragment, fragment_ctx, NULL,
				 diag);
}

void case_free(struct test_case *c)
{
	if (!c)
		return;
	arena_free(&c->arena);
	free(c);
}

/* Opens a text of exactly one line; otherwise returns an error. */
static int open_line(struct lex *l, struct arena *arena, const char *text,
		     struct diag *diag)
{
	const char *copy = arena_strndup(arena, text, strlen(text));
	int more;

	if (!copy)
		return ERR_NOMEM;
	lex_open(l, arena, diag, "rung", copy, strlen(copy));
	more = lex_line(l);
	if (more < 0)
		return more;
	if (more)
		return 0;
	return lex_error(l, l->source, "expected a packet");
}

int rung_parse(struct arena *arena, struct rung *ret, const char *text,
	       bool expect, struct diag *diag)
{
	struct lex l;
	struct parse p = {
		.lex = &l, .arena = arena, .loose = true, .use = parse_use};
	struct rung r;
	int err = open_line(&l, arena, text, diag);

	if (!err)
		err = parse_rung(&p, expect ? RUNG_EXPECT : RUNG_SEND, &r);
	if (!err)
		err = lex_done(&l);
	if (!err)
		*ret = r;
	return err;
}

int step_parse(struct arena *arena, const struct step **ret, const char *text,
	       enum chair chair, struct diag *diag)
{
	struct lex l;
	struct parse p = {.lex = &l,
			  .arena = arena,
			  .chair = chair,
			  .loose = true,
			  .use = parse_use};
	struct step_list list = {0};
	int err = open_line(&l, arena, text, diag);

	if (!err)
		err = parse_line(&p, &list);
	if (!err && !list.first)
		err = lex_error(&l, NULL, "expected a step");
	if (!err)
		*ret = list.first;
	return err;
}
