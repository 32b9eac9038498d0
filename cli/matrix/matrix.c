/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix.c -- runs the cells of a matrix, one family after the
 * other.
 */
#include "cli/matrix/matrix.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "suite/decl/decl_check.h"

const char *matrix_verdict_name(enum matrix_verdict v)
{
	static const char *const names[] = {
		[MATRIX_NOT_RUN] = "not run",
		[MATRIX_PASS] = "pass",
		[MATRIX_FAIL] = "fail",
		[MATRIX_NA] = "na",
		[MATRIX_INCONCLUSIVE] = "inconclusive",
	};

	return names[v];
}

const char *matrix_blamed(const struct matrix *m, const struct matrix_cell *c,
			  const struct matrix_fault *f)
{
	if (f->blame == MATRIX_BLAME_EITHER)
		return "either end";
	return m->ends[c->ends[f->blame == MATRIX_BLAME_TARGET]].name;
}

void matrix_fault_req(struct text *t, const struct matrix_fault *f)
{
	if (f->fault.req == REQ_NONE)
		text_puts(t, "no requirement");
	else
		text_printf(t, "%s/%s", req_get(f->fault.req)->id,
			    req_role_name(f->fault.role));
}

static bool matrix_speaks(const struct matrix *m, size_t end,
			  enum family family)
{
	return decl_speaks(m->ends[end].decl, family);
}

/* Lists the cells of a family: the ends that claim it. */
static void matrix_list(struct matrix *m, enum family family)
{
	for (size_t i = 0; i < m->nends; i++)
		for (size_t k = 0; k < m->nends; k++)
			if (matrix_speaks(m, i, family) &&
			    matrix_speaks(m, k, family))
				m->cells[m->ncells++] = (struct matrix_cell){
					.family = family, .ends = {i, k}};
}

static int matrix_begin(struct matrix *m)
{
	m->cells = memory_calloc(m->nends * m->nends * wire_nfamilies,
				 sizeof(*m->cells));
	if (!m->cells)
		return cli_nomem(m->who);
	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (m->families & 1u << f)
			matrix_list(m, (enum family)f);
	return 0;
}

int matrix_run(struct matrix *m)
{
	int code = matrix_begin(m);

	for (size_t i = 0; i < m->ncells && !code; i++) {
		struct matrix_cell *c = &m->cells[i];

		if (!m->quiet)
			fprintf(stderr, "%s: %zu of %zu: %s: %s -> %s\n",
				m->who, i + 1, m->ncells,
				family_name(c->family),
				m->ends[c->ends[0]].name,
				m->ends[c->ends[1]].name);
		code = matrix_cell_run(m, c);
	}
	return code;
}

void matrix_free(struct matrix *m)
{
	for (size_t i = 0; i < m->ncells; i++)
		free(m->cells[i].faults);
	free(m->cells);
	for (size_t i = 0; i < m->nends; i++)
		matrix_end_free(&m->ends[i]);
	free(m->ends);
	matrix_end_free(&m->reference);
}
