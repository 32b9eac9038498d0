/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/plan.h -- what a run of the soak is: how the two endpoints are
 * configured, what the link does to packets, what is asked of whom and when.
 * All of it follows from the seed.
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
#define PLAN_OPS     280 /* room; some follow from others */

/* Message ids that the plan chooses; an endpoint's own begin at 1. */
#define PLAN_FIRST_ID 1000

/* Keys of exposed memory.  The small header has none: it names key 0. */
#define PLAN_KEY_NONE   0
#define PLAN_KEY_WRITES 5
#define PLAN_KEY_READS  6
#define PLAN_KEY_COUNTS 7  /* for atomics */
#define PLAN_KEY_BAD    99 /* nobody exposes it */

/* Bytes under each key; under key 0 the lower half is read only. */
#define PLAN_MEM_NONE   (32u << 10)
#define PLAN_MEM_WRITES (192u << 10)
#define PLAN_MEM_READS  (16u << 10)
#define PLAN_MEM_COUNTS 64u

/* Percentages; at least three are 2 or more. */
struct plan_link {
	unsigned drop, dup, late, ce;
	unsigned trim;   /* cut by a switch, before the last hop or at it */
	unsigned tricks; /* forge.h; 0: none */
	bool narrow;     /* ACKs tell of smaller windows */
	vspan hop;       /* one way */
	vspan jitter;    /* what a late packet takes on top, at most */
};

/* One operation, and what must come of it. */
struct plan_op {
	struct orc_op op;
	unsigned side;      /* who asks */
	uint8_t error;      /* return code that it must end with; RC_NULL: OK */
	uint32_t base;      /* a read: where its pattern starts */
	uint32_t npackets;  /* of the request */
	unsigned completed; /* so often */
	unsigned received;  /* EV_RECV at the other side */
	bool told;          /* a packet of it was answered with |error| */
	bool refused;       /* RUDI: a packet of it was, by a policy or not */
	bool ok;            /* how it ended */
	bool failed;        /* so: for lack of retries */
	unsigned answers, failures; /* of its packets */
};

struct plan {
	struct rng rng;
	struct orc_conf conf[SIDES];
	struct judge_conf judge[SIDES];
	struct plan_link link;
	unsigned modes;            /* of this run's operations, bits */
	bool frail;                /* few retries: operations may fail */
	vspan gap;                 /* between posts, at most */
	vspan delay;               /* of responses, at most */
	unsigned pauses;           /* percent of posts with a pause before */
	unsigned errors, refusals; /* percent of policies */
	unsigned asks;     /* percent of posts after which a target asks for a
			      close */
	unsigned policies; /* percent of posts that bring a policy */
	unsigned nops;     /* to be posted */
	struct plan_op ops[PLAN_OPS];
	unsigned n;                  /* posted so far */
	uint32_t write_at[SIDES][2]; /* next free byte: key 0, PLAN_KEY_WRITES;
					in the memory of that side */
};

/* plan_make draws a run, with one or more of |modes|. */
void plan_make(struct plan *p, uint64_t seed, unsigned modes);

/* plan_next draws the next operation; its index is its handle. */
struct plan_op *plan_next(struct plan *p);

/* plan_is_loose says whether the operation goes without a PDC: RUDI, UUD. */
static inline bool plan_is_loose(const struct plan_op *o)
{
	return o->op.mode == OP_RUDI || o->op.mode == OP_UUD;
}

/* plan_receives says whether EV_RECV tells of the operation at its target. */
bool plan_receives(const struct plan_op *o);

/* plan_read_back reads what the small write |w| wrote; NULL: no room. */
struct plan_op *plan_read_back(struct plan *p, const struct plan_op *w);

/* plan_policy draws how the SES of a side answers next. */
struct ses_policy plan_policy(struct plan *p);

/* plan_gap draws the time until the next operation. */
vspan plan_gap(struct plan *p);

/* plan_chance is true in |percent| of a hundred. */
bool plan_chance(struct plan *p, unsigned percent);

#endif
