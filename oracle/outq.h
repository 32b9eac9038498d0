/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/outq.h -- finished small datagrams that wait for poll_tx.
 *
 * ACKs, NACKs and control packets without a PSN leave no state behind them, so
 * they are written out at once and outlive the PDC that sent them.  Requests do
 * not pass here: poll_tx builds them from their slots.
 */
#ifndef ORACLE_OUTQ_H
#define ORACLE_OUTQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/mem.h"
#include "wire/dgram.h"

/* Where a datagram goes and how it is marked. */
struct outq_head {
	struct ip_addr dst;
	uint16_t entropy;
	uint8_t dscp;
	uint8_t ecn; /* enum ecn */
	uint8_t native;
	uint32_t len; /* bytes that follow */
};

struct outq {
	uint8_t *bytes;
	size_t cap, head, tail; /* [head, tail) waits */
};

/*
 * outq_add appends a datagram of |head->len| bytes.
 * Return: where to write them, before the next call; NULL: no memory.
 */
uint8_t *outq_add(struct outq *q, struct mem *m, const struct outq_head *head);

/* outq_take moves the oldest to *ret, all but src; false: there is none. */
bool outq_take(struct outq *q, struct dgram *ret);

/* outq_clear empties and keeps the memory; outq_free gives it back. */
void outq_clear(struct outq *q);
void outq_free(struct outq *q);

#endif
