/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_ack.h -- processes an ACK at a source.
 *
 * Spec: UET 3.5.11, 3.5.12 (uet.md 6.6, 7.2, 7.3)
 */
#ifndef ORACLE_UET_PDC_SOURCE_SRC_ACK_H
#define ORACLE_UET_PDC_SOURCE_SRC_ACK_H

#include "oracle/uet/pdc/pdc_state.h"

/* src_rx_ack processes an ACK of this direction. */
void src_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack);

#endif
