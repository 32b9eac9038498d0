/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/compare/compare.h -- compares two runs: new and fixed failures.
 *
 * A case with several repetitions counts as its worst verdict, and as unsteady
 * if they differ.  Times are those of the link; a change is reported if it
 * exceeds the scatter of the repetitions, and a fifth, and a millisecond.
 */
#ifndef REPORTS_COMPARE_COMPARE_H
#define REPORTS_COMPARE_COMPARE_H

#include <stddef.h>

#include "base/text.h"
#include "reports/result/results.h"

enum compare_what {
	COMPARE_BROKEN,  /* fails now, did not before */
	COMPARE_FIXED,   /* passes now, did not before */
	COMPARE_OTHER,   /* still fails, for other requirements */
	COMPARE_CHANGED, /* verdict changed otherwise */
	COMPARE_SLOWER,
	COMPARE_FASTER,
	COMPARE_ADDED,   /* only in the second run */
	COMPARE_REMOVED, /* only in the first run */
	COMPARE_SAME,
	COMPARE_COUNT,
};

/* One case in one run. */
struct compare_side {
	const struct result *worst; /* lent; NULL: not in this run */
	size_t runs, fails;
	vspan median, spread; /* times of passed runs; 0, 0: none passed */
};

struct compare_case {
	const char *id;
	enum compare_what what;
	struct compare_side a, b;
};

/* A requirement whose verdict changed. */
struct compare_req {
	const char *name;
	const char *a, *b; /* verdicts; "" if missing */
};

struct compare {
	const struct results *a, *b;
	struct compare_case *cases; /* all cases, sorted by id */
	size_t n;
	struct compare_req *reqs;
	size_t nreqs;
	size_t count[COMPARE_COUNT];
};

/* compare_new compares two runs; both are lent.  Errors: ERR_NOMEM. */
int compare_new(struct compare **ret, const struct results *a,
		const struct results *b);
void compare_free(struct compare *c);

/* compare_name returns "broken", ... */
const char *compare_name(enum compare_what w);

#endif
