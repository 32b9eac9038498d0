/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_shape.h -- where a packet has to end.
 */
#ifndef JUDGE_UET_PKT_SHAPE_H
#define JUDGE_UET_PKT_SHAPE_H

#include "judge/uet/pkt_ctx.h"

/* The payload that the headers of a packet announce. */
struct pkt_told {
	bool known;      /* the headers announce a length */
	size_t bytes;    /* that length (known) */
	enum req_id req; /* the row of the field that announces it; REQ_NONE:
			    there is no SES header, so no payload either */
};

/* pkt_told returns the payload that the headers of a packet announce. */
struct pkt_told pkt_told(const struct pkt_ctx *l);

/*
 * pkt_lacks_crc says of a packet without a right CRC that it ends where its
 * headers say: there is none at all.
 */
bool pkt_lacks_crc(const struct pkt_ctx *l);

/* pkt_ends_right: a packet ends where its headers say, as far as they do. */
bool pkt_ends_right(const struct pkt_ctx *l);

/*
 * pkt_may_be_cut: where no codepoints are known, a switch may have trimmed
 * this copy of a PSN, or the one before it, which was shorter.
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
