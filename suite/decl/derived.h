/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/derived.h -- capabilities that follow from a number of the
 * declaration.  A case needs them as it needs others; a device cannot claim
 * them.
 */
#ifndef SUITE_DECL_DERIVED_H
#define SUITE_DECL_DERIVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decl;

struct derived_claim {
	const char *word;
	const char *line;     /* of the declaration: "size mtu" */
	size_t at;            /* of its number, a uint32_t of struct decl */
	uint32_t least, most; /* values that give the capability */
	bool below_mtu;       /* the number must also be below the MTU */
	bool in_mtus;         /* |least| counts MTUs, not bytes */
	/* instead of a number; NULL: not */
	bool (*has)(const struct decl *d);
};

/* derived_find returns the row of a word, or NULL if the word is another. */
const struct derived_claim *derived_find(const char *word);

/* derived_has returns whether the number of |d| gives the capability. */
bool derived_has(const struct derived_claim *c, const struct decl *d);

#endif
