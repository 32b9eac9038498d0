/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix_json.c -- a matrix as a document of
 * docs/matrix.schema.json.
 */
#include "cli/matrix/matrix_print.h"
#include "reports/safe.h"
#include "rung_version.h"

/* Makes a string from untrusted text. */
static json_t *matrix_string(const char *s)
{
	struct text t = {0};
	json_t *j;

	safe_puts(&t, s);
	j = json_string(text_cstr(&t));
	text_free(&t);
	return j;
}

static json_t *matrix_ends_json(const struct matrix *m)
{
	json_t *all = json_array();

	for (size_t i = 0; i < m->nends; i++) {
		const struct matrix_end *e = &m->ends[i];
		json_t *families = json_array();

		for (size_t c = 0; c < m->ncells; c++)
			if (m->cells[c].ends[0] == i &&
			    m->cells[c].ends[1] == i)
				json_array_append_new(
					families, json_string(family_name(
							  m->cells[c].family)));
		json_array_append_new(all,
				      json_pack("{s:o,s:b,s:o,s:o}", "name",
						matrix_string(e->name), "bench",
						e->bench.name != NULL, "device",
						matrix_string(e->decl->name),
						"families", families));
	}
	return all;
}

static json_t *matrix_exchange_json(const struct matrix_fault *f)
{
	json_t *ops = json_array();
	struct text t = {0};
	json_t *j;

	for (size_t i = 0; i < f->exchange.n; i++)
		json_array_append_new(
			ops,
			json_pack("{s:s,s:I}", "verb",
				  exchange_verb(f->exchange.ops[i].kind), "len",
				  (json_int_t)f->exchange.ops[i].len));
	exchange_print(&t, &f->exchange);
	j = json_pack("{s:s,s:s,s:o,s:s,s:I}", "text", text_cstr(&t), "link",
		      f->exchange.link, "operations", ops, "rules",
		      f->exchange.rules, "packets", (json_int_t)f->packets);
	text_free(&t);
	return j;
}

static json_t *matrix_fault_json(const struct matrix *m,
				 const struct matrix_cell *c,
				 const struct matrix_fault *f)
{
	static const char *const sides[] = {
		[MATRIX_BLAME_INITIATOR] = "initiator",
		[MATRIX_BLAME_TARGET] = "target",
		[MATRIX_BLAME_EITHER] = "either",
	};
	const bool named = f->fault.req != REQ_NONE;
	json_t *req = json_null(), *role = json_null();
	json_t *capture = json_null();

	if (named) {
		req = json_string(req_get(f->fault.req)->id);
		role = json_string(req_role_name(f->fault.role));
	}
	if (*f->capture)
		capture = json_string(f->capture);
	return json_pack(
		"{s:s,s:o,s:o,s:o,s:o,s:b,s:o,s:o}", "side", sides[f->blame],
		"end", matrix_string(matrix_blamed(m, c, f)), "requirement",
		req, "role", role, "text", matrix_string(f->fault.text),
		"with_reference", f->alone, "shortest", matrix_exchange_json(f),
		"capture", capture);
}

static json_t *matrix_cell_json(const struct matrix *m,
				const struct matrix_cell *c)
{
	json_t *faults = json_array();

	for (size_t i = 0; i < c->n; i++)
		json_array_append_new(faults,
				      matrix_fault_json(m, c, &c->faults[i]));
	return json_pack("{s:s,s:o,s:o,s:s,s:s,s:I,s:I,s:I,s:o}", "family",
			 family_name(c->family), "initiator",
			 matrix_string(m->ends[c->ends[0]].name), "target",
			 matrix_string(m->ends[c->ends[1]].name), "verdict",
			 matrix_verdict_name(c->verdict), "reason", c->why,
			 "exchanges", (json_int_t)c->exchanges, "operations",
			 (json_int_t)c->operations, "packets",
			 (json_int_t)c->packets, "faults", faults);
}

json_t *matrix_json(const struct matrix *m)
{
	json_t *cells = json_array();
	char seed[32];

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)m->seed);
	for (size_t i = 0; i < m->ncells; i++)
		json_array_append_new(cells, matrix_cell_json(m, &m->cells[i]));
	return json_pack("{s:s,s:{s:s,s:s,s:s},s:s,s:s,s:o,s:o}", "schema",
			 "rung.matrix/1", "tool", "name", "rung", "version",
			 RUNG_VERSION, "commit", RUNG_COMMIT, "seed", seed,
			 "time", m->live ? "real" : "virtual", "ends",
			 matrix_ends_json(m), "cells", cells);
}
