/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/compare.h -- two runs side by side: what is new, what is fixed.
 *
 * A case with several repetitions counts as what it was at its worst, and as
 * unsteady if they differ.  Times are those of the link; a change is told if
 * it is beyond what the repetitions scatter, and beyond a fifth and a
 * millisecond at least.
 */
#ifndef REPORTS_COMPARE_H
#define REPORTS_COMPARE_H

#include <stddef.h>

#include "base/text.h"
#include "reports/results.h"

enum compare_what {
	COMPARE_BROKEN,  /* fails now, and did not */
	COMPARE_FIXED,   /* passes now, and did not */
	COMPARE_OTHER,   /* still fails, under other requirements */
	COMPARE_CHANGED, /* another verdict, neither of these */
	COMPARE_SLOWER,
	COMPARE_FASTER,
	COMPARE_ADDED,   /* only in the second */
	COMPARE_REMOVED, /* only in the first */
	COMPARE_SAME,
	COMPARE_COUNT,
};

/* One case in one of the runs. */
struct compare_side {
	const struct result *worst; /* lent; NULL: it is not there */
	size_t runs, fails;
	vspan median, spread; /* of the runs that passed; 0, 0: none did */
};

struct compare_case {
	const char *id;
	enum compare_what what;
	struct compare_side a, b;
};

/* A requirement whose verdict is another. */
struct compare_req {
	const char *name;
	const char *a, *b; /* verdicts; "" if it is not there */
};

struct compare {
	const struct results *a, *b;
	struct compare_case *cases; /* all, by id */
	size_t n;
	struct compare_req *reqs;
	size_t nreqs;
	size_t count[COMPARE_COUNT];
};

/* compare_new compares; both are lent.  Errors: ERR_NOMEM. */
int compare_new(struct compare **ret, const struct results *a,
		const struct results *b);
void compare_free(struct compare *c);

const char *compare_name(enum compare_what w); /* "broken", ... */

/*
 * compare_text, compare_json ("rung.compare/1") and compare_html append the
 * comparison.  Errors: ERR_NOMEM.
 */
int compare_text(struct text *t, const struct compare *c);
int compare_json(struct text *t, const struct compare *c);
int compare_html(struct text *t, const struct compare *c);

#endif
