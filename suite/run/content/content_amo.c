/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_amo.c -- computes the result of an atomic operation
 * in memory.
 *
 * It shares no code with the reference.  Integers and floating-point numbers of
 * up to eight bytes are computed; other types are not.
 *
 * Spec: UET 3.4.2.3, tables 3-21, 3-22 (uet.md 5.9)
 */
#include "suite/run/content/content_amo.h"

#include <math.h>
#include <string.h>

#include "wire/uet/uet_ses.h"

enum amo_class {
	CLASS_NONE,
	CLASS_SIGNED,
	CLASS_UNSIGNED,
	CLASS_FLOAT,
	CLASS_DOUBLE,
};

static const struct {
	uint8_t size;
	enum amo_class class;
} amo_types[] = {
	[CONTENT_INT8] = {1, CLASS_SIGNED},
	[CONTENT_UINT8] = {1, CLASS_UNSIGNED},
	[CONTENT_INT16] = {2, CLASS_SIGNED},
	[CONTENT_UINT16] = {2, CLASS_UNSIGNED},
	[CONTENT_INT32] = {4, CLASS_SIGNED},
	[CONTENT_UINT32] = {4, CLASS_UNSIGNED},
	[CONTENT_INT64] = {8, CLASS_SIGNED},
	[CONTENT_UINT64] = {8, CLASS_UNSIGNED},
	[CONTENT_FLOAT] = {4, CLASS_FLOAT},
	[CONTENT_DOUBLE] = {8, CLASS_DOUBLE},
};

/* An element, as a number of its class. */
struct amo_element {
	enum amo_class class;
	uint64_t bits; /* extended to 64 bits */
	double real;
};

static struct amo_element amo_element_of(uint64_t bits, size_t size,
					 enum amo_class class)
{
	struct amo_element e = {.class = class, .bits = bits};
	const unsigned spare = 64 - 8 * (unsigned)size;
	const uint32_t low = (uint32_t)bits;
	float f;

	e.bits = bits << spare >> spare;
	if (class == CLASS_SIGNED && bits << spare >> 63)
		e.bits |= ~(UINT64_MAX >> spare);
	memcpy(&f, &low, sizeof(f));
	if (class == CLASS_FLOAT)
		e.real = (double)f;
	if (class == CLASS_DOUBLE)
		memcpy(&e.real, &bits, sizeof(e.real));
	return e;
}

static bool amo_is_real(const struct amo_element *e)
{
	return e->class >= CLASS_FLOAT;
}

static uint64_t amo_bits_of(double v, enum amo_class class)
{
	const float f = (float)v;
	uint64_t bits = 0;

	if (class == CLASS_FLOAT)
		memcpy(&bits, &f, sizeof(f));
	else
		memcpy(&bits, &v, sizeof(v));
	return bits;
}

/* Returns -1, 0 or 1. */
static int amo_order(const struct amo_element *a, const struct amo_element *b)
{
	if (amo_is_real(a))
		return (a->real > b->real) - (a->real < b->real);
	if (a->class == CLASS_SIGNED)
		return ((int64_t)a->bits > (int64_t)b->bits) -
		       ((int64_t)a->bits < (int64_t)b->bits);
	return (a->bits > b->bits) - (a->bits < b->bits);
}

static bool amo_true(const struct amo_element *e)
{
	if (amo_is_real(e))
		return fpclassify(e->real) != FP_ZERO;
	return e->bits != 0;
}

static uint64_t amo_logical(bool v, const struct amo_element *e)
{
	if (amo_is_real(e))
		return amo_bits_of(v, e->class);
	return v;
}

/* Combines |m|, the value in memory, and |o|, the operand. */
static bool amo_combine(uint8_t op, const struct amo_element *m,
			const struct amo_element *o, uint64_t *ret)
{
	const bool real = amo_is_real(m);
	const enum amo_class class = m->class;

	switch (op) {
	case CONTENT_MIN:
		*ret = amo_order(o, m) < 0 ? o->bits : m->bits;
		return true;
	case CONTENT_MAX:
		*ret = amo_order(o, m) > 0 ? o->bits : m->bits;
		return true;
	case CONTENT_SUM:
		*ret = real ? amo_bits_of(m->real + o->real, class)
			    : m->bits + o->bits;
		return true;
	case CONTENT_DIFF:
		*ret = real ? amo_bits_of(m->real - o->real, class)
			    : m->bits - o->bits;
		return true;
	case CONTENT_PROD:
		*ret = real ? amo_bits_of(m->real * o->real, class)
			    : m->bits * o->bits;
		return true;
	case CONTENT_LOR:
		*ret = amo_logical(amo_true(m) || amo_true(o), m);
		return true;
	case CONTENT_LAND:
		*ret = amo_logical(amo_true(m) && amo_true(o), m);
		return true;
	case CONTENT_LXOR:
		*ret = amo_logical(amo_true(m) != amo_true(o), m);
		return true;
	case CONTENT_BOR:
		*ret = m->bits | o->bits;
		return !real;
	case CONTENT_BAND:
		*ret = m->bits & o->bits;
		return !real;
	case CONTENT_BXOR:
		*ret = m->bits ^ o->bits;
		return !real;
	case CONTENT_READ:
		*ret = m->bits;
		return true;
	case CONTENT_WRITE:
		*ret = o->bits;
		return true;
	default:
		return false;
	}
}

/* "CSWAP_LT swaps if the compare value is less than what is there" */
static bool amo_swaps(uint8_t op, const struct amo_element *c,
		      const struct amo_element *m)
{
	const int order = amo_order(c, m);

	switch (op - AMO_CSWAP) {
	case 0: /* EQ */
		return order == 0;
	case 1: /* NE */
		return order != 0;
	case 2: /* LE */
		return order <= 0;
	case 3: /* LT */
		return order < 0;
	case 4: /* GE */
		return order >= 0;
	default: /* GT */
		return order > 0;
	}
}

static uint64_t amo_little(const uint8_t *p, size_t size)
{
	uint64_t v = 0;

	for (size_t i = size; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static bool amo_is_number(const struct amo_element *e)
{
	return !amo_is_real(e) || !isnan(e->real);
}

bool content_amo_is_swap(uint8_t op)
{
	return op >= AMO_CSWAP && op <= AMO_CSWAP_GT;
}

static bool amo_one(const struct content_amo *amo, size_t size,
		    enum amo_class class, uint8_t *mem, const uint8_t *operand)
{
	const struct amo_element m =
		amo_element_of(amo_little(mem, size), size, class);
	const struct amo_element c = amo_element_of(amo->compare, size, class);
	uint64_t v = m.bits;

	if (!amo_is_number(&m))
		return false;
	if (content_amo_is_swap(amo->opcode)) {
		if (!amo_is_number(&c))
			return false;
		if (amo_swaps(amo->opcode, &c, &m))
			v = amo->swap;
	} else {
		const struct amo_element o = amo_element_of(
			operand ? amo_little(operand, size) : 0, size, class);

		if (!amo_is_number(&o) || !amo_combine(amo->opcode, &m, &o, &v))
			return false;
	}
	for (size_t i = 0; i < size; i++)
		mem[i] = (uint8_t)(v >> 8 * i);
	return true;
}

bool content_amo(const struct content_amo *amo, uint8_t *mem, size_t len,
		 const uint8_t *operand, size_t operand_len)
{
	const size_t known = sizeof(amo_types) / sizeof(amo_types[0]);
	const bool takes = !content_amo_is_swap(amo->opcode) &&
			   amo->opcode != CONTENT_READ;
	size_t size;

	if (amo->datatype >= known || !amo_types[amo->datatype].size)
		return false;
	size = amo_types[amo->datatype].size;
	if (len % size || (takes && operand_len < len))
		return false;
	for (size_t i = 0; i < len; i += size)
		if (!amo_one(amo, size, amo_types[amo->datatype].class, mem + i,
			     takes ? operand + i : NULL))
			return false;
	return true;
}
