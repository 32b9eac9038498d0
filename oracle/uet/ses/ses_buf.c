/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_buf.c -- the memory that messages are read from and
 * written to.
 */
#include "oracle/uet/ses/ses_buf.h"

#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "wire/uet/uet_ses.h"

bool buf_room(struct ses_buf *buf, struct mem *m, size_t len)
{
	uint8_t *bytes = mem_grow(m, buf->bytes, &buf->cap, len + 1, 1);

	if (!bytes)
		return false;
	buf->bytes = bytes;
	return true;
}

/* Returns the slot of |key|, and makes it if there is none. */
static struct ses_buf *region_for(struct ses_bufs *b, struct mem *m,
				  uint64_t key)
{
	struct ses_buf *regions;
	uint32_t i;

	if (idmap_get(&b->by_key, key, &i))
		return &b->regions[i];
	regions = mem_grow(m, b->regions, &b->region_cap,
			   b->nregions + (size_t)1, sizeof(*regions));
	if (!regions)
		return NULL;
	b->regions = regions;
	if (!idmap_put(&b->by_key, m, key, b->nregions))
		return NULL;
	b->only = key;
	regions[b->nregions].len = regions[b->nregions].exposed = 0;
	return &regions[b->nregions++];
}

/* A region has its final length at once, so that doubling would waste room. */
static bool region_room(struct ses_buf *region, struct mem *m, size_t len)
{
	if (region->bytes)
		return buf_room(region, m, len);
	region->bytes = mem_new(m, len + 1);
	if (!region->bytes)
		return false;
	region->cap = len + 1;
	return true;
}

/* Returns how many of |len| exposed bytes are kept. */
static size_t bufs_kept(const struct ses_bufs *b, size_t len)
{
	return b->part ? (len / b->every + 1) * b->part : len;
}

int bufs_expose(struct ses_bufs *b, struct mem *m, uint64_t seed, uint64_t key,
		uint64_t start, uint32_t len)
{
	const size_t kept = bufs_kept(b, len);
	struct ses_buf *region;

	if (len > SES_BUF_MAX || len > UINT64_MAX - start)
		return ERR_VALUE;
	region = region_for(b, m, key);
	if (!region || !region_room(region, m, kept))
		return ERR_NOMEM;
	pattern_fill(region->bytes, seed, pattern_memory(key), 0, kept);
	region->len = kept;
	region->exposed = len;
	region->start = start;
	return 0;
}

/* Most endpoints expose one region, so that its number need not be found. */
const struct ses_buf *bufs_region(const struct ses_bufs *b, uint64_t key)
{
	uint32_t i;

	if (b->nregions == 1)
		return key == b->only ? b->regions : NULL;
	return idmap_get(&b->by_key, key, &i) ? &b->regions[i] : NULL;
}

static bool region_exposes(const struct ses_buf *region, uint64_t at,
			   uint64_t len)
{
	if (!region || at < region->start || len > region->exposed)
		return false;
	if (at - region->start > region->exposed - len)
		return false;
	return true;
}

bool bufs_exposes(const struct ses_bufs *b, uint64_t key, uint64_t at,
		  uint64_t len)
{
	return region_exposes(bufs_region(b, key), at, len);
}

uint8_t *bufs_at(const struct ses_bufs *b, uint64_t key, uint64_t at,
		 uint64_t len)
{
	const struct ses_buf *region = bufs_region(b, key);

	if (b->part || !region_exposes(region, at, len))
		return NULL;
	return region->bytes + (at - region->start);
}

uint8_t *bufs_part(const struct ses_bufs *b, const struct ses_buf *region,
		   uint64_t at)
{
	return region->bytes + at / b->every * b->part;
}

int bufs_post(struct ses_bufs *b, struct mem *m, struct posted posted)
{
	struct posted *all = mem_grow(m, b->posted, &b->posted_cap,
				      b->nposted + 1, sizeof(*all));

	if (!all)
		return ERR_NOMEM;
	b->posted = all;
	b->posts[posted.tagged] = true;
	all[b->nposted++] = posted;
	return 0;
}

uint8_t bufs_match(struct ses_bufs *b, uint32_t len, bool tagged, uint64_t tag)
{
	if (!b->posts[tagged])
		return RC_OK;
	while (b->first != b->nposted && !b->posted[b->first].count)
		b->first++;
	for (size_t i = b->first; i < b->nposted; i++) {
		struct posted *p = &b->posted[i];

		if (!p->count || p->tagged != tagged)
			continue;
		if (tagged && p->tag != tag)
			continue;
		p->count--;
		return len <= p->len ? RC_OK : RC_TOO_LONG;
	}
	return RC_NO_MATCH;
}

void bufs_reset(struct ses_bufs *b)
{
	idmap_clear(&b->by_key);
	b->nregions = 0;
	b->first = b->nposted = 0;
	b->posts[false] = false;
	b->posts[true] = false;
	b->last.len = 0;
}

void bufs_free(struct ses_bufs *b)
{
	for (size_t i = 0; i < b->region_cap; i++)
		memory_free(b->regions[i].bytes);
	memory_free(b->regions);
	memory_free(b->posted);
	memory_free(b->last.bytes);
	idmap_free(&b->by_key);
}
