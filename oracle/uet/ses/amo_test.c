/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/amo_test.c -- compares atomics with the operations of C, one
 * type after the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "oracle/uet/ses/amo.h"

#define ROUNDS 4000

static const uint8_t opcodes[] = {
	AMO_OP_MIN,    AMO_OP_MAX,    AMO_OP_SUM,    AMO_OP_DIFF,
	AMO_OP_PROD,   AMO_OP_LOR,    AMO_OP_LAND,   AMO_OP_BOR,
	AMO_OP_BAND,   AMO_OP_LXOR,   AMO_OP_BXOR,   AMO_OP_READ,
	AMO_OP_WRITE,  AMO_CSWAP,     AMO_CSWAP + 1, AMO_CSWAP + 2,
	AMO_CSWAP + 3, AMO_CSWAP + 4, AMO_CSWAP + 5,
};

/* Returns small numbers often, so that some are equal. */
static uint64_t any(struct rng *rng)
{
	switch (rng_below(rng, 4)) {
	case 0:
		return rng_below(rng, 3);
	case 1:
		return 0u - (uint64_t)rng_below(rng, 3);
	default:
		return rng_next(rng);
	}
}

/*
 * The reference of one type; |wide| is the type of its arithmetic, which wraps.
 * |m| is in memory, |b| is the operand or the new value, |c| is compared.
 */
#define COMMON(op, m, b, c)                  \
	switch (op) {                        \
	case AMO_OP_MIN:                     \
		return b < m ? b : m;        \
	case AMO_OP_MAX:                     \
		return b > m ? b : m;        \
	case AMO_OP_LOR:                     \
		return m != 0 || b != 0;     \
	case AMO_OP_LAND:                    \
		return m != 0 && b != 0;     \
	case AMO_OP_LXOR:                    \
		return (m != 0) != (b != 0); \
	case AMO_OP_READ:                    \
		return m;                    \
	case AMO_OP_WRITE:                   \
		return b;                    \
	case AMO_CSWAP:                      \
		return c == m ? b : m;       \
	case AMO_CSWAP + 1:                  \
		return c != m ? b : m;       \
	case AMO_CSWAP + 2:                  \
		return c <= m ? b : m;       \
	case AMO_CSWAP + 3:                  \
		return c < m ? b : m;        \
	case AMO_CSWAP + 4:                  \
		return c >= m ? b : m;       \
	case AMO_CSWAP + 5:                  \
		return c > m ? b : m;        \
	}

#define INTEGER(type, wide)                                         \
	static type twin_##type(uint8_t op, type m, type b, type c) \
	{                                                           \
		COMMON(op, m, b, c)                                 \
		switch (op) {                                       \
		case AMO_OP_SUM:                                    \
			return (type)((wide)m + (wide)b);           \
		case AMO_OP_DIFF:                                   \
			return (type)((wide)m - (wide)b);           \
		case AMO_OP_PROD:                                   \
			return (type)((wide)m * (wide)b);           \
		case AMO_OP_BOR:                                    \
			return (type)(m | b);                       \
		case AMO_OP_BAND:                                   \
			return (type)(m & b);                       \
		default:                                            \
			return (type)(m ^ b);                       \
		}                                                   \
	}                                                           \
	CHECK(type)

#define REAL(type)                                                  \
	static type twin_##type(uint8_t op, type m, type b, type c) \
	{                                                           \
		COMMON(op, m, b, c)                                 \
		if (op == AMO_OP_SUM)                               \
			return m + b;                               \
		return op == AMO_OP_DIFF ? m - b : m * b;           \
	}                                                           \
	CHECK(type)

/* Checks two elements at once, if the operation permits. */
#define CHECK(type)                                                        \
	static void check_##type(const struct amo *amo, const type *m,     \
				 const type *b, type c)                    \
	{                                                                  \
		const size_t n = amo_is_cswap(amo->opcode) ? 1 : 2;        \
		type mem[2], want[2];                                      \
                                                                           \
		memcpy(mem, m, sizeof(mem));                               \
		memcpy(want, m, sizeof(want));                             \
		for (size_t i = 0; i < n; i++)                             \
			want[i] = twin_##type(amo->opcode, m[i], b[i], c); \
		amo_apply(amo, (uint8_t *)mem, (const uint8_t *)b,         \
			  n * sizeof(type));                               \
		assert_memory_equal(mem, want, sizeof(mem));               \
	}

INTEGER(int8_t, uint32_t)
INTEGER(uint8_t, uint32_t)
INTEGER(int16_t, uint32_t)
INTEGER(uint16_t, uint32_t)
INTEGER(int32_t, uint32_t)
INTEGER(uint32_t, uint32_t)
INTEGER(int64_t, uint64_t)
INTEGER(uint64_t, uint64_t)
REAL(float)
REAL(double)

/* clang-format off */
#define INTEGERS(X)                                               \
	X(AMO_INT8, int8_t)     X(AMO_UINT8, uint8_t)             \
	X(AMO_INT16, int16_t)   X(AMO_UINT16, uint16_t)           \
	X(AMO_INT32, int32_t)   X(AMO_UINT32, uint32_t)           \
	X(AMO_INT64, int64_t)   X(AMO_UINT64, uint64_t)
/* clang-format on */

/* Reinterprets a random number as the type. */
#define TRY_INTEGER(number, type)                                         \
	do {                                                              \
		const type m[2] = {(type)any(rng), (type)any(rng)};       \
		const type b[2] = {(type)any(rng), (type)any(rng)};       \
		const type c = rng_below(rng, 2) ? m[0] : (type)any(rng); \
		const struct amo amo = {opcode, number, (uint64_t)c,      \
					(uint64_t)b[0]};                  \
                                                                          \
		check_##type(&amo, m, b, c);                              \
	} while (0);

static void try_integers(struct rng *rng, uint8_t opcode)
{
	INTEGERS(TRY_INTEGER)
}

static double real(struct rng *rng)
{
	if (rng_below(rng, 3) == 0)
		return rng_below(rng, 3);
	return ((double)rng_next(rng) / 1e15 - 9000) / 7;
}

static void try_floats(struct rng *rng, uint8_t opcode)
{
	const float m[2] = {(float)real(rng), (float)real(rng)};
	const float b[2] = {(float)real(rng), (float)real(rng)};
	const float c = rng_below(rng, 2) ? m[0] : (float)real(rng);
	struct amo amo = {.opcode = opcode, .datatype = AMO_FLOAT};
	uint32_t bits;

	memcpy(&bits, &c, sizeof(bits));
	amo.compare = bits;
	memcpy(&bits, &b[0], sizeof(bits));
	amo.swap = bits;
	check_float(&amo, m, b, c);
}

static void try_doubles(struct rng *rng, uint8_t opcode)
{
	const double m[2] = {real(rng), real(rng)};
	const double b[2] = {real(rng), real(rng)};
	const double c = rng_below(rng, 2) ? m[0] : real(rng);
	struct amo amo = {.opcode = opcode, .datatype = AMO_DOUBLE};

	memcpy(&amo.compare, &c, sizeof(c));
	memcpy(&amo.swap, &b[0], sizeof(c));
	check_double(&amo, m, b, c);
}

static void like_their_twins(void **state)
{
	struct rng rng = {5};

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++)
		for (size_t k = 0; k < sizeof(opcodes); k++) {
			const struct amo amo = {opcodes[k], AMO_FLOAT, 0, 0};

			try_integers(&rng, opcodes[k]);
			if (amo_check(&amo, true, 0, 4) != RC_OK)
				continue; /* not the bits of a float */
			try_floats(&rng, opcodes[k]);
			try_doubles(&rng, opcodes[k]);
		}
}

/* NaN is neither less than nor equal to any number, and differs from each. */
static void not_a_number(void **state)
{
	const uint32_t nan = 0x7fc00000, one = 0x3f800000;
	struct amo amo = {AMO_CSWAP, AMO_FLOAT, nan, one};
	uint8_t mem[4];

	(void)state;
	amo_store(mem, nan, 4);
	amo_apply(&amo, mem, NULL, 4);
	assert_int_equal(mem[3], 0x7f);
	amo.opcode = AMO_CSWAP + 1;
	amo_apply(&amo, mem, NULL, 4);
	assert_int_equal(mem[3], 0x3f);
}

static uint8_t amo_test_check(uint8_t opcode, uint8_t datatype, bool fetch,
			      uint64_t at, size_t len)
{
	const struct amo amo = {opcode, datatype, 0, 0};

	return amo_check(&amo, fetch, at, len);
}

static void what_is_not_supported(void **state)
{
	(void)state;
	assert_int_equal(amo_test_check(AMO_OP_SUM, AMO_UINT32, false, 8, 4),
			 RC_OK);
	assert_int_equal(amo_test_check(AMO_MSWAP, AMO_UINT32, false, 0, 4),
			 RC_AMO_UNSUPPORTED_OP);
	assert_int_equal(amo_test_check(0x14, AMO_UINT32, false, 0, 4),
			 RC_AMO_UNSUPPORTED_OP);
	assert_int_equal(amo_test_check(0xff, AMO_UINT32, false, 0, 4),
			 RC_AMO_UNSUPPORTED_OP);
	assert_int_equal(amo_test_check(AMO_OP_READ, AMO_UINT32, false, 0, 4),
			 RC_AMO_UNSUPPORTED_OP);
	assert_int_equal(amo_test_check(AMO_OP_READ, AMO_UINT32, true, 0, 4),
			 RC_OK);
	assert_int_equal(amo_test_check(AMO_OP_BXOR, AMO_FLOAT, false, 0, 4),
			 RC_AMO_UNSUPPORTED_OP);
	for (unsigned datatype = 0; datatype < 256; datatype++) {
		const bool known = datatype <= AMO_UINT64 ||
				   datatype == AMO_FLOAT ||
				   datatype == AMO_DOUBLE;

		assert_int_equal(amo_test_check(AMO_OP_MIN, (uint8_t)datatype,
						true, 0, 8),
				 known ? RC_OK : RC_AMO_UNSUPPORTED_DT);
	}
}

static void sizes_and_places(void **state)
{
	(void)state;
	assert_int_equal(amo_test_check(AMO_OP_SUM, AMO_UINT64, false, 0, 0),
			 RC_AMO_UNSUPPORTED_SIZE);
	assert_int_equal(amo_test_check(AMO_OP_SUM, AMO_UINT64, false, 0, 12),
			 RC_AMO_UNSUPPORTED_SIZE);
	assert_int_equal(amo_test_check(AMO_OP_SUM, AMO_UINT64, false, 0, 1024),
			 RC_OK);
	assert_int_equal(amo_test_check(AMO_OP_SUM, AMO_UINT64, true, 0, 1024),
			 RC_AMO_UNSUPPORTED_SIZE);
	assert_int_equal(amo_test_check(AMO_CSWAP, AMO_UINT64, true, 0, 16),
			 RC_AMO_UNSUPPORTED_SIZE);
	assert_int_equal(amo_test_check(AMO_OP_SUM, AMO_UINT64, false, 4, 8),
			 RC_AMO_UNALIGNED);
	assert_int_equal(amo_test_check(AMO_OP_SUM, AMO_UINT8, false, 3, 1),
			 RC_OK);
}

static bool amo_test_same(const struct amo *a, const struct amo *b)
{
	return a->opcode == b->opcode && a->datatype == b->datatype &&
	       a->compare == b->compare && a->swap == b->swap;
}

static void extensions_come_back(void **state)
{
	const struct amo cswap = {AMO_CSWAP_GT, AMO_INT64, 7, 0u - 9ull};
	const struct amo sum = {AMO_OP_SUM, AMO_INT8, 0, 0};
	uint8_t p[AMO_EXT_MAX] = {0};
	struct amo back;

	(void)state;
	assert_int_equal(amo_put(&sum, p), ses_atomic_len);
	assert_int_equal(amo_get(&back, p, sizeof(p)), ses_atomic_len);
	assert_true(amo_test_same(&back, &sum));
	assert_int_equal(amo_put(&cswap, p), sizeof(p));
	for (size_t len = 0; len < sizeof(p); len++)
		assert_int_equal(amo_get(&back, p, len), ERR_SHORT);
	assert_int_equal(amo_get(&back, p, sizeof(p)), sizeof(p));
	assert_true(amo_test_same(&back, &cswap));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_their_twins),
		cmocka_unit_test(not_a_number),
		cmocka_unit_test(what_is_not_supported),
		cmocka_unit_test(sizes_and_places),
		cmocka_unit_test(extensions_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
