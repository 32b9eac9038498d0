/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_value.h -- parses the values of keys.
 */
#ifndef SUITE_DUT_CTL_CTL_VALUE_H
#define SUITE_DUT_CTL_CTL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/text.h"
#include "suite/dut/ctl/ctl_table.h"

/* The buffer for the reason of an event. */
struct ctl_reason {
	char *text;
	size_t size;
};

/*
 * ctl_value_parse sets the member of a key in the struct at |base|; false: the
 * value is of another type, or out of range.
 */
bool ctl_value_parse(const struct ctl_reason *reason, const struct ctl_key *k,
		     void *base, const json_t *v);

/* ctl_value_uint reads an unsigned integer of at most |max|. */
bool ctl_value_uint(const json_t *v, uint64_t max, uint64_t *ret);

/*
 * ctl_value_copy copies a text of UTF-8, cut between characters, so that it can
 * be printed again.
 */
void ctl_value_copy(char *dst, size_t size, const char *src);

/*
 * ctl_value_describe appends a description of the values that a key may have.
 */
void ctl_value_describe(struct text *t, const struct ctl_key *k);

#endif
