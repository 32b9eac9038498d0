/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/differ.h -- where a device that passes does not do what
 * the reference does.
 *
 * Both ran the same case with the same seed.  Their packets are compared in
 * order; the first that differs gives items, CLASS.WORD, as in
 * judge/governs.def.  If a row that was observed governs the item, the
 * difference is allowed: the row holds for both.  If none does, the
 * specification is silent about it, or the catalogue lacks a row.
 */
#ifndef SUITE_EXPLORE_DIFFER_H
#define SUITE_EXPLORE_DIFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/verdict/blame.h"
#include "suite/verdict/record.h"

#define DIFFER_ROWS 128
#define DIFFER_TEXT 64

struct differ_row {
	char item[BLAME_ITEM];
	enum req_id req; /* the row that governs it; REQ_NONE: none does */
	uint64_t times;  /* sequences */
	uint64_t run;    /* the first of them */
	/* what both did in the first */
	char device[DIFFER_TEXT], reference[DIFFER_TEXT];
};

struct differ {
	struct differ_row rows[DIFFER_ROWS];
	size_t n;
	uint64_t runs; /* sequences with a difference */
};

/*
 * differ_take compares the packets of two devices in the same case, and adds
 * the items in which the first differing packet differs.  Times, identifiers
 * and sequence numbers count only if the device ran in virtual time: else they
 * differ by chance.
 * Return: whether there was a difference.
 */
bool differ_take(struct differ *d, const struct record *device,
		 const struct record *reference, uint64_t run);

#endif
