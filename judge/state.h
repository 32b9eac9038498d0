/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/state.h -- inside the judge: what its own files share.
 */
#ifndef JUDGE_STATE_H
#define JUDGE_STATE_H

#include "judge/look.h"
#include "judge/table.h"
#include "judge/usual.h"

enum {
	ASKED_MOST = 96,  /* monitors about one packet */
	ASKED_BITS = 6,   /* 2^6 kinds of packets are remembered with them */
	LOOSE_FIRST = 64, /* slots for flows without a PDC; a power of 2 */
};

/* The monitors that look at a packet, in the order of all rules. */
struct asked {
	unsigned what; /* its kind and its cases; 0: nothing was asked yet */
	unsigned n;
	void (*look[ASKED_MOST])(struct look *l);
};

/* What was looked at, for one address. */
struct side {
	bool used;
	struct ip_addr addr;
	uint32_t seen[REQ_COUNT][2]; /* [0] as REQ_SRC, [1] as REQ_DST */
};

/* The packets without a PDC between two addresses, in numbers. */
struct loose_flow {
	bool used;
	enum judge_loose what;
	struct ip_addr addr[2]; /* who sends the requests, and to whom */
	uint32_t first_frame;
	vtime first_at;
	struct judge_tally tally;
};

/* What nearly every packet needs, whatever its flow. */
struct judge_common {
	struct side all; /* counts for nobody, once |sides| is full, and for
			    everybody who is not told apart */
	struct asked asked[1u << ASKED_BITS];
	struct usual usual[1u << USUAL_BITS];
	uint32_t shown[REQ_COUNT][2]; /* by one packet; zeroes between two */
};

struct judge {
	/* What nearly every packet needs comes first, close together. */
	struct judge_conf conf;
	bool tells_usual;            /* judge/usual.h */
	bool goes_straight;          /* judge/straight.h */
	struct judge_common *common; /* |own|, or conf's */
	struct table table;

	/* The call that is going on. */
	struct finding *ret;
	size_t max, n;
	struct judge_facts facts; /* of the last packet */
	struct flow *flow;        /* its flow, or NULL */
	enum family family;       /* in which it belongs to one */
	struct finding *last;

	struct judge_totals totals;
	uint64_t ib_forgotten; /* flows of judge/ib.h, for want of room */
	struct flow *nowhere;  /* lent to packets that belong to no flow */
	struct rudi_seen rudi;
	struct loose_flow *loose; /* open addressing, loose_mask + 1 of them */
	uint32_t loose_mask, nloose;
	uint64_t loose_forgotten;
	struct srd_seen *srd;   /* NULL: no packet of SRD was seen */
	struct wqe_seen *wqe;   /* likewise of the WQE extension */
	struct roce_seen *roce; /* likewise of plain RoCEv2 */
	struct side *sides;     /* open addressing, mask + 1 of them */
	uint32_t side_mask, nsides;
	struct finding over;  /* takes the texts of those without room */
	struct dir_rare lost; /* of a direction for which there is no memory */
	struct judge_common own;
};

/* judge_found is a new finding of the call that is going on, all of it 0. */
struct finding *judge_found(struct judge *j);

/* judge_side is the counters of an address. */
struct side *judge_side(struct judge *j, const struct ip_addr *addr);

/* flow_side is those of an end; of the flow no more is read than needed. */
static inline struct side *flow_side(const struct judge *j,
				     const struct flow *f, unsigned end)
{
	return j->conf.together ? &j->common->all : f->side[end];
}

/*
 * look_read takes the PDS header apart.
 * Return: false if the packet is none that flows are made of, or is cut inside
 *         its PDS header.
 */
bool look_read(struct look *l, const struct judge_packet *in);

enum look_found {
	LOOK_FLOW,    /* l->f is its flow */
	LOOK_FOREIGN, /* l->f is near it, but one of its PDCIDs is wrong */
	LOOK_NOWHERE, /* it belongs to no flow */
	LOOK_LOOSE,   /* it never does: RUDI, UUD */
};

/*
 * look_find finds the flow of a packet, or begins it, and sets l->f, l->from,
 * l->own and l->peer.
 */
enum look_found look_find(struct look *l);

/*
 * look_unread is look_find for a packet whose header cannot be read: PDCIDs
 * that stand where most headers have them tell who sent it.
 */
void look_unread(struct look *l);

/* look_place finds the PSN state that the packet is about. */
void look_place(struct look *l);

/* loose_find finds what is known of the request of a packet without a PDC. */
void loose_find(struct look *l);

/* loose_outstanding says whether the source still waits for an answer. */
bool loose_outstanding(const struct look *l);

/* loose_is_another says that a request only has the id of an earlier one. */
bool loose_is_another(const struct look *l);

/*
 * loose_note notes a RUDI request that was captured otherwise than it was sent:
 * all that is known is that there was one of this id.
 */
void loose_note(struct look *l);

/* loose_take notes a packet without a PDC, after the monitors have looked. */
void loose_take(struct look *l);

/* look_facts notes what is known of a packet before the flow takes it in. */
void look_facts(struct look *l, bool foreign);

/* tally_take counts a packet, before the flow takes it in. */
void tally_take(struct look *l);

/* tally_loose counts a packet without a PDC, before it is noted. */
void tally_loose(struct look *l);

/* tally_rtt counts the time from a request to its answer, in |rtts| and with
 * those of all flows. */
void tally_rtt(struct judge *j, uint16_t rtts[JUDGE_RTT], vspan rtt);

/* tally_rtt_of counts the same for a PDC. */
void tally_rtt_of(struct judge *j, struct flow *f, vspan rtt);

/* Errors: ERR_NOMEM. */
int loose_flows_new(struct judge *j);
void loose_flows_free(struct judge *j);
void loose_flows_reset(struct judge *j);

/* dir_tally_add adds one to another. */
void dir_tally_add(struct dir_tally *to, const struct dir_tally *t);

/* tally_ends says what either end of a flow sent. */
void tally_ends(const struct flow *f, struct judge_side_tally ret[2]);

/* tally_show makes the summary of a flow; ret->tally is |ret_tally|. */
void tally_show(const struct flow *f, struct judge_flow *ret,
		struct judge_tally *ret_tally);

/*
 * dir_rare is what a direction has of its own, to be changed; without memory
 * what is noted there is lost.
 */
struct dir_rare *dir_rare(struct judge *j, struct dir *d);

/* flow_take brings the flow up to date, after the monitors have looked. */
void flow_take(struct look *l);

/* flow_take_sent notes that a PSN was used by a packet that nobody takes. */
void flow_take_sent(struct look *l);

/* flow_take_stray notes a packet that the flow cannot follow. */
void flow_take_stray(struct look *l, bool foreign);

/* rules_uet_foreign judges a packet whose PDCIDs do not fit its flow. */
void rules_uet_foreign(struct look *l);

/* rules_uet_unread judges a packet whose PDS header cannot be read. */
void rules_uet_unread(struct look *l);

/* rules_uet_nowhere judges a packet by itself: it belongs to no flow. */
void rules_uet_nowhere(struct look *l);

#endif
