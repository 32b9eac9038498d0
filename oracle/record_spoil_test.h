/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/record_spoil_test.h -- writes over the slots that an endpoint does not
 * use, and keeps the memory that they own: so a run differs from the record if
 * it reads what an earlier use of a slot left.
 */
#ifndef ORACLE_RECORD_SPOIL_TEST_H
#define ORACLE_RECORD_SPOIL_TEST_H

#include "oracle/core/inflight.h"
#include "oracle/core/qp.h"
#include "oracle/record_test.h"

#define RECORD_DIRT 1

static inline void record_spoil_packet(struct inflight_pkt *pkt)
{
	const struct inflight_pkt was = *pkt;

	memset(pkt, RECORD_DIRT, sizeof(*pkt));
	pkt->bytes = was.bytes;
	pkt->cap_log2 = was.cap_log2;
}

/* The slots of packets that are not in flight. */
static inline void record_spoil_inflight(const struct inflight *f)
{
	for (uint32_t n = f->next - f->base; f->ring && n <= f->mask; n++)
		record_spoil_packet(
			&f->ring->pkt[(f->base + n - f->origin) & f->mask]);
}

/* The rings that no source has now. */
static inline void record_spoil_rings(const struct mem *m)
{
	for (unsigned i = 0; i < MEM_CLASSES; i++) {
		struct mem_block *at = m->resting[MEM_INFLIGHT][i];

		for (; at; at = at->next) {
			struct inflight_ring *ring = (void *)at;

			for (size_t slot = 0; slot < ring->cap; slot++)
				record_spoil_packet(&ring->pkt[slot]);
			memset(ring->queue, RECORD_DIRT, sizeof(ring->queue));
		}
	}
}

/* The places of receives that are not posted. */
static inline void record_spoil_receives(const struct recv_queue *q)
{
	for (uint32_t n = q->n; q->v && n < q->depth && n < q->n + 8; n++)
		memset(&q->v[(q->first + n) % q->depth], RECORD_DIRT,
		       sizeof(q->v[0]));
}

#endif
