/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/inflight.c -- keeps the packets of a source until they are
 * complete.
 */
#include "oracle/core/inflight.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

#define FIRST_CAP 16

#define SOON  2 /* packets */
#define LATER 5

/* Bytes of a ring up to its first queue, which most packets use alone. */
#define OFTEN (offsetof(struct inflight_ring, queue) + 8)

#define TIMED_QUEUES ((1u << INFLIGHT_RETX) - 1)

static struct inflight_pkt *inflight_slot(const struct inflight *f,
					  uint32_t psn)
{
	return &f->ring->pkt[(psn - f->origin) & f->mask];
}

void inflight_init(struct inflight *f, uint32_t psn)
{
	f->base = psn;
	f->next = psn;
	f->busy = 0;
	f->waiting = 0;
}

static size_t cap_of(const struct inflight_pkt *pkt)
{
	return pkt->cap_log2 ? (size_t)1 << pkt->cap_log2 : 0;
}

static void inflight_free_ring(struct inflight_ring *ring)
{
	for (size_t i = 0; ring && ring->heap && i < ring->cap; i++)
		mem_bytes_free(ring->pkt[i].bytes, cap_of(&ring->pkt[i]));
	memory_free(ring);
}

void inflight_free(struct inflight *f, struct mem *m)
{
	if (f->ring)
		mem_give(m, MEM_INFLIGHT, f->ring->cap, &f->ring->block);
	*f = (struct inflight){0};
}

void inflight_drain(struct mem *m)
{
	struct inflight_ring *ring;

	while ((ring = mem_drain(m, MEM_INFLIGHT)))
		inflight_free_ring(ring);
}

void inflight_rest(struct inflight *f, struct mem *m)
{
	if (!f->ring || f->base != f->next)
		return;
	mem_give(m, MEM_INFLIGHT, f->ring->cap, &f->ring->block);
	f->ring = NULL;
}

static struct inflight_ring *inflight_take_ring(struct mem *m, size_t cap)
{
	struct inflight_ring *ring = mem_ring(
		m, MEM_INFLIGHT, cap, sizeof(*ring), sizeof(ring->pkt[0]));

	if (ring)
		ring->cap = cap;
	return ring;
}

/*
 * The first slot is that of |origin|: with few packets in flight the same few
 * slots are reused, and their memory stays in the cache.
 */
static void inflight_use(struct inflight *f, struct inflight_ring *ring,
			 uint32_t origin)
{
	f->ring = ring;
	f->origin = origin;
	f->mask = (uint32_t)ring->cap - 1;
}

/* Two rings swap buffers. */
static void inflight_mix(struct inflight_ring *a, struct inflight_ring *b)
{
	a->heap |= b->heap;
	b->heap = a->heap;
}

/* Moves each slot to the place of its PSN; buffers are swapped. */
static void inflight_move_slots(struct inflight *f, const struct inflight *old)
{
	for (size_t i = 0; i < old->ring->cap; i++) {
		const uint32_t psn = old->base + (uint32_t)i;
		struct inflight_pkt *to = inflight_slot(f, psn);
		const struct inflight_pkt empty = *to;

		*to = *inflight_slot(old, psn);
		*inflight_slot(old, psn) = empty;
	}
	memcpy(f->ring->queue, old->ring->queue, sizeof(f->ring->queue));
	inflight_mix(f->ring, old->ring);
}

/* Allocates the first ring, or one of twice the size. */
static bool inflight_grow(struct inflight *f, struct mem *m)
{
	const struct inflight old = *f;
	struct inflight_ring *ring =
		inflight_take_ring(m, old.ring ? 2 * old.ring->cap : FIRST_CAP);

	if (!ring)
		return false;
	inflight_use(f, ring, f->base);
	if (old.ring) {
		inflight_move_slots(f, &old);
		mem_give(m, MEM_INFLIGHT, old.ring->cap, &old.ring->block);
	}
	return true;
}

/* Returns a packet as it was handed over, with the memory of its slot. */
static struct inflight_pkt unsent(const struct inflight_pkt *pkt)
{
	struct inflight_pkt fresh = *pkt;

	fresh.queue = INFLIGHT_NONE;
	fresh.rto_count = 0;
	fresh.sent = false;
	fresh.nacked = false;
	fresh.sacked = false;
	return fresh;
}

FETCHES fetch_slot(const struct inflight *f, uint32_t psn)
{
	__builtin_prefetch(inflight_slot(f, psn), 1);
}

void inflight_expect(const struct inflight *f, uint32_t psn)
{
	if (!f->ring)
		return;
	mem_expect(f->ring, sizeof(*f->ring));
	fetch_slot(f, psn);
}

void inflight_expect_next(const struct inflight *f, uint32_t psn)
{
	if (!f->ring)
		return;
	mem_expect(f->ring, OFTEN);
	fetch_slot(f, psn);
}

void inflight_expect_bytes_of(const struct inflight *f, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(f, psn);

	if (pkt)
		__builtin_prefetch(pkt->bytes);
}

void inflight_expect_ack(const struct inflight *f, uint32_t tx_psn,
			 uint32_t cack_psn, int32_t offset)
{
	const uint32_t psn = cack_psn + (uint32_t)offset;

	if (!f->ring)
		return;
	mem_expect(f->ring, OFTEN);
	fetch_slot(f, cack_psn + 1);
	fetch_slot(f, psn);
	fetch_slot(f, tx_psn + (psn - f->base));
}

bool inflight_renumber(struct inflight *f, struct mem *m, uint32_t psn)
{
	const struct inflight old = *f;
	const uint32_t n = f->next - f->base;
	struct inflight_ring *ring;

	if (n) {
		ring = inflight_take_ring(m, old.ring->cap);
		if (!ring)
			return false;
		inflight_use(f, ring, psn);
		for (uint32_t i = 0; i < n; i++) {
			struct inflight_pkt *to = inflight_slot(f, psn + i);
			const struct inflight_pkt empty = *to;

			*to = unsent(inflight_slot(&old, old.base + i));
			*inflight_slot(&old, old.base + i) = empty;
		}
		inflight_mix(ring, old.ring);
		mem_give(m, MEM_INFLIGHT, old.ring->cap, &old.ring->block);
	}
	f->base = psn;
	f->next = psn + n;
	f->waiting = 0;
	return true;
}

static bool is_full(const struct inflight *f)
{
	return !f->ring || f->next - f->base > f->mask;
}

/* Allocates one byte more than needed, so that |bytes| is never NULL. */
static bool inflight_has_room(struct inflight_pkt *pkt, struct mem *m,
			      uint16_t len)
{
	size_t cap = cap_of(pkt);
	uint8_t *bytes = mem_bytes(m, pkt->bytes, &cap, len + 1u);

	if (!bytes)
		return false;
	pkt->bytes = bytes;
	pkt->cap_log2 = (uint8_t)__builtin_ctzll(cap);
	return true;
}

struct inflight_pkt *inflight_add(struct inflight *f, struct mem *m,
				  uint16_t len)
{
	struct inflight_pkt *pkt;

	if (is_full(f) && !inflight_grow(f, m))
		return NULL;
	pkt = inflight_slot(f, f->next);
	if (!inflight_has_room(pkt, m, len))
		return NULL;
	f->ring->heap |= cap_of(pkt) > MEM_SMALL;
	*pkt = (struct inflight_pkt){
		.bytes = pkt->bytes,
		.cap_log2 = pkt->cap_log2,
		.len = len,
		.queue = INFLIGHT_NONE,
	};
	f->next++;
	f->busy++;
	return pkt;
}

struct inflight_pkt *inflight_at(const struct inflight *f, uint32_t psn)
{
	return psn - f->base < f->next - f->base ? inflight_slot(f, psn) : NULL;
}

void inflight_expect_bytes(const struct inflight *f, uint32_t psn)
{
	const struct inflight_pkt *soon = inflight_at(f, psn + SOON);

	if (soon)
		__builtin_prefetch(soon->bytes);
	fetch_slot(f, psn + LATER);
}

static void inflight_leave(struct inflight *f, struct inflight_pkt *pkt,
			   uint32_t psn)
{
	const unsigned q = pkt->queue;

	if (q == INFLIGHT_NONE)
		return;
	pkt->queue = INFLIGHT_NONE;
	if (f->ring->queue[q].head == psn && f->ring->queue[q].tail == psn) {
		f->waiting &= ~(1u << q);
		return;
	}
	if (f->ring->queue[q].head == psn)
		f->ring->queue[q].head = pkt->next;
	else
		inflight_slot(f, pkt->prev)->next = pkt->next;
	if (f->ring->queue[q].tail == psn)
		f->ring->queue[q].tail = pkt->prev;
	else
		inflight_slot(f, pkt->next)->prev = pkt->prev;
}

void inflight_wait(struct inflight *f, uint32_t psn, unsigned queue, vtime due)
{
	struct inflight_pkt *pkt = inflight_slot(f, psn);

	inflight_leave(f, pkt, psn);
	if (queue == INFLIGHT_NONE)
		return;
	pkt->queue = (uint8_t)queue;
	pkt->due = due;
	if (f->waiting >> queue & 1) {
		pkt->prev = f->ring->queue[queue].tail;
		inflight_slot(f, pkt->prev)->next = psn;
	} else {
		f->ring->queue[queue].head = psn;
		f->waiting |= 1u << queue;
	}
	f->ring->queue[queue].tail = psn;
}

bool inflight_first(const struct inflight *f, unsigned queue, uint32_t *ret)
{
	if (!(f->waiting >> queue & 1))
		return false;
	*ret = f->ring->queue[queue].head;
	return true;
}

bool inflight_after(const struct inflight *f, uint32_t psn, uint32_t *ret)
{
	const struct inflight_pkt *pkt = inflight_slot(f, psn);

	if (f->ring->queue[pkt->queue].tail == psn)
		return false;
	*ret = pkt->next;
	return true;
}

/* Returns the head that is due first among the timed queues. */
static struct inflight_pkt *inflight_earliest(const struct inflight *f,
					      uint32_t *psn)
{
	struct inflight_pkt *first = NULL;

	for (unsigned left = f->waiting & TIMED_QUEUES; left;
	     left &= left - 1) {
		const int q = __builtin_ctz(left);
		struct inflight_pkt *head =
			inflight_slot(f, f->ring->queue[q].head);

		if (first && first->due <= head->due)
			continue;
		first = head;
		*psn = f->ring->queue[q].head;
	}
	return first;
}

bool inflight_due(const struct inflight *f, vtime now, uint32_t *ret)
{
	uint32_t psn = 0;
	const struct inflight_pkt *first = inflight_earliest(f, &psn);

	if (!first || first->due > now)
		return false;
	*ret = psn;
	return true;
}

vtime inflight_deadline(const struct inflight *f)
{
	uint32_t psn = 0;
	const struct inflight_pkt *first = inflight_earliest(f, &psn);

	return first ? first->due : VTIME_NEVER;
}

void inflight_done(struct inflight *f, uint32_t psn)
{
	struct inflight_pkt *pkt = inflight_slot(f, psn);

	assert(!pkt->done);
	inflight_leave(f, pkt, psn);
	pkt->done = true;
	f->busy--;
	while (f->base != f->next && inflight_slot(f, f->base)->done)
		f->base++;
}

void inflight_rewind(struct inflight *f, uint32_t psn)
{
	f->base = f->next = psn;
}
