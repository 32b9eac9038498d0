/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_verbs.h -- the verbs of SRD; post calls them.
 */
#ifndef ORACLE_SRD_SRD_VERBS_H
#define ORACLE_SRD_SRD_VERBS_H

#include "oracle/op.h"
#include "oracle/srd/srd_state.h"

/* The verbs, with the arguments and errors of post. */
int srd_qp_create(struct srd *s, const struct orc_op *op);
int srd_qp_modify(struct srd *s, const struct orc_op *op);
int srd_qp_query(struct srd *s, const struct orc_op *op);
int srd_qp_destroy(struct srd *s, const struct orc_op *op);
int srd_qp_send(struct srd *s, const struct orc_op *op);
int srd_qp_recv(struct srd *s, const struct orc_op *op);

#endif
