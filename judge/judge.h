/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/judge.h -- requirements as code: push packets, get findings.
 *
 * The judge follows every PDC that it sees, from packets alone, and reports
 * which requirement a packet violates, by which side and why.  It allows all
 * choices that the specification leaves open, and does not judge what it could
 * not see.
 *
 * Suite, "rung check" and the dissector use this one implementation.  It does
 * not use the oracle.
 *
 * Vantage point: the judge captures at the link of the side that it
 * judges.  The caller does not push a packet that was dropped before it reached
 * that side; it does push a packet that the side sent and that was dropped
 * later.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/conf.h"
#include "judge/core/facts.h"
#include "judge/core/flow_stats.h"
#include "judge/fast/fast_path.h"
#include "judge/fast/prefetch.h"
#include "judge/seen.h"
#include "judge/types.h"

/*
 * judge_new makes a judge that follows up to |max_flows| PDCs at a time; with
 * more, the one that was silent longest is forgotten.
 *
 * Errors: ERR_NOMEM.
 */
int judge_new(struct judge **ret, const struct judge_conf *conf,
	      size_t max_flows);
void judge_free(struct judge *j);

/* judge_reset forgets all flows and counts. */
void judge_reset(struct judge *j);

/* judge_declare replaces the declaration, from the next packet on. */
void judge_declare(struct judge *j, const struct judge_conf *conf);

/*
 * judge_mark_incomplete states that packets may be missing from here on; it
 * marks all flows as incomplete.
 */
void judge_mark_incomplete(struct judge *j);

/*
 * judge_push judges one packet.  It does not allocate.
 *
 * Shape:  |ret| has room for |max| findings; further findings are counted, but
 * not written.
 *
 * Return: the number of findings.
 */
size_t judge_push(struct judge *j, const struct judge_packet *p,
		  struct finding *ret, size_t max);

/*
 * judge_fast_path judges a packet that is predicted and the next one of its
 * flow. It reads only |p| and |len| of |p->pkt|: the packet need not be parsed.
 * Return: true: the packet is judged as by judge_push(), without a finding (the
 *         facts are those of conf.minimal_facts);
 *         false: the caller must use judge_push().
 */
bool judge_fast_path(struct judge *j, const struct judge_packet *p);

/*
 * judge_end judges what only the end of a capture shows, for example an answer
 * that never came.  It does so only if conf->complete is set.
 */
size_t judge_end(struct judge *j, vtime now, struct finding *ret, size_t max);

/* judge_flows calls |see| for every known flow, in any order. */
void judge_flows(const struct judge *j,
		 void (*see)(void *arg, const struct judge_flow *f), void *arg);

/*
 * judge_flow_bytes returns the size of an idle-evicted flow (conf.idle), its
 * entries in the index included.
 */
size_t judge_flow_bytes(void);

/* judge_totals returns the totals since judge_new or judge_reset. */
const struct judge_totals *judge_totals(struct judge *j);

#endif
