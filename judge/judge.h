/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/judge.h -- requirements as code: push packets, get findings.
 *
 * The judge follows every PDC that it sees, from packets alone, and says which
 * requirement a packet breaks, for whom and why.  It allows all that the
 * specification leaves open, and what it could not see it does not judge.
 *
 * Suite, "rung check" and the dissector use this one implementation.  It knows
 * nothing of the oracle.
 *
 * Vantage: the judge stands at the link of the side that it judges.  A packet
 * that the tester dropped on purpose before it reached that side is not pushed;
 * one that the side sent and that was dropped later is.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/vtime.h"
#include "judge/pool.h"
#include "judge/req.h"
#include "wire/dgram.h"
#include "wire/packet.h"
#include "wire/uet_pds.h"

#define JUDGE_MPR_UNIT 128 /* PSNs; mpr of an ACK_CC counts these */

struct judge_flow;
struct judge_common;
struct flow;

/* What a side declares, as far as rules need it.  0 in a span: not judged. */
struct judge_conf {
	vspan rto_init; /* RTO_Init_Time; 0: the device has declared nothing */
	vspan rto_tolerance; /* how much earlier than that is still right */
	vspan grace;         /* what arrived may lie in a device's queues for so
				long before its packets show it; 0: 1 ms; below
				0: its next packet shows it */
	unsigned max_rto_retx;
	vspan nack_retx_time;
	vspan nack_tolerance; /* likewise for NACK_Retx_Time */
	unsigned max_nack_retx;
	uint32_t max_ack_data; /* Max_ACK_Data_Size, bytes */
	uint32_t mp_range;     /* until an ACK_CC says otherwise, PSNs */
	uint32_t mtu;
	enum uet_version version;
	/* codepoints that a switch sets; 0: not known, nothing is trimmed */
	uint8_t dscp_trimmed, dscp_trimmed_lasthop;
	bool dscp_known; /* and those that a device sends with: */
	uint8_t dscp_data, dscp_control;
	vspan answer_time; /* as declared: what is due at once is there after so
			      long, both ways included; 0: not known */
	uint32_t window;   /* PSNs of a direction that are remembered, a power
			      of 2 from 8 to 1024; more while more are not
			      acknowledged; 0: 1024 */
	vspan ack_time;    /* an ACK that is due at once and later than this is
			      overdue, its SES's time included; 0: not judged */
	vspan rto_late;    /* how much later than its RTO a repeat may come */
	bool ack_on_ecn;   /* ACK_On_ECN */
	bool no_crc;       /* declared: packets end in no CRC */
	uint32_t ack_gen_trigger;     /* bytes; 0: not judged */
	uint32_t ack_gen_min_pkt_add; /* bytes */
	bool whole;          /* the capture holds every packet of the flows:
				absence may be judged */
	struct ip_addr here; /* the one side at whose link the judge stands;
				none (len 0): at that of each side judged */
	bool afar;           /* it stands at nobody's link: packets crossed
				others before and after they were seen */
	bool joined;         /* it may have begun in the middle of flows: one
				is whole only if its very first packet is seen */
	vspan time_error;    /* of the times that it is given */
	bool brief;    /* judge_facts need only tell of PSNs that were left
			  out, and of late ones */
	bool together; /* judge_seen_all is enough: sides are not told apart */
	bool every;    /* every monitor looks at every packet, also where it is
			  known what it would find (judge/usual.h) */
	vspan idle;    /* a flow silent for so long is not remembered but
			  by its numbers; 0: for ever */
	/* What several judges of one thread share, sides not told apart; lent
	 * until judge_free.  NULL: each has its own. */
	struct judge_common *common;
	/* Of many flows; lent until judge_free.  NULL: the C library. */
	const struct pool_source *memory;
	/* Called for a flow that is forgotten; or NULL. */
	void (*over)(void *arg, const struct judge_flow *f);
	void *arg;
};

/*
 * judge_conf_default fills in the judged defaults of uet.md 9.  Times are an
 * implementation's choice: they are 0, not judged, until they are declared.
 */
void judge_conf_default(struct judge_conf *ret);

/*
 * judge_trimmed says what a codepoint tells of a packet: NACK_TRIMMED or
 * NACK_TRIMMED_LASTHOP, the code that answers it; 0: it is not trimmed.
 * "last-hop trim <=> ip.dscp == DSCP_TRIMMED_LASTHOP" (uet.md 1.4)
 */
static inline uint8_t judge_trimmed(const struct judge_conf *conf, uint8_t dscp)
{
	if (likely(!dscp))
		return 0;
	if (dscp == conf->dscp_trimmed_lasthop)
		return NACK_TRIMMED_LASTHOP;
	return dscp == conf->dscp_trimmed ? NACK_TRIMMED : 0;
}

#define JUDGE_NO_FLOW UINT32_MAX

struct finding {
	enum req_id req;
	enum req_role role;     /* REQ_SRC or REQ_DST: in which it is guilty */
	struct ip_addr side;    /* whose packet it is */
	uint32_t frame;         /* the packet that shows it */
	uint32_t flow;          /* judge's own number of the flow, from 0, or
				   JUDGE_NO_FLOW: the packet belongs to none */
	bool timing;            /* the packet is right, its time is not */
	struct ip_addr ends[2]; /* of the flow, the one that began it first */
	uint16_t pdcid[2];      /* and their PDCIDs; 0: not known */
	char text[160];         /* what is wrong, a sentence */
	char expected[64], actual[64]; /* "cack_psn=332", "" if it has none */
};

/* A packet as it was seen. */
struct judge_packet {
	const struct packet *pkt;
	const struct dgram *d; /* addresses, entropy, ECN; lent for the call */
	vtime at;
	uint32_t frame; /* the caller's number, goes into findings */
	bool cut;       /* less was kept than crossed: bytes mean nothing */
	const struct judge_ahead *ahead; /* what judge_ahead found; or NULL */
	/* Captured once more, or not as it was sent: not judged, and its flow
	 * is whole no more.  Not beside |cut|: neighbours are compared as one
	 * word, and that has to wait until both are in memory. */
	bool copy;
};

/* What an end of a flow sent. */
struct judge_side_tally {
	uint32_t packets, requests, cps, acks, nacks;
	uint32_t again[3]; /* requests sent again, by enum look_cause */
	uint32_t twins;    /* copies that look like the network's */
	uint32_t covered;  /* PSNs over which its cack_psn moved */
};

enum {
	JUDGE_RTT = 32, /* buckets of a flow */
	JUDGE_RTT_PER = 2,
	JUDGE_RTT_ALL = 192, /* and of all flows together */
	JUDGE_RTT_ALL_PER = 8,
};

/* A flow in numbers. */
struct judge_tally {
	vtime last_at;
	struct judge_side_tally side[2];
	uint16_t rtt[JUDGE_RTT]; /* to 65535; judge_flow_rtt reads them */
};

/* What there is without a PDC: all of it between two addresses is a flow. */
enum judge_loose { JUDGE_PDC, JUDGE_RUDI, JUDGE_UUD };

/* A flow as a summary shows it. */
struct judge_flow {
	uint32_t number;        /* JUDGE_NO_FLOW: it is no PDC */
	enum judge_loose loose; /* ... but these; addr[0] sends the requests */
	struct ip_addr addr[2]; /* the one whose packet was seen first, first */
	uint16_t pdcid[2];      /* 0: not known */
	int initiator;          /* 0, 1, or -1: not known */
	bool whole;             /* judged as one of which everything was seen */
	bool rod;
	enum family family;
	bool slept;  /* it was silent for too long once (conf.idle) */
	bool began;  /* its first packet was seen */
	bool closed; /* and its closing ACK, or it failed */
	uint32_t first_frame;
	vtime first_at;
	const struct judge_tally *tally; /* lent for the call */
};

/* All flows together. */
struct judge_totals {
	uint64_t nacks[256]; /* by code */
	uint64_t rtt[JUDGE_RTT_ALL];
	uint64_t flows;     /* that were begun */
	uint64_t forgotten; /* for want of room */
	uint64_t slept;     /* silent for too long */
	uint64_t nowhere;   /* packets that belong to no flow */
};

struct judge;

/*
 * judge_new makes a judge that follows up to |max_flows| PDCs at a time; when
 * there are more, the one that was silent longest is forgotten.
 * Errors: ERR_NOMEM.
 */
int judge_new(struct judge **ret, const struct judge_conf *conf,
	      size_t max_flows);
void judge_free(struct judge *j);

/* judge_reset forgets all flows and what was seen. */
void judge_reset(struct judge *j);

/* judge_declare replaces what is declared, from the next packet on. */
void judge_declare(struct judge *j, const struct judge_conf *conf);

/* judge_doubt: from here on packets may be missing; no flow is whole. */
void judge_doubt(struct judge *j);

/*
 * judge_push judges one packet.  No allocation.
 *
 * Shape:  |ret| has room for |max| findings; more are counted, not written.
 * Return: how many there are.
 */
size_t judge_push(struct judge *j, const struct judge_packet *p,
		  struct finding *ret, size_t max);

/*
 * judge_straight judges a packet that is the next of its flow and as it should
 * be, which most are, in a shorter way.  Of |p->pkt| no more is read than |p|
 * and |len|: it need not be parsed.
 * Return: true: what judge_push would do is done, and there is no finding (of
 *         its facts no more is told than where conf->brief is);
 *         false: judge_push has to do it.
 */
bool judge_straight(struct judge *j, const struct judge_packet *p);

/* A packet that will be pushed soon. */
struct judge_ahead {
	const struct judge *j;
	bool hashed; /* |hash| is that of the key of its flow */
	bool wanted; /* its flow may not be in the cache */
	bool is_ack, has_message, begins;
	uint16_t message; /* (has_message) */
	uint16_t spdcid;  /* (is_ack) */
	uint32_t hash, psn;
	uint32_t pair;     /* its table_pair (begins) */
	struct flow *flow; /* of that hash, or NULL; and the end */
	unsigned end;      /* that the key names */
	uint32_t changes;  /* of the index when it was found */
};

/*
 * judge_ahead_begin reads of a packet which flow it will need, and judge_ahead
 * has what is known of the flows of |n| such packets fetched into the
 * processor's cache, so that all wait for the memory together.  They change
 * nothing, and a packet may be pushed at any time.
 *
 * Shape:  |p| holds |len| bytes from the PDS header; |d| is its head alone.
 */
void judge_ahead_begin(const struct judge *j, struct judge_ahead *a,
		       const struct dgram *d, const uint8_t *p, size_t len);
void judge_ahead(struct judge_ahead *a, unsigned n);

/* Why a source may have sent a PSN again. */
enum look_cause {
	CAUSE_TIMER, /* nothing else was seen */
	CAUSE_NACK,
	CAUSE_GAP, /* an ACK since then showed a later PSN received */
};

/*
 * What the judge knew of a packet's PSN and flow when it looked at it, before
 * the packet changed that: for those who show a capture.  A frame is a number
 * that judge_push was given; 0 is none.
 */
struct judge_facts {
	uint32_t flow;    /* its number, or JUDGE_NO_FLOW */
	unsigned from;    /* which end of the flow sent it, 0 or 1 */
	int initiator;    /* which end opened the PDC; -1: not seen */
	bool foreign;     /* near that flow, but one of its PDCIDs is wrong */
	bool takes_psn;   /* a request, or a CP that uses up a PSN */
	bool about;       /* it takes or names the PSN |psn| */
	uint32_t psn;     /* its own; of an ACK or NACK the one it answers */
	uint32_t frame;   /* the last transmission of that PSN before it */
	vtime first_at;   /* when that PSN was sent first, and last */
	vtime sent_at;    /* (frame is not 0) */
	unsigned copies;  /* how often it had been sent, to 255 */
	bool acked;       /* an ACK had covered it already */
	bool twin;        /* takes_psn: looks like a copy that a network made */
	bool late;        /* takes_psn: new, but below the highest sent */
	uint32_t skipped; /* takes_psn: PSNs between that highest and it */
	enum look_cause cause; /* takes_psn, frame: why it was sent again */
	uint32_t asked_frame;  /* what asked for it, if that is known */
	bool acks;             /* its cack_psn moves on, over */
	uint32_t acks_from;    /* the PSNs above this one */
	uint32_t acks_to;      /* to this one */
	bool clears;           /* its CLEAR_PSN moves on, likewise */
	uint32_t clears_from, clears_to;
	uint32_t read_frame; /* return data: the read that it answers */
};

/* judge_facts are those of the packet pushed last; lent until the next. */
const struct judge_facts *judge_facts(const struct judge *j);

/*
 * judge_frame is the last transmission of a PSN in the flow of the packet
 * pushed last, in the PSN space of its sender (|own|) or of the other side; 0
 * if it is not remembered.  Flows of families other than UET have one space,
 * and their PSNs may be given with 24 bits.
 */
uint32_t judge_frame(const struct judge *j, bool own, uint32_t psn);

/*
 * judge_end judges what only shows at the end (an answer that never came), at
 * the time |now|; only if conf->whole.
 */
size_t judge_end(struct judge *j, vtime now, struct finding *ret, size_t max);

/* judge_flows shows every flow that is not forgotten, in no order. */
void judge_flows(const struct judge *j,
		 void (*see)(void *arg, const struct judge_flow *f), void *arg);

/* judge_flow_bytes is what a flow takes that sleeps (conf.idle), its places in
 * the index included. */
size_t judge_flow_bytes(void);

/* judge_totals are those since judge_new or judge_reset. */
const struct judge_totals *judge_totals(struct judge *j);

/*
 * judge_flow_rtt and judge_rtt give the time within which so many of a thousand
 * requests that were sent once had their ACK, as the judge saw both; -1: there
 * was none.  Rounded up, by a half and by an eighth at most.
 */
vspan judge_flow_rtt(const struct judge_tally *t, unsigned permille);
vspan judge_rtt(const struct judge_totals *t, unsigned permille);

/*
 * judge_seen says how often |side| was in a situation where it could have
 * broken |req| in |role| and the judge looked: a pass needs at least one.
 */
uint32_t judge_seen(const struct judge *j, const struct ip_addr *side,
		    enum req_id req, enum req_role role);

/* judge_seen_all is the sum over all sides, but for what others share in
 * conf.common. */
uint64_t judge_seen_all(const struct judge *j, enum req_id req,
			enum req_role role);

/*
 * judge_common_new makes what judges may share that take turns in one thread:
 * what each packet needs stays in the cache from one to the next.  They count
 * there what they looked at; judge_common_seen is their sum.
 * Errors: ERR_NOMEM.
 */
int judge_common_new(struct judge_common **ret);
void judge_common_free(struct judge_common *c);
uint64_t judge_common_seen(struct judge_common *c, enum req_id req,
			   enum req_role role);

#endif
