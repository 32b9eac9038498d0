/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_rsp.h -- the responder: checks, places and completes packets.
 */
#ifndef ORACLE_WQE_WQE_RSP_H
#define ORACLE_WQE_WQE_RSP_H

#include "oracle/wqe/wqe_state.h"

/* wqe_rsp_packet processes a packet of a WQE from the QP's peer. */
void wqe_rsp_packet(struct wqe_qp *qp, struct wqe_pkt *pkt);

#endif
