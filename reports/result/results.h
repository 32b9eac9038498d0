/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/results.h -- reads results.json back.
 */
#ifndef REPORTS_RESULT_RESULTS_H
#define REPORTS_RESULT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vtime.h"
#include "suite/verdict/record.h"

/* One result; texts are never NULL but may be "". */
struct result {
	const char *id, *title, *reason;
	/* id in suite/verdict/verdict.def; "" in rung.results/1 */
	const char *reason_id;
	/* requirements of its findings: "RUD-SEQ-76/dst RUD-SVC-3/dst" */
	const char *found;
	const char *capture; /* path, or NULL */
	enum verdict verdict;
	uint32_t repeat;
	vspan virtual_ns;
	vspan wall_ns; /* 0 if the file does not say */
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
	const char *dut, *name, *version; /* as --dut names it; as declared */
	/* of the run; "" if the file does not say */
	const char *run, *date, *commit, *bench, *firmware, *seed;
	bool interrupted;
	struct result *at; /* sorted by id, then repetition */
	size_t n;
	struct result_req *reqs; /* sorted by name */
	size_t nreqs;
};

/*
 * results_parse reads a results.json and ignores unknown members.
 *
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 *
 * Owner:  results_free.
 */
int results_parse(struct results **ret, const char *path, const char *text,
		  size_t len, struct diag *diag);
void results_free(struct results *r);

/*
 * results_failed returns true if a repetition of the case failed or did not
 * finish.
 */
bool results_failed(const struct results *r, const char *id);

/*
 * results_duration returns the mean duration of the repetitions of a case; 0:
 * not recorded.
 */
vspan results_duration(const struct results *r, const char *id);

#endif
