/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/amo.c -- computes atomic memory operations.
 *
 * An element is passed as the 64 bits that memory holds of it.  Sums,
 * differences and products of integers need no sign: modulo 2^n they are the
 * same.
 */
#include "oracle/uet/ses/amo.h"

#include <string.h>

#include "base/err.h"

enum kind {
	SIGNED = 1,
	UNSIGNED,
	FLOATING,
	OTHER, /* of a known size, but not supported */
};

struct type {
	uint8_t size;
	enum kind kind;
};

static const struct type types[256] = {
	[AMO_INT8] = {1, SIGNED},    [AMO_UINT8] = {1, UNSIGNED},
	[AMO_INT16] = {2, SIGNED},   [AMO_UINT16] = {2, UNSIGNED},
	[AMO_INT32] = {4, SIGNED},   [AMO_UINT32] = {4, UNSIGNED},
	[AMO_INT64] = {8, SIGNED},   [AMO_UINT64] = {8, UNSIGNED},
	[AMO_FLOAT] = {4, FLOATING}, [AMO_DOUBLE] = {8, FLOATING},
	[0x08] = {16, OTHER}, /* INT128 */
	[0x09] = {16, OTHER}, /* UINT128 */
	[0x0c] = {8, OTHER},  /* FLOAT_COMPLEX */
	[0x0d] = {16, OTHER}, /* DOUBLE_COMPLEX */
	[0x0e] = {16, OTHER}, /* LONG_DOUBLE */
	[0x0f] = {32, OTHER}, /* LONG_DOUBLE_COMPLEX */
	[0x10] = {2, OTHER},  /* BF16 */
	[0x11] = {2, OTHER},  /* FP16 */
};

size_t amo_size(uint8_t datatype)
{
	return types[datatype].size;
}

bool amo_is_cswap(uint8_t opcode)
{
	return opcode >= AMO_CSWAP && opcode <= AMO_CSWAP_GT;
}

bool amo_has_operand(uint8_t opcode)
{
	return opcode != AMO_OP_READ && !amo_is_cswap(opcode);
}

int amo_get(struct amo *ret, const uint8_t *p, size_t len)
{
	struct ses_atomic h;
	struct ses_cswap values;

	if (len < ses_atomic_len)
		return ERR_SHORT;
	ses_atomic_get(&h, p);
	*ret = (struct amo){h.amo_opcode, h.datatype, 0, 0};
	if (!amo_is_cswap(h.amo_opcode))
		return ses_atomic_len;
	if (len < AMO_EXT_MAX)
		return ERR_SHORT;
	ses_cswap_get(&values, p + ses_atomic_len);
	ret->compare = values.compare_value_lo;
	ret->swap = values.swap_value_lo;
	return AMO_EXT_MAX;
}

size_t amo_put(const struct amo *amo, uint8_t *p)
{
	const struct ses_atomic h = {
		.amo_opcode = amo->opcode,
		.datatype = amo->datatype,
	};
	const struct ses_cswap values = {
		.compare_value_lo = amo->compare,
		.swap_value_lo = amo->swap,
	};

	ses_atomic_put(&h, p);
	if (!amo_is_cswap(amo->opcode))
		return ses_atomic_len;
	ses_cswap_put(&values, p + ses_atomic_len);
	return AMO_EXT_MAX;
}

/* ---- Elements as numbers ---- */

static uint64_t amo_load(const uint8_t *p, size_t size)
{
	uint64_t v = 0;

	for (size_t i = size; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

void amo_store(uint8_t *p, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		p[i] = i < 8 ? (uint8_t)(value >> 8 * i) : 0;
}

static uint64_t truncate(uint64_t v, size_t size)
{
	return size < 8 ? v & (((uint64_t)1 << 8 * size) - 1) : v;
}

/*
 * Maps signed numbers to unsigned ones of the same order: flips the sign bit.
 */
static uint64_t amo_rank(const struct type *t, uint64_t v)
{
	const uint64_t sign = (uint64_t)1 << (8u * t->size - 1);

	return t->kind == SIGNED ? v ^ sign : v;
}

static double as_double(const struct type *t, uint64_t v)
{
	const uint32_t low = (uint32_t)v;
	double d;
	float f;

	if (t->size == sizeof(f)) {
		memcpy(&f, &low, sizeof(f));
		return (double)f;
	}
	memcpy(&d, &v, sizeof(d));
	return d;
}

/* Rounds to the type, as a sum of floats is rounded. */
static uint64_t from_double(const struct type *t, double d)
{
	const float f = (float)d;
	uint32_t low;
	uint64_t v;

	if (t->size == sizeof(f)) {
		memcpy(&low, &f, sizeof(f));
		return low;
	}
	memcpy(&v, &d, sizeof(d));
	return v;
}

static bool less(const struct type *t, uint64_t a, uint64_t b)
{
	if (t->kind == FLOATING)
		return as_double(t, a) < as_double(t, b);
	return amo_rank(t, a) < amo_rank(t, b);
}

static bool amo_equal(const struct type *t, uint64_t a, uint64_t b)
{
	if (t->kind != FLOATING)
		return a == b;
	return !less(t, a, b) && !less(t, b, a) &&
	       as_double(t, a) == as_double(t, a);
}

static bool truth(const struct type *t, uint64_t v)
{
	return t->kind == FLOATING ? as_double(t, v) != 0 : v != 0;
}

static uint64_t from_truth(const struct type *t, bool v)
{
	return t->kind == FLOATING ? from_double(t, v ? 1 : 0) : v;
}

/* ---- One element: |a| is in memory, |b| is the operand ---- */

#define OPERATION(name) \
	static uint64_t name(const struct type *t, uint64_t a, uint64_t b)

#define ARITHMETIC(name, op)                                               \
	OPERATION(name)                                                    \
	{                                                                  \
		if (t->kind != FLOATING)                                   \
			return a op b;                                     \
		return from_double(t, as_double(t, a) op as_double(t, b)); \
	}

#define BITWISE(name, op)      \
	OPERATION(name)        \
	{                      \
		(void)t;       \
		return a op b; \
	}

#define LOGICAL(name, op)                                         \
	OPERATION(name)                                           \
	{                                                         \
		return from_truth(t, truth(t, a) op truth(t, b)); \
	}

OPERATION(smaller)
{
	return less(t, b, a) ? b : a;
}

OPERATION(larger)
{
	return less(t, a, b) ? b : a;
}

OPERATION(operand)
{
	(void)t;
	(void)a;
	return b;
}

ARITHMETIC(sum, +)
ARITHMETIC(difference, -)
ARITHMETIC(product, *)
BITWISE(bit_or, |)
BITWISE(bit_and, &)
BITWISE(bit_xor, ^)
LOGICAL(logical_or, ||)
LOGICAL(logical_and, &&)
LOGICAL(logical_xor, !=)

static const struct {
	uint64_t (*compute)(const struct type *t, uint64_t a, uint64_t b);
	bool bitwise; /* not for floating point */
} operations[] = {
	[AMO_OP_MIN] = {smaller, false},
	[AMO_OP_MAX] = {larger, false},
	[AMO_OP_SUM] = {sum, false},
	[AMO_OP_DIFF] = {difference, false},
	[AMO_OP_PROD] = {product, false},
	[AMO_OP_LOR] = {logical_or, false},
	[AMO_OP_LAND] = {logical_and, false},
	[AMO_OP_BOR] = {bit_or, true},
	[AMO_OP_BAND] = {bit_and, true},
	[AMO_OP_LXOR] = {logical_xor, false},
	[AMO_OP_BXOR] = {bit_xor, true},
	[AMO_OP_WRITE] = {operand, false},
};

/*
 * Compares the compare value first: CSWAP_LT swaps if it is less than the
 * memory.
 */
static bool swaps(const struct amo *amo, const struct type *t, uint64_t a)
{
	const uint64_t c = truncate(amo->compare, t->size);

	switch (amo->opcode) {
	case AMO_CSWAP:
		return amo_equal(t, c, a);
	case AMO_CSWAP + 1: /* NE */
		return !amo_equal(t, c, a);
	case AMO_CSWAP + 2: /* LE */
		return less(t, c, a) || amo_equal(t, c, a);
	case AMO_CSWAP + 3: /* LT */
		return less(t, c, a);
	case AMO_CSWAP + 4: /* GE */
		return less(t, a, c) || amo_equal(t, c, a);
	default: /* GT */
		return less(t, a, c);
	}
}

static bool is_operation(const struct amo *amo, bool fetch)
{
	const size_t n = sizeof(operations) / sizeof(operations[0]);

	if (amo_is_cswap(amo->opcode))
		return true;
	if (amo->opcode == AMO_OP_READ)
		return fetch; /* else memory stays unchanged */
	return amo->opcode < n && operations[amo->opcode].compute;
}

static bool amo_suits(const struct amo *amo, const struct type *t)
{
	if (!amo_has_operand(amo->opcode) || t->kind != FLOATING)
		return true;
	return !operations[amo->opcode].bitwise;
}

uint8_t amo_check(const struct amo *amo, bool fetch, uint64_t at, size_t len)
{
	const struct type *t = &types[amo->datatype];

	if (!is_operation(amo, fetch))
		return RC_AMO_UNSUPPORTED_OP;
	if (!t->kind || t->kind == OTHER)
		return RC_AMO_UNSUPPORTED_DT;
	if (!amo_suits(amo, t))
		return RC_AMO_UNSUPPORTED_OP;
	if (!len || len % t->size || (fetch && len > AMO_FETCH_MAX))
		return RC_AMO_UNSUPPORTED_SIZE;
	if (amo_is_cswap(amo->opcode) && len != t->size)
		return RC_AMO_UNSUPPORTED_SIZE;
	return at % t->size ? RC_AMO_UNALIGNED : RC_OK;
}

static void apply_one(const struct amo *amo, const struct type *t, uint8_t *mem,
		      const uint8_t *operand_at)
{
	const uint64_t a = amo_load(mem, t->size);

	if (amo_is_cswap(amo->opcode)) {
		if (swaps(amo, t, a))
			amo_store(mem, amo->swap, t->size);
		return;
	}
	amo_store(mem,
		  operations[amo->opcode].compute(
			  t, a, amo_load(operand_at, t->size)),
		  t->size);
}

void amo_apply(const struct amo *amo, uint8_t *mem, const uint8_t *operand_at,
	       size_t len)
{
	const struct type *t = &types[amo->datatype];

	if (amo->opcode == AMO_OP_READ)
		return;
	for (size_t i = 0; i < len; i += t->size)
		apply_one(amo, t, mem + i, operand_at + i);
}
