/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/field.c -- reads, writes and checks fields by the table of their header.
 *
 * header_check() verifies that the fields of a header tile it bit by bit and
 * that all names are unique words.
 */
#include "wire/field.h"

#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/word.h"

static uint64_t width_mask(unsigned width)
{
	return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

/* Sign-extends a field of |width| bits to 64. */
static uint64_t sign_extend(uint64_t v, unsigned width)
{
	uint64_t sign = (uint64_t)1 << (width - 1);

	return (v ^ sign) - sign;
}

uint64_t field_get(const struct field *f, const uint8_t *p)
{
	uint64_t v = bits_get(p, f->at, f->width);

	return f->kind == FIELD_SINT ? sign_extend(v, f->width) : v;
}

void field_set(const struct field *f, uint8_t *p, uint64_t value)
{
	bits_put(p, f->at, f->width, value);
}

int field_fits(const struct field *f, uint64_t value)
{
	uint64_t cut = value & width_mask(f->width);

	if (f->kind == FIELD_SINT)
		return sign_extend(cut, f->width) == value;
	return cut == value;
}

const struct field *header_field_search(const struct header *h,
					const char *name, size_t len,
					unsigned hash)
{
	const uint8_t *hashes = h->name_hashes, *same;

	for (size_t i = 0; i < h->nfields; i++) {
		if (hashes) {
			same = memchr(hashes + i, (int)hash, h->nfields - i);
			if (!same)
				return NULL;
			i = (size_t)(same - hashes);
		}
		if (!field_has_name(&h->fields[i], name, len))
			continue;
		if (h->name_slots)
			atomic_store_explicit(&h->name_slots[hash],
					      (uint8_t)(i + 1),
					      memory_order_relaxed);
		return &h->fields[i];
	}
	return NULL;
}

const struct field *header_field(const struct header *h, const char *name,
				 size_t len)
{
	if (!len)
		return NULL;
	return header_field_hashed(h, name, len, field_name_hash(name, len));
}

const struct derived *header_derived(const struct header *h, const char *name,
				     size_t len)
{
	for (size_t i = 0; i < h->nderived; i++)
		if (word_equal(h->derived[i].name, name, len))
			return &h->derived[i];
	return NULL;
}

static const struct field *field_named(const struct header *h, const char *name)
{
	return header_field(h, name, strlen(name));
}

uint32_t derived_get(const struct header *h, const struct derived *d,
		     const uint8_t *p)
{
	uint32_t base = (uint32_t)field_get(
		header_field_hashed(h, d->base, d->base_len, d->base_hash), p);
	uint32_t offset = (uint32_t)field_get(
		header_field_hashed(h, d->offset, d->offset_len,
				    d->offset_hash),
		p);

	return d->sign > 0 ? base + offset : base - offset;
}

int derived_set(const struct header *h, const struct derived *d, uint8_t *p,
		uint32_t value)
{
	const struct field *f = field_named(h, d->offset);
	uint32_t base = (uint32_t)field_get(field_named(h, d->base), p);
	uint32_t distance = d->sign > 0 ? value - base : base - value;
	uint64_t v =
		f->kind == FIELD_SINT ? sign_extend(distance, 32) : distance;

	if (!field_fits(f, v))
		return ERR_VALUE;
	field_set(f, p, v);
	return 0;
}

const char *value_find(const struct value_name *names, uint64_t value)
{
	for (; names->name; names++)
		if (names->value == value)
			return names->name;
	return NULL;
}

int value_parse(const struct value_name *names, const char *name, size_t len,
		uint64_t *ret)
{
	for (; names->name; names++)
		if (word_equal(names->name, name, len)) {
			*ret = names->value;
			return 0;
		}
	return ERR_VALUE;
}

static bool field_is_word(const char *s)
{
	return s[0] &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(s);
}

static const char *names_check(const struct field *f)
{
	for (const struct value_name *n = f->names; n->name; n++) {
		if (!field_is_word(n->name))
			return "value name is not a word";
		if (n->value & ~width_mask(f->width))
			return "named value does not fit its field";
		for (const struct value_name *m = f->names; m != n; m++)
			if (m->value == n->value || !strcmp(m->name, n->name))
				return "two names for a value, or two values "
				       "for a name";
	}
	return NULL;
}

static const char *field_check(const struct header *h, const struct field *f)
{
	if (f->width < 1 || f->width > 64)
		return "field width is not 1..64";
	if (f->kind == FIELD_FLAG && f->width != 1)
		return "flag wider than one bit";
	if (f->kind == FIELD_SEQ && f->width != 24 && f->width != 32)
		return "serial number is not 24 or 32 bits";
	if (f->kind == FIELD_SINT && f->width < 2)
		return "signed field of one bit";
	if ((f->kind == FIELD_ENUM) != (f->names != NULL))
		return "named values that are missing, or not allowed";
	if (!field_is_word(f->name))
		return "field name is not a word";
	if (f->name_len != strlen(f->name))
		return "field name of another length";
	if (field_named(h, f->name) != f)
		return "two fields have one name";
	return f->names ? names_check(f) : NULL;
}

static const char *derived_check(const struct header *h,
				 const struct derived *d)
{
	if (!field_is_word(d->name) || field_named(h, d->name))
		return "derived value is not a word, or a field has its name";
	if (!field_named(h, d->base) || !field_named(h, d->offset))
		return "derived value of a field that does not exist";
	if (field_named(h, d->base)->kind != FIELD_SEQ)
		return "derived value on a base that is no serial number";
	if (d->sign != 1 && d->sign != -1)
		return "derived value without a sign";
	return NULL;
}

const char *header_check(const struct header *h)
{
	const char *wrong;
	size_t at = 0;

	for (size_t i = 0; i < h->nfields; i++) {
		const struct field *f = &h->fields[i];

		wrong = field_check(h, f);
		if (wrong)
			return wrong;
		if (f->at < at)
			return "fields overlap or are out of order";
		if (f->at > at)
			return "bits that no field describes";
		at += f->width;
	}
	for (size_t i = 0; i < h->nderived; i++) {
		wrong = derived_check(h, &h->derived[i]);
		if (wrong)
			return wrong;
	}
	return at == h->len * 8 ? NULL : "fields do not fill the header";
}
