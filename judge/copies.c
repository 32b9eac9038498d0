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

bool copies_has(struct copies *c, const struct dgram *d, const uint8_t *p,
		size_t len, vtime at)
{
	const enum pds_type type = len ? pds_type_of(p) : 0;
	const size_t n = len < LOOKED_AT ? len : LOOKED_AT;
	uint32_t hash, i;
	uint64_t id = 0;
	bool same;

	if (len < pds_prologue_len || (type >= PDS_ACK && type <= PDS_NACK) ||
	    type == PDS_NACK_CCX)
		return false;
	hash = crc32c((uint32_t)len, p, n);
	hash = crc32c(hash, d->src.b, d->src.len);
	hash = crc32c(hash ^ d->entropy, d->dst.b, d->dst.len);
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
