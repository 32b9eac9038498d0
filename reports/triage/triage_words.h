/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/triage/triage_words.h -- the causes of a run as words: names,
 * differences, explained rows, deviations and commands.
 */
#ifndef REPORTS_TRIAGE_TRIAGE_WORDS_H
#define REPORTS_TRIAGE_TRIAGE_WORDS_H

#include "reports/triage/triage.h"

/* triage_name appends "RUD-SEQ-76/dst ack.retx". */
void triage_name(struct text *t, const struct triage_cause *c);

/*
 * triage_row returns row |i| of those that the row of a cause explains
 * (summary_explain).  Of several causes with one row only the first has them.
 *
 * Return: false if there is no such row.
 */
bool triage_row(const struct triage *tr, const struct summary *s,
		const struct triage_cause *c, size_t i, struct req_ref *ret);

/*
 * triage_alternative returns row |i| of the alternatives to the row of a cause
 * (summary_explain).  Of several causes with one row only the first has them,
 * and no cause has them that a cause above names as an alternative.
 *
 * Return: false if there is no such row.
 */
bool triage_alternative(const struct triage *tr, const struct summary *s,
			const struct triage_cause *c, size_t i,
			struct req_ref *ret);

/*
 * triage_alternatives appends them, |most| at most: "or RUD-SEQ-84c/dst, which
 * fails by the same difference".  It appends nothing if there are none.
 */
void triage_alternatives(struct text *t, const struct triage *tr,
			 const struct summary *s, const struct triage_cause *c,
			 size_t most);

/*
 * triage_explained appends the rows that the row of a cause explains, |most| of
 * them at most: "explains RUD-SEQ-81/dst UET-CP-05/dst, in 3 further cases".
 * It appends nothing if there are none.
 */
void triage_explained(struct text *t, const struct triage *tr,
		      const struct summary *s, const struct triage_cause *c,
		      size_t most);

/*
 * triage_words appends the differences in the shortest case: "expected retx=0,
 * got 1", or the finding's text.
 */
void triage_words(struct text *t, const struct summary *s,
		  const struct triage_at *at);

/*
 * triage_over appends line |i| of the deviations after which cases continued,
 * plain text without a newline: first the known deviations of the declaration
 * in their order, found or not, then the rows that were stepped over.
 *
 * Return: false if there is no such line.
 */
bool triage_over(struct text *t, const struct triage *tr, const struct about *a,
		 size_t i);

/* triage_known counts the cases in which a known deviation was found. */
size_t triage_known(const struct triage *tr, const struct deviation *d);

/*
 * triage_selector appends what selects a case on the command line, quoted for
 * the shell: its id, or the path of its file and its section; with |chair| the
 * chair as well.
 */
void triage_selector(struct text *t, const struct summary_case *c, bool chair);

/*
 * triage_command appends the command that repeats a case and shows every
 * packet.
 */
void triage_command(struct text *t, const struct about *a,
		    const struct summary_case *c);

/* triage_again appends the command that repeats a case. */
void triage_again(struct text *t, const struct about *a,
		  const struct summary_case *c);

#endif
