/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_words.h -- the words that post, respond and report
 * lines have for numbers.
 */
#ifndef SUITE_RUN_CONTROL_RUN_WORDS_H
#define SUITE_RUN_CONTROL_RUN_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/op.h"
#include "suite/lang/case.h"
#include "wire/field.h"

/*
 * run_word_value returns whether a parameter is one of |names|, and its
 * value in *ret.
 */
bool run_word_value(const struct param *p, const struct value_name *names,
		    uint64_t *ret);

/*
 * run_post_word sets the member of an operation that a parameter with a
 * word names; false: there is no such parameter or word.
 */
bool run_post_word(struct orc_op *op, const struct param *p);

#endif
