/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/hot.h -- annotations and constants for the per-packet path.
 *
 * Judging a captured packet takes about 400 cycles, in which the processor can
 * barely fetch the 1,300 instructions.  So the functions of this path are
 * placed together, where they do not evict each other from the instruction
 * cache, and the likely branch continues without a jump.
 */
#ifndef BASE_HOT_H
#define BASE_HOT_H

/* HOT, before a function, places it on the per-packet path. */
#define HOT __attribute__((hot))

/*
 * likely and unlikely, around a condition, state its value for nearly all
 * packets.
 */
#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#define CACHE_LINE 64 /* bytes */

/*
 * FETCHES, in place of the type of a function that only prefetches, inlines it
 * always: the compiler sees no effect of such a function and removes calls.
 */
#define FETCHES static inline __attribute__((always_inline)) void

#endif
