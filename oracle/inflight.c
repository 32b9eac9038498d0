/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/inflight.c -- the packets of a source that still need care.
 */
#include "oracle/inflight.h"

#include <assert.h>
#include <stdlib.h>

#define TIMED_QUEUES ((1u << INFLIGHT_RETX) - 1)

static struct inflight_pkt *slot(const struct inflight *f, uint32_t psn)
{
	return &f->ring[psn & (uint32_t)(f->cap - 1)];
}

void inflight_init(struct inflight *f, uint32_t psn)
{
	f->base = psn;
	f->next = psn;
	f->busy = 0;
	f->waiting = 0;
}

void inflight_free(struct inflight *f)
{
	for (size_t i = 0; i < f->cap; i++)
		free(f->ring[i].bytes);
	free(f->ring);
	*f = (struct inflight){0};
}

/* Doubles the ring; each slot goes where its PSN now points. */
static bool grow(struct inflight *f, struct mem *m)
{
	const size_t cap = f->cap ? 2 * f->cap : 16;
	struct inflight_pkt *ring = mem_new(m, cap * sizeof(*ring));

	if (!ring)
		return false;
	for (size_t i = 0; i < f->cap; i++) {
		const uint32_t psn = f->base + (uint32_t)i;

		ring[psn & (uint32_t)(cap - 1)] = *slot(f, psn);
	}
	free(f->ring);
	f->ring = ring;
	f->cap = cap;
	return true;
}

/* One byte more than needed: |bytes| is never NULL. */
static bool has_room(struct inflight_pkt *pkt, struct mem *m, uint16_t len)
{
	uint8_t *bytes = mem_grow(m, pkt->bytes, &pkt->cap, len + 1u, 1);

	if (!bytes)
		return false;
	pkt->bytes = bytes;
	return true;
}

struct inflight_pkt *inflight_add(struct inflight *f, struct mem *m,
				  uint16_t len)
{
	struct inflight_pkt *pkt;

	if (f->next - f->base == f->cap && !grow(f, m))
		return NULL;
	pkt = slot(f, f->next);
	if (!has_room(pkt, m, len))
		return NULL;
	*pkt = (struct inflight_pkt){
		.bytes = pkt->bytes,
		.cap = pkt->cap,
		.len = len,
		.queue = INFLIGHT_NONE,
	};
	f->next++;
	f->busy++;
	return pkt;
}

struct inflight_pkt *inflight_at(const struct inflight *f, uint32_t psn)
{
	return psn - f->base < f->next - f->base ? slot(f, psn) : NULL;
}

static void leave(struct inflight *f, struct inflight_pkt *pkt, uint32_t psn)
{
	const unsigned q = pkt->queue;

	if (q == INFLIGHT_NONE)
		return;
	pkt->queue = INFLIGHT_NONE;
	if (f->queue[q].head == psn && f->queue[q].tail == psn) {
		f->waiting &= ~(1u << q);
		return;
	}
	if (f->queue[q].head == psn)
		f->queue[q].head = pkt->next;
	else
		slot(f, pkt->prev)->next = pkt->next;
	if (f->queue[q].tail == psn)
		f->queue[q].tail = pkt->prev;
	else
		slot(f, pkt->next)->prev = pkt->prev;
}

void inflight_wait(struct inflight *f, uint32_t psn, unsigned queue, vtime due)
{
	struct inflight_pkt *pkt = slot(f, psn);

	leave(f, pkt, psn);
	if (queue == INFLIGHT_NONE)
		return;
	pkt->queue = (uint8_t)queue;
	pkt->due = due;
	if (f->waiting >> queue & 1) {
		pkt->prev = f->queue[queue].tail;
		slot(f, pkt->prev)->next = psn;
	} else {
		f->queue[queue].head = psn;
		f->waiting |= 1u << queue;
	}
	f->queue[queue].tail = psn;
}

bool inflight_first(const struct inflight *f, unsigned queue, uint32_t *ret)
{
	if (!(f->waiting >> queue & 1))
		return false;
	*ret = f->queue[queue].head;
	return true;
}

/* The head that is due first among the timed queues. */
static struct inflight_pkt *earliest(const struct inflight *f, uint32_t *psn)
{
	struct inflight_pkt *first = NULL;

	for (unsigned left = f->waiting & TIMED_QUEUES; left;
	     left &= left - 1) {
		const int q = __builtin_ctz(left);
		struct inflight_pkt *head = slot(f, f->queue[q].head);

		if (first && first->due <= head->due)
			continue;
		first = head;
		*psn = f->queue[q].head;
	}
	return first;
}

bool inflight_due(const struct inflight *f, vtime now, uint32_t *ret)
{
	uint32_t psn = 0;
	const struct inflight_pkt *first = earliest(f, &psn);

	if (!first || first->due > now)
		return false;
	*ret = psn;
	return true;
}

vtime inflight_deadline(const struct inflight *f)
{
	uint32_t psn = 0;
	const struct inflight_pkt *first = earliest(f, &psn);

	return first ? first->due : VTIME_NEVER;
}

void inflight_done(struct inflight *f, uint32_t psn)
{
	struct inflight_pkt *pkt = slot(f, psn);

	assert(!pkt->done);
	leave(f, pkt, psn);
	pkt->done = true;
	f->busy--;
	while (f->base != f->next && slot(f, f->base)->done)
		f->base++;
}
