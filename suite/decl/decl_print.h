/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_print.h -- prints declarations.
 */
#ifndef SUITE_DECL_DECL_PRINT_H
#define SUITE_DECL_DECL_PRINT_H

#include "base/text.h"
#include "suite/decl/decl.h"

/* decl_print writes a declaration; decl_parse reads it back unchanged. */
void decl_print(struct text *t, const struct decl *d);

#endif
