/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_which.h -- the words that say which of the matching
 * packets an impairment changes.
 */
#ifndef SUITE_LANG_LINE_CASE_WHICH_H
#define SUITE_LANG_LINE_CASE_WHICH_H

#include "suite/lang/lex/case_lex.h"

enum which { NTH, EVERY, SRC, DST, ENTROPY, DSCP, ECN, WHICH_COUNT };

/* parse_is_which returns whether a word selects packets: nth=2. */
bool parse_is_which(struct word w);

/*
 * which_of returns which of these words |w| is, and in *ret_value the text
 * after its '='; WHICH_COUNT if it is none.
 */
enum which which_of(struct word w, struct word *ret_value);

/* parse_which_word returns the n-th of these words, NULL at the end. */
const char *parse_which_word(size_t n);

#endif
