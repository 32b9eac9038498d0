/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_out.h -- writes the packets that every part of the endpoint
 * sends.
 */
#ifndef ORACLE_WQE_WQE_OUT_H
#define ORACLE_WQE_WQE_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/wqe/wqe_state.h"

/*
 * wqe_out appends a datagram to a QP's peer and writes its BTH.
 *
 * Return: the |len| bytes behind the BTH, to be written; NULL if there is no
 * memory.
 */
uint8_t *wqe_out(struct wqe_qp *qp, const struct bth *bth, uint32_t len,
		 uint8_t dscp);

/* Returns true if no PSN more fits into one indication of the QP. */
bool wqe_is_full(const struct wqe_qp *qp, const struct wqe_missing *m);

/* wqe_indicate sends an indication; |more| tells that others follow. */
void wqe_indicate(struct wqe_qp *qp, const struct wqe_missing *m, bool more);

#endif
