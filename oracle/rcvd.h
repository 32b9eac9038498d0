/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/rcvd.h -- which PSNs a destination has received, and which of them
 * need no more state.
 *
 * Two bitmaps over the window (CACK_PSN, CACK_PSN + range], as a ring indexed
 * by PSN: |got| says "received" and feeds the SACK bitmap; |done| says "and
 * settled": its response is not guaranteed, or was cleared.  CACK_PSN is the
 * highest PSN such that every PSN up to it is settled, so a stored response
 * holds it back until its clear (figure 3-76).  SRD's responder is the same
 * thing: an accepted request is settled, a drop outcome is when LUP passes it.
 *
 * Spec: UET 3.5.11.4, 3.5.11.14 (uet.md 6.6, 7.2)
 */
#ifndef ORACLE_RCVD_H
#define ORACLE_RCVD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/serial.h"
#include "oracle/mem.h"

struct rcvd_map {
	struct mem_block block;
	size_t words;    /* of one bitmap, a power of two */
	uint64_t bits[]; /* got, then done */
};

struct rcvd {
	uint32_t cack_psn;
	uint32_t max_psn; /* highest received; CACK_PSN if none is beyond it */
	uint32_t range;   /* MP_RANGE: PSNs that can be tracked */
	struct rcvd_map *map; /* NULL: nothing is received beyond CACK_PSN */
};

/* rcvd_init starts over behind |cack_psn|. */
void rcvd_init(struct rcvd *r, struct mem *m, uint32_t cack_psn,
	       uint32_t range);

void rcvd_free(struct rcvd *r);

/* rcvd_drain frees the bitmaps that rest. */
void rcvd_drain(struct mem *m);

/* rcvd_room makes room for rcvd_mark; false: no memory. */
bool rcvd_room(struct rcvd *r, struct mem *m);

/* rcvd_rest gives the bitmaps back if nothing is received beyond CACK_PSN. */
void rcvd_rest(struct rcvd *r, struct mem *m);

/* rcvd_ahead says whether |psn| lies beyond what can be tracked. */
bool rcvd_ahead(const struct rcvd *r, uint32_t psn);

/* rcvd_behind says whether |psn| is older than the previous window. */
bool rcvd_behind(const struct rcvd *r, uint32_t psn);

/* rcvd_has says whether |psn|, which is not ahead, was received. */
bool rcvd_has(const struct rcvd *r, uint32_t psn);

/* rcvd_mark notes that |psn|, inside the window, was received (rcvd_room). */
void rcvd_mark(struct rcvd *r, uint32_t psn);

/* rcvd_unmark takes that back: the packet was refused after all. */
void rcvd_unmark(struct rcvd *r, uint32_t psn);

/* rcvd_settle notes that |psn| needs no more state; CACK_PSN may advance. */
void rcvd_settle(struct rcvd *r, uint32_t psn);

/* rcvd_ooo counts what was received above the first PSN that was not. */
uint32_t rcvd_ooo(const struct rcvd *r);

/* rcvd_bitmap is the SACK bitmap: bit i says that base + i was received. */
uint64_t rcvd_bitmap(const struct rcvd *r, uint32_t base);

/* rcvd_settled is a bitmap likewise of what needs no more state. */
uint64_t rcvd_settled(const struct rcvd *r, uint32_t base);

/* rcvd_is_settled says whether |psn|, which is not ahead, needs none. */
bool rcvd_is_settled(const struct rcvd *r, uint32_t psn);

#endif
