/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/rng.h -- seeded random numbers (SplitMix64); rung uses no other source.
 *
 * The same seed gives the same numbers on every machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state;
};

/* rng_next returns 64 random bits. */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/*
 * rng_below returns a number from 0 to n-1; n is not 0.  The bias is below
 * 2^-32.
 */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/*
 * rng_mix mixes a text into a seed, so that each case has its own seed,
 * independent of the order of the cases.
 */
static inline uint64_t rng_mix(uint64_t seed, const char *text)
{
	struct rng r = {seed};

	while (*text)
		r.state = rng_next(&r) ^ (uint8_t)*text++;
	return rng_next(&r);
}

#endif
