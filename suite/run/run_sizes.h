/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_sizes.h -- checks a case against the sizes, and the number of
 * PDCs, that the device declares.
 */
#ifndef SUITE_RUN_RUN_SIZES_H
#define SUITE_RUN_RUN_SIZES_H

#include <stdint.h>

#include "suite/decl/decl.h"
#include "suite/lang/case.h"

/* A size that a case needs and the declaration does not provide. */
struct run_size {
	const char *line; /* words of its line: "size max_message" */
	uint64_t needed;
	const char *unit; /* of |needed|: "bytes" or "PDCs" */
};

/*
 * run_sizes_value returns a number of a case that depends on the declaration
 * alone: MTUs, and symbols of its lines.  It may be negative.
 */
uint64_t run_sizes_value(const struct decl *d, const struct number *n);

/*
 * run_sizes_fit compares the lengths of messages and memory in the steps of a
 * chair with the declaration.  A case that violates a rule may send packets of
 * a message that is too long.  It also compares the number of PDCs with
 * the "setting" lines max_pdcs, max_peer_pdcs, max_bitmaps and max_cccs, unless
 * a line of the chair configures that limit.
 *
 * Return: true; false: *ret is the first size that is exceeded.
 */
bool run_sizes_fit(const struct decl *d, const struct test_case *c,
		   enum chair chair, struct run_size *ret);

#endif
