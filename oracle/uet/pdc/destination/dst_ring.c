/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_ring.c -- the slots of the packets above
 * CACK_PSN, and their memory.
 *
 * Spec: UET 3.5.12 (uet.md 7.1)
 */
#include "oracle/uet/pdc/destination/dst_ring.h"

#include "base/memory.h"

#define FIRST_CAP 16 /* first size of a ring */

static void pdc_dst_free_ring(struct dst_ring *ring)
{
	for (size_t i = 0; ring && ring->heap && i < ring->cap; i++)
		mem_bytes_free(ring->pkt[i].rsp, ring->pkt[i].rsp_cap);
	memory_free(ring);
}

void dst_free(struct pdc_dst *dst)
{
	pdc_dst_free_ring(dst->ring);
	rcvd_free(&dst->rcvd);
	*dst = (struct pdc_dst){0};
}

void dst_drain(struct mem *m)
{
	struct dst_ring *ring;

	while ((ring = mem_drain(m, MEM_DST)))
		pdc_dst_free_ring(ring);
	rcvd_drain(m);
}

void dst_rest(struct pdc *pdc)
{
	struct pdc_dst *dst = &pdc->dst;
	struct mem *m = &pdc->env->mem;

	if (!dst->ring || dst->rcvd.max_psn != dst->rcvd.cack_psn)
		return;
	mem_give(m, MEM_DST, dst->ring->cap, &dst->ring->block);
	dst->ring = NULL;
	rcvd_rest(&dst->rcvd, m);
}

struct dst_pkt *dst_slot(const struct pdc_dst *dst, uint32_t psn)
{
	return &dst->ring->pkt[psn & (uint32_t)(dst->ring->cap - 1)];
}

static struct dst_ring *pdc_dst_take_ring(struct mem *m, size_t cap)
{
	struct dst_ring *ring =
		mem_ring(m, MEM_DST, cap, sizeof(*ring), sizeof(ring->pkt[0]));

	if (ring)
		ring->cap = cap;
	return ring;
}

/* Moves each slot to the place of its PSN; its memory is swapped. */
static void pdc_dst_move_slots(struct pdc_dst *dst, struct dst_ring *ring)
{
	for (size_t i = 0; i < dst->ring->cap; i++) {
		const uint32_t psn = dst->rcvd.cack_psn + 1 + (uint32_t)i;
		struct dst_pkt *to =
			&ring->pkt[psn & (uint32_t)(ring->cap - 1)];
		const struct dst_pkt empty = *to;

		*to = *dst_slot(dst, psn);
		*dst_slot(dst, psn) = empty;
	}
	ring->heap |= dst->ring->heap;
	dst->ring->heap = ring->heap;
}

/* Grows the ring to cover CACK_PSN to |psn|. */
bool dst_reach(struct pdc *pdc, uint32_t psn)
{
	struct pdc_dst *dst = &pdc->dst;
	struct mem *m = &pdc->env->mem;
	const uint32_t first = dst->rcvd.cack_psn + 1;
	size_t cap = dst->ring ? dst->ring->cap : FIRST_CAP;
	struct dst_ring *ring;

	if (!rcvd_room(&dst->rcvd, m))
		return false;
	if (dst->ring && psn - first < cap)
		return true;
	while (psn - first >= cap)
		cap *= 2;
	ring = pdc_dst_take_ring(m, cap);
	if (!ring)
		return false;
	if (dst->ring) {
		pdc_dst_move_slots(dst, ring);
		mem_give(m, MEM_DST, dst->ring->cap, &dst->ring->block);
	}
	dst->ring = ring;
	return true;
}
