/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_req.h -- the requester: turns WQEs into packets, processes
 * answers, retransmits.
 */
#ifndef ORACLE_WQE_WQE_REQ_H
#define ORACLE_WQE_WQE_REQ_H

#include <stddef.h>
#include <stdint.h>

#include "oracle/wqe/wqe_state.h"

/* wqe_req_pump sends the packets that may be sent now, listed ones first. */
void wqe_req_pump(struct wqe_qp *qp);

/* wqe_req_answer processes an ACK, NAK or indication, |len| bytes at |p|. */
void wqe_req_answer(struct wqe_qp *qp, const struct bth *bth, const uint8_t *p,
		    size_t len);

/* wqe_req_data processes a packet of a read's answer, |len| bytes at |p|. */
void wqe_req_data(struct wqe_qp *qp, const struct bth *bth, const uint8_t *p,
		  size_t len);

void wqe_req_tick(struct wqe_qp *qp);

#endif
