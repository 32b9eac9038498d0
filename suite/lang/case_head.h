/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_head.h -- parses the head of a case.
 */
#ifndef SUITE_LANG_CASE_HEAD_H
#define SUITE_LANG_CASE_HEAD_H

#include "suite/lang/parse_state.h"

/*
 * parse_head_line reads one line of the head.
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int parse_head_line(struct parse *p, struct test_case *c);

/* parse_is_head returns whether a word begins a line of the head. */
bool parse_is_head(struct word w);

/*
 * read_needs reads capabilities up to the end of the line.
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int read_needs(struct parse *p, struct needs *needs);

/*
 * check_head refuses a case without a title, covers or chair.
 * Errors: ERR_SYNTAX.
 */
int check_head(struct parse *p, const struct test_case *c);

/* parse_head_word returns the word of the n-th head line, NULL at the end. */
const char *parse_head_word(size_t n);

#endif
