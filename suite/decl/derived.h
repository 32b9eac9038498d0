/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/derived.h -- capabilities that follow from a number of the
 * declaration.  A case may need such a capability, but a device cannot claim
 * it.
 */
#ifndef SUITE_DECL_DERIVED_H
#define SUITE_DECL_DERIVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/op.h"

struct decl;

struct derived_claim {
	const char *word;
	const char *line; /* the words of the number's line: "size mtu" */
	/*
	 * Unless 0, the "setting" line that says the number.  A device without
	 * the line has the capability.
	 */
	enum orc_setting setting;
	size_t at; /* offset of the number, a uint32_t of struct decl */
	uint32_t least,
		most;   /* the range of values that imply the capability */
	bool below_mtu; /* the number must also be below the MTU */
	bool in_mtus;   /* |least| counts MTUs, not bytes */
	bool zero_is_no_limit;
	/* replaces the range check unless NULL */
	bool (*has)(const struct decl *d);
};

/*
 * derived_find returns the row of a derived capability, or NULL if |word| is
 * none.
 */
const struct derived_claim *derived_find(const char *word);

/* derived_has returns whether the numbers of |d| imply the capability. */
bool derived_has(const struct derived_claim *c, const struct decl *d);

#endif
