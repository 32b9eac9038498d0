/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_parse.h -- parses declarations.
 */
#ifndef SUITE_DECL_DECL_PARSE_H
#define SUITE_DECL_DECL_PARSE_H

#include <stddef.h>

#include "base/diag.h"
#include "suite/decl/decl.h"

/*
 * decl_parse reads a declaration.  Every key except "name" has a default.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 * Owner:  the caller frees *ret with decl_free.
 */
int decl_parse(struct decl **ret, const char *path, const char *text,
	       size_t len, struct diag *diag);

#endif
