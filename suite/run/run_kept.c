/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_kept.c -- checks packets of the device against its declared
 * MTU.
 *
 * A device that declares another MTU than it has would fail each case of
 * several packets.  A length that is no valid MTU is a fault of the packet, not
 * of the declaration.
 *
 * Spec: UET 3.4.1.11 (uet.md 1.5); srd_wqe.md B.4.2
 */
#include "suite/run/run_kept.h"

#include <string.h>

#define MTU_LEAST 256
#define MTU_MOST  8192

static bool kept_goes_on(const struct packet *pkt)
{
	const char *word = packet_word(pkt);
	uint64_t eom;

	if (packet_value(pkt, "eom", &eom))
		return !eom && strstr(word, "_req");
	return strstr(word, "_first") || strstr(word, "_middle");
}

uint32_t run_kept_mtu(const struct decl *d, const struct packet *pkt)
{
	const size_t len = pkt->len - pkt->payload;

	if (pkt->fault != PACKET_OK)
		return 0;
	if (len == d->mtu || len < MTU_LEAST || len > MTU_MOST)
		return 0;
	if (len & (len - 1))
		return 0;
	/*
	 * the last packet of a message may be shorter than the MTU, but not
	 * longer
	 */
	if (len < d->mtu && !kept_goes_on(pkt))
		return 0;
	return (uint32_t)len;
}
