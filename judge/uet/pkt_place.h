/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_place.h -- finds the state of a packet's PSN, and the cases of
 * the packet.
 */
#ifndef JUDGE_UET_PKT_PLACE_H
#define JUDGE_UET_PKT_PLACE_H

#include "judge/uet/pkt_ctx.h"

/* pkt_place finds the PSN state to which the packet refers. */
void pkt_place(struct pkt_ctx *l);

/*
 * pkt_may_be_copied returns true if a request with these values may be a
 * network duplicate: it may come at any time, with the same headers and on the
 * same path.  If there were several copies, any of them may be the original.
 *
 * s: the state of its PSN, whose first copy has the bytes of this one.
 */
bool pkt_may_be_copied(const struct psn_state *s, uint32_t clear,
		       uint16_t entropy);

/* pkt_cases returns the cases of a packet as bits, including PKT_COMPLETE. */
unsigned pkt_cases(const struct pkt_ctx *l);

/*
 * pkt_is returns true if a packet meets all conditions of a monitor's row,
 * except those about its flow.
 */
static inline bool pkt_is(const struct pkt_ctx *l, unsigned what)
{
	return !(what & PKT_CASES & ~pkt_cases(l));
}

/*
 * pkt_read_of finds the read to which return data belongs: the PSN of its first
 * request, and the offset of the data in the message.
 * Return: false if it is unknown.
 */
bool pkt_read_of(struct pkt_ctx *l, uint32_t *ret_psn, uint32_t *ret_offset);

#endif
