/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/inflight.h -- the packets of a source that still need care.
 *
 * A ring indexed by PSN from |base|, the oldest PSN whose response the SES does
 * not have, to |next|, the PSN that the next packet gets.  Each slot keeps the
 * SES bytes as they were handed over: a retransmission keeps PSN, SES header
 * and payload (uet.md 8, point 6).
 *
 * A slot waits in at most one queue.  The packets of a queue wait equally long
 * and time does not go back, so the first to enter is the first due and no
 * sorting is needed: one queue for each number of time-outs so far (RTO is
 * RTO_Init_Time * 2^n), one for NACKs that ask to wait, one for packets that
 * are to be sent again as soon as the window lets them.
 *
 *	1. inflight_add for a packet; write its bytes
 *	2. inflight_wait whenever it is sent, NACKed or due
 *	3. inflight_done once its response is there; |base| advances
 *	4. inflight_rest when nothing is in flight: the ring goes back to the
 *	   endpoint, so that an idle PDC keeps none
 *
 * Spec: UET 3.5.15 (uet.md 8)
 */
#ifndef ORACLE_INFLIGHT_H
#define ORACLE_INFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "oracle/mem.h"

#define INFLIGHT_RTO_LEVELS 16 /* Max_RTO_Retx_Cnt is at most 15 */

/* Queues; below INFLIGHT_NACK: waits for RTO after so many time-outs. */
enum {
	INFLIGHT_NACK = INFLIGHT_RTO_LEVELS, /* waits for NACK_Retx_Time */
	INFLIGHT_RETX,                       /* to be sent again */
	INFLIGHT_QUEUES,
	INFLIGHT_NONE = INFLIGHT_QUEUES,
};

struct inflight_pkt {
	vtime due;
	vtime sent_at;  /* last transmission */
	uint8_t *bytes; /* SES header and payload; the slot's own */
	size_t cap;
	uint32_t prev, next; /* PSNs, in its queue */
	uint32_t tx_pkt_handle;
	uint32_t owner; /* SRD: whose message it is, a QP */
	uint16_t len;
	uint8_t queue;
	uint8_t next_hdr; /* of a request */
	uint8_t ctl_type; /* of a control packet */
	uint8_t rto_count, nack_count;
	uint8_t repeats;  /* transmissions after the first */
	uint16_t nominal; /* size, while under way (cc.h) */
	bool cp;          /* a control packet that takes a PSN */
	bool ar;          /* ask for an ACK at the first transmission */
	bool sent;        /* at least once */
	bool nacked;      /* since it was sent last, and counted */
	bool sacked;      /* received, but its response is not known */
	bool done;        /* its response is known */
};

struct inflight_ring {
	struct mem_block block;
	size_t cap;      /* a power of two */
	uint32_t origin; /* a PSN that the first slot stands for */
	struct {
		uint32_t head, tail; /* PSNs */
	} queue[INFLIGHT_QUEUES];
	struct inflight_pkt pkt[];
};

struct inflight {
	struct inflight_ring *ring; /* NULL: nothing was added lately */
	uint32_t base, next;
	uint32_t busy;    /* slots without a response */
	uint32_t waiting; /* bit q: queue q is not empty */
};

/* inflight_init empties the set; the first packet will be |psn|. */
void inflight_init(struct inflight *f, uint32_t psn);

void inflight_free(struct inflight *f);

/* inflight_drain frees the rings that rest. */
void inflight_drain(struct mem *m);

/* inflight_rest gives the ring back if nothing is in flight. */
void inflight_rest(struct inflight *f, struct mem *m);

/*
 * inflight_add makes a slot for PSN |f->next| with room for |len| bytes.
 * Return: the slot, all members at 0 but len and bytes; NULL: no memory.
 */
struct inflight_pkt *inflight_add(struct inflight *f, struct mem *m,
				  uint16_t len);

/*
 * inflight_renumber gives the packets new PSNs, the first of them |psn|; none
 * has been sent under it, and none waits.
 * Return: false: no memory, nothing has changed.
 */
bool inflight_renumber(struct inflight *f, struct mem *m, uint32_t psn);

/* inflight_at is the slot of |psn|; NULL: it is not in [base, next). */
struct inflight_pkt *inflight_at(const struct inflight *f, uint32_t psn);

/* inflight_expect says that |psn| will be asked for soon. */
void inflight_expect(const struct inflight *f, uint32_t psn);

/* inflight_wait moves a packet to the end of a queue (or INFLIGHT_NONE). */
void inflight_wait(struct inflight *f, uint32_t psn, unsigned queue, vtime due);

/* inflight_first is the head of a queue; false: it is empty. */
bool inflight_first(const struct inflight *f, unsigned queue, uint32_t *ret);

/* inflight_after is the one behind |psn| in its queue; false: it is the last.
 */
bool inflight_after(const struct inflight *f, uint32_t psn, uint32_t *ret);

/* inflight_due finds a packet of the timed queues that is due by |now|. */
bool inflight_due(const struct inflight *f, vtime now, uint32_t *ret);

/* inflight_deadline is when the next one is due. */
vtime inflight_deadline(const struct inflight *f);

/* inflight_rewind makes |psn| the next one again; all has its response. */
void inflight_rewind(struct inflight *f, uint32_t psn);

/* inflight_done notes a response; |base| passes all that have theirs. */
void inflight_done(struct inflight *f, uint32_t psn);

#endif
