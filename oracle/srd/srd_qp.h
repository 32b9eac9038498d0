/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_qp.h -- finds SRD queue pairs, completes their sends and
 * delivers requests to them.
 */
#ifndef ORACLE_SRD_SRD_QP_H
#define ORACLE_SRD_SRD_QP_H

#include <stdint.h>

#include "oracle/event.h"
#include "oracle/srd/srd_state.h"

void srd_qps_free(struct srd *s);

/* srd_qp_find returns a QP by number, or NULL. */
struct srd_qp *srd_qp_find(struct srd *s, uint32_t qpn);

/*
 * srd_qp_deliver delivers a request to its QP.
 *
 * Return: the syndrome of the answer.
 */
uint8_t srd_qp_deliver(struct srd *s, const struct srd_msg *m);

/* srd_qp_done ends a send WR: one completion, unless its QP was destroyed. */
void srd_qp_done(struct srd *s, uint32_t qpn, uint32_t handle,
		 enum orc_status status);

#endif
