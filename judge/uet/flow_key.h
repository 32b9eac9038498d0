/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow_key.h -- the key by which the flow of a packet is found.
 *
 * Both paths and the prefetch take it from here.
 *
 * Spec: UET 3.5.8.1 (uet.md 6.1)
 */
#ifndef JUDGE_UET_FLOW_KEY_H
#define JUDGE_UET_FLOW_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/core/flow_table.h"
#include "wire/dgram.h"

/* flow_key returns the key of a PDCID of the packet's sender or receiver. */
static inline struct table_key flow_key(const struct dgram *d, bool sender,
					uint16_t pdcid)
{
	if (sender)
		return (struct table_key){&d->src, &d->dst, pdcid};
	return (struct table_key){&d->dst, &d->src, pdcid};
}

/*
 * A request or control packet is found by the PDCID of its sender, and an ACK
 * or NACK by that of its receiver: the key names the end in whose PSN space the
 * PSN is.
 */
static inline struct table_key flow_key_request(const struct dgram *d,
						uint16_t spdcid)
{
	return flow_key(d, true, spdcid);
}

static inline struct table_key flow_key_answer(const struct dgram *d,
					       uint16_t dpdcid)
{
	return flow_key(d, false, dpdcid);
}

#endif
