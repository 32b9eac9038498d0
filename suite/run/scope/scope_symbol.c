/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_symbol.c -- the symbols of a case and the values of
 * its numbers.
 */
#include "suite/run/scope/scope_symbol.h"

#include <string.h>

#include "base/err.h"
#include "base/word.h"
#include "suite/lang/rung/rung_word.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/space.h"
#include "wire/field.h"

/* Differs for "m1" and "m2". */
static uint8_t symbol_hash(const char *name)
{
	const size_t len = strlen(name);

	return len ? (uint8_t)field_name_hash(name, len) : 0;
}

static const struct scope_symbol *find_symbol(const struct scope *s,
					      const char *symbol)
{
	const uint8_t hash = symbol_hash(symbol);
	const uint8_t *at = s->symbol_hash, *end = at + s->nsymbols;

	while ((at = memchr(at, hash, (size_t)(end - at)))) {
		const struct scope_symbol *found =
			&s->symbols[at++ - s->symbol_hash];

		if (word_same(found->name, symbol))
			return found;
	}
	return NULL;
}

const uint64_t *scope_find(const struct scope *s, const char *symbol)
{
	const struct scope_symbol *found = find_symbol(s, symbol);

	if (found)
		return &found->value;
	return NULL;
}

int scope_symbol_add(struct scope *s, const struct scope_symbol *symbol)
{
	if (s->nsymbols == SCOPE_SYMBOLS)
		return ERR_SPACE;
	s->symbol_hash[s->nsymbols] = symbol_hash(symbol->name);
	s->symbols[s->nsymbols++] = *symbol;
	return 0;
}

static int scope_symbol_bind(struct scope *s, const struct scope_symbol *symbol)
{
	const struct scope_symbol *found = find_symbol(s, symbol->name);

	if (!found)
		return scope_symbol_add(s, symbol);
	s->symbols[found - s->symbols] = *symbol;
	return 0;
}

int scope_bind(struct scope *s, const char *symbol, uint64_t value)
{
	return scope_symbol_bind(
		s, &(struct scope_symbol){.name = symbol, .value = value});
}

int scope_bind_unnamed(struct scope *s, const char *symbol, uint32_t psn)
{
	return scope_symbol_bind(s, &(struct scope_symbol){.name = symbol,
							   .unnamed = true,
							   .psn = psn});
}

bool scope_unnamed(const struct scope *s, const char *symbol, uint32_t *ret_psn)
{
	const struct scope_symbol *found = find_symbol(s, symbol);

	if (!found || !found->unnamed)
		return false;
	*ret_psn = found->psn;
	return true;
}

int scope_bind_message(struct scope *s, const char *symbol, uint64_t id,
		       uint32_t psn)
{
	return scope_symbol_bind(s, &(struct scope_symbol){.name = symbol,
							   .value = id,
							   .named = true,
							   .psn = psn});
}

bool scope_message(const struct scope *s, const char *symbol, uint32_t *ret_psn)
{
	const struct scope_symbol *found = find_symbol(s, symbol);

	if (!found || !found->named)
		return false;
	*ret_psn = found->psn;
	return true;
}

const char *scope_type(const struct scope *s, const char *type)
{
	const uint64_t *first, *last;

	if (rung_type_at(type, false, false) == type)
		return type;
	first = scope_find(s, "som");
	last = scope_find(s, "eom");
	return rung_type_at(type, first && *first, last && *last);
}

static bool number_at(const struct scope *s, const struct psn_base *base,
		      const struct number *n, enum psn_space space,
		      uint64_t *ret)
{
	const uint64_t add = n->value + (uint64_t)n->mtus * s->decl->mtu;
	const uint64_t *v;

	if (n->mtus && !n->symbol) {
		*ret = add;
		return true;
	}
	if (!n->symbol) {
		if (n->absolute || space == SPACE_NONE)
			*ret = n->value;
		else
			*ret = psn_to_live(base, space, (uint32_t)n->value);
		return true;
	}
	v = scope_find(s, n->symbol);
	if (!v)
		return false;
	*ret = *v + add;
	return true;
}

bool scope_number(const struct scope *s, const struct number *n,
		  enum psn_space space, uint64_t *ret)
{
	return number_at(s, &s->record->base[scope_at(s)], n, space, ret);
}

bool scope_number_of(const struct scope *s, const char *pdc,
		     const struct number *n, enum psn_space space,
		     uint64_t *ret)
{
	static const struct psn_base none;
	const struct scope_pdc *of = scope_named(s, pdc);
	const struct psn_base *base =
		of ? &s->record->base[of - s->pdcs] : &none;

	return number_at(s, base, n, space, ret);
}

bool scope_number_at(const struct scope *s, uint8_t pdc, const struct number *n,
		     enum psn_space space, uint64_t *ret)
{
	return number_at(s, &s->record->base[pdc], n, space, ret);
}

uint64_t scope_wrap(const struct field *f, const struct number *n, uint64_t v)
{
	bool pdcid;

	if (!n->symbol || !f || f->width >= 64 || f->kind == FIELD_SINT)
		return v;
	v &= ((uint64_t)1 << f->width) - 1;
	pdcid = strcmp(f->name, "spdcid") == 0 ||
		strcmp(f->name, "dpdcid") == 0;
	if (pdcid && !v && n->value)
		return (int64_t)n->value > 0 ? 1 : UINT16_MAX;
	return v;
}
