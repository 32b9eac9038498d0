/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_qp.h -- finds queue pairs, completes their WQEs and ends them.
 */
#ifndef ORACLE_WQE_WQE_QP_H
#define ORACLE_WQE_WQE_QP_H

#include <stdint.h>

#include "oracle/event.h"
#include "oracle/wqe/wqe_state.h"
#include "wire/dgram.h"

/* wqe_qp_forget frees all memory that the QP refers to. */
void wqe_qp_forget(struct wqe_qp *qp);

/* wqe_qp_free frees a queue pair and removes its number from the table. */
void wqe_qp_free(struct wqe_qp *qp);

/* wqe_qp_stop_timers stops both timers of a queue pair. */
void wqe_qp_stop_timers(struct wqe_qp *qp);

/*
 * wqe_addressee returns the QP that a packet is for (V1), or NULL after
 * dropping it.
 */
struct wqe_qp *wqe_addressee(struct wqe *w, const struct dgram *d,
			     const struct bth *bth);

void wqe_qps_free(struct wqe *w);

/* wqe_qp_find returns a QP by number, or NULL. */
struct wqe_qp *wqe_qp_find(struct wqe *w, uint32_t qpn);

/* wqe_qp_done completes the oldest WQE of the requester. */
void wqe_qp_done(struct wqe_qp *qp, enum orc_status status);

/* wqe_qp_fail takes a QP to ERR and flushes all posted WRs. */
void wqe_qp_fail(struct wqe_qp *qp);

/*
 * wqe_mr_at returns |len| bytes at |va|; NULL if the peer may not write there.
 */
uint8_t *wqe_mr_at(struct wqe *w, uint64_t rkey, uint64_t va, uint32_t len);

#endif
