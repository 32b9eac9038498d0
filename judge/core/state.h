/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/state.h -- the state of the judge, shared by its own files.
 */
#ifndef JUDGE_CORE_STATE_H
#define JUDGE_CORE_STATE_H

#include "judge/core/flow_table.h"
#include "judge/fast/predicted.h"
#include "judge/uet/monitor.h"
#include "judge/uet/pdcless/rudi.h"

enum {
	/* initial number of slots for PDC-less flows; a power of 2 */
	PDCLESS_FIRST = 64,
};

/* The counts of checks for one address. */
struct side {
	bool used;
	struct ip_addr addr;
	uint32_t seen[REQ_COUNT][2]; /* [0] as REQ_SRC, [1] as REQ_DST */
};

/* Statistics of the PDC-less packets between two addresses. */
struct pdcless_flow {
	bool used;
	enum judge_pdcless what;
	struct ip_addr addr[2]; /* requester and responder */
	uint32_t first_frame;
	vtime first_at;
	struct judge_flow_stats stats;
};

/* The state that nearly every packet needs, independent of its flow. */
struct judge_common {
	/*
	 * Shared counters: used when |sides| is full, or for all sides if
	 * conf.shared_counters.
	 */
	struct side all;
	struct asked asked[1u << ASKED_BITS];
	struct predicted predicted[1u << PREDICTED_BITS];
	/* counts of one packet; zero between two packets */
	uint32_t shown[REQ_COUNT][2];
};

struct judge {
	/*
	 * The members that nearly every packet needs stand first, close
	 * together.
	 */
	struct judge_conf conf;
	/* prediction is enabled (judge/fast/predicted.h) */
	bool tells_predicted;
	/* the fast path is enabled (judge/fast/fast_path.h) */
	bool takes_fast_path;
	struct judge_common *common; /* points to |own|, or to conf.common */
	struct table table;

	/* Output of the current call. */
	struct finding *ret;
	size_t max, n;
	struct judge_facts facts; /* facts of the last packet */
	struct flow *flow;        /* flow of the last packet, or NULL */
	enum family family;       /* family of the last packet */
	struct finding *last;

	struct judge_totals totals;
	/* flows of judge/ib/ib.h forgotten for lack of room */
	uint64_t ib_forgotten;
	struct flow *unmatched; /* a temporary flow for unmatched packets */
	struct rudi_seen rudi;
	/* hash table of pdcless_mask + 1 slots, allocated on first use */
	struct pdcless_flow *pdcless;
	uint32_t pdcless_mask, nloose;
	uint64_t pdcless_forgotten;
	/* state by family, allocated with its first packet, or NULL */
	void *state[FAMILIES_MOST];
	/* hash table of mask + 1 slots; NULL with shared counters */
	struct side *sides;
	uint32_t side_mask, nsides;
	struct finding over; /* receives the findings beyond |max| */
	/* a direction or a flow uses these if memory runs out */
	struct dir_rare lost;
	struct flow_rare lost_flow;
	struct judge_common *own; /* NULL if conf.common is set */
};

/* judge_note_flow writes the facts that every packet of a flow has. */
static inline void judge_note_flow(struct judge *j, struct flow *f,
				   unsigned from)
{
	j->flow = f;
	j->facts.flow = f->number;
	j->facts.from = from;
	j->facts.initiator = f->initiator;
}

/*
 * flow_side returns the counters of an end.  It reads as little of the flow as
 * it can.
 */
static inline struct side *flow_side(const struct judge *j,
				     const struct flow *f, unsigned end)
{
	if (j->conf.shared_counters)
		return &j->common->all;
	if (!f->side[end])
		return &j->common->all;
	return &j->sides[f->side[end] - 1];
}

#endif
