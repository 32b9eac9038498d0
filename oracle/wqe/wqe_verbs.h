/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_verbs.h -- the verbs of the WQE extension; post calls them.
 */
#ifndef ORACLE_WQE_WQE_VERBS_H
#define ORACLE_WQE_WQE_VERBS_H

#include "oracle/op.h"
#include "oracle/wqe/wqe_state.h"

/* The verbs, with the arguments and errors of post. */
int wqe_qp_create(struct wqe *w, const struct orc_op *op);
int wqe_qp_modify(struct wqe *w, const struct orc_op *op);
int wqe_qp_query(struct wqe *w, const struct orc_op *op);
int wqe_qp_destroy(struct wqe *w, const struct orc_op *op);
int wqe_qp_send(struct wqe *w, const struct orc_op *op);
int wqe_qp_recv(struct wqe *w, const struct orc_op *op);
int wqe_expose(struct wqe *w, const struct orc_op *op);

#endif
