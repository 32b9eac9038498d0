/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/rcvd.c -- which PSNs a destination has received, and which of them
 * need no more state.
 */
#include "oracle/rcvd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool bit(const struct rcvd *r, const uint64_t *map, uint32_t psn)
{
	return map[(psn & r->mask) / 64] >> psn % 64 & 1;
}

static void set(const struct rcvd *r, uint64_t *map, uint32_t psn)
{
	map[(psn & r->mask) / 64] |= (uint64_t)1 << psn % 64;
}

static void unset(const struct rcvd *r, uint64_t *map, uint32_t psn)
{
	map[(psn & r->mask) / 64] &= ~((uint64_t)1 << psn % 64);
}

static uint32_t bits_for(uint32_t range)
{
	uint32_t bits = 64;

	while (bits < range)
		bits *= 2;
	return bits;
}

bool rcvd_init(struct rcvd *r, struct mem *m, uint32_t cack_psn, uint32_t range)
{
	const uint32_t bits = bits_for(range);
	const size_t words = bits / 64;
	uint64_t *map = mem_grow(m, r->got, &r->words, 2 * words, sizeof(*map));

	if (!map)
		return false;
	memset(map, 0, 2 * words * sizeof(*map));
	r->got = map;
	r->done = map + words;
	r->mask = bits - 1;
	r->range = range;
	r->cack_psn = cack_psn;
	r->max_psn = cack_psn;
	return true;
}

void rcvd_free(struct rcvd *r)
{
	free(r->got);
	*r = (struct rcvd){0};
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
	return !serial_after(psn, r->cack_psn) || bit(r, r->got, psn);
}

void rcvd_mark(struct rcvd *r, uint32_t psn)
{
	set(r, r->got, psn);
	r->max_psn = serial_max(r->max_psn, psn);
}

void rcvd_unmark(struct rcvd *r, uint32_t psn)
{
	unset(r, r->got, psn);
	while (serial_after(r->max_psn, r->cack_psn) &&
	       !bit(r, r->got, r->max_psn))
		r->max_psn--;
}

void rcvd_settle(struct rcvd *r, uint32_t psn)
{
	set(r, r->done, psn);
	while (bit(r, r->done, r->cack_psn + 1)) {
		r->cack_psn++;
		unset(r, r->got, r->cack_psn);
		unset(r, r->done, r->cack_psn);
	}
	r->max_psn = serial_max(r->max_psn, r->cack_psn);
}

uint64_t rcvd_bitmap(const struct rcvd *r, uint32_t base)
{
	uint64_t map = 0;

	for (uint32_t i = 0; i < 64 && !rcvd_ahead(r, base + i); i++)
		if (rcvd_has(r, base + i))
			map |= (uint64_t)1 << i;
	return map;
}
