/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/bytes.c -- the bytes that memory and messages must hold.
 */
#include "tests/soak/bytes.h"

#include "base/pattern.h"

bool bytes_fit(const uint8_t *p, size_t len, uint64_t id, uint32_t base)
{
	return pattern_is(p, 0, id, base, len);
}

uint64_t bytes_count(const uint8_t *p)
{
	uint64_t v = 0;

	for (unsigned i = 8; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

uint64_t bytes_first_count(uint64_t key, uint32_t offset)
{
	uint8_t p[8];

	pattern_fill(p, 0, pattern_memory(key), offset, sizeof(p));
	return bytes_count(p);
}
