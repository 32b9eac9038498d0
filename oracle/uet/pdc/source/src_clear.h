/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_clear.h -- CLEAR_PSN, and the Clear Commands that
 * carry it while no request does.
 *
 * Spec: UET 3.5.16.3 (uet.md 7.3)
 */
#ifndef ORACLE_UET_PDC_SOURCE_SRC_CLEAR_H
#define ORACLE_UET_PDC_SOURCE_SRC_CLEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* src_clear_psn returns the current CLEAR_PSN. */
uint32_t src_clear_psn(const struct pdc *pdc);

/*
 * src_told_clear records that a packet carries CLEAR_PSN, which may satisfy the
 * destination's request.
 */
void src_told_clear(struct pdc_src *src, uint32_t clear_psn);

/*
 * src_schedule_clear records that the destination wants a clear up to |asked|.
 * If no request carries it, a Clear Command is due after |wait|.
 */
void src_schedule_clear(struct pdc *pdc, uint32_t asked, vspan wait);

/* src_want_clear records that the destination wants a Clear at once. */
void src_want_clear(struct pdc *pdc);

/* src_send_clear sends a Clear Command. */
void src_send_clear(struct pdc *pdc);

/* src_clear_deadline returns when a Clear Command is due. */
vtime src_clear_deadline(const struct pdc *pdc);

#endif
