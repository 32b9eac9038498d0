/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_ring.h -- the ring of the PDCs that are ready to send. Its
 * head is the PDC that sends next.
 */
#ifndef ORACLE_UET_PDC_PDC_RING_H
#define ORACLE_UET_PDC_PDC_RING_H

#include <stdbool.h>

#include "oracle/uet/pdc/pdc_state.h"

/* pdc_ring_set adds a PDC to the end of its ring or removes it. */
void pdc_ring_set(struct pdc *pdc, bool ready);

#endif
