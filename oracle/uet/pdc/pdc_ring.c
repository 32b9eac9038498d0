/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_ring.c -- the ring of the PDCs that are ready to send.
 */
#include "oracle/uet/pdc/pdc_ring.h"

#include <stddef.h>

static void ring_insert(struct pdc **ring, struct pdc *pdc)
{
	struct pdc *first = *ring;

	if (!first) {
		pdc->ready_prev = pdc;
		pdc->ready_next = pdc;
		*ring = pdc;
		return;
	}
	pdc->ready_next = first;
	pdc->ready_prev = first->ready_prev;
	pdc->ready_prev->ready_next = pdc;
	pdc->ready_next->ready_prev = pdc;
}

static void ring_remove(struct pdc **ring, struct pdc *pdc)
{
	struct pdc *next = pdc->ready_next;

	pdc->ready_prev->ready_next = next;
	next->ready_prev = pdc->ready_prev;
	if (*ring == pdc)
		*ring = next == pdc ? NULL : next;
}

void pdc_ring_set(struct pdc *pdc, bool ready)
{
	if (pdc->is_ready == ready)
		return;
	pdc->is_ready = ready;
	if (ready)
		ring_insert(pdc->ring, pdc);
	else
		ring_remove(pdc->ring, pdc);
}
