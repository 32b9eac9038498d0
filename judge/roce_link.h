/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/roce_link.h -- for judge/roce*.c: what is known of a connection, and a
 * packet of it, taken apart.
 */
#ifndef JUDGE_ROCE_LINK_H
#define JUDGE_ROCE_LINK_H

#include "judge/roce.h"
#include "judge/state.h"
#include "wire/ib.h"

enum { ROCE_READS = 32 }; /* of a connection that are remembered */

/* What is known of a PSN: the request that took it, as it was sent last. */
struct roce_psn {
	uint32_t owner; /* of the connection; another value: nothing is known */
	uint32_t psn, frame;
	uint32_t n;    /* PSNs that it takes */
	uint32_t hash; /* of what is behind its BTH */
	uint32_t len;  /* payload */
	uint8_t opcode;
	uint8_t copies; /* to 255 */
	vtime first_at, at;
	vtime acked_at; /* while it is acknowledged */
};

struct roce_span {
	uint32_t psn, n; /* n 0: there is none */
	uint32_t most;   /* and how many it may be, if nobody knows */
	uint32_t frame;
};

struct roce_link {
	uint32_t owner;    /* of PSNs; not 0, never used twice */
	uint32_t own_qpn;  /* the requester's; 0: no answer was seen */
	bool ended;        /* the QP is in error */
	uint32_t low;      /* the first PSN that was seen */
	uint32_t next;     /* behind the highest PSN sent */
	bool unsure;       /* a read of which nobody knows the PSNs */
	uint32_t most;     /* PSNs that it has at most */
	uint32_t una;      /* the oldest that is not acknowledged */
	bool told;         /* ... as an answer said */
	uint32_t expected; /* by a responder that takes nothing early */
	uint32_t mtu;      /* 0: not known */
	bool back;         /* a sequence NAK: the requester is to go back, */
	uint32_t back_psn; /* to here, and nothing was sent since from there */
	uint32_t back_frame;
	vtime back_at;
	bool wait; /* an RNR NAK likewise */
	uint32_t wait_psn;
	uint32_t wait_frame;
	vtime wait_from, wait_until;
	bool msn_known;
	uint32_t msn;
	struct roce_span reads[ROCE_READS];
	unsigned nreads;
};

/* A packet of a connection. */
struct roce_sight {
	struct ib_sight ib; /* answer: also a NAK, or what a read brings */
	struct roce_link *c;
	struct roce_psn *psns; /* of the connection */
	struct bth bth;
	struct aeth aeth;     /* of an answer; a middle one has none: an ACK */
	uint32_t dmalen;      /* of a read */
	uint32_t len;         /* payload */
	uint32_t hash;        /* of what is behind the BTH */
	uint32_t psn;         /* 32 bits */
	uint32_t n;           /* PSNs that a request takes */
	bool unsure;          /* at least */
	struct roce_psn *old; /* the request of this PSN, or NULL */
};

static inline bool roce_is_nak(const struct roce_sight *x)
{
	return x->ib.answer && ib_is_nak(x->aeth.syndrome);
}

static inline bool roce_is_atomic(uint8_t opcode)
{
	return opcode == IB_RC_CMP_SWAP || opcode == IB_RC_FETCH_ADD;
}

/* roce_known is what is known of the request that took that PSN first. */
struct roce_psn *roce_known(const struct roce_sight *x, uint32_t psn);

/* roce_read_of is the read whose answer has that PSN, or NULL. */
const struct roce_span *roce_read_of(const struct roce_link *c, uint32_t psn);

/* roce_may_be_read: some read of unknown length may have it. */
bool roce_may_be_read(const struct roce_link *c, uint32_t psn);

/*
 * roce_arrived_to is the first PSN from |psn| on, |end| at most, of which no
 * request was seen.
 */
uint32_t roce_arrived_to(const struct roce_sight *x, uint32_t psn,
			 uint32_t end);

/* Rules, before the packet is taken in. */
void rules_roce_request(struct roce_sight *x);
void rules_roce_answer(struct roce_sight *x);

#endif
