/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix_print.h -- a matrix as text, as JSON and as a page.
 */
#ifndef CLI_MATRIX_MATRIX_PRINT_H
#define CLI_MATRIX_MATRIX_PRINT_H

#include <jansson.h>

#include "base/text.h"
#include "cli/matrix/matrix.h"

/* matrix_text appends a table for each family, and the faults. */
void matrix_text(struct text *t, const struct matrix *m);

/*
 * matrix_json makes the document of docs/matrix.schema.json; NULL: there is no
 * memory.
 * Owner:  the caller.
 */
json_t *matrix_json(const struct matrix *m);

/* matrix_html appends the page, which needs no other file. */
void matrix_html(struct text *t, const struct matrix *m);

#endif
