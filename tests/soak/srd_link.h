/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/srd_link.h -- a run of two SRD endpoints (srd.c), the link between
 * them, and the checks of what they send and report.
 */
#ifndef SOAK_SRD_LINK_H
#define SOAK_SRD_LINK_H

#include "base/rng.h"
#include "tests/soak/qps.h"

#define MESSAGES 300
#define QKEY     0x1234
#define MTU      256
#define SHORT    8      /* bytes of a buffer that is too short for most */
#define STEPS    200000 /* steps of a run: more means that it does not end */

/* The responder's QPs, by the purpose in the test. */
enum dest { GOOD, DRY, ABSENT, TINY, BAD, UD, BROKEN, OTHER_KEY, DESTS };

struct message {
	bool posted, done, cancelled;
	bool ever;      /* delivered, in any incarnation */
	bool outlived;  /* the responder restarted after it was posted */
	bool delivered; /* delivered in this incarnation */
	bool local;     /* it must not leave the node */
	enum orc_status status;
	unsigned qp;
	enum dest dest;
	bool flushable; /* its handle is being destroyed */
	uint32_t len, src_qp;
};

struct world {
	struct qps q;
	struct rng rng;
	unsigned req, rsp;  /* requesting and responding side */
	uint32_t loss, dup; /* per 1000 */
	uint32_t spread;    /* us of delay */
	uint32_t steps;
	/* the requester's newest SCID, and its handle */
	uint32_t scid, scid_ah;
	uint32_t qp[2], ah, dest[DESTS];
	uint32_t posted_rq[DESTS], used_rq[DESTS]; /* receives, in order */
	struct message m[MESSAGES];
	uint32_t posted, outages;
	bool restarts, cut;
};

/* srd_chance returns true in |of1000| of a thousand calls. */
static inline bool srd_chance(struct world *w, uint32_t of1000)
{
	return rng_below(&w->rng, 1000) < of1000;
}

/* srd_look checks and judges a packet at a side, which sends or receives it. */
void srd_look(struct world *w, unsigned side, const struct dgram *d);

/* srd_is_drop returns true for the errors that mean: not delivered. */
bool srd_is_drop(enum orc_status s);

/* srd_drain checks the events of a side, and sends its packets. */
void srd_drain(struct world *w, unsigned side);

#endif
