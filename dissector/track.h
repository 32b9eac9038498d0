/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/track.h -- what the first pass learns of each packet.
 *
 * Wireshark dissects a packet first in the order of the file and later again,
 * in any order and as often as it likes.  On the first pass the judge follows
 * the flows; what it says of a packet is kept by frame number, and every later
 * pass only reads it.
 */
#ifndef DISSECTOR_TRACK_H
#define DISSECTOR_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "dissector/compat.h"
#include "judge/judge.h"

/* Something that the judge found. */
struct note {
	struct note *next;
	enum req_id req;
	enum req_role role;
	const char *text;
	const char *expected, *actual; /* NULL: it says nothing of them */
};

/* What is known of a WQE; frame numbers are 0 where there is none. */
struct message {
	uint32_t begins, ends; /* its first packet and its last */
};

enum seen_flag {
	SEEN_JUDGED = 1u << 0,   /* the judge made it part of a flow */
	SEEN_SENT = 1u << 1,     /* it takes a PSN */
	SEEN_AGAIN = 1u << 2,    /* that PSN had been sent before */
	SEEN_TWIN = 1u << 3,     /* ... and this looks like a network's copy */
	SEEN_NEEDLESS = 1u << 4, /* ... though an ACK had covered it */
	SEEN_LATE = 1u << 5,     /* new, but below the highest */
	SEEN_ANSWER = 1u << 6,   /* ACK or NACK */
	SEEN_UNSEEN = 1u << 7,   /* answers what this capture does not hold */
	SEEN_FOREIGN = 1u << 8,  /* its PDCIDs do not fit its flow */
	SEEN_REMOVED = 1u << 9,  /* rung kept it from crossing */
	SEEN_ADDED = 1u << 13,   /* rung made it, a copy */
	SEEN_DELAYED = 1u << 14, /* rung let it cross later */
	SEEN_DUE = 1u << 10,     /* asks for an answer */
	SEEN_NACK = 1u << 11,
	SEEN_ASKS = 1u << 12, /* an ACK that asks for a clear */
	SEEN_COPY = 1u << 15, /* captured just before as well */
};

/* What is known of one frame; frame numbers are 0 where there is none. */
struct seen {
	vtime at;
	uint32_t frame;
	uint32_t stream;  /* judge's number of the flow, or JUDGE_NO_FLOW */
	uint32_t skipped; /* PSNs left out before it */
	uint32_t req_in;  /* of an answer: the request */
	uint32_t ack_in;  /* of a request: what acknowledged it first */
	uint32_t nack_in; /* ... and refused it last */
	uint32_t retx_of, retx_in; /* the transmission before, and after */
	uint32_t nack_of;          /* what it was repeated for */
	uint32_t read_in, data_in; /* return data and read */
	uint32_t clear_of;         /* the response that it releases */
	uint32_t clear_in;         /* of a response: what released it */
	uint16_t flags;
	uint8_t cause;                 /* enum look_cause, if sent again */
	uint8_t family;                /* enum family */
	struct note *notes;            /* the judge's first */
	const struct message *message; /* its WQE, or NULL */
};

/* Preferences of the analysis; times in microseconds. */
struct track_prefs {
	ws_bool on;
	guint flows;
	int whole; /* enum track_whole */
	guint rto, rto_tolerance, nack_time;
	guint max_ack_data, mp_range, mtu;
	guint dscp_trimmed, dscp_trimmed_lasthop; /* 0: not known */
};

enum track_whole {
	WHOLE_AUTO, /* what rung wrote is, others are not */
	WHOLE_YES,
	WHOLE_NO,
};

extern struct track_prefs track_prefs;

/* track_open and track_close begin and end with a capture file. */
void track_open(void);
void track_close(void);

/* track_prefs_default sets what a user finds. */
void track_prefs_default(struct track_prefs *ret);

/*
 * track_packet is what is known of a frame; on the first pass it learns it.
 * |pkt| is the packet and |d| the head of its datagram; |cut|: fewer bytes were
 * kept than crossed.
 * Return: NULL if nothing is: tracking is off, or the packet is one quoted by
 *         another one.
 */
const struct seen *track_packet(const packet_info *pinfo,
				const struct packet *pkt, const struct dgram *d,
				bool cut);

/* track_trimmed says whether a codepoint is one of those that are declared. */
bool track_trimmed(uint8_t dscp);

/* track_stream is the number of a flow as it is shown: each family counts from
 * 0. */
uint32_t track_stream(const struct seen *s);

/* track_frame is what is known of another frame; NULL: nothing. */
const struct seen *track_frame(uint32_t frame);

/* track_rtt: from the request to |s|, its answer, if it was sent once. */
bool track_rtt(const struct seen *s, vspan *ret);

/* track_response: from the request's first transmission to its answer. */
bool track_response(const struct seen *s, vspan *ret);

#endif
