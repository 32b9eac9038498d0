/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_words.h -- the words of post, configure, respond, report
 * and check lines.
 */
#ifndef SUITE_LANG_LINE_CASE_WORDS_H
#define SUITE_LANG_LINE_CASE_WORDS_H

#include "suite/lang/case.h"
#include "wire/field.h"

/* A key of post, respond and report lines. */
struct param_key {
	const char *name;
	enum {
		KEY_NUMBER,
		KEY_PSN,
		KEY_NAME, /* a number, or one of |names| */
		KEY_WORD, /* one of |names| */
		KEY_SPAN,
		KEY_SETTING, /* a number, or a span for a time in ns */
		KEY_RESULT
	} kind;
	const struct value_name *names;
};

/* Tables of case_words.c: verbs and keys; arrays end with a NULL name. */
extern const char *const respond_verbs[];
extern const struct param_key post_keys[];
extern const struct param_key configure_keys[];
extern const struct param_key respond_keys[];
extern const struct param_key report_keys[];

/* report_words[kind] is the word of a report line. */
extern const char *const report_words[];

/* check_words[op] is the comparison of a check line; ends with NULL. */
extern const char *const check_words[];

#endif
