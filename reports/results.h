/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/results.h -- results.json, read back.
 */
#ifndef REPORTS_RESULTS_H
#define REPORTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vtime.h"
#include "suite/record.h"

/* One result; texts are never NULL, maybe "". */
struct result {
	const char *id, *title, *reason;
	const char *reason_id; /* of suite/verdict.def; "" in rung.results/1 */
	const char *found; /* "RUD-SEQ-76/dst RUD-SVC-3/dst": of its findings */
	const char *capture; /* or NULL */
	enum verdict verdict;
	uint32_t repeat;
	vspan virtual_ns;
};

/* A requirement in a role. */
struct result_req {
	const char *name; /* "RUD-SEQ-76/dst" */
	const char
		*verdict; /* "pass", "fail", "partial", "not reached", "na" */
};

struct results {
	struct arena arena;
	const char *path;
	const char *dut, *name, *version; /* as --dut named it; declared */
	bool interrupted;
	struct result *at; /* by id, then repetition */
	size_t n;
	struct result_req *reqs; /* by name */
	size_t nreqs;
};

/*
 * results_parse reads a results.json; members that it does not know do not
 * matter.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 * Owner:  results_free.
 */
int results_parse(struct results **ret, const char *path, const char *text,
		  size_t len, struct diag *diag);
void results_free(struct results *r);

/* results_failed says whether a case failed or did not end, in any run. */
bool results_failed(const struct results *r, const char *id);

#endif
