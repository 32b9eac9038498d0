/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/hot.h -- what a compiler cannot know of a way that every packet goes.
 *
 * A packet of a capture is judged in some 400 cycles, which are hardly enough
 * to fetch 1,300 instructions.  So the functions of that way stand together,
 * where they do not drive each other out of the cache, and what nearly always
 * holds is gone through without a jump.
 */
#ifndef BASE_HOT_H
#define BASE_HOT_H

/* HOT, before a function: it is on that way. */
#define HOT __attribute__((hot))

/* likely and unlikely, around a condition: how it is of nearly all packets. */
#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
