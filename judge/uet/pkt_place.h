/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_place.h -- which PSN a packet is about, and which cases it is.
 */
#ifndef JUDGE_UET_PKT_PLACE_H
#define JUDGE_UET_PKT_PLACE_H

#include "judge/uet/pkt_ctx.h"

/* pkt_place finds the PSN state that the packet is about. */
void pkt_place(struct pkt_ctx *l);

/* pkt_cases is which of the cases a packet is, PKT_COMPLETE among them. */
unsigned pkt_cases(const struct pkt_ctx *l);

/* pkt_is says whether a packet is all that a row of a monitor wants, but for
 * its flow. */
static inline bool pkt_is(const struct pkt_ctx *l, unsigned what)
{
	return !(what & PKT_CASES & ~pkt_cases(l));
}

/*
 * pkt_read_of finds the read that return data belongs to: the PSN of its
 * (first) request, and where in the message the data lies.
 * Return: false if it is not known.
 */
bool pkt_read_of(struct pkt_ctx *l, uint32_t *ret_psn, uint32_t *ret_offset);

#endif
