/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/qp.h -- what queue pairs of SRD and of the WQE extension have in
 * common: numbers, states, the receive queue, completions.
 */
#ifndef ORACLE_QP_H
#define ORACLE_QP_H

#include "oracle/env.h"
#include "oracle/idmap.h"
#include "oracle/oracle.h"

#define QPN_MAX      0xffffffu
#define QP_DEPTH_MAX 65536

/* A posted receive. */
struct recv_wr {
	uint32_t handle, len, lkey;
};

/* In the order in which they were posted. */
struct recv_queue {
	struct recv_wr *v; /* a ring of |depth| places; NULL: none was posted */
	uint32_t depth, first, n;
};

/*
 * recv_post posts op->count receives, or one.
 * Errors: ERR_SPACE there is no room for all; ERR_NOMEM.
 */
int recv_post(struct recv_queue *q, struct mem *m, const struct orc_op *op);

/* recv_take takes the next one off; false: there is none. */
bool recv_take(struct recv_queue *q, struct recv_wr *ret);

/* recv_flush ends all of them with a completion of their own. */
void recv_flush(struct recv_queue *q, struct env *env, uint32_t qpn);

/*
 * qp_number is a number that has not been given for as long as possible;
 * |next| is where to look first.
 */
uint32_t qp_number(const struct idmap *by_qpn, uint32_t *next);

/*
 * qp_may_change: |next| has a bit for each state that may follow another one.
 * RESET and ERR may follow any.
 */
bool qp_may_change(const uint8_t next[QP_STATES], enum qp_state from,
		   enum qp_state to);

/* qp_completed tells the end of a send WR. */
void qp_completed(struct env *env, uint32_t qpn, uint32_t handle,
		  enum orc_status status);

/* qp_received tells that of a receive; the caller adds what there is. */
struct orc_event *qp_received(struct env *env, uint32_t qpn,
			      const struct recv_wr *wr, enum orc_status status);

#endif
