/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/flow.h -- the state of each flow in the first pass: what is in
 * flight, the first PSNs, and the time of the last packet.
 */
#ifndef DISSECTOR_FLOW_H
#define DISSECTOR_FLOW_H

#include "dissector/seen.h"
#include "lib/rung.h"
#include "wire/family.h"
#include "wire/packet.h"

/* A direction of a flow is the number of the end that sends. */
struct dissect_flow {
	vtime last;          /* arrival of its last packet; 0: none */
	uint32_t base[2];    /* the first PSN of each direction */
	uint32_t low[2];     /* the lowest PSN of each direction so far */
	bool has_base[2];    /* both were seen */
	bool answered[2];    /* an ACK of the direction's PSNs was seen */
	uint32_t psns[2];    /* sent in each direction and not acknowledged */
	uint32_t bytes[2];   /* their payload */
	uint32_t first_id;   /* PDCID of the end that sent first; 0: none */
	unsigned first_from; /* that end */
};

/* flow_reset forgets the flows of another capture. */
void flow_reset(void);

/*
 * flow_add adds a packet that the judge assigned to a flow, before its
 * frames are linked: it fills in the members of |s| about the flow.
 */
void flow_add(struct seen *s, const struct rung_facts *x,
	      const struct packet *pkt);

/*
 * flow_seen_from returns |from|, moved for the first ACK of a direction, which
 * may cover PSNs from before the capture: those from the result + 1 to |to|
 * were seen, or come between them.
 */
uint32_t flow_seen_from(const struct seen *s, uint32_t from, uint32_t to);

/* flow_acked removes a packet that is acknowledged from what is in flight. */
void flow_acked(const struct seen *s);

/* flow_count returns the number of flows of a family. */
uint32_t flow_count(enum family family);

/* flow_of returns the flow of a packet; NULL if it has none. */
const struct dissect_flow *flow_of(const struct seen *s);

#endif
