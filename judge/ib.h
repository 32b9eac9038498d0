/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib.h -- flows of the families whose packets begin with a BTH: what SRD
 * contexts and connections of RoCEv2, plain or with the WQE extension, have in
 * common.
 *
 * A flow is one direction: who sends requests, and to whom.  A bounded number
 * of them is followed; each family keeps what it knows of the i-th beside
 * flows->v[i].  PSNs have 32 bits inside and 24 on the wire.
 */
#ifndef JUDGE_IB_H
#define JUDGE_IB_H

#include "base/serial.h"
#include "judge/judge.h"

enum {
	IB_FLOWS = 256, /* followed at a time, at most */
};

struct ib_flow {
	bool used;
	uint32_t number; /* not 0, never used twice */
	struct ip_addr from, to;
	uint32_t id;      /* between these two: SCID, or the QP at |to| */
	bool whole;       /* every packet of it was seen */
	bool began;       /* its first packet was */
	bool closed;      /* its requester has ended it, or has its answers */
	uint64_t used_at; /* larger: later */
	uint32_t first_frame;
	vtime first_at;
	struct judge_tally tally;
};

struct ib_flows {
	uint8_t family;
	unsigned n;    /* followed at a time */
	uint32_t next; /* the number of the next */
	uint64_t clock;
	struct ib_flow *last; /* of the packet that was judged last */
	struct ib_flow v[IB_FLOWS];
};

/* A packet and its flow. */
struct ib_sight {
	struct judge *j;
	const struct judge_packet *in;
	struct ib_flow *f;
	bool answer; /* of the side that requests are sent to */
};

/*
 * ib_flows_init makes room for |n| flows, IB_FLOWS at most, in memory that is
 * all 0.  Numbers begin with |first|.
 */
void ib_flows_init(struct ib_flows *s, enum family family, unsigned n,
		   uint32_t first);

/* ib_flows_reset forgets all flows.  NULL is allowed, here and below. */
void ib_flows_reset(struct ib_flows *s);

/* ib_flows_doubt forgets that they are whole. */
void ib_flows_doubt(struct ib_flows *s);

/* ib_flows_each shows each flow that is not forgotten. */
void ib_flows_each(const struct ib_flows *s,
		   void (*see)(void *arg, const struct judge_flow *f),
		   void *arg);

/* ib_flow_is: the flow is used, and between the ends of the packet. */
bool ib_flow_is(const struct ib_flow *f, const struct ib_sight *x);

/* ib_flow_find is the flow of that id between them, or NULL. */
struct ib_flow *ib_flow_find(struct ib_flows *s, const struct ib_sight *x,
			     uint32_t id);

/*
 * ib_flow_begin makes the flow of a request; the one that was silent longest
 * gives way, is counted as forgotten, and is told to conf.over.  |whole| says
 * that it begins with this packet.
 */
struct ib_flow *ib_flow_begin(struct ib_flows *s, const struct ib_sight *x,
			      uint32_t id, bool whole);

/*
 * ib_flow_heard: a packet of it is looked at.  It is x->f, and whole no more if
 * that packet is not as it was sent.
 */
void ib_flow_heard(struct ib_flows *s, struct ib_sight *x, struct ib_flow *f);

/* ib_is_here: the judge saw packets in the order in which their sender did. */
bool ib_is_here(const struct ib_sight *x);

/* ib_saw_all: likewise, and it saw every one of the flow. */
bool ib_saw_all(const struct ib_sight *x);

/*
 * ib_asks counts that somebody was in a position to break a rule, and begins a
 * finding if it was broken.
 */
bool ib_asks(const struct ib_sight *x, enum req_id req, bool broken);

/* ib_asks_as: likewise, of the side in another role than it mostly has. */
bool ib_asks_as(const struct ib_sight *x, enum req_role role, enum req_id req,
		bool broken);

/* ib_wire is a PSN as packets have it. */
static inline uint32_t ib_wire(uint32_t psn)
{
	return psn & SERIAL24_MASK;
}

#endif
