/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_ring.h -- the slots of the packets above
 * CACK_PSN, and their memory.
 */
#ifndef ORACLE_UET_PDC_DESTINATION_DST_RING_H
#define ORACLE_UET_PDC_DESTINATION_DST_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* dst_slot returns the slot of a PSN that dst_reach covers. */
struct dst_pkt *dst_slot(const struct pdc_dst *dst, uint32_t psn);

/*
 * dst_reach grows the ring to cover CACK_PSN to |psn|.  Return: false if there
 * is no memory.
 */
bool dst_reach(struct pdc *pdc, uint32_t psn);

/* dst_free frees the memory of a destination. */
void dst_free(struct pdc_dst *dst);

/* dst_drain frees unused rings. */
void dst_drain(struct mem *m);

/* dst_rest returns the memory that is only needed beyond CACK_PSN. */
void dst_rest(struct pdc *pdc);

#endif
