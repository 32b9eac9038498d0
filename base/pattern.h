/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/pattern.h -- the bytes of messages and memory in a test.
 *
 * Every byte follows from a seed, from the message or memory that it belongs
 * to, and from its offset there.  Eight bytes in a row are one mixed number, so
 * that no two places look alike: data of another message, from another offset
 * or of another run is noticed.
 *
 * Spec: docs/dut-control.md "Bytes"
 */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_STEP 0xd1342543de82ef95u

/* pattern_mix returns the word of a state; the next state is PATTERN_STEP on.
 */
static inline uint64_t pattern_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static inline uint64_t pattern_state(uint64_t seed, uint64_t id, uint64_t word)
{
	return seed + id * 0x9e3779b97f4a7c15u + (word + 1) * PATTERN_STEP;
}

/* pattern_word returns bytes 8 * |word| and on; the low byte is the first. */
static inline uint64_t pattern_word(uint64_t seed, uint64_t id, uint64_t word)
{
	return pattern_mix(pattern_state(seed, id, word));
}

/* pattern_memory returns the id of the memory that is exposed under |key|. */
static inline uint64_t pattern_memory(uint64_t key)
{
	return ~key;
}

static inline uint8_t pattern_byte(uint64_t seed, uint64_t id, uint64_t offset)
{
	return (uint8_t)(pattern_word(seed, id, offset / 8) >> offset % 8 * 8);
}

/* pattern_fill writes |len| bytes of the pattern from |offset| on. */
void pattern_fill(uint8_t *p, uint64_t seed, uint64_t id, uint64_t offset,
		  size_t len);

/*
 * pattern_is returns true if the |len| bytes at |p| are those of the pattern
 * from |offset| on.
 */
bool pattern_is(const uint8_t *p, uint64_t seed, uint64_t id, uint64_t offset,
		size_t len);

#endif
