/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/copies.c -- what was captured last, by a hash of its bytes.
 */
#include "judge/copies.h"

#include <string.h>

#include "wire/crc.h"
#include "wire/uet_pds.h"

enum { LOOKED_AT = 96 }; /* bytes that make a packet unlike others */

/* No two packets of a source are the same within this. */
#define COPY_TIME VSPAN_MS

/* Both addresses, one of them with the entropy in it.  Return: the length. */
static size_t ends_put(const struct dgram *d, uint8_t *p)
{
	const size_t n = d->src.len;

	memcpy(p, d->src.b, sizeof(d->src.b));
	memcpy(p + n, d->dst.b, sizeof(d->dst.b));
	p[n] ^= (uint8_t)d->entropy;
	p[n + 1] ^= (uint8_t)(d->entropy >> 8);
	return n + d->dst.len;
}

static bool note(struct copies *c, const struct dgram *d, const uint8_t *p,
		 size_t len, vtime at)
{
	const size_t n = len < LOOKED_AT ? len : LOOKED_AT;
	uint8_t ends[sizeof(d->src.b) + sizeof(d->dst.b)];
	uint32_t hash, i;
	uint64_t id = 0;
	bool same;

	hash = crc32c_both((uint32_t)len, p, n, ends, ends_put(d, ends));
	/* Among millions of packets two have the same hash. */
	if (len >= pds_req_len)
		memcpy(&id, p + pds_req_len - sizeof(id), sizeof(id));
	i = hash & (COPIES_KEPT - 1);
	same = c->kept[i].hash == hash && c->kept[i].id == id &&
	       c->kept[i].at <= at && at - c->kept[i].at < COPY_TIME;
	c->kept[i].hash = hash;
	c->kept[i].id = id;
	c->kept[i].at = at;
	return same;
}

bool copies_has(struct copies *c, const struct dgram *d, const uint8_t *p,
		size_t len, vtime at)
{
	const enum pds_type type = len ? pds_type_of(p) : 0;

	if (len < pds_prologue_len || (type >= PDS_ACK && type <= PDS_NACK) ||
	    type == PDS_NACK_CCX)
		return false;
	return note(c, d, p, len, at);
}
