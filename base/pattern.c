/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/pattern.c -- the bytes of messages and memory in a test.
 */
#include "base/pattern.h"

#include <string.h>

/* Returns the eight bytes of a state, in the order of memory. */
static uint64_t pattern_stored(uint64_t state)
{
	const uint64_t v = pattern_mix(state);

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return __builtin_bswap64(v);
	return v;
}

/* Returns how many bytes precede the first whole word, at most |len|. */
static size_t pattern_head(uint64_t offset, size_t len)
{
	const size_t head = (size_t)(-offset % 8);

	return head < len ? head : len;
}

/* Writes |n| words from |state| on. */
static inline void pattern_store(uint8_t *p, uint64_t state, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t v = pattern_stored(state + i * PATTERN_STEP);

		memcpy(p + 8 * i, &v, sizeof(v));
	}
}

#if defined(__x86_64__)

enum { BLOCK = 8 }; /* words */

/*
 * Multiplies the words of a block at once.  The count of a block is a constant,
 * since gcc vectorizes no other loop with -O2.
 */
__attribute__((target("avx512f,avx512dq"))) static void
pattern_store_wide(uint8_t *p, uint64_t state, size_t n)
{
	for (; n >= BLOCK; n -= BLOCK) {
		pattern_store(p, state, BLOCK);
		p += 8 * BLOCK;
		state += BLOCK * PATTERN_STEP;
	}
	pattern_store(p, state, n);
}

static void pattern_words(uint8_t *p, uint64_t state, size_t n)
{
	if (__builtin_cpu_supports("avx512dq"))
		pattern_store_wide(p, state, n);
	else
		pattern_store(p, state, n);
}

#else

static void pattern_words(uint8_t *p, uint64_t state, size_t n)
{
	pattern_store(p, state, n);
}

#endif

void pattern_fill(uint8_t *p, uint64_t seed, uint64_t id, uint64_t offset,
		  size_t len)
{
	const size_t head = pattern_head(offset, len);
	const uint64_t state = pattern_state(seed, id, (offset + head) / 8);
	size_t i = 0;

	for (; i < head; i++)
		p[i] = pattern_byte(seed, id, offset + i);
	pattern_words(p + i, state, (len - i) / 8);
	for (i += (len - i) / 8 * 8; i < len; i++)
		p[i] = pattern_byte(seed, id, offset + i);
}

bool pattern_is(const uint8_t *p, uint64_t seed, uint64_t id, uint64_t offset,
		size_t len)
{
	const size_t head = pattern_head(offset, len);
	uint64_t state = pattern_state(seed, id, (offset + head) / 8);
	size_t i = 0;

	for (; i < head; i++)
		if (p[i] != pattern_byte(seed, id, offset + i))
			return false;
	for (; len - i >= 8; i += 8, state += PATTERN_STEP) {
		const uint64_t v = pattern_stored(state);

		if (memcmp(p + i, &v, sizeof(v)) != 0)
			return false;
	}
	for (; i < len; i++)
		if (p[i] != pattern_byte(seed, id, offset + i))
			return false;
	return true;
}
