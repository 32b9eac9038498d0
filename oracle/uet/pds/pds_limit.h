/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_limit.h -- resource limits, and their NACKs.
 *
 * Spec: UET 3.5.8.2, 3.5.12.7 (uet.md 4, 6.3)
 */
#ifndef ORACLE_UET_PDS_PDS_LIMIT_H
#define ORACLE_UET_PDS_PDS_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pds/pds_state.h"

/*
 * These return the NACK code of the exhausted resource, for a SYN of that peer
 * and for a request of a PDC; 0 if there is none.
 */
uint8_t pds_short_for_syn(const struct pds *pds, uint32_t fep);
uint8_t pds_short_for_req(const struct pds *pds);

/* pds_short_of_ccc returns true if a PDC of our own has to wait for a CCC. */
bool pds_short_of_ccc(const struct pds *pds);

#endif
