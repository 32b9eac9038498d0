/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/roce/roce_msg.h -- the message of plain RoCEv2 that is being received.
 */
#ifndef ORACLE_ROCE_ROCE_MSG_H
#define ORACLE_ROCE_ROCE_MSG_H

#include "oracle/wqe/wqe_state.h"

/* roce_msg_forget frees an incomplete message. */
void roce_msg_forget(struct wqe_qp *qp);

#endif
