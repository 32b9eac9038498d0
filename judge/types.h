/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/types.h -- the input and output of a judge.
 */
#ifndef JUDGE_TYPES_H
#define JUDGE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "judge/req.h"
#include "wire/dgram.h"
#include "wire/packet.h"

struct judge;
struct judge_prefetch;
struct flow;

#define JUDGE_NO_FLOW UINT32_MAX

struct finding {
	enum req_id req;
	enum req_role role;  /* REQ_SRC or REQ_DST: the violated role */
	struct ip_addr side; /* address of the sender */
	uint32_t frame;      /* the packet that violates the requirement */
	/* the judge's number of the flow, from 0; JUDGE_NO_FLOW: none */
	uint32_t flow;
	bool timing; /* only the time of the packet is wrong */
	/*
	 * a device that read the packet so much later than it arrived explains
	 * the finding; 0: no delay does
	 */
	vspan unread;
	/* the ends of the flow; the end that began it is first */
	struct ip_addr ends[2];
	uint16_t pdcid[2]; /* PDCIDs of the two ends; 0: unknown */
	char text[160];    /* the violation, as a sentence */
	/* for example "cack_psn=332", or "" */
	char expected[64], actual[64];
};

/* A captured packet. */
struct judge_packet {
	const struct packet *pkt;
	const struct dgram *d; /* addresses, entropy, ECN; lent for the call */
	vtime at;
	/* the caller's number of the frame; findings carry it */
	uint32_t frame;
	bool cut; /* truncated: the judge does not compare its bytes */
	const struct judge_prefetch
		*ahead; /* result of judge_prefetch; or NULL */
	/*
	 * Captured twice, or changed: the judge does not judge it, and marks
	 * its flow as incomplete.  The member is not adjacent to |cut|: the
	 * compiler would compare both as one word, and that load would wait for
	 * both stores.
	 */
	bool copy;
	/*
	 * The CRC-32C of the bytes from |tail_at| to the end, for a caller that
	 * has computed it; |tail_at| is 0 if it has not.
	 */
	uint16_t tail_at;
	/*
	 * Only so many bytes of a request are defined, and compared with those
	 * of its copies; 0: all.
	 */
	uint16_t defined;
	uint32_t tail_crc;
};

/* The packets that an end of a flow sent. */
struct judge_side_stats {
	uint32_t packets, requests, cps, acks, nacks;
	uint32_t again[3]; /* retransmitted requests, by enum pkt_cause */
	uint32_t net_dups; /* copies that look like network duplicates */
	uint32_t covered;  /* PSNs that its CACK_PSN acknowledged */
};

enum {
	JUDGE_RTT = 32, /* buckets of one flow */
	JUDGE_RTT_PER = 2,
	JUDGE_RTT_ALL = 192, /* buckets of all flows together */
	JUDGE_RTT_ALL_PER = 8,
};

/* Statistics of a flow. */
struct judge_flow_stats {
	vtime last_at;
	struct judge_side_stats side[2];
	/* counts up to 65535; read them with judge_flow_rtt */
	uint16_t rtt[JUDGE_RTT];
};

/*
 * The kinds of PDC-less traffic.  All packets of one kind between two addresses
 * form a flow.
 */
enum judge_pdcless { JUDGE_PDC, JUDGE_RUDI, JUDGE_UUD };

/* The summary of a flow. */
struct judge_flow {
	uint32_t number; /* JUDGE_NO_FLOW: the flow is not a PDC */
	enum judge_pdcless
		/* the kind of PDC-less traffic; addr[0] sends the requests */
		pdcless;
	/* addresses; the end that sent first is first */
	struct ip_addr addr[2];
	uint16_t pdcid[2]; /* 0: unknown */
	int initiator;     /* 0, 1, or -1: unknown */
	bool complete;     /* judged as a complete flow */
	bool rod;
	enum family family;
	bool idle_evicted; /* evicted at least once (conf.idle) */
	bool began;        /* its first packet was captured */
	/*
	 * The judge saw its Close and the ACK of the Close, or the flow failed.
	 */
	bool closed;
	uint32_t first_frame;
	vtime first_at;
	const struct judge_flow_stats *stats; /* lent for the call */
};

/* All flows together. */
struct judge_totals {
	uint64_t nacks[256]; /* NACKs by code */
	uint64_t rtt[JUDGE_RTT_ALL];
	uint64_t flows;        /* flows begun */
	uint64_t forgotten;    /* flows forgotten for lack of room */
	uint64_t idle_evicted; /* flows evicted while idle */
	uint64_t unmatched;    /* unmatched packets */
};

/* The causes of a retransmission. */
enum pkt_cause {
	CAUSE_TIMER, /* no other cause was seen */
	CAUSE_NACK,
	CAUSE_GAP, /* an ACK since then acknowledged a later PSN */
};

/*
 * The state of a packet's PSN and flow before the packet changed it, for
 * programs that show a capture.  A frame is a number passed to judge_push; 0
 * means none.
 */
struct judge_facts {
	uint32_t flow; /* number of its flow, or JUDGE_NO_FLOW */
	unsigned from; /* the end of the flow that sent it, 0 or 1 */
	int initiator; /* the end that opened the PDC; -1: unknown */
	/* resembles that flow, but one of its PDCIDs is wrong */
	bool foreign;
	bool takes_psn; /* a request, or a CP with a PSN */
	bool about;     /* |psn| is valid */
	/* the PSN of the packet; of an ACK or NACK, the PSN that it answers */
	uint32_t psn;
	uint32_t frame;  /* the last transmission of that PSN before it */
	vtime first_at;  /* when that PSN was first sent */
	vtime sent_at;   /* when it was last sent (frame is not 0) */
	unsigned copies; /* earlier transmissions, up to 255 */
	bool acked;      /* an ACK had already acknowledged it */
	bool net_dup;    /* takes_psn: looks like a network duplicate */
	bool late;       /* takes_psn: new, but below the highest sent */
	/* takes_psn: PSNs between the highest sent and this one */
	uint32_t skipped;
	/* takes_psn, frame: cause of the retransmission */
	enum pkt_cause cause;
	uint32_t asked_frame; /* frame that requested it, if known */
	bool acks;            /* its cack_psn advances */
	uint32_t acks_from;   /* above this PSN */
	uint32_t acks_to;     /* up to this PSN */
	bool clears;          /* its CLEAR_PSN advances */
	uint32_t clears_from, clears_to;
	uint32_t read_frame; /* return data: the read that it answers */
};

#endif
