/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_term.c -- parses the terms of a rung: flags,
 * field=value, ranges.
 */
#include "suite/lang/rung/rung_term.h"

#include <string.h>

#include "base/err.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/lex/parse_array.h"
#include "suite/lang/parse_state.h"
#include "suite/lang/rung/rung_scope.h"
#include "suite/lang/rung/rung_word.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"

#define RANGES_MAX 16

/* The value of a term during parsing. */
struct value {
	const struct case_rung_scope *sc;
	const struct field *f;
	struct word name, text;
	enum term_op op;
	bool psn, absolute;
	bool plain; /* a single value is required; it may bind a symbol */
};

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= '0' && c <= '9');
}

/* Splits "psn>=333"; false if there is no operator. */
static bool split_term(struct word w, struct value *ret)
{
	static const struct {
		const char *s;
		enum term_op op;
	} ops[] = {{"!=", TERM_NE},
		   {">=", TERM_GE},
		   {"<=", TERM_LE},
		   {"=", TERM_EQ}};
	size_t n = 0;

	while (n < w.len && is_name_char(w.s[n]))
		n++;
	ret->name = (struct word){w.s, n};
	for (size_t i = 0; i < 4; i++) {
		size_t len = strlen(ops[i].s);

		if (w.len - n < len || memcmp(w.s + n, ops[i].s, len))
			continue;
		n += len;
		ret->op = ops[i].op;
		ret->absolute = n < w.len && w.s[n] == '=';
		n += ret->absolute;
		ret->text = (struct word){w.s + n, w.len - n};
		return true;
	}
	return false;
}

static const char *find_dots(struct word w)
{
	for (size_t i = 0; i + 1 < w.len; i++)
		if (w.s[i] == '.' && w.s[i + 1] == '.')
			return w.s + i;
	return NULL;
}

static bool may_bind(const struct value *v)
{
	if (!v->plain || v->op != TERM_EQ)
		return false;
	return v->sc->use == RUNG_EXPECT ||
	       (v->sc->use == RUNG_SEND &&
		(word_is(v->name, "psn") || word_is(v->name, "pkt_id")));
}

static int parse_end(struct parse *p, const struct value *v, struct word w,
		     struct number *ret)
{
	int err = parse_number(p, w, v->f, v->psn, may_bind(v), ret);

	if (!err && !ret->symbol)
		ret->absolute = v->absolute;
	return err;
}

static bool upside_down(const struct value *v, const struct range *r)
{
	if (r->lo.symbol || r->hi.symbol || r->lo.mtus || r->hi.mtus)
		return false;
	if (v->f && v->f->kind == FIELD_SINT)
		return (int64_t)r->lo.value > (int64_t)r->hi.value;
	return r->lo.value > r->hi.value && !v->absolute;
}

static int case_rung_parse_range(struct parse *p, const struct value *v,
				 struct word w, struct range *ret)
{
	const char *dots = find_dots(w);
	struct word lo = w, hi;
	int err;

	*ret = (struct range){.single = !dots};
	if (dots)
		lo.len = (size_t)(dots - w.s);
	err = parse_end(p, v, lo, &ret->lo);
	if (err)
		return err;
	ret->hi = ret->lo;
	if (!dots)
		return 0;
	hi = (struct word){dots + 2, (size_t)(w.s + w.len - dots - 2)};
	err = parse_end(p, v, hi, &ret->hi);
	if (err)
		return err;
	if (upside_down(v, ret))
		return lex_error(p->lex, w.s, "the range '%.*s' is empty",
				 WORD(w));
	return 0;
}

/* "333..336|340" */
static int parse_ranges(struct parse *p, const struct value *v, struct range *r,
			size_t *n)
{
	const char *s = v->text.s, *end = s + v->text.len;

	for (;;) {
		const char *bar = memchr(s, '|', (size_t)(end - s));
		struct word w = {s, (size_t)((bar ? bar : end) - s)};
		int err;

		if (*n == RANGES_MAX)
			return lex_error(p->lex, s, "more than %d alternatives",
					 RANGES_MAX);
		if (!w.len)
			return lex_error(p->lex, s, "expected a value");
		err = case_rung_parse_range(p, v, w, &r[(*n)++]);
		if (err || !bar)
			return err;
		s = bar + 1;
	}
}

static bool case_rung_is_plain(struct word w)
{
	return !memchr(w.s, '|', w.len) && !find_dots(w) && !word_is(w, "*");
}

/* Refuses several values for a field to be sent. */
static int check_plain(struct parse *p, const struct value *v)
{
	if (v->sc->use != RUNG_SEND || (v->plain && v->op == TERM_EQ))
		return 0;
	return lex_error(p->lex, v->text.s,
			 "what is sent has one value: write %.*s=N",
			 WORD(v->name));
}

/* Reports "psn=333| std", which lacks a blank before the '|'. */
static int check_bar(struct parse *p, const struct value *v)
{
	const size_t n = v->text.len;

	if (!n || v->text.s[n - 1] != '|')
		return 0;
	return lex_error(p->lex, v->text.s + n - 1,
			 "put blanks around the '|' between sections");
}

static int check_absolute(struct parse *p, const struct value *v)
{
	if (!v->absolute || v->psn)
		return 0;
	return lex_error(p->lex, v->text.s - 1,
			 "'==' is for sequence numbers; '%.*s' is none",
			 WORD(v->name));
}

static int case_rung_parse_value(struct parse *p, struct value *v,
				 struct term *ret)
{
	struct range r[RANGES_MAX];
	size_t n = 0;
	int err;

	v->plain = case_rung_is_plain(v->text);
	err = check_bar(p, v);
	if (!err)
		err = check_plain(p, v);
	if (!err)
		err = check_absolute(p, v);
	if (err)
		return err;
	ret->op = v->op;
	if (word_is(v->text, "*") && v->op == TERM_EQ && !v->absolute) {
		ret->op = TERM_ANY;
		return 0;
	}
	err = parse_ranges(p, v, r, &n);
	if (err)
		return err;
	if (n > 1 && v->op != TERM_EQ && v->op != TERM_NE)
		return lex_error(p->lex, v->text.s,
				 "alternatives need '=' or '!='");
	if ((v->op == TERM_GE || v->op == TERM_LE) && !r[0].single)
		return lex_error(p->lex, v->text.s,
				 "a range needs '=' or "
				 "'!='");
	ret->ranges = parse_copy(p, r, n, sizeof(r[0]));
	ret->nranges = n;
	if (ret->ranges)
		return 0;
	return ERR_NOMEM;
}

static int case_rung_one_value(struct parse *p, struct term *ret,
			       uint64_t value)
{
	struct range r = {
		.lo = {.value = value}, .hi = {.value = value}, .single = true};

	ret->op = TERM_EQ;
	ret->nranges = 1;
	ret->ranges = parse_copy(p, &r, 1, sizeof(r));
	if (ret->ranges)
		return 0;
	return ERR_NOMEM;
}

/* Parses a flag or the name of a packet type. */
static int parse_bare(struct parse *p, const struct case_rung_scope *sc,
		      struct word w, struct term *ret)
{
	const bool known = case_rung_resolve(sc, w, &ret->field);
	const struct field *d;
	uint64_t v;

	if (known && ret->field && ret->field->kind == FIELD_FLAG) {
		ret->name = ret->field->name;
		return case_rung_one_value(p, ret, 1);
	}
	d = discriminator(sc);
	if (d && !value_parse(d->names, w.s, w.len, &v)) {
		ret->name = d->name;
		ret->field = d;
		return case_rung_one_value(p, ret, v);
	}
	if (known)
		return lex_error(p->lex, w.s, "'%.*s' needs a value: %.*s=N",
				 WORD(w), WORD(w));
	return case_rung_no_field(p, sc, w, true);
}

static int name_term(struct parse *p, const struct case_rung_scope *sc,
		     struct word name, struct term *ret)
{
	if (!name.len)
		return lex_error(p->lex, name.s, "expected field=value");
	if (!case_rung_resolve(sc, name, &ret->field))
		return case_rung_no_field(p, sc, name, false);
	ret->name = ret->field ? ret->field->name : lex_copy(p->lex, name);
	if (ret->name)
		return 0;
	return ERR_NOMEM;
}

static int parse_term(struct parse *p, const struct case_rung_scope *sc,
		      struct word w, struct term *ret)
{
	struct value v = {.sc = sc};
	int err;

	*ret = (struct term){0};
	if (!split_term(w, &v))
		return parse_bare(p, sc, w, ret);
	err = name_term(p, sc, v.name, ret);
	if (err)
		return err;
	v.f = ret->field;
	v.psn = !v.f || v.f->kind == FIELD_SEQ;
	return case_rung_parse_value(p, &v, ret);
}

static int check_twice(struct parse *p, const struct case_rung_scope *sc,
		       const struct term *t, size_t n, struct word w)
{
	if (sc->use != RUNG_SEND)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(t[i].name, t[n].name))
			return lex_error(p->lex, w.s, "'%s' is given twice",
					 t[n].name);
	return 0;
}

/* Parses terms up to '|', a modifier or the end, and appends them to t[*n]. */
int parse_terms(struct parse *p, struct case_rung_scope *sc, struct term *t,
		size_t *n)
{
	struct word w;
	int err = 0;

	while (!err && lex_peek(p->lex, &w) && !word_is(w, "|") &&
	       !parse_modifier(w)) {
		lex_word(p->lex, &w);
		if (!sc->ses_side && parse_is_pdc(w)) {
			err = parse_pdc(p, w, &sc->pdc);
			continue;
		}
		if (*n == TERMS_MAX)
			return lex_error(p->lex, w.s, "more than %d terms",
					 TERMS_MAX);
		err = parse_term(p, sc, w, &t[*n]);
		if (!err)
			err = check_twice(p, sc, t, *n, w);
		++*n;
	}
	return err;
}

int parse_corrupt(struct parse *p, const struct rung *r, struct word w,
		  struct term *ret)
{
	struct case_rung_scope sc = {
		.type = r->type, .ses = r->ses, .use = RUNG_SEND};
	struct value v = {0};
	const struct field *f;
	bool valued = split_term(w, &v);

	if (!r->type)
		return lex_error(p->lex, w.s,
				 "name the packet whose field is corrupted");
	if (!case_rung_resolve(&sc, v.name, &f) && r->ses) {
		sc.ses_side = true;
		sc.ext = ext_with(v.name);
	}
	if (valued)
		return parse_term(p, &sc, w, ret);
	*ret = (struct term){.op = TERM_ANY};
	if (!case_rung_resolve(&sc, w, &f) || !f)
		return case_rung_no_field(p, &sc, w, false);
	ret->name = f->name;
	ret->field = f;
	return 0;
}
