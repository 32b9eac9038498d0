/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/roce/roce_msg.c -- frees the incomplete message of a plain RoCEv2 QP.
 */
#include "oracle/roce/roce_msg.h"

#include "base/memory.h"
#include "oracle/wqe/wqe_state.h"

void roce_msg_forget(struct wqe_qp *qp)
{
	memory_free(qp->msg.own);
	qp->msg = (struct roce_msg){0};
}
