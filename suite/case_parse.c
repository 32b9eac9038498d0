/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The frame of a case file: head lines, chairs, fragments, and what a whole
 * case must have.
 */
#include "suite/case_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "suite/decl.h"

struct head_line {
	const char *word;
	int (*parse)(struct parse *p, struct kase *c);
};

static const char *const chair_names[] = {
	[CHAIR_TARGET] = "target",
	[CHAIR_INITIATOR] = "initiator",
};

const char *chair_name(enum chair chair)
{
	return chair < CHAIR_COUNT ? chair_names[chair] : "unknown";
}

/* ---- The head ---- */

static int take_text(struct parse *p, const char **to)
{
	struct word w;

	if (*to)
		return lex_error(p->lex, p->lex->source, "given twice");
	w = lex_rest(p->lex);
	if (!w.len)
		return lex_error(p->lex, w.s, "expected a text");
	*to = lex_copy(p->lex, w);
	return *to ? 0 : ERR_NOMEM;
}

static int parse_title(struct parse *p, struct kase *c)
{
	return take_text(p, &c->title);
}

static int parse_ref(struct parse *p, struct kase *c)
{
	return take_text(p, &c->ref);
}

/* An array with room for one more; the old one stays as it is. */
static void *one_more(struct parse *p, const void *old, size_t n, size_t size)
{
	void *more = arena_alloc(p->arena, (n + 1) * size);

	return more && n ? memcpy(more, old, n * size) : more;
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

static int parse_covers(struct parse *p, struct kase *c)
{
	return take_refs(p, &c->covers, &c->ncovers);
}

static int parse_violates(struct parse *p, struct kase *c)
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

static int add_need(struct parse *p, struct word w, struct kase *c)
{
	const char **more;

	if (!decl_capability(w.s, w.len))
		return no_capability(p, w);
	if (c->nneeds == 64)
		return lex_error(p->lex, w.s, "more than 64 capabilities");
	more = one_more(p, c->needs, c->nneeds, sizeof(*more));
	if (!more)
		return ERR_NOMEM;
	more[c->nneeds] = lex_copy(p->lex, w);
	c->needs = more;
	return more[c->nneeds++] ? 0 : ERR_NOMEM;
}

static int parse_needs(struct parse *p, struct kase *c)
{
	struct word w;
	int err = 0;

	if (!lex_peek(p->lex, &w))
		return lex_error(p->lex, w.s, "expected capabilities");
	while (!err && lex_word(p->lex, &w))
		err = add_need(p, w, c);
	return err;
}

static int parse_profile(struct parse *p, struct kase *c)
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

static int parse_exclusive(struct parse *p, struct kase *c)
{
	c->exclusive = true;
	return lex_done(p->lex);
}

/* There is no endpoint of plain RoCEv2. */
static int parse_family(struct parse *p, struct kase *c)
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
};

#define HEAD_LINES (sizeof(head_lines) / sizeof(head_lines[0]))

static const struct head_line *head_named(struct word w)
{
	for (size_t i = 0; i < HEAD_LINES; i++)
		if (word_is(w, head_lines[i].word))
			return &head_lines[i];
	return NULL;
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
			 "profile or chair%s",
			 WORD(w), near_hint(&n));
}

static int parse_head_line(struct parse *p, struct kase *c)
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

/* ---- Chairs ---- */

static int parse_chair_name(struct parse *p, enum chair *ret)
{
	struct word w;
	struct near n;

	if (lex_indented(p->lex))
		return lex_error(p->lex, NULL, "'chair' begins in column 1");
	lex_take(p->lex, "chair");
	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected target or initiator");
	near_init(&n, w);
	for (unsigned i = 0; i < CHAIR_COUNT; i++) {
		if (word_is(w, chair_names[i])) {
			*ret = (enum chair)i;
			return lex_done(p->lex);
		}
		near_offer(&n, chair_names[i]);
	}
	return lex_error(p->lex, w.s,
			 "expected target or initiator, not '%.*s'%s", WORD(w),
			 near_hint(&n));
}

static bool at_chair(struct parse *p)
{
	struct word w;

	return lex_peek(p->lex, &w) && word_is(w, "chair");
}

static int late_head(struct parse *p)
{
	struct word w;

	if (!lex_peek(p->lex, &w) || !head_named(w))
		return 0;
	if (p->uses && word_is(w, "needs")) /* of a fragment's chair */
		return 0;
	return lex_error(p->lex, w.s, "'%.*s' belongs above the first chair",
			 WORD(w));
}

/*
 * Reads lines up to the next chair; 1: it is the current line, 0: the end.
 */
static int parse_steps(struct parse *p, struct step_list *list)
{
	int more;

	while ((more = lex_line(p->lex)) > 0 && !at_chair(p)) {
		int err = late_head(p);

		if (!err)
			err = parse_line(p, list);
		if (err)
			return err;
	}
	return more;
}

/* Likewise, without looking at them. */
static int skip_steps(struct parse *p)
{
	int more;

	while ((more = lex_line(p->lex)) > 0 && !at_chair(p))
		;
	return more;
}

static int parse_chair(struct parse *p, struct kase *c)
{
	struct step_list list = {0};
	const unsigned line = p->lex->line;
	const char *source = p->lex->source;
	int err = parse_chair_name(p, &p->chair);
	int more;

	if (err)
		return err;
	if (c->chairs[p->chair].present)
		return lex_error(p->lex, source, "a second 'chair %s'",
				 chair_name(p->chair));
	p->symbols = NULL;
	p->expecting = 0;
	more = parse_steps(p, &list);
	if (more < 0)
		return more;
	if (!p->expecting)
		return diag_set(p->lex->diag, p->lex->file, line, 1, source,
				"chair %s checks nothing: no line of it "
				"expects anything",
				chair_name(p->chair));
	c->chairs[p->chair] =
		(struct chair_steps){.present = true, .first = list.first};
	return more;
}

/* ---- Fragments ---- */

/* Finds and reads the section of p->chair in the fragment. */
static int parse_fragment(struct parse *p, struct step_list *list,
			  const char *name)
{
	bool found = false;
	int more = skip_steps(p);

	while (more > 0) {
		enum chair chair;
		int err = parse_chair_name(p, &chair);

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

int parse_use(struct parse *p, struct word w, struct step_list *list)
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
		return lex_error(outer, w.s, "no fragment '%s'", name);
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

/* ---- The whole ---- */

static int check_head(struct parse *p, const struct kase *c)
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

static int parse_all(struct parse *p, struct kase *c)
{
	int more = lex_line(p->lex);

	while (more > 0 && !at_chair(p)) {
		int err = parse_head_line(p, c);

		if (err)
			return err;
		more = lex_line(p->lex);
	}
	while (more > 0)
		more = parse_chair(p, c);
	if (more < 0)
		return more;
	if (!c->ref)
		c->ref = "";
	return check_head(p, c);
}

static bool kase_texts(struct kase *c, const char *id, const char *path,
		       const char *text, size_t len)
{
	c->id = arena_strndup(&c->arena, id, strlen(id));
	c->path = arena_strndup(&c->arena, path, strlen(path));
	c->text = arena_strndup(&c->arena, text, len);
	return c->id && c->path && c->text;
}

int case_parse(struct kase **ret, const char *id, const char *path,
	       const char *text, size_t len, case_fragment_fn *fragment,
	       void *fragment_ctx, struct diag *diag)
{
	struct kase *c = calloc(1, sizeof(*c));
	struct parse p = {.fragment = fragment, .fragment_ctx = fragment_ctx};
	struct lex lex;
	int err = ERR_NOMEM;

	if (!c)
		return ERR_NOMEM;
	if (kase_texts(c, id, path, text, len)) {
		p.lex = &lex;
		p.arena = &c->arena;
		lex_open(&lex, &c->arena, diag, c->path, c->text, len);
		err = parse_all(&p, c);
	}
	if (err < 0) {
		case_free(c);
		return err;
	}
	*ret = c;
	return 0;
}

void case_free(struct kase *c)
{
	if (!c)
		return;
	arena_free(&c->arena);
	free(c);
}

/* ---- One rung, one line ---- */

/* Opens a text of one line; an error if there is none, or more. */
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
	return more ? 0 : lex_error(l, l->source, "expected a packet");
}

int rung_parse(struct arena *arena, struct rung *ret, const char *text,
	       bool expect, struct diag *diag)
{
	struct lex l;
	struct parse p = {.lex = &l, .arena = arena, .loose = true};
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
	struct parse p = {
		.lex = &l, .arena = arena, .chair = chair, .loose = true};
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
