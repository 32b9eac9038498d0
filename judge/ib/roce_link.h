/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/roce_link.h -- for judge/ib/roce*.c: the state of a connection, and
 * a parsed packet of it.
 */
#ifndef JUDGE_IB_ROCE_LINK_H
#define JUDGE_IB_ROCE_LINK_H

#include "judge/core/state.h"
#include "judge/ib/ib.h"
#include "wire/ib/ib.h"

enum {
	ROCE_LINKS = 256, /* most connections at a time */
	/* PSNs remembered for each connection; a power of 2 */
	ROCE_WINDOW = 1024,
};

enum { ROCE_READS = 32 }; /* reads remembered of a connection */

/* The state of a PSN: the request that has it, as last transmitted. */
struct roce_psn {
	/* |owner| of the connection; if it differs, the slot holds no state */
	uint32_t owner;
	uint32_t psn, frame;
	uint32_t n;    /* number of its PSNs */
	uint32_t hash; /* hash of the bytes after the BTH */
	uint32_t len;  /* payload length */
	uint8_t opcode;
	uint8_t copies; /* transmissions, up to 255 */
	vtime first_at, at;
	vtime acked_at; /* time of the ACK that covers it */
};

struct roce_span {
	uint32_t psn, n; /* |n| 0: the slot holds no read */
	/* largest possible |n|, if the number of PSNs is unknown */
	uint32_t most;
	uint32_t frame;
};

struct roce_link {
	uint32_t owner; /* tag of its PSNs; not 0, never reused */
	bool ended;     /* the QP is in error */
	uint32_t low;   /* the first captured PSN */
	uint32_t next;  /* the PSN after the highest PSN sent */
	/* the last request is a read whose number of PSNs is unknown */
	bool unsure;
	uint32_t most; /* largest possible number of its PSNs */
	uint32_t una;  /* the oldest unacknowledged PSN */
	bool told;     /* |una| comes from an answer */
	/* The next PSN that the responder expects; it accepts none early. */
	uint32_t expected;
	uint32_t mtu; /* 0: unknown */
	bool back;    /* a sequence NAK came: the requester must go back */
	/* PSN to go back to; no packet was sent from there since */
	uint32_t back_psn;
	uint32_t back_frame;
	vtime back_at;
	bool wait; /* an RNR NAK came: the requester must wait */
	uint32_t wait_psn;
	uint32_t wait_frame;
	vtime wait_from, wait_until;
	bool msn_known;
	uint32_t msn;
	struct roce_span reads[ROCE_READS];
	unsigned nreads;
};

/* A packet of a connection. */
struct roce_item {
	struct ib_item ib; /* |answer|: also a NAK, or read data */
	struct roce_link *c;
	struct roce_psn *psns; /* PSNs of the connection */
	struct bth bth;
	/* AETH of an answer; an ACK for a middle packet, which has none */
	struct aeth aeth;
	uint32_t dmalen;      /* DMA length of a read */
	uint32_t len;         /* payload length */
	uint32_t hash;        /* hash of the bytes after the BTH */
	uint32_t psn;         /* extended to 32 bits */
	uint32_t n;           /* number of PSNs of a request */
	bool unsure;          /* |n| is a lower bound */
	struct roce_psn *old; /* the request of this PSN, or NULL */
};

static inline bool roce_is_nak(const struct roce_item *x)
{
	return x->ib.answer && ib_is_nak(x->aeth.syndrome);
}

static inline bool roce_is_atomic(uint8_t opcode)
{
	return opcode == IB_RC_CMP_SWAP || opcode == IB_RC_FETCH_ADD;
}

/* roce_known returns the state of the request with that PSN, or NULL. */
struct roce_psn *roce_known(const struct roce_item *x, uint32_t psn);

/* roce_read_of returns the read whose answer uses that PSN, or NULL. */
const struct roce_span *roce_read_of(const struct roce_link *c, uint32_t psn);

/* roce_may_be_read returns true if a read of unknown length may use the PSN. */
bool roce_may_be_read(const struct roce_link *c, uint32_t psn);

/*
 * roce_arrived_to returns the first PSN from |psn| on, at most |end|, whose
 * request was not seen.
 */
uint32_t roce_arrived_to(const struct roce_item *x, uint32_t psn, uint32_t end);

#endif
