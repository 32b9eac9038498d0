/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_ib.c -- the default fields that requests of SRD and of the
 * WQE extension share.
 */
#include "suite/craft/craft_ib.h"

#include <string.h>

#include "base/serial.h"
#include "suite/craft/craft_set.h"
#include "suite/craft/craft_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/ib/ib_packet.h"

/* Finds the first transmission of this PSN, which "same" repeats. */
static int craft_ib_same(struct craft *c, const char *const *kept)
{
	const uint32_t psn = (uint32_t)craft_value(c, "psn", false);
	const struct scope_psn *p = scope_psn_find(c->s, true, psn);
	struct packet pkt;
	uint64_t v;

	if (!p)
		return craft_refuse(c, "same: PSN %u was not sent before", psn);
	record_packet(c->s->record, &c->s->record->recs[p->first], &pkt);
	for (; *kept; kept++)
		if (packet_value(&pkt, *kept, &v))
			craft_default(c, *kept, false, v);
	c->payload_len = pkt.len - pkt.payload - ib_packet_pad(&pkt);
	memcpy(c->payload, pkt.p + pkt.payload, c->payload_len);
	return 0;
}

int craft_ib_request(struct craft *c, const char *const *kept)
{
	craft_default(c, "psn", false, c->s->pdc->tx_next & SERIAL24_MASK);
	if (c->rung->body == BODY_SAME)
		return craft_ib_same(c, kept);
	return 0;
}
