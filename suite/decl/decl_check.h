/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_check.h -- checks the numbers of a declaration against each
 * other and against the specification of the families that it claims.
 */
#ifndef SUITE_DECL_DECL_CHECK_H
#define SUITE_DECL_DECL_CHECK_H

#include "base/diag.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_row.h"
#include "wire/family.h"

/* The place of a row's value in the file; line 0: the file lacks the row. */
struct decl_place {
	unsigned line, col;
	const char *source;
};

/* decl_speaks returns whether the device claims |family|, or a mode of UET. */
bool decl_speaks(const struct decl *d, enum family family);

/*
 * decl_check checks a declaration that was read whole, and sets the numbers
 * that follow from others.  places[i] is where row |i| stands in |file|.
 *
 * Return: 0; ERR_SYNTAX, |diag| then shows the line that is wrong.
 */
int decl_check(struct decl *d, const struct decl_place *places,
	       const char *file, struct diag *diag);

#endif
