/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/ib.h -- flows of the families whose packets begin with a BTH: the
 * common part of SRD contexts and connections of RoCEv2, plain or with the WQE
 * extension.
 *
 * A flow is one direction: a requester and a responder.  The judge follows a
 * bounded number of flows; each family stores its state of flow i at the same
 * index as flows->v[i].  PSNs have 32 bits inside and 24 on the wire.
 */
#ifndef JUDGE_IB_IB_H
#define JUDGE_IB_IB_H

#include "base/serial.h"
#include "judge/conf.h"
#include "judge/types.h"

enum {
	IB_FLOWS = 256, /* most flows at a time */
};

struct ib_flow {
	bool used;
	uint32_t number; /* not 0, never reused */
	struct ip_addr from, to;
	/* identifies the flow between its ends: SCID, or the QP at |to| */
	uint32_t id;
	uint32_t own_qpn; /* the requester's QP; 0: unknown until an answer */
	bool complete;    /* every packet of it was captured */
	bool began;       /* its first packet was captured */
	bool closed;      /* its requester ended it, or received all answers */
	uint64_t used_at; /* use counter; a larger value is later */
	uint32_t first_frame;
	vtime first_at;
	struct judge_flow_stats stats;
};

struct ib_flows {
	uint8_t family;
	unsigned n;    /* flows in use */
	uint32_t next; /* number of the next flow */
	uint64_t clock;
	struct ib_flow *last; /* flow of the packet judged last */
	struct ib_flow v[IB_FLOWS];
};

/* A packet and its flow. */
struct ib_item {
	struct judge *j;
	const struct judge_packet *in;
	struct ib_flow *f;
	bool answer; /* sent by the responder */
};

/*
 * ib_flows_init makes room for |n| flows, IB_FLOWS at most, in zeroed
 * memory.  The number of the first flow is |first|.
 */
void ib_flows_init(struct ib_flows *s, enum family family, unsigned n,
		   uint32_t first);

/*
 * ib_flows_reset forgets all flows.  Here and below, |state| begins with a
 * struct ib_flows.
 */
void ib_flows_reset(void *state);

/* ib_flows_mark_incomplete marks all flows incomplete. */
void ib_flows_mark_incomplete(void *state);

/* ib_flows_each calls |see| for each known flow. */
void ib_flows_each(const void *state,
		   void (*see)(void *arg, const struct judge_flow *f),
		   void *arg);

/*
 * ib_flow_is returns true if the flow is in use and between the ends of the
 * packet.
 */
bool ib_flow_is(const struct ib_flow *f, const struct ib_item *x);

/* ib_flow_find returns the flow of that id between the ends, or NULL. */
struct ib_flow *ib_flow_find(struct ib_flows *s, const struct ib_item *x,
			     uint32_t id);

/*
 * ib_flow_of_answer returns the flow whose requester has QP |qpn|, to which the
 * packet is sent.  If no flow has it, and only one flow between the ends has no
 * known QP and |can_answer(s, i, arg)| is true for its index, that flow gets
 * the QP, unless the packet is a copy.  |can_answer| may be NULL.
 * Return: NULL if there is no such flow.
 */
struct ib_flow *
ib_flow_of_answer(struct ib_flows *s, const struct ib_item *x, uint32_t qpn,
		  bool (*can_answer)(const struct ib_flows *s, unsigned i,
				     const void *arg),
		  const void *arg);

/*
 * ib_flow_begin makes the flow of a request.  If there is no room, it replaces
 * the flow that was silent longest, counts it as forgotten, and reports it to
 * conf.over.  |complete|: the flow begins with this packet.
 */
struct ib_flow *ib_flow_begin(struct ib_flows *s, const struct ib_item *x,
			      uint32_t id, bool complete);

/*
 * ib_flow_heard records that a packet belongs to the flow, and sets x->f; a
 * mangled packet makes the flow incomplete.
 */
void ib_flow_heard(struct ib_flows *s, struct ib_item *x, struct ib_flow *f);

/*
 * ib_is_here returns true if the judge saw the packets in the order in which
 * their sender saw them.
 */
bool ib_is_here(const struct ib_item *x);

/*
 * ib_saw_all returns true if ib_is_here() does, and the judge saw every packet
 * of the flow.
 */
bool ib_saw_all(const struct ib_item *x);

/*
 * ib_asks counts a packet that could violate a rule, and begins a finding if
 * |broken|.
 */
bool ib_asks(const struct ib_item *x, enum req_id req, bool broken);

/*
 * ib_mark_soon marks the last finding as one of timing if the packet came less
 * than an RTO after the answer at |answered|: a device that is starved of
 * processor time may not have read the answer.
 */
void ib_mark_soon(const struct ib_item *x, vtime answered);

/*
 * ib_asks_as does the same as ib_asks for a side in another role than its usual
 * one.
 */
bool ib_asks_as(const struct ib_item *x, enum req_role role, enum req_id req,
		bool broken);

/* ib_wire returns a PSN as it is on the wire. */
static inline uint32_t ib_wire(uint32_t psn)
{
	return psn & SERIAL24_MASK;
}

#endif
