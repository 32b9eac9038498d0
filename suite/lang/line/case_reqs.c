/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_reqs.c -- parses the ids in brackets at the end of a
 * line: the requirements that it tests.
 */
#include "suite/lang/line/case_reqs.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/parse_array.h"
#include "suite/lang/line/line_kind.h"
#include "suite/lang/parse_state.h"

#define REQS_MAX 16

static int no_req(struct parse *p, struct word w)
{
	const char *slash = memchr(w.s, '/', w.len);
	struct word name = {w.s, slash ? (size_t)(slash - w.s) : w.len};
	enum req_id id = req_find(name.s, name.len, NULL);
	struct near n;

	if (id != REQ_NONE)
		return lex_error(p->lex, w.s, "'%.*s' obliges %s, not '%.*s'",
				 WORD(name), req_role_name(req_get(id)->role),
				 (int)(w.len - name.len - 1), slash + 1);
	near_init(&n, name);
	for (int i = 0; i < REQ_COUNT; i++)
		near_offer(&n, req_get((enum req_id)i)->id);
	return lex_error(p->lex, w.s, "no requirement '%.*s'%s", WORD(w),
			 near_hint(&n));
}

/* Parses the items of "RUD-SEQ-76:ack.retx,ack.missing", from the ':' on. */
static int parse_blame_items(struct parse *p, struct word w, const char **ret)
{
	const char *end = w.s + w.len;
	unsigned dots = 0, len = 0;

	for (const char *s = w.s + 1; s <= end; s++) {
		const char c = s < end ? *s : ',';

		if (c == ',' && (dots != 1 || s[-1] == '.' || len < 3))
			return lex_error(p->lex, s,
					 "expected an item: ack.retx");
		if (c == '.' && len)
			dots++;
		else if (c == ',')
			dots = 0;
		else if (!islower((unsigned char)c) &&
			 !isdigit((unsigned char)c) && c != '_')
			return lex_error(p->lex, s,
					 "expected an item: ack.retx");
		len = c == ',' ? 0 : len + 1;
	}
	*ret = lex_copy(p->lex, (struct word){w.s + 1, w.len - 1});
	if (*ret)
		return 0;
	return ERR_NOMEM;
}

int parse_req(struct parse *p, struct word w, enum chair chair,
	      struct req_ref *ret)
{
	const enum req_role want = chair == CHAIR_TARGET ? REQ_DST : REQ_SRC;

	ret->items = NULL;
	ret->id = req_find(w.s, w.len, &ret->role);
	if (ret->id == REQ_NONE)
		return no_req(p, w);
	if (!memchr(w.s, '/', w.len) && chair != CHAIR_COUNT &&
	    (ret->role & want))
		ret->role = want;
	return 0;
}

/* Parses one id of a line, with optional items. */
static int parse_line_req(struct parse *p, struct word w, struct req_ref *ret)
{
	const char *colon = memchr(w.s, ':', w.len);
	struct word name = {w.s, colon ? (size_t)(colon - w.s) : w.len};
	int err = parse_req(p, name, p->chair, ret);

	if (err || !colon)
		return err;
	return parse_blame_items(p, (struct word){colon, w.len - name.len},
				 &ret->items);
}

static int parse_reqs(struct parse *p, const char *s, const char *end,
		      struct step *ret)
{
	struct req_ref reqs[REQS_MAX];
	size_t n = 0;

	for (;; s++) {
		struct word w = {s, 0};
		int err;

		while (w.s < end && (*w.s == ' ' || *w.s == '\t'))
			w.s++;
		for (s = w.s; s < end && *s != ' ' && *s != '\t';)
			s++;
		w.len = (size_t)(s - w.s);
		if (!w.len)
			break;
		if (n == REQS_MAX)
			return lex_error(p->lex, w.s, "more than %d ids",
					 REQS_MAX);
		err = parse_line_req(p, w, &reqs[n++]);
		if (err)
			return err;
	}
	if (!n)
		return lex_error(p->lex, end, "expected ids: [RUD-SEQ-76]");
	ret->reqs = parse_copy(p, reqs, n, sizeof(reqs[0]));
	ret->nreqs = n;
	if (ret->reqs)
		return 0;
	return ERR_NOMEM;
}

/* Removes "[ID ID]" from the end of the line and parses it. */
int take_reqs(struct parse *p, const struct line_kind *k, struct step *ret)
{
	struct lex *l = p->lex;
	const char *s = l->eol;
	int err;

	if (s == l->p || s[-1] != ']')
		return 0;
	while (s > l->p && *s != '[')
		s--;
	if (*s != '[')
		return lex_error(l, l->eol - 1, "']' without '['");
	if (!k->expecting &&
	    k->kind != STEP_POST) /* parse_post() checks post lines */
		return lex_error(l, s,
				 "'%s' expects nothing: it proves no "
				 "requirement",
				 k->word);
	err = parse_reqs(p, s + 1, l->eol - 1, ret);
	for (l->eol = s;
	     l->eol > l->p && (l->eol[-1] == ' ' || l->eol[-1] == '\t');)
		l->eol--;
	return err;
}

/*
 * An optional packet proves nothing by its arrival, so the line may have no
 * ids.
 */
int check_reqs(struct parse *p, const struct line_kind *k, const struct step *s)
{
	if (!k->expecting || s->nreqs ||
	    ((s->kind == STEP_EXPECT || s->kind == STEP_CHECK) && s->optional))
		return 0;
	return lex_error(p->lex, p->lex->eol,
			 "'%s' expects something: say which requirement it "
			 "proves, [RUD-SEQ-76] at the end of the line",
			 k->word);
}
