/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/copies.c -- what was captured last, by its CRC.
 */
#include "judge/copies.h"

#include <string.h>

#include "base/hot.h"
#include "wire/uet_pds.h"

/* No two packets of a source are the same within this. */
#define COPY_TIME VSPAN_MS

/* |len| is that of the shortest header at least. */
static bool note(struct copies *c, const uint8_t *p, size_t len, uint32_t sum,
		 vtime at)
{
	struct copy *k = &c->kept[sum & (COPIES_KEPT - 1)];
	uint32_t tail = 0;
	uint64_t id = 0;
	bool same;

	/* The last bytes may be a CRC, which the sum is not over. */
	memcpy(&tail, p + len - sizeof(tail), sizeof(tail));
	/* Among millions of packets two have the same sum. */
	if (len >= pds_req_len)
		memcpy(&id, p + pds_req_len - sizeof(id), sizeof(id));
	same = k->sum == sum && k->tail == tail && k->id == id && k->at <= at &&
	       at - k->at < COPY_TIME;
	*k = (struct copy){sum, tail, id, at};
	return same;
}

HOT bool copies_has(struct copies *c, const uint8_t *p, size_t len,
		    uint32_t sum, vtime at)
{
	const enum pds_type type = len ? pds_type_of(p) : 0;

	if (len < uud_req_len || (type >= PDS_ACK && type <= PDS_NACK) ||
	    type == PDS_NACK_CCX)
		return false;
	return note(c, p, len, sum, at);
}
