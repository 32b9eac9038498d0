/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_head.c -- parses the head of a case: title, ref, covers,
 * needs and others.
 */
#include "suite/lang/case_head.h"

#include <string.h>

#include "base/err.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_row.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/line/case_reqs.h"
#include "suite/lang/parse_state.h"

#define VALUES_MAX 64

struct head_line {
	const char *word;
	int (*parse)(struct parse *p, struct test_case *c);
};

static int take_text(struct parse *p, const char **to)
{
	struct word w;

	if (*to)
		return lex_error(p->lex, p->lex->source, "given twice");
	w = lex_rest(p->lex);
	if (!w.len)
		return lex_error(p->lex, w.s, "expected a text");
	*to = lex_copy(p->lex, w);
	if (*to)
		return 0;
	return ERR_NOMEM;
}

static int parse_title(struct parse *p, struct test_case *c)
{
	return take_text(p, &c->title);
}

static int parse_ref(struct parse *p, struct test_case *c)
{
	return take_text(p, &c->ref);
}

/*
 * Returns a copy of an array with room for one more element; the old one is
 * unchanged.
 */
static void *one_more(struct parse *p, const void *old, size_t n, size_t size)
{
	void *more = arena_alloc(p->arena, (n + 1) * size);

	if (more && n)
		return memcpy(more, old, n * size);
	return more;
}

static int add_ref(struct parse *p, struct word w, const struct req_ref **list,
		   size_t *n)
{
	struct req_ref *more, r;
	int err = parse_req(p, w, CHAIR_COUNT, &r);

	if (err)
		return err;
	for (size_t i = 0; i < *n; i++)
		if ((*list)[i].id == r.id && (*list)[i].role == r.role)
			return lex_error(p->lex, w.s, "'%.*s' is given twice",
					 WORD(w));
	if (*n == 64)
		return lex_error(p->lex, w.s, "more than 64 ids");
	more = one_more(p, *list, *n, sizeof(*more));
	if (!more)
		return ERR_NOMEM;
	more[(*n)++] = r;
	*list = more;
	return 0;
}

static int take_refs(struct parse *p, const struct req_ref **list, size_t *n)
{
	struct word w;
	int err = 0;

	if (!lex_peek(p->lex, &w))
		return lex_error(p->lex, w.s, "expected ids: RUD-SEQ-76");
	while (!err && lex_word(p->lex, &w))
		err = add_ref(p, w, list, n);
	return err;
}

/* Parses a value of the "for" line; keeps it if it is that of the case. */
static int parse_head_value(struct parse *p, struct test_case *c, struct word w,
			    struct word *seen, size_t *n)
{
	struct word name = w;
	struct number value;
	int err = parse_number(p, w, NULL, false, false, &value);

	if (err)
		return err;
	if (name.s[0] == '$')
		name = (struct word){w.s + 1, w.len - 1};
	for (size_t i = 0; i < *n; i++)
		if (seen[i].len == name.len &&
		    !memcmp(seen[i].s, name.s, name.len))
			return lex_error(p->lex, w.s, "'%.*s' is given twice",
					 WORD(w));
	if (*n == VALUES_MAX)
		return lex_error(p->lex, w.s, "more than %d values",
				 VALUES_MAX);
	seen[(*n)++] = name;
	if (p->value ? !word_is(name, p->value) : *n > 1)
		return 0;
	c->param.word = lex_copy(p->lex, name);
	c->param.value = value;
	if (c->param.word)
		return 0;
	return ERR_NOMEM;
}

/* Parses "from 1" or "to mtu" behind the values. */
static int parse_head_bound(struct parse *p, const char *word, bool *ret_set,
			    struct number *ret)
{
	struct word w;

	*ret_set = lex_take(p->lex, word);
	if (!*ret_set)
		return 0;
	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected a number behind '%s'",
				 word);
	return parse_number(p, w, NULL, false, false, ret);
}

/* Parses "for len in 0 1 mtu": each value makes a case. */
static int parse_head_for(struct parse *p, struct test_case *c)
{
	struct word seen[VALUES_MAX], w, in;
	size_t n = 0;
	int err = 0;

	if (c->param.name)
		return lex_error(p->lex, p->lex->source, "given twice");
	if (!lex_word(p->lex, &w) || !parse_is_symbol_name(w) ||
	    !lex_word(p->lex, &in) || !word_is(in, "in"))
		return lex_error(p->lex, w.s, "expected for len in 0 1 mtu");
	c->param.name = lex_copy(p->lex, w);
	if (!c->param.name)
		return ERR_NOMEM;
	if (decl_has_number(c->param.name))
		return lex_error(p->lex, w.s,
				 "'$%s' is a number of the declaration",
				 c->param.name);
	while (!err && lex_peek(p->lex, &w) && !word_is(w, "from") &&
	       !word_is(w, "to")) {
		lex_word(p->lex, &w);
		err = parse_head_value(p, c, w, seen, &n);
	}
	if (!err && !n)
		return lex_error(p->lex, w.s, "expected values: 0 1 mtu");
	if (!err && !c->param.word)
		return lex_error(p->lex, p->lex->source, "there is no value %s",
				 p->value);
	if (!err)
		err = parse_head_bound(p, "from", &c->param.from_set,
				       &c->param.from);
	if (!err)
		err = parse_head_bound(p, "to", &c->param.to_set, &c->param.to);
	if (err)
		return err;
	return lex_done(p->lex);
}

static int parse_covers(struct parse *p, struct test_case *c)
{
	return take_refs(p, &c->covers, &c->ncovers);
}

static int parse_violates(struct parse *p, struct test_case *c)
{
	return take_refs(p, &c->violates, &c->nviolates);
}

static int no_capability(struct parse *p, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (const struct capability *i = decl_capabilities; i->word; i++)
		near_offer(&n, i->word);
	return lex_error(p->lex, w.s, "no capability '%.*s'%s", WORD(w),
			 near_hint(&n));
}

static int add_need(struct parse *p, struct word w, struct needs *needs)
{
	const char **more;

	if (!decl_capability(w.s, w.len))
		return no_capability(p, w);
	if (needs->n == 64)
		return lex_error(p->lex, w.s, "more than 64 capabilities");
	more = one_more(p, needs->words, needs->n, sizeof(*more));
	if (!more)
		return ERR_NOMEM;
	more[needs->n] = lex_copy(p->lex, w);
	needs->words = more;
	if (more[needs->n++])
		return 0;
	return ERR_NOMEM;
}

int read_needs(struct parse *p, struct needs *needs)
{
	struct word w;
	int err = 0;

	if (!lex_peek(p->lex, &w))
		return lex_error(p->lex, w.s, "expected capabilities");
	while (!err && lex_word(p->lex, &w))
		err = add_need(p, w, needs);
	return err;
}

static int parse_needs(struct parse *p, struct test_case *c)
{
	return read_needs(p, &c->needs);
}

static int parse_profile(struct parse *p, struct test_case *c)
{
	struct word w;

	if (!lex_peek(p->lex, &w))
		return lex_error(p->lex, w.s,
				 "expected smoke, full or exclusive");
	while (lex_word(p->lex, &w))
		if (word_is(w, "smoke"))
			c->smoke = true;
		else if (word_is(w, "exclusive"))
			c->exclusive = true;
		else if (!word_is(w, "full"))
			return lex_error(p->lex, w.s,
					 "expected smoke, full or exclusive");
	return 0;
}

static int parse_exclusive(struct parse *p, struct test_case *c)
{
	c->exclusive = true;
	return lex_done(p->lex);
}

static int parse_family(struct parse *p, struct test_case *c)
{
	struct word w;

	lex_word(p->lex, &w);
	if (family_find(w.s, w.len, &c->family))
		return lex_error(p->lex, w.s, "expected uet, srd, wqe or roce");
	return lex_done(p->lex);
}

static const struct head_line head_lines[] = {
	{"family", parse_family},   {"title", parse_title},
	{"ref", parse_ref},         {"covers", parse_covers},
	{"needs", parse_needs},     {"violates", parse_violates},
	{"profile", parse_profile}, {"exclusive", parse_exclusive},
	{"for", parse_head_for},
};

#define HEAD_LINES (sizeof(head_lines) / sizeof(head_lines[0]))

const char *parse_head_word(size_t n)
{
	if (n < HEAD_LINES)
		return head_lines[n].word;
	return NULL;
}

static const struct head_line *head_named(struct word w)
{
	for (size_t i = 0; i < HEAD_LINES; i++)
		if (word_is(w, head_lines[i].word))
			return &head_lines[i];
	return NULL;
}

bool parse_is_head(struct word w)
{
	return head_named(w) != NULL;
}

static int no_head(struct parse *p, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (size_t i = 0; i < HEAD_LINES; i++)
		near_offer(&n, head_lines[i].word);
	near_offer(&n, "chair");
	return lex_error(p->lex, w.s,
			 "'%.*s' stands above the first chair: expected "
			 "title, ref, family, covers, needs, violates, "
			 "profile, for or chair%s",
			 WORD(w), near_hint(&n));
}

int parse_head_line(struct parse *p, struct test_case *c)
{
	const struct head_line *h;
	struct word w;

	lex_word(p->lex, &w);
	h = head_named(w);
	if (!h)
		return no_head(p, w);
	if (lex_indented(p->lex))
		return lex_error(p->lex, w.s, "'%s' begins in column 1",
				 h->word);
	return h->parse(p, c);
}

int check_head(struct parse *p, const struct test_case *c)
{
	const char *missing = NULL;

	if (!c->title)
		missing = "title";
	else if (!c->ncovers)
		missing = "covers";
	else if (!c->chairs[0].present && !c->chairs[1].present)
		missing = "chair";
	if (!missing)
		return 0;
	return diag_set(p->lex->diag, p->lex->file,
			p->lex->line ? p->lex->line : 1, 1, p->lex->source,
			"the case ends without a '%s' line", missing);
}
