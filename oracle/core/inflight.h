/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/inflight.h -- the packets of a source until they are complete.
 *
 * A ring indexed by PSN from |base|, the oldest PSN whose response the SES does
 * not have, to |next|, the PSN that the next packet gets.  Each slot keeps the
 * SES bytes as they were handed over: a retransmission keeps PSN, SES header
 * and payload (uet.md 8, point 6).
 *
 * A slot is in at most one queue.  The packets of a queue wait equally long and
 * time does not go back, so the first to enter is the first due and no sorting
 * is needed: one queue for each number of time-outs so far (RTO is
 * RTO_Init_Time * 2^n), one for NACKs that delay the retransmission, one for
 * packets that are retransmitted as soon as the window permits.
 *
 *    1. inflight_add for a packet; write its bytes
 *    2. inflight_wait whenever it is sent, NACKed or due
 *    3. inflight_done once its response has arrived; |base| advances
 *    4. inflight_rest when nothing is in flight: the ring returns to the
 *      endpoint, so that an idle PDC keeps none
 *
 * Spec: UET 3.5.15 (uet.md 8)
 */
#ifndef ORACLE_CORE_INFLIGHT_H
#define ORACLE_CORE_INFLIGHT_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/vtime.h"
#include "oracle/core/mem.h"

#define INFLIGHT_RTO_LEVELS 16 /* Max_RTO_Retx_Cnt is at most 15 */

/* Queues; those below INFLIGHT_NACK wait for an RTO, by number of time-outs. */
enum {
	INFLIGHT_NACK = INFLIGHT_RTO_LEVELS, /* wait for NACK_Retx_Time */
	INFLIGHT_RETX,                       /* to be retransmitted */
	INFLIGHT_QUEUES,
	INFLIGHT_NONE = INFLIGHT_QUEUES,
};

/*
 * A slot is one cache line: with many PDCs a packet waits for each line.
 * Flags are bits for this reason.
 */
struct inflight_pkt {
	vtime due;
	vtime sent_at;  /* time of the last transmission */
	uint8_t *bytes; /* SES header and payload; owned by the slot */
	/* the payload of a slot that holds the header alone (pds_ses.h) */
	uint32_t late_id, late_at;
	uint32_t prev, next; /* neighbours in its queue, as PSNs */
	uint32_t tx_pkt_handle;
	uint32_t owner; /* SRD: the QP of the message */
	uint16_t late_len;
	uint16_t len;
	uint16_t nominal; /* size while in flight (cc.h) */
	uint8_t cap_log2; /* |bytes| has room for 2^n; 0: there are none */
	uint8_t queue;
	uint8_t next_hdr; /* next_hdr of a request */
	uint8_t ctl_type; /* ctl_type of a control packet */
	uint8_t rto_count, nack_count;
	uint8_t repeats; /* transmissions after the first */
	uint8_t path;    /* path of the last transmission (paths.h) */
	bool cp : 1;     /* a control packet with a PSN */
	bool ar : 1;     /* request an ACK at the first transmission */
	bool sent : 1;   /* sent at least once */
	bool nacked : 1; /* NACKed since the last transmission, and counted */
	bool sacked : 1; /* received, but its response is unknown */
	bool done : 1;   /* its response has arrived */
};

static_assert(sizeof(struct inflight_pkt) <= CACHE_LINE, "one cache line");

struct inflight_ring {
	struct mem_block block;
	size_t cap; /* a power of two */
	bool heap;  /* a slot may have a buffer that mem_bytes_free frees */
	struct {
		uint32_t head, tail; /* PSNs */
	} queue[INFLIGHT_QUEUES];
	alignas(CACHE_LINE) struct inflight_pkt pkt[];
};

/*
 * |origin| and |mask| are not part of the ring: a slot and the ring can then be
 * prefetched at once.
 */
struct inflight {
	struct inflight_ring *ring; /* NULL: nothing is in flight */
	uint32_t origin;            /* the PSN of the first slot */
	uint32_t mask;              /* slots of the ring, less 1 */
	uint32_t base, next;
	uint32_t busy;    /* slots without a response */
	uint32_t waiting; /* bit q: queue q is not empty */
};

/* inflight_init empties the set; the first packet gets |psn|. */
void inflight_init(struct inflight *f, uint32_t psn);

/* inflight_free empties the set, and returns the ring to the endpoint. */
void inflight_free(struct inflight *f, struct mem *m);

/* inflight_drain frees the unused rings. */
void inflight_drain(struct mem *m);

/* inflight_rest returns the ring to the endpoint if nothing is in flight. */
void inflight_rest(struct inflight *f, struct mem *m);

/*
 * inflight_add makes a slot for PSN |f->next| with room for |len| bytes.
 *
 * Return: the slot, all members 0 but len and bytes; NULL if there is no
 * memory.
 */
struct inflight_pkt *inflight_add(struct inflight *f, struct mem *m,
				  uint16_t len);

/*
 * inflight_renumber gives the packets new PSNs, the first of them |psn|.  None
 * has been sent and none is queued under the new PSN.
 *
 * Return: false if there is no memory; nothing has changed.
 */
bool inflight_renumber(struct inflight *f, struct mem *m, uint32_t psn);

/* inflight_at returns the slot of |psn|; NULL if it is not in [base, next). */
struct inflight_pkt *inflight_at(const struct inflight *f, uint32_t psn);

/* inflight_expect prefetches for a later inflight_at(|psn|). */
void inflight_expect(const struct inflight *f, uint32_t psn);

/*
 * inflight_expect_next prefetches the slot of |psn|, and what most calls read
 * of the ring; inflight_expect_bytes_of then the bytes of the packet.
 */
void inflight_expect_next(const struct inflight *f, uint32_t psn);
void inflight_expect_bytes_of(const struct inflight *f, uint32_t psn);

/*
 * inflight_expect_ack prefetches for an ACK of |cack_psn| and |cack_psn| +
 * |offset|, and for the packet that the window lets out then; |tx_psn| is the
 * next.  inflight_expect_bytes prefetches the bytes of a packet soon after
 * |psn|, and the slot of a later one.
 */
void inflight_expect_ack(const struct inflight *f, uint32_t tx_psn,
			 uint32_t cack_psn, int32_t offset);
void inflight_expect_bytes(const struct inflight *f, uint32_t psn);

/* inflight_wait moves a packet to the end of a queue (or to INFLIGHT_NONE). */
void inflight_wait(struct inflight *f, uint32_t psn, unsigned queue, vtime due);

/* inflight_first gives the head of a queue.  Return: false if it is empty. */
bool inflight_first(const struct inflight *f, unsigned queue, uint32_t *ret);

/*
 * inflight_after gives the successor of |psn| in its queue.  Return: false if
 * it is the last.
 */
bool inflight_after(const struct inflight *f, uint32_t psn, uint32_t *ret);

/* inflight_due finds a packet of the timed queues that is due by |now|. */
bool inflight_due(const struct inflight *f, vtime now, uint32_t *ret);

/* inflight_deadline returns when the next packet is due. */
vtime inflight_deadline(const struct inflight *f);

/*
 * inflight_rewind makes |psn| the next one again; all packets must be complete.
 */
void inflight_rewind(struct inflight *f, uint32_t psn);

/* inflight_done records a response; |base| passes all completed packets. */
void inflight_done(struct inflight *f, uint32_t psn);

#endif
