/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_brief.c -- a case without its lines, for selection and
 * listing.
 */
#include "suite/lang/case_brief.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "suite/lang/case.h"

#define GROUP_DEPTH 8 /* nesting limit; the language allows fewer levels */

/* The roles that the lines of a chair name for each requirement. */
struct named {
	unsigned char roles[REQ_COUNT];
};

static void name_steps(struct named *n, const struct step *s, unsigned depth)
{
	for (; s && depth < GROUP_DEPTH; s = s->next) {
		for (size_t i = 0; i < s->nreqs; i++)
			n->roles[s->reqs[i].id] |=
				(unsigned char)s->reqs[i].role;
		for (size_t i = 0; i < s->ngroups; i++)
			name_steps(n, s->groups[i], depth + 1);
	}
}

static size_t case_brief_count(const struct named *n)
{
	size_t all = 0;

	for (int i = 0; i < REQ_COUNT; i++)
		all += n->roles[i] != 0;
	return all;
}

/* Returns a copy, or NULL without memory.  A NULL |s| stays NULL. */
static bool case_brief_copy_text(struct arena *a, const char *s,
				 const char **ret)
{
	if (s)
		*ret = arena_strndup(a, s, strlen(s));
	else
		*ret = NULL;
	return *ret || !s;
}

static bool copy_needs(struct arena *a, const struct needs *from,
		       struct needs *to)
{
	const char **words = arena_alloc(a, (from->n + 1) * sizeof(*words));
	bool ok = words;

	for (size_t i = 0; ok && i < from->n; i++)
		ok = case_brief_copy_text(a, from->words[i], &words[i]);
	*to = (struct needs){words, from->n};
	return ok;
}

/* Replaces the lines of a chair by one that names all their requirements. */
static bool copy_chair(struct arena *a, const struct chair_steps *from,
		       struct chair_steps *to)
{
	struct named n = {{0}};
	struct req_ref *reqs;
	struct step *s;
	size_t k = 0;

	to->present = from->present;
	if (!from->present)
		return true;
	if (!copy_needs(a, &from->needs, &to->needs))
		return false;
	name_steps(&n, from->first, 0);
	s = arena_alloc(a, sizeof(*s));
	reqs = arena_alloc(a, (case_brief_count(&n) + 1) * sizeof(*reqs));
	if (!s || !reqs)
		return false;
	for (int i = 0; i < REQ_COUNT; i++)
		if (n.roles[i])
			reqs[k++] = (struct req_ref){
				.id = (enum req_id)i,
				.role = (enum req_role)n.roles[i]};
	s->reqs = reqs;
	s->nreqs = k;
	to->first = s;
	return true;
}

static bool copy_refs(struct arena *a, const struct req_ref *from, size_t n,
		      const struct req_ref **ret, size_t *ret_n)
{
	struct req_ref *refs = arena_alloc(a, (n + 1) * sizeof(*refs));

	for (size_t i = 0; refs && i < n; i++)
		refs[i] = (struct req_ref){.id = from[i].id,
					   .role = from[i].role};
	*ret = refs;
	*ret_n = n;
	return refs;
}

static bool copy_head(struct arena *a, const struct test_case *from,
		      struct test_case *to)
{
	return case_brief_copy_text(a, from->id, &to->id) &&
	       case_brief_copy_text(a, from->section, &to->section) &&
	       case_brief_copy_text(a, from->param.name, &to->param.name) &&
	       case_brief_copy_text(a, from->param.word, &to->param.word) &&
	       case_brief_copy_text(a, from->path, &to->path) &&
	       case_brief_copy_text(a, from->title, &to->title) &&
	       case_brief_copy_text(a, from->ref, &to->ref) &&
	       copy_needs(a, &from->needs, &to->needs) &&
	       copy_refs(a, from->covers, from->ncovers, &to->covers,
			 &to->ncovers) &&
	       copy_refs(a, from->violates, from->nviolates, &to->violates,
			 &to->nviolates);
}

struct test_case *case_brief(struct arena *a, const struct test_case *c)
{
	struct test_case *b = memory_calloc(1, sizeof(*b));
	bool ok = b && copy_head(a, c, b);

	for (int i = 0; ok && i < CHAIR_COUNT; i++)
		ok = copy_chair(a, &c->chairs[i], &b->chairs[i]);
	if (!ok) {
		free(b);
		return NULL;
	}
	b->text = "";
	b->exclusive = c->exclusive;
	b->smoke = c->smoke;
	b->family = c->family;
	return b;
}
