/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_words.h -- maps words of post, respond and report lines
 * to numbers.
 */
#ifndef SUITE_RUN_CONTROL_RUN_WORDS_H
#define SUITE_RUN_CONTROL_RUN_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/dut/ctl/ctl.h"
#include "suite/lang/case.h"
#include "wire/field.h"

/*
 * run_word_value returns whether a parameter is one of |names|, and its
 * value in *ret.
 */
bool run_word_value(const struct param *p, const struct value_name *names,
		    uint64_t *ret);

/*
 * run_post_set sets the member of a request that a parameter of a post line
 * names; false if its verb has no such key.
 */
bool run_post_set(struct ctl_req *req, const char *key, uint64_t v);

#endif
