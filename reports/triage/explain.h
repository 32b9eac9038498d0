/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/triage/explain.h -- finds, over all cases of a run, the rows whose
 * failures another row explains.
 *
 * One bug makes many cases fail, and each case names the row that it tests.  A
 * row is proved if a monitor found it, if a line of a case names the item for
 * it, or if a field differs from what the device was told to send; otherwise
 * the tables of the catalogue assumed it.  Row A is explained by row B of the
 * same role
 *
 *	1. if A is assumed, and B is proved for the same observation, unless A
 *	   outweighs B (EXPLAIN_TIMES);
 *	2. if B is proved and fails in more cases, and in every case in which A
 *	   fails, B deviates earlier; the same packet is early enough if A is
 *	   assumed, or if a line names its item for both; if a line names an
 *	   item for A, only if B outweighs A;
 *	3. if lines name several rows for the observation, A among them, and a
 *	   monitor proves B for it in a hundred times the cases of A.  The row
 *	   that lines name in the most cases keeps its failure; of several with
 *	   as many the one that a line names after the fewest packets;
 *	4. if both are assumed for the same observation, and B fails in more
 *	   cases;
 *	5. if A is assumed, and B, of either role, fails in EXPLAIN_STRAY times
 *	   its cases; and B does so in each folder of cases in which A fails
 *	   ("uet/rud", "uet/amo"), or fails in EXPLAIN_TIMES the cases of A and
 *	   in each folder as often, or by an event with the same purpose (a
 *	   request or an answer that does not come, in any mode), or in half of
 *	   the cases that test it; or A is fulfilled in EXPLAIN_FULFILLED times
 *	   as many cases as it fails.  If A fails by other bytes, only the
 *	   first of these conditions counts;
 *	6. if B, of either role, fails in EXPLAIN_TIMES the cases of A, and in
 *	   EXPLAIN_FULFILLED times as many cases as fulfil it: the device
 *	   violates B nearly everywhere.  Of an invariant, which holds in each
 *	   transport, only cases of A's transport count.  A keeps its failure
 *	   if it fails by other bytes, or if A is a must and B is none, or if a
 *	   line names for it more than that nothing came, and either no field
 *	   is wrong for both or the third rule lets A keep its failure;
 *	7. if A fails only because a request or an answer does not come, or not
 *	   in time, and B, of either role, fails by the same, proved in
 *	   EXPLAIN_STRAY * EXPLAIN_TIMES the cases of A, unless A is a must and
 *	   B is none;
 *	8. if A fails only in cases in which the device ended, and B, of either
 *	   role, fails in such a case as well: by surer evidence (enum
 *	   blame_by), or else in more of them, or else after fewer packets;
 *	9. if the device sends one wrong name, such as a syndrome or another
 *	   kind of packet, wherever A fails, and for B it sends the same name
 *	   for the same item in EXPLAIN_TIMES the cases of A, unless A is a
 *	   must and B is none;
 *	10. if no line names A, and B, of either role, is proved in
 *	   EXPLAIN_STRAY times its cases, unless A fails by other bytes, or A
 *	   is a must and B is none;
 *	11. if EXPLAIN_SUSPECTS rows of its role that no rule explains are more
 *	   suspect than A, B is the one of them with the most cases, and these
 *	   are EXPLAIN_STRAY * EXPLAIN_TIMES the cases of A, unless A fails by
 *	   other bytes.  A row is more suspect if its cases weigh more, each by
 *	   its surest evidence.
 *
 * The last eight rules hold for rows of one transport, but for the eighth.
 *
 * Two proved rows that neither explains the other may still be one bug: the
 * figures of one field, for instance, name it each for a row.  Row B is an
 * alternative to row A of the same role
 *
 *	1. if both are proved for the same observation;
 *	2. if lines name items for B, and in every case in which B fails, A
 *	   fails at the same packet.
 *
 * An observation is a field of a kind of packet ("ack.cack_psn"), the arrival
 * of a kind of packet (missing, forbidden, late, another type), a report on the
 * delivery or on the outcome of an operation, or the end of the device.  A
 * proved row is explained by the second, the third and the last six rules
 * alone.  So a second bug keeps its row unless the first one always precedes
 * it, is nearly everywhere, silences the device, ends it, or shows by the same
 * wrong name.  By the last two rules it also loses its row if it fails in few
 * cases, and no line names it or EXPLAIN_SUSPECTS other rows fail.
 */
#ifndef REPORTS_TRIAGE_EXPLAIN_H
#define REPORTS_TRIAGE_EXPLAIN_H

#include "reports/result/summary.h"

/*
 * The sure evidence counts this many times what the less sure does: a row that
 * a line names against one that a monitor found, and that against an assumed
 * one.  A row outweighs one with surer evidence if it fails in at least this
 * many times its cases.
 */
#define EXPLAIN_TIMES 10

/*
 * A row that no line names, beside one that fails in so many times its cases,
 * is stray.
 */
#define EXPLAIN_STRAY 5

/* Three rows that no other one explains keep their failure. */
#define EXPLAIN_SUSPECTS 3

/*
 * The device visibly fulfils a row that this many times more cases fulfil, and
 * violates one nearly everywhere that this many times more cases fail.
 */
#define EXPLAIN_FULFILLED 9

/*
 * summary_explain sets, for each row that fails, the row that explains it, and
 * the alternatives to it.  A row of a known deviation is neither explained nor
 * an explanation nor an alternative; nor is an explained row an alternative.
 *
 * Errors: ERR_NOMEM; then no row is explained.
 */
int summary_explain(struct summary *s);

/*
 * summary_explained returns the row that explains the failures of a row, or
 * NULL.  The role of the row returned is SRC or DST, and it is not explained
 * itself.
 */
const struct req_ref *summary_explained(const struct summary *s, enum req_id id,
					enum req_role role);

/*
 * summary_alternative returns alternative |i| to a row, in catalogue order, or
 * NULL.
 */
const struct req_ref *summary_alternative(const struct summary *s,
					  enum req_id id, enum req_role role,
					  size_t i);

#endif
