/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/baseline.h -- what a device is known to get wrong.
 *
 *	expect fail uet/rud/nack*@target
 *	  because  firmware 1.4 doubles its retransmission timer
 *	  link     https://bugs.example.com/123
 *	  owner    ann@example.com
 *	  until    2027-01-31
 *
 * A result that is expected so is known and does not fail the run.  One that
 * is better than expected does, for the list must stay true; so does an entry
 * whose date is over.  docs/baseline.md is the reference.
 */
#ifndef REPORTS_BASELINE_H
#define REPORTS_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "suite/record.h"

enum baseline_state {
	BASELINE_NONE,    /* no entry is about it */
	BASELINE_KNOWN,   /* as expected */
	BASELINE_FIXED,   /* it passes, and was expected not to */
	BASELINE_OTHER,   /* neither: it counts as it is */
	BASELINE_EXPIRED, /* the entry is over: it counts as it is */
};

struct baseline_entry {
	unsigned line;
	const char *pattern; /* glob over ids */
	bool flaky;          /* pass and fail are both expected */
	enum verdict verdict;
	const char *because;      /* never empty */
	const char *link, *owner; /* or NULL */
	const char *until;        /* "2027-01-31", its last day; or NULL */
	bool expired;
};

struct baseline {
	struct arena arena;
	const char *path;
	struct baseline_entry *entries; /* the first that matches counts */
	size_t n;
};

/*
 * baseline_parse reads a list; |today| is "2026-12-01".
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 * Owner:  baseline_free.
 */
int baseline_parse(struct baseline **ret, const char *path, const char *text,
		   size_t len, const char *today, struct diag *diag);
void baseline_free(struct baseline *b);

/*
 * baseline_judge holds a result against the list; |b| may be NULL.  *ret_entry
 * is the entry, or NULL for BASELINE_NONE.
 */
enum baseline_state baseline_judge(const struct baseline *b, const char *id,
				   enum verdict v,
				   const struct baseline_entry **ret_entry);

/* "none", "known", "fixed", "other", "expired". */
const char *baseline_state_name(enum baseline_state s);

/* baseline_say appends "known: why (owner, until 2027-01-31, link)". */
void baseline_say(struct text *t, enum baseline_state s,
		  const struct baseline_entry *e);

#endif
