/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/graph/graph_marks.h -- the marks of a sequence graph: which PSN was
 * sent, acknowledged or refused, and when.
 *
 * Each end of a flow numbers its own packets, so a graph has two sides.  A mark
 * belongs to the side whose PSN it is about: the ACKs of end 1 are marks on the
 * side of end 0.
 */
#ifndef REPORTS_GRAPH_GRAPH_MARKS_H
#define REPORTS_GRAPH_GRAPH_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "lib/rung.h"
#include "wire/packet.h"

enum graph_kind {
	GRAPH_SENT,      /* the first transmission of a PSN */
	GRAPH_REPEAT,    /* a retransmission */
	GRAPH_DUPLICATE, /* a copy that looks like one of the network */
	GRAPH_REMOVED,   /* a packet that an impairment of rung removed */
	GRAPH_ACK,       /* all PSNs up to this one are acknowledged */
	GRAPH_SACK,      /* PSNs that are acknowledged out of order */
	GRAPH_NACK,      /* PSNs that are refused, or asked for again */
	GRAPH_FINDING,   /* a packet that breaks a requirement */
	GRAPH_KINDS,
};

struct graph_mark {
	vtime at;
	uint32_t frame;
	uint32_t psn, to; /* a range; both ends belong to it */
	uint8_t side;     /* 0 or 1 */
	uint8_t kind;     /* enum graph_kind */
};

/* The most marks that a graph keeps; later ones are counted. */
#define GRAPH_MARKS 200000

struct graph {
	struct graph_mark *marks; /* in the order of frames */
	size_t n, size;
	uint64_t left_out;
	uint32_t psn_mask; /* of the family */
	bool failed_alloc;
};

/* A packet of the flow. */
struct graph_packet {
	const struct packet *pkt; /* lent */
	const struct rung_facts *facts;
	vtime at;
	uint32_t frame;
	bool removed; /* an impairment of rung removed it */
};

/* graph_take adds the marks of a packet. */
void graph_take(struct graph *g, const struct graph_packet *p);

/*
 * graph_find adds a finding at the PSN of frame |frame|, if that frame left a
 * mark.  Call it after the last graph_take.
 */
void graph_find(struct graph *g, uint32_t frame);

/*
 * graph_count returns how many marks of a kind a side has; a range counts each
 * of its PSNs.
 */
uint64_t graph_count(const struct graph *g, unsigned side,
		     enum graph_kind kind);

void graph_free(struct graph *g);

#endif
