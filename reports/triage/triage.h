/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/triage/triage.h -- sorts a run's findings by cause instead of by
 * case.
 *
 *    triage_new(&t, summary);
 *    for (size_t i = 0; i < t->n; i++)    the most important one first
 *      t->causes[i] ...
 *    triage_free(t);
 *
 * Findings of all cases that name the same row and the same item ("ack.retx")
 * are one candidate.  A candidate is a cause if it is the first finding of at
 * least one failed case, or if a line of one names the item for the row; other
 * findings behind the first one of their case count for it as well, but are not
 * a cause on their own.  The forms of a cause differ in
 * what was expected, what came, and the state.
 */
#ifndef REPORTS_TRIAGE_TRIAGE_H
#define REPORTS_TRIAGE_TRIAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"
#include "suite/decl/deviation.h"

/* A finding of a case of the summary. */
struct triage_at {
	size_t c; /* index of the case */
	size_t f; /* index of its finding; SIZE_MAX: none */
};

/* A form of a cause. */
struct triage_form {
	const char *expected, *actual; /* with numbers normalised; never NULL */
	const char *state;             /* "opening", "body" or "closing" */
	size_t ncases;
	struct triage_at shortest;
};

struct triage_cause {
	enum req_id req; /* REQ_NONE: the cases name no requirement */
	enum req_role role;
	const char *what;   /* item such as "ack.retx"; "" if unknown */
	const char *reason; /* reason of a cause without a requirement; or "" */
	bool remark;        /* it fails no case */
	bool known;         /* the declaration names this deviation */
	bool stepped;       /* cases continued after it */
	size_t nfound;      /* cases with such a finding */
	size_t nfirst;      /* cases in which it is the first finding */
	size_t nexplained;  /* failed cases that no cause above explains */
	/* further failed cases, which fail by rows that this row explains */
	size_t nbehind;
	/* the finding in the case with the fewest packets */
	struct triage_at shortest;
	struct triage_form *forms; /* sorted by number of cases */
	size_t nforms;
	size_t *cases; /* sorted indices, nfound of them */
};

struct triage {
	struct arena arena;
	struct triage_cause *causes;
	size_t n;       /* number of causes */
	size_t nfails;  /* causes that are no remarks; they come first */
	size_t nfailed; /* failed cases, without known ones */
};

/*
 * triage_new groups the findings of |s|.  It leaves out cases that the baseline
 * expects to fail, and findings of inconclusive cases.
 *
 * Order: causes that fail cases before remarks; then the more suspect row,
 * which explains more failed cases that no cause above explains, then a must,
 * then the one that fewer cases fulfil; then the earlier finding.  A case in
 * which a line names the row counts ten times as much as one in which a monitor
 * proves it or bytes differ, and that as one in which the tables assume it.  An
 * alternative that no case fulfils comes before a row that passes in many times
 * the cases in which it fails (EXPLAIN_STRAY).  Cases that differ
 * in the value of a "for" line alone count as one.  A row that another one
 * explains (summary_explain) is no cause if that one is.
 *
 * Errors: ERR_NOMEM.
 *
 * Owner:  triage_free; it borrows from |s|.
 */
int triage_new(struct triage **ret, const struct summary *s);
void triage_free(struct triage *t);

#endif
