/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_aeth.h -- forms of an answer with an AETH that say the
 * same as the one that a line writes.
 */
#ifndef SUITE_RUN_MATCH_MATCH_AETH_H
#define SUITE_RUN_MATCH_MATCH_AETH_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/lang/case.h"
#include "wire/packet.h"

/*
 * match_aeth_fits returns whether a field of a packet differs from the value
 * |want| only where the responder is free: the credits of an ACK (not of SRD,
 * where they are always 0x1f), the timer code of an RNR NAK, and how many
 * 32-bit words or entries name the missing PSNs (srd_wqe.md A.4.3, B.3, B.4.3).
 */
bool match_aeth_fits(const struct packet *pkt, const char *field, uint64_t want,
		     uint64_t actual);

/*
 * match_same_psns returns whether the packet is a retransmission indication
 * whose bitmap names exactly the PSNs of the list that the line writes.  A line
 * that names the form, fmt, means the bytes as they stand.
 */
bool match_same_psns(const struct packet *pkt, const struct rung *rung);

#endif
