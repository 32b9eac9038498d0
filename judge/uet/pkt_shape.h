/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_shape.h -- computes the length of a packet from its headers.
 */
#ifndef JUDGE_UET_PKT_SHAPE_H
#define JUDGE_UET_PKT_SHAPE_H

#include "judge/uet/pkt_ctx.h"

/* The payload that the headers of a packet announce. */
struct pkt_told {
	bool known;   /* the headers announce a length */
	size_t bytes; /* that length (known) */
	/*
	 * The row of the field that announces it; REQ_NONE: there is no SES
	 * header, and so no payload.
	 */
	enum req_id req;
};

/* pkt_told returns the payload that the headers of a packet announce. */
struct pkt_told pkt_told(const struct pkt_ctx *l);

/*
 * pkt_lacks_crc returns true for a packet without a right CRC that has the
 * length in its headers: the CRC is missing, not wrong.
 */
bool pkt_lacks_crc(const struct pkt_ctx *l);

/*
 * pkt_ends_right returns true if a packet has the length that its headers
 * announce, as far as they announce one.
 */
bool pkt_ends_right(const struct pkt_ctx *l);

/*
 * pkt_may_be_cut returns true if a switch may have trimmed this copy of a PSN,
 * or the earlier shorter copy, because no codepoints are known.
 */
static inline bool pkt_may_be_cut(const struct pkt_ctx *l)
{
	if (l->conf->dscp_trimmed || l->conf->dscp_trimmed_lasthop ||
	    l->kind != PKT_REQ || !l->ses)
		return false;
	return l->len < l->old->size ? !pkt_ends_right(l)
				     : l->len > l->old->size;
}

#endif
