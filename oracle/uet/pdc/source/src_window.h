/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_window.h -- the window of a source: which packet
 * may be sent next.
 *
 * Spec: UET 3.5.8.2, 3.5.11 (uet.md 6.6)
 */
#ifndef ORACLE_UET_PDC_SOURCE_SRC_WINDOW_H
#define ORACLE_UET_PDC_SOURCE_SRC_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* src_in_window returns true if the destination's window has |psn|. */
bool src_in_window(const struct pdc *pdc, uint32_t psn);

/* src_has_room returns true if the window has room for one more packet. */
bool src_has_room(const struct pdc *pdc);

/*
 * src_next_retx finds the next retransmission, and src_next the next packet of
 * all, inside the window.  Return: false if there is none.
 */
bool src_next_retx(const struct pdc *pdc, uint32_t *ret);
bool src_next(const struct pdc *pdc, uint32_t *ret);

/* src_is_held_up returns true while a ROD packet waits for NACK_Retx_Time. */
bool src_is_held_up(const struct pdc *pdc);

/* src_waits returns true if a packet is waiting that the window permits. */
bool src_waits(const struct pdc *pdc);

/* src_idle returns true if no packet is waiting to be sent or acknowledged. */
bool src_idle(const struct pdc *pdc);

#endif
