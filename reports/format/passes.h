/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/passes.h -- the pass matrix: which legal variant passes which
 * case, and which cases are not applicable to it.
 *
 * tests/variants/matrix.py measures it and writes it as JSON ("rung.passes/1").
 */
#ifndef REPORTS_FORMAT_PASSES_H
#define REPORTS_FORMAT_PASSES_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

struct passes_variant {
	const char *name, *what;
	const char *why;    /* the clause that allows it */
	const unsigned *na; /* indices of cases that are not applicable */
	size_t nna;
	size_t nfails; /* cases that end neither as pass nor as na */
};

struct passes {
	struct arena arena;
	const char **cases;
	size_t ncases;
	size_t combinations; /* devices of several variants that passed */
	struct passes_variant *variants;
	size_t nvariants;
};

/*
 * passes_parse reads a matrix.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 * Owner:  passes_free.
 */
int passes_parse(struct passes **ret, const char *path, const char *text,
		 size_t len, struct diag *diag);
void passes_free(struct passes *p);

#endif
