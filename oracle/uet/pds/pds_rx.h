/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_rx.h -- finds the PDC of a datagram.
 *
 * Spec: UET 3.5.8.2 (uet.md 6.3)
 */
#ifndef ORACLE_UET_PDS_PDS_RX_H
#define ORACLE_UET_PDS_PDS_RX_H

#include <stddef.h>
#include <stdint.h>

#include "oracle/uet/pds/pds_state.h"

/*
 * pds_trimmed returns the NACK code for a datagram that a switch has trimmed,
 * by its DSCP; 0 if it is not trimmed.
 */
uint8_t pds_trimmed(const struct pds *pds, const struct dgram *d);

/* pds_rx processes a datagram; |len| is its length without the CRC. */
void pds_rx(struct pds *pds, const struct dgram *d, size_t len);

#endif
