/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/plan.h -- the plan of a soak run: the configuration of the two
 * endpoints, the faults of the link, and the operations with their times.  All
 * of it follows from the seed.
 */
#ifndef SOAK_PLAN_H
#define SOAK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "judge/judge.h"
#include "oracle/oracle.h"

enum { A, B, SIDES };

/* Delivery modes, bits: 1 << enum op_mode. */
#define PLAN_MODES_ALL ((1u << OP_MODES) - 1)

#define PLAN_OPS_MIN 200
#define PLAN_OPS     280 /* slots; some operations follow from others */

/* First message id of the plan; an endpoint's own ids begin at 1. */
#define PLAN_FIRST_ID 1000

/*
 * Keys of exposed memory.  The small header has no key field, which means key
 * 0.
 */
#define PLAN_KEY_NONE   0
#define PLAN_KEY_WRITES 5
#define PLAN_KEY_READS  6
#define PLAN_KEY_COUNTS 7  /* for atomics */
#define PLAN_KEY_BAD    99 /* a key that is never exposed */

/* Bytes under each key; under key 0 the lower half is read-only. */
#define PLAN_MEM_NONE   (32u << 10)
#define PLAN_MEM_WRITES (192u << 10)
#define PLAN_MEM_READS  (16u << 10)
#define PLAN_MEM_COUNTS 64u

/* Percentages; at least three are 2 or more. */
struct plan_link {
	unsigned drop, dup, late, ce;
	unsigned trim;   /* trimmed by a switch, before the last hop or at it */
	unsigned tricks; /* tricks of forge.h; 0: none */
	bool narrow;     /* ACKs advertise smaller windows */
	vspan hop;       /* one-way delay */
	vspan jitter;    /* most extra delay of a late packet */
};

/* One operation, and its expected outcome. */
struct plan_op {
	struct orc_op op;
	unsigned side; /* the side that posts it */
	uint8_t error; /* expected return code; RC_NULL: OK */
	uint32_t base; /* a read: start of its pattern */
	uint64_t id;   /* of a read: whose bytes it brings (base/pattern.h) */
	uint32_t npackets; /* packets of the request */
	/* a deferrable send: its receive is posted behind it */
	bool late;
	unsigned completed; /* number of completions */
	unsigned received;  /* EV_RECV events at the other side */
	bool told;          /* a packet of it was answered with |error| */
	/* RUDI: a packet was refused, by a policy or otherwise */
	bool refused;
	bool ok;                    /* it succeeded */
	bool failed;                /* it failed for lack of retries */
	unsigned answers, failures; /* answers and failures of its packets */
};

struct plan {
	struct rng rng;
	struct orc_conf conf[SIDES];
	struct judge_conf judge[SIDES];
	struct plan_link link;
	unsigned modes; /* modes of this run's operations, bits */
	bool frail;     /* few retries: operations may fail */
	/* tagged, deferrable and rendezvous sends; nothing fails or is refused
	 * by an error
	 */
	bool sends;
	bool tags;        /* receives are posted for the tagged sends */
	struct rng draws; /* of such sends; other runs draw nothing from it */
	vspan gap;        /* longest time between posts */
	vspan delay;      /* longest delay of responses */
	unsigned pauses;  /* percent of posts with a pause before */
	unsigned errors, refusals; /* percent of policies */
	/* percent of posts with a close request of a target */
	unsigned asks;
	unsigned policies; /* percent of posts with a policy */
	unsigned nops;     /* operations to be posted */
	struct plan_op ops[PLAN_OPS];
	unsigned n; /* posted so far */
	/*
	 * next free byte of key 0 and of PLAN_KEY_WRITES, in the memory of that
	 * side
	 */
	uint32_t write_at[SIDES][2];
};

/* plan_make draws a run with some of |modes|. */
void plan_make(struct plan *p, uint64_t seed, unsigned modes);

/* plan_next draws the next operation; its index is its handle. */
struct plan_op *plan_next(struct plan *p);

/* plan_is_loose returns true for a PDC-less operation: RUDI, UUD. */
static inline bool plan_is_loose(const struct plan_op *o)
{
	return o->op.mode == OP_RUDI || o->op.mode == OP_UUD;
}

/*
 * plan_receive makes the post by which the target of |o| receives it; false if
 * it needs none.
 */
bool plan_receive(const struct plan *p, const struct plan_op *o,
		  struct orc_op *ret);

/* plan_pushed returns the bytes that the initiator sends unasked. */
uint32_t plan_pushed(const struct orc_op *op);

/* plan_receives returns true if the operation causes EV_RECV at its target. */
bool plan_receives(const struct plan_op *o);

/*
 * plan_read_back reads what the small write |w| wrote; NULL if there is no
 * room.
 */
struct plan_op *plan_read_back(struct plan *p, const struct plan_op *w);

/* plan_policy draws the next policy of a side's SES. */
struct ses_policy plan_policy(struct plan *p);

/* plan_gap draws the time until the next operation. */
vspan plan_gap(struct plan *p);

/* plan_chance returns true in |percent| of a hundred calls. */
bool plan_chance(struct plan *p, unsigned percent);

#endif
