/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc.h -- a packet delivery context: how it opens and closes,
 * and its control packets.
 *
 * Spec: UET 3.5.8, 3.5.16 (uet.md 3.10, 6)
 */
#ifndef ORACLE_UET_PDC_PDC_H
#define ORACLE_UET_PDC_PDC_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* pdc_start initialises a PDC. */
void pdc_start(struct pdc *pdc, enum pdc_role role, uint32_t start_psn);

/* pdc_learn takes the peer's PDCID from the first packet that carries it. */
void pdc_learn(struct pdc *pdc, uint16_t dpdcid);

/* pdc_takes returns true if a new packet of |msg_id| may use this PDC. */
bool pdc_takes(const struct pdc *pdc, bool som, uint16_t msg_id);

/* pdc_rx_cp processes a control packet of this PDC. */
void pdc_rx_cp(struct pdc *pdc, const struct pds_rx *rx);

/*
 * pdc_is_idle returns true for an initiator's PDC with nothing in flight and no
 * open message.
 */
bool pdc_is_idle(const struct pdc *pdc);

/*
 * pdc_ask_close requests a close at the target: with a Close Request, in its
 * ACKs, or both.
 */
void pdc_ask_close(struct pdc *pdc, enum op_close how);

/* pdc_tick does everything that is due. */
void pdc_tick(struct pdc *pdc);

/*
 * pdc_update follows every call that may have changed the PDC: it takes the
 * next step of a close, joins or leaves the ready list and sets the timer.
 */
void pdc_update(struct pdc *pdc);

#endif
