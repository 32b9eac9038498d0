/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/rcvd.c -- records which PSNs a destination has received, and
 * which of them are settled.
 */
#include "oracle/core/rcvd.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

enum { GOT, DONE };

static uint64_t *rcvd_word(const struct rcvd *r, unsigned which, uint32_t psn)
{
	const size_t words = r->map->words;

	return &r->map->bits[which * words + (psn / 64 & (words - 1))];
}

static bool bit(const struct rcvd *r, unsigned which, uint32_t psn)
{
	return r->map && *rcvd_word(r, which, psn) >> psn % 64 & 1;
}

static void rcvd_set(const struct rcvd *r, unsigned which, uint32_t psn)
{
	*rcvd_word(r, which, psn) |= (uint64_t)1 << psn % 64;
}

static void unset(const struct rcvd *r, unsigned which, uint32_t psn)
{
	*rcvd_word(r, which, psn) &= ~((uint64_t)1 << psn % 64);
}

static size_t words_for(uint32_t range)
{
	size_t words = 1;

	while (words * 64 < range)
		words *= 2;
	return words;
}

static void clear(struct rcvd_map *map)
{
	memset(map->bits, 0, 2 * map->words * sizeof(map->bits[0]));
}

void rcvd_init(struct rcvd *r, struct mem *m, uint32_t cack_psn, uint32_t range)
{
	r->range = range;
	r->cack_psn = cack_psn;
	r->max_psn = cack_psn;
	if (!r->map)
		return;
	clear(r->map);
	rcvd_rest(r, m);
}

bool rcvd_room(struct rcvd *r, struct mem *m)
{
	const size_t words = words_for(r->range);

	if (r->map)
		return true;
	r->map = mem_ring(m, MEM_RCVD, words, sizeof(*r->map),
			  2 * sizeof(r->map->bits[0]));
	if (r->map)
		r->map->words = words;
	return r->map;
}

/* All bits are 0 then: each was cleared when CACK_PSN passed it. */
void rcvd_rest(struct rcvd *r, struct mem *m)
{
	if (!r->map || r->max_psn != r->cack_psn)
		return;
	mem_give(m, MEM_RCVD, r->map->words, &r->map->block);
	r->map = NULL;
}

void rcvd_free(struct rcvd *r)
{
	memory_free(r->map);
	*r = (struct rcvd){0};
}

void rcvd_drain(struct mem *m)
{
	struct rcvd_map *map;

	while ((map = mem_drain(m, MEM_RCVD)))
		memory_free(map);
}

bool rcvd_ahead(const struct rcvd *r, uint32_t psn)
{
	return serial_diff(psn, r->cack_psn) > (int32_t)r->range;
}

bool rcvd_behind(const struct rcvd *r, uint32_t psn)
{
	return serial_diff(psn, r->cack_psn) <= -(int32_t)r->range;
}

bool rcvd_has(const struct rcvd *r, uint32_t psn)
{
	return !serial_after(psn, r->cack_psn) || bit(r, GOT, psn);
}

void rcvd_mark(struct rcvd *r, uint32_t psn)
{
	rcvd_set(r, GOT, psn);
	r->max_psn = serial_max(r->max_psn, psn);
}

void rcvd_unmark(struct rcvd *r, uint32_t psn)
{
	unset(r, GOT, psn);
	while (serial_after(r->max_psn, r->cack_psn) &&
	       !bit(r, GOT, r->max_psn))
		r->max_psn--;
}

void rcvd_settle(struct rcvd *r, uint32_t psn)
{
	rcvd_set(r, DONE, psn);
	while (bit(r, DONE, r->cack_psn + 1)) {
		r->cack_psn++;
		unset(r, GOT, r->cack_psn);
		unset(r, DONE, r->cack_psn);
	}
	r->max_psn = serial_max(r->max_psn, r->cack_psn);
}

uint32_t rcvd_ooo(const struct rcvd *r)
{
	const uint32_t end = r->max_psn + 1;
	uint32_t psn = r->cack_psn + 1, n = 0;

	while (psn != end && rcvd_has(r, psn))
		psn++;
	for (; psn != end; psn++)
		n += rcvd_has(r, psn);
	return n;
}

bool rcvd_is_settled(const struct rcvd *r, uint32_t psn)
{
	return !serial_after(psn, r->cack_psn) || bit(r, DONE, psn);
}

/* Returns a word with the lowest |n| bits set: none below 0, all from 64. */
static uint64_t rcvd_lowest(int64_t n)
{
	if (n <= 0)
		return 0;
	return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

/* Returns 64 bits of the ring, from |base| on. */
static uint64_t rcvd_ring_bits(const struct rcvd *r, unsigned which,
			       uint32_t base)
{
	const unsigned at = base % 64;
	uint64_t bits;

	if (!r->map)
		return 0;
	bits = *rcvd_word(r, which, base) >> at;
	if (at)
		bits |= *rcvd_word(r, which, base + 64) << (64 - at);
	return bits;
}

/*
 * Returns a bitmap from |base| on, with two words of the ring: each ACK has
 * one.  Every PSN up to CACK_PSN is in it, and none beyond the range.
 */
static uint64_t rcvd_bits(const struct rcvd *r, unsigned which, uint32_t base)
{
	const int64_t done = (int64_t)serial_diff(r->cack_psn, base) + 1;

	return (rcvd_ring_bits(r, which, base) | rcvd_lowest(done)) &
	       rcvd_lowest(done + r->range);
}

uint64_t rcvd_settled(const struct rcvd *r, uint32_t base)
{
	return rcvd_bits(r, DONE, base);
}

uint64_t rcvd_bitmap(const struct rcvd *r, uint32_t base)
{
	return rcvd_bits(r, GOT, base);
}
