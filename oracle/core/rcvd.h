/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/rcvd.h -- records which PSNs a destination has received, and
 * which of them need no more state.
 *
 * Two bitmaps over the window (CACK_PSN, CACK_PSN + range], as a ring indexed
 * by PSN: |got| means "received" and feeds the SACK bitmap; |done| means
 * "settled": the response is not guaranteed, or was cleared.  CACK_PSN is the
 * highest PSN such that every PSN up to it is settled, so a stored response
 * holds it back until its clear (figure 3-76).  SRD's responder works alike: an
 * accepted request is settled at once, a drop outcome when LUP passes it.
 *
 * Spec: UET 3.5.11.4, 3.5.11.14 (uet.md 6.6, 7.2)
 */
#ifndef ORACLE_CORE_RCVD_H
#define ORACLE_CORE_RCVD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/serial.h"
#include "oracle/core/mem.h"

struct rcvd_map {
	struct mem_block block;
	size_t words;    /* words of one bitmap, a power of two */
	uint64_t bits[]; /* |got|, then |done| */
};

struct rcvd {
	uint32_t cack_psn;
	/* highest received PSN; CACK_PSN if none is beyond it */
	uint32_t max_psn;
	uint32_t range;       /* MP_RANGE: PSNs that can be tracked */
	struct rcvd_map *map; /* NULL: no PSN beyond CACK_PSN is received */
};

/* rcvd_init starts a new window behind |cack_psn|. */
void rcvd_init(struct rcvd *r, struct mem *m, uint32_t cack_psn,
	       uint32_t range);

void rcvd_free(struct rcvd *r);

/* rcvd_drain frees the unused bitmaps. */
void rcvd_drain(struct mem *m);

/* rcvd_room makes room for rcvd_mark.  Return: false if there is no memory. */
bool rcvd_room(struct rcvd *r, struct mem *m);

/*
 * rcvd_rest returns the bitmaps to the endpoint if no PSN beyond CACK_PSN is
 * received.
 */
void rcvd_rest(struct rcvd *r, struct mem *m);

/* rcvd_ahead returns true if |psn| is beyond the window. */
bool rcvd_ahead(const struct rcvd *r, uint32_t psn);

/* rcvd_behind returns true if |psn| is older than the previous window. */
bool rcvd_behind(const struct rcvd *r, uint32_t psn);

/* rcvd_has returns true if |psn|, which is not ahead, was received. */
bool rcvd_has(const struct rcvd *r, uint32_t psn);

/*
 * rcvd_mark records that |psn|, inside the window, was received (see
 * rcvd_room).
 */
void rcvd_mark(struct rcvd *r, uint32_t psn);

/* rcvd_unmark undoes rcvd_mark: the packet was refused after all. */
void rcvd_unmark(struct rcvd *r, uint32_t psn);

/* rcvd_settle records that |psn| is settled; CACK_PSN may advance. */
void rcvd_settle(struct rcvd *r, uint32_t psn);

/* rcvd_ooo counts the received PSNs above the first missing one. */
uint32_t rcvd_ooo(const struct rcvd *r);

/*
 * rcvd_bitmap returns the SACK bitmap: bit i means that base + i was received.
 */
uint64_t rcvd_bitmap(const struct rcvd *r, uint32_t base);

/* rcvd_settled returns such a bitmap of the settled PSNs. */
uint64_t rcvd_settled(const struct rcvd *r, uint32_t base);

/* rcvd_is_settled returns true if |psn|, which is not ahead, is settled. */
bool rcvd_is_settled(const struct rcvd *r, uint32_t psn);

#endif
