/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/outq.h -- queues finished small datagrams for poll_tx.
 *
 * ACKs, NACKs and control packets without a PSN leave no state, so they are
 * written at once and outlive the PDC that sent them.  Requests do not pass
 * here: poll_tx builds them from their slots.
 */
#ifndef ORACLE_CORE_OUTQ_H
#define ORACLE_CORE_OUTQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/core/mem.h"
#include "wire/dgram.h"

/* The destination and the marking of a datagram. */
struct outq_head {
	struct ip_addr dst;
	uint16_t entropy;
	uint8_t dscp;
	uint8_t ecn; /* enum ecn */
	uint8_t native;
	uint32_t len; /* bytes behind this head */
};

struct outq {
	uint8_t *bytes;
	size_t cap, head, tail; /* [head, tail) is queued */
};

/*
 * outq_add appends a datagram of |head->len| bytes.
 *
 * Return: where to write them, before the next call; NULL if there is no
 * memory.
 */
uint8_t *outq_add(struct outq *q, struct mem *m, const struct outq_head *head);

/*
 * outq_take moves the oldest datagram to *ret, all but src.  Return: false if
 * there is none.
 */
bool outq_take(struct outq *q, struct dgram *ret);

/* outq_clear empties the queue and keeps its memory; outq_free frees it. */
void outq_clear(struct outq *q);
void outq_free(struct outq *q);

#endif
