/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/rc_link.h -- a run of two queue pairs (rc.c), and the link between
 * them.
 */
#ifndef SOAK_RC_LINK_H
#define SOAK_RC_LINK_H

#include "base/rng.h"
#include "base/serial.h"
#include "tests/soak/qps.h"

enum {
	MTU = 256,         /* the least path MTU of InfiniBand */
	LONGEST = 6 * MTU, /* bytes of the longest message */
	GUARD = 16,        /* bytes between two written places */
	SLOT = LONGEST + GUARD,
	MESSAGES = 40,
	REGION = MESSAGES * SLOT,
	PSNS = 7 * MESSAGES, /* most PSNs of a run */
	RKEY = 0x77,
	READS = 12,    /* reads of a run, behind its messages */
	STEPS = 20000, /* steps of a run: a mutant may loop */
};

/* The fault of a request; the last of a run may have one. */
enum mangled { SOUND, WRONG_KEY, BEYOND, TOO_LONG, MANGLED };

/* A posted message. */
struct message {
	bool write, with_imm;
	enum mangled mangled;
	uint32_t len;
	uint32_t end; /* PSN behind the last one */
};

/* A posted read of the region. */
struct read_of {
	uint32_t offset, len;
};

/* The link's state of a PSN. */
struct traced {
	bool sent, arrived;
	vtime shown;     /* when a later one arrived first; 0: none did */
	vtime asked;     /* when it was requested; 0: never */
	vtime repeat[2]; /* the last two retransmissions; 0: none */
};

struct run {
	struct qps q;
	struct rng rng;
	bool hostile;
	unsigned req, rsp;     /* requesting and responding side */
	uint32_t loss, copies; /* per 1000 */
	vspan reorder, hop;
	uint32_t first; /* first PSN */
	uint32_t qpn[2];
	uint32_t idle[2]; /* QPs without any traffic */
	struct message message[MESSAGES];
	unsigned posted, done, received;
	uint32_t taker[MESSAGES]; /* messages that need a receive, in order */
	unsigned takers, receives;
	uint32_t last; /* handle of the last received send; 0: none */
	struct traced psn[PSNS];
	bool rnr; /* an RNR NAK was sent */
	struct read_of read[READS];
	unsigned asked, brought; /* reads that were posted, and completed */
	bool fresh;              /* the last read was not compared yet */
};

/* rc_chance returns true in |of1000| of a thousand calls. */
static inline bool rc_chance(struct run *r, uint32_t of1000)
{
	return rng_below(&r->rng, 1000) < of1000;
}

/*
 * rc_whole_messages counts the messages that have arrived whole, as have all
 * before them.
 */
uint32_t rc_whole_messages(const struct run *r);

/*
 * rc_look checks and judges a packet at side |i|; |leaves|: this side sends it,
 * else it has arrived.
 */
void rc_look(struct run *r, unsigned i, const struct dgram *d, bool leaves);

/* rc_leave sends a packet of |from| over the link, which may add others. */
void rc_leave(struct run *r, unsigned from, const struct dgram *d);

#endif
