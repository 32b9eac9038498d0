/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/pattern.c -- the bytes of messages and memory in a test.
 */
#include "base/pattern.h"

void pattern_fill(uint8_t *p, uint64_t seed, uint64_t id, uint64_t offset,
		  size_t len)
{
	uint64_t word = pattern_word(seed, id, offset / 8) >> offset % 8 * 8;

	for (size_t i = 0; i < len; i++) {
		if ((offset + i) % 8 == 0)
			word = pattern_word(seed, id, (offset + i) / 8);
		p[i] = (uint8_t)word;
		word >>= 8;
	}
}
