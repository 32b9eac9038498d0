/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/case_number.c -- parses numbers and symbols, and records which
 * symbols have a value already.
 */
#include "suite/lang/lex/case_number.h"

#include <string.h>

#include "base/err.h"
#include "base/word.h"
#include "suite/decl/decl_row.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/parse_state.h"

/* ---- Symbols ---- */

/* Records a symbol that has no value from the declaration. */
static void symbol_names_add(struct symbol_names *names, const char *name)
{
	for (unsigned i = 0; i < names->n; i++)
		if (word_same(names->name[i], name))
			return;
	names->full |= names->n == NAMED_MAX || strlen(name) > SYMBOL_MAX;
	if (!names->full)
		strcpy(names->name[names->n++], name);
}

bool parse_is_bound(const struct parse *p, const char *name)
{
	if (p->names && !decl_has_number(name))
		symbol_names_add(p->names, name);
	for (const struct symbol *s = p->symbols; s; s = s->next)
		if (word_same(s->name, name))
			return true;
	return decl_has_number(name);
}

int parse_bind(struct parse *p, const char *name)
{
	struct symbol *s = arena_alloc(p->arena, sizeof(*s));

	if (!s)
		return ERR_NOMEM;
	if (p->names)
		symbol_names_add(p->names, name);
	s->name = name;
	s->next = p->symbols;
	p->symbols = s;
	return 0;
}

static bool is_symbol_char(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

bool parse_is_symbol_name(struct word w)
{
	for (size_t i = 0; i < w.len; i++)
		if (!is_symbol_char(w.s[i], !i))
			return false;
	return w.len && w.len <= SYMBOL_MAX;
}

/* Finds "mtu" in "mtu", "2mtu", "3mtu-512"; NULL if it is absent. */
static const char *find_mtu(struct word w)
{
	size_t i = 0;

	while (i < w.len && w.s[i] >= '0' && w.s[i] <= '9')
		i++;
	if (w.len - i >= 3 && memcmp(w.s + i, "mtu", 3) == 0)
		return w.s + i;
	return NULL;
}

/* Parses "+1" or "-0x10" after a symbol or a number of MTUs. */
static int parse_offset(struct parse *p, struct word w, uint64_t *ret)
{
	struct word digits = {w.s + 1, w.len - 1};
	uint64_t v;

	if ((w.s[0] != '+' && w.s[0] != '-') || lex_u64(digits, INT64_MAX, &v))
		return lex_error(p->lex, w.s, "expected +N or -N, not '%.*s'",
				 WORD(w));
	if (w.s[0] == '+')
		*ret = v;
	else
		*ret = 0 - v;
	return 0;
}

#define MTUS_MAX 8192

/* Parses "mtu" or a multiple of it, with an offset. */
static int parse_mtus(struct parse *p, struct word w, const char *mtu,
		      struct number *ret)
{
	struct word times = {w.s, (size_t)(mtu - w.s)};
	struct word rest = {mtu + 3, w.len - times.len - 3};
	uint64_t n = 1, add = 0;
	int err;

	if (times.len && (lex_u64(times, MTUS_MAX, &n) || !n))
		return lex_error(p->lex, w.s, "expected 1mtu..%dmtu", MTUS_MAX);
	if (rest.len) {
		err = parse_offset(p, rest, &add);
		if (err)
			return err;
	}
	*ret = (struct number){.value = add, .mtus = (uint32_t)n};
	return 0;
}

/* Parses "+1", "-0x10" or "+2mtu" after a symbol. */
static int parse_addend(struct parse *p, struct word w, struct number *ret)
{
	struct word rest = {w.s + 1, w.len - 1};
	const char *mtu = w.s[0] == '+' ? find_mtu(rest) : NULL;

	if (mtu)
		return parse_mtus(p, rest, mtu, ret);
	return parse_offset(p, w, &ret->value);
}

static int parse_symbol(struct parse *p, struct word w, bool binds,
			struct number *ret)
{
	struct word name = {w.s + 1, 0};
	struct word rest;
	struct number add = {0};
	char *copy;
	int err;

	while (name.len + 1 < w.len &&
	       is_symbol_char(name.s[name.len], !name.len))
		name.len++;
	if (!name.len || name.len > SYMBOL_MAX)
		return lex_error(p->lex, w.s,
				 "expected a symbol, $ and up to 40 letters");
	rest = (struct word){name.s + name.len, w.len - 1 - name.len};
	if (rest.len) {
		err = parse_addend(p, rest, &add);
		if (err)
			return err;
	}
	copy = lex_copy(p->lex, name);
	if (!copy)
		return ERR_NOMEM;
	*ret = add;
	ret->symbol = copy;
	if (p->loose || parse_is_bound(p, copy))
		return 0;
	if (binds && !rest.len)
		return parse_bind(p, copy);
	return lex_error(p->lex, w.s, "symbol '$%s' has no value yet", copy);
}

/* ---- Numbers ---- */

static uint64_t field_max(const struct field *f, bool psn)
{
	if (psn)
		return UINT32_MAX;
	if (!f || f->width == 64)
		return UINT64_MAX;
	return ((uint64_t)1 << f->width) - 1;
}

static int too_big(struct parse *p, struct word w, const struct field *f)
{
	if (!f)
		return lex_error(p->lex, w.s, "'%.*s' is too big for 32 bits",
				 WORD(w));
	return lex_error(p->lex, w.s, "'%.*s' does not fit '%s', %u bit%s",
			 WORD(w), f->name, f->width, f->width > 1 ? "s" : "");
}

static int no_number(struct parse *p, struct word w, const struct field *f)
{
	struct near n;

	if (!f || !f->names)
		return lex_error(p->lex, w.s, "expected a number, not '%.*s'",
				 WORD(w));
	near_init(&n, w);
	for (const struct value_name *v = f->names; v->name; v++)
		near_offer(&n, v->name);
	return lex_error(p->lex, w.s, "'%s' has no value '%.*s'%s", f->name,
			 WORD(w), near_hint(&n));
}

static int parse_signed(struct parse *p, struct word w, const struct field *f,
			uint64_t *ret)
{
	const bool minus = w.len && w.s[0] == '-';
	struct word digits = {w.s + minus, w.len - minus};
	uint64_t v = 0;
	int err = lex_u64(digits, INT64_MAX, &v);

	if (err == ERR_VALUE)
		return no_number(p, w, f);
	if (minus)
		v = 0 - v;
	if (err || !field_fits(f, v))
		return too_big(p, w, f);
	*ret = v;
	return 0;
}

static int parse_literal(struct parse *p, struct word w, const struct field *f,
			 bool psn, uint64_t *ret)
{
	int err;

	if (f && f->kind == FIELD_SINT)
		return parse_signed(p, w, f, ret);
	if (w.len > 1 && w.s[0] == '-' &&
	    word_is_number((struct word){w.s + 1, w.len - 1}))
		return lex_error(p->lex, w.s, "%s cannot be negative",
				 f ? f->name : "the number");
	err = lex_u64(w, field_max(f, psn), ret);
	if (err == ERR_SPACE)
		return too_big(p, w, f);
	if (!err)
		return 0;
	if (f && f->names && !value_parse(f->names, w.s, w.len, ret))
		return 0;
	return no_number(p, w, f);
}

static int parse_any_number(struct parse *p, struct word w,
			    const struct field *f, bool psn, bool binds,
			    struct number *ret)
{
	const char *mtu;
	uint64_t v = 0;
	int err;

	if (!w.len)
		return lex_error(p->lex, w.s, "expected a value");
	mtu = find_mtu(w);
	if (mtu && !psn && (!f || f->kind == FIELD_UINT || f->kind == FIELD_ID))
		return parse_mtus(p, w, mtu, ret);
	if (w.s[0] == '$')
		return parse_symbol(p, w, binds, ret);
	err = parse_literal(p, w, f, psn, &v);
	if (!err)
		*ret = (struct number){.value = v};
	return err;
}

/* Records a number that was read.  Return: its place, from 1 on; 0: no room. */
static uint8_t number_place_add(struct number_places *places,
				struct number_place place)
{
	places->full |= places->n == PLACES_MAX;
	if (places->full)
		return 0;
	places->at[places->n++] = place;
	return (uint8_t)places->n;
}

int parse_number(struct parse *p, struct word w, const struct field *f,
		 bool psn, bool binds, struct number *ret)
{
	const int err = parse_any_number(p, w, f, psn, binds, ret);

	if (!err && p->places)
		ret->place = number_place_add(
			p->places,
			(struct number_place){w.s, w.len, f, psn, binds});
	return err;
}
