/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/triage.h -- what a run found, by cause and not by case.
 *
 *	triage_new(&t, summary);
 *	for (size_t i = 0; i < t->n; i++)	the most important one first
 *		t->causes[i] ...
 *	triage_free(t);
 *
 * Findings of all cases that name the same row and the same item ("ack.retx")
 * are one candidate.  A candidate is a cause if it is the first finding of at
 * least one failed case; findings behind the first one of their case count for
 * it as well, but make no cause of their own.  Findings of one cause are told
 * apart by what was expected, what came and the state: its forms.
 */
#ifndef REPORTS_TRIAGE_H
#define REPORTS_TRIAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "reports/about.h"
#include "reports/summary.h"
#include "suite/deviation.h"

/* A finding of a case of the summary. */
struct triage_at {
	size_t c; /* index of the case */
	size_t f; /* index of its finding; SIZE_MAX: the case has none */
};

/* One way in which a cause shows. */
struct triage_form {
	const char *expected, *actual; /* numbers normalised; never NULL */
	const char *state;             /* "opening", "body" or "closing" */
	size_t ncases;
	struct triage_at shortest;
};

struct triage_cause {
	enum req_id req; /* REQ_NONE: the cases name no requirement */
	enum req_role role;
	const char *what;   /* "ack.retx"; "" if unknown */
	const char *reason; /* of a cause without a requirement; or "" */
	bool remark;        /* fails no case */
	bool known;         /* the declaration names this deviation */
	bool stepped;       /* cases went on behind it */
	size_t nfound;      /* cases in which it was found */
	size_t nfirst;      /* of those, in which nothing was found before */
	size_t nexplained;  /* cases that fail, and no cause above explains */
	struct triage_at shortest; /* in the case with the fewest packets */
	struct triage_form *forms; /* by number of cases */
	size_t nforms;
	size_t *cases; /* indices, nfound of them, in order */
};

struct triage {
	struct arena arena;
	struct triage_cause *causes;
	size_t n;       /* all of them */
	size_t nfails;  /* of those, the first ones, which are no remarks */
	size_t nfailed; /* cases that failed, known ones left out */
};

/*
 * triage_new groups the findings of |s|.  Cases that the baseline names as
 * known to fail, and findings of cases that are inconclusive, are left out.
 * Order: a cause that fails cases before a remark; then by the number of cases
 * that fail and that no cause above explains; then what came first in its
 * cases.
 * Errors: ERR_NOMEM.
 * Owner:  triage_free; nothing in it outlives |s|.
 */
int triage_new(struct triage **ret, const struct summary *s);
void triage_free(struct triage *t);

/* triage_name appends "RUD-SEQ-76/dst ack.retx". */
void triage_name(struct text *t, const struct triage_cause *c);

/*
 * triage_words appends what differs in the shortest case: "expected retx=0, got
 * 1", or what the finding says.
 */
void triage_words(struct text *t, const struct summary *s,
		  const struct triage_at *at);

/*
 * triage_over appends the |i|-th line on what cases went on behind, plain text
 * without a newline: first the known deviations of the declaration in their
 * order, found or not, then the rows that were stepped over.
 * Return: false if there is no such line.
 */
bool triage_over(struct text *t, const struct triage *tr, const struct about *a,
		 size_t i);

/* triage_known counts the cases in which a known deviation was found. */
size_t triage_known(const struct triage *tr, const struct deviation *d);

/* triage_command appends the command that runs a case again. */
void triage_command(struct text *t, const struct about *a,
		    const struct summary_case *c);

#endif
