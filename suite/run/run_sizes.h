/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_sizes.h -- whether a case stays within the sizes that the
 * device declares.
 */
#ifndef SUITE_RUN_RUN_SIZES_H
#define SUITE_RUN_RUN_SIZES_H

#include <stdint.h>

#include "suite/decl/decl.h"
#include "suite/lang/case.h"

/* A size that a case needs and the declaration does not give. */
struct run_size {
	const char *line; /* of the declaration: "size max_message" */
	uint64_t needed;  /* bytes */
};

/*
 * run_sizes_fit walks the steps of a chair and looks at the lengths of
 * messages and of memory.  A case that |violates| a rule may send packets of a
 * message that is too long.
 *
 * Return: true; false: *ret is the first size that is exceeded.
 */
bool run_sizes_fit(const struct decl *d, const struct step *first,
		   bool violates, struct run_size *ret);

#endif
