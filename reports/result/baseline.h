/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/baseline.h -- the list of a device's known failures.
 *
 *   expect fail uet/rud/nack*@target
 *      because  firmware 1.4 doubles its retransmission timer
 *      link     https://bugs.example.com/123
 *      owner    ann@example.com
 *      until    2027-01-31
 *      under    RUD-PDC-12/src
 *
 * An expected failure is known and does not fail the run.  With "under" it is
 * known only if all findings are under the rows that it names, so that no other
 * fault hides behind it.  A result better than
 * expected does fail it, because the list must stay true; so does an expired
 * entry.  docs/baseline.md is the reference.
 */
#ifndef REPORTS_RESULT_BASELINE_H
#define REPORTS_RESULT_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "suite/verdict/record.h"

enum baseline_state {
	BASELINE_NONE,    /* no entry matches it */
	BASELINE_KNOWN,   /* the verdict is the expected one */
	BASELINE_FIXED,   /* it passes, which was not expected */
	BASELINE_OTHER,   /* another verdict: it counts as it is */
	BASELINE_EXPIRED, /* the entry has expired: it counts as it is */
};

struct baseline_entry {
	unsigned line;
	const char *pattern; /* glob that ids match */
	bool flaky;          /* pass and fail are both expected */
	bool gone; /* the case may disappear; says nothing of a result */
	enum verdict verdict;
	const char *because;      /* never empty */
	const char *link, *owner; /* as in the file; NULL: not given */
	const char *until;        /* last valid day, "2027-01-31"; or NULL */
	bool expired;
	/* rows under which the failure is expected; none: under any */
	const struct req_ref *under;
	size_t nunder;
};

struct baseline {
	struct arena arena;
	const char *path;
	struct baseline_entry *entries; /* the first match counts */
	size_t n;
	bool strict; /* remarks fail too; set by the caller, false at first */
};

/*
 * baseline_parse reads a list; |today| is for example "2026-12-01".
 *
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 *
 * Owner:  baseline_free.
 */
int baseline_parse(struct baseline **ret, const char *path, const char *text,
		   size_t len, const char *today, struct diag *diag);
void baseline_free(struct baseline *b);

/*
 * baseline_judge compares a result, by its id, verdict and findings, with the
 * list; |b| may be NULL.  *ret_entry is the entry, or NULL for BASELINE_NONE.
 *
 * If the first entry that matches the case names rows, all valid entries for
 * the case that name rows count together: the result is known if each finding
 * is under a row of one of them.
 */
enum baseline_state baseline_judge(const struct baseline *b,
				   const struct record *r,
				   const struct baseline_entry **ret_entry);

/*
 * baseline_gone returns the valid entry that says that a case may disappear, or
 * NULL; |b| may be NULL.
 */
const struct baseline_entry *baseline_gone(const struct baseline *b,
					   const char *id);

/*
 * baseline_state_name returns "none", "known", "fixed", "other" or "expired".
 */
const char *baseline_state_name(enum baseline_state s);

/* baseline_say appends "known: why (owner, until 2027-01-31, link)". */
void baseline_say(struct text *t, enum baseline_state s,
		  const struct baseline_entry *e);

#endif
