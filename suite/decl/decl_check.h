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

/*
 * The place of a row's value in the file; line 0 means that the file lacks the
 * row.
 */
struct decl_place {
	unsigned line, col;
	const char *source;
};

/*
 * decl_speaks returns whether the device claims |family|; for UET, any of its
 * modes.
 */
bool decl_speaks(const struct decl *d, enum family family);

/*
 * decl_check checks a complete declaration, and sets the numbers that derive
 * from others. places[i] is the place of row |i| in |file|.
 *
 * Return: 0; ERR_SYNTAX, |diag| then shows the line that is wrong.
 */
int decl_check(struct decl *d, const struct decl_place *places,
	       const char *file, struct diag *diag);

#endif
