/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/qp.h -- the common part of queue pairs of SRD and of the WQE
 * extension: numbers, states, the receive queue, completions.
 */
#ifndef ORACLE_CORE_QP_H
#define ORACLE_CORE_QP_H

#include "oracle/core/env.h"
#include "oracle/core/idmap.h"
#include "oracle/oracle.h"

#define QPN_MAX      0xffffffu
#define QP_DEPTH_MAX 65536

/* A posted receive. */
struct recv_wr {
	uint32_t handle, len, lkey;
};

/* Receives in the order in which they were posted. */
struct recv_queue {
	struct recv_wr *v; /* a ring of |depth| slots; NULL: none was posted */
	uint32_t depth, first, n;
};

/*
 * recv_post posts op->count receives, or one.
 *
 * Errors:
 * - ERR_SPACE not all of them fit
 * - ERR_NOMEM
 */
int recv_post(struct recv_queue *q, struct mem *m, const struct orc_op *op);

/* recv_first returns the oldest receive; NULL if there is none. */
const struct recv_wr *recv_first(const struct recv_queue *q);

/* recv_take removes the oldest receive.  Return: false if there is none. */
bool recv_take(struct recv_queue *q, struct recv_wr *ret);

/* recv_flush ends each receive with a completion. */
void recv_flush(struct recv_queue *q, struct env *env, uint32_t qpn);

/*
 * qp_number returns a number that has been unused for as long as possible;
 * |next| is the first candidate.
 */
uint32_t qp_number(const struct idmap *by_qpn, uint32_t *next);

/*
 * qp_may_change returns true if |to| may follow |from|: |next| has a bit for
 * each successor.  RESET and ERR may follow any state.
 */
bool qp_may_change(const uint8_t next[QP_STATES], enum qp_state from,
		   enum qp_state to);

/*
 * qp_completed reports the end of a send WR, and lends the event until the next
 * one is made.
 */
struct orc_event *qp_completed(struct env *env, uint32_t qpn, uint32_t handle,
			       enum orc_status status);

/* qp_received reports the end of a receive; the caller fills in the rest. */
struct orc_event *qp_received(struct env *env, uint32_t qpn,
			      const struct recv_wr *wr, enum orc_status status);

#endif
