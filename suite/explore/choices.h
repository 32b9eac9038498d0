/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/choices.h -- a log of choices: every random draw of an
 * exploration is a small integer in it.
 *
 * A new log draws from a seed.  A log that was kept is read again: the same
 * choices give the same sequence, byte for byte.  Behind its end every choice
 * is 0, which is always the simplest one, so that a shorter log or smaller
 * numbers give a simpler sequence.
 */
#ifndef SUITE_EXPLORE_CHOICES_H
#define SUITE_EXPLORE_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/text.h"

#define CHOICES_MAX 512

struct choices {
	uint32_t v[CHOICES_MAX];
	size_t n;       /* choices in the log */
	size_t at;      /* the next one to be read */
	bool drawing;   /* draw behind the end, else 0 */
	bool simplest;  /* a choice that no plan decides is 0 */
	struct rng rng; /* of the draws */
};

/* choices_draw begins an empty log that draws from |seed|. */
void choices_draw(struct choices *c, uint64_t seed);

/*
 * choices_simplest begins an empty log in which each choice that no plan
 * decides is 0.
 */
void choices_simplest(struct choices *c);

/* choices_replay reads the log again from its beginning; it draws no more. */
void choices_replay(struct choices *c);

/*
 * choose returns a number from 0 to n-1; n is not 0.  A log that is full, or at
 * its end and not drawing, gives 0.  A number of the log that is n or more
 * becomes its remainder, so that the log holds what was chosen.
 */
uint32_t choose(struct choices *c, uint32_t n);

/* choose_as is choose, but draws |want| where it would draw at random. */
uint32_t choose_as(struct choices *c, uint32_t n, uint32_t want);

/* choices_cut removes |len| choices from |from| on. */
void choices_cut(struct choices *c, size_t from, size_t len);

/* choices_print appends the log: numbers, separated by commas. */
void choices_print(const struct choices *c, struct text *t);

/*
 * choices_parse reads such a list and prepares it for reading.
 * Errors: ERR_VALUE not such a list, or too long.
 */
int choices_parse(struct choices *c, const char *s);

#endif
