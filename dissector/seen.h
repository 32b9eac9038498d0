/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/seen.h -- the state of each frame of a capture, by its number.
 */
#ifndef DISSECTOR_SEEN_H
#define DISSECTOR_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"
#include "dissector/compat.h"
#include "judge/req.h"

#define SEEN_NO_STREAM UINT32_MAX

/* A finding of the judge. */
struct note {
	struct note *next;
	enum req_id req;
	enum req_role role;
	const char *text;
	const char *expected, *actual; /* NULL: not given */
};

/* The state of a WQE; frame numbers are 0 if there is none. */
struct track_message {
	uint32_t begins, ends; /* frames of its first packet and its last */
};

enum seen_flag {
	SEEN_JUDGED = 1u << 0, /* the judge assigned it to a flow */
	SEEN_SENT = 1u << 1,   /* it has a PSN */
	SEEN_AGAIN = 1u << 2,  /* that PSN had been sent before */
	/* a retransmission that looks like a network duplicate */
	SEEN_NET_DUP = 1u << 3,
	SEEN_NEEDLESS = 1u << 4, /* a retransmission of an acknowledged PSN */
	SEEN_LATE = 1u << 5,     /* new, but below the highest */
	SEEN_ANSWER = 1u << 6,   /* ACK or NACK */
	SEEN_UNSEEN = 1u << 7,   /* answers a packet that this capture lacks */
	SEEN_FOREIGN = 1u << 8,  /* its PDCIDs do not fit its flow */
	SEEN_REMOVED = 1u << 9,  /* dropped by rung */
	SEEN_ADDED = 1u << 13,   /* a duplicate made by rung */
	SEEN_DELAYED = 1u << 14, /* delayed by rung */
	SEEN_DUE = 1u << 10,     /* requests an answer */
	SEEN_NACK = 1u << 11,
	SEEN_ASKS = 1u << 12, /* an ACK that requests a clear */
	SEEN_COPY = 1u << 15, /* captured twice */
	SEEN_NEXT = 1u << 16, /* not the first packet of its flow */
	/* a retransmission: the ACK that covers it did not cross the link */
	SEEN_ACK_LOST = 1u << 17,
};

/* The state of one frame; frame numbers are 0 if there is none. */
struct seen {
	vtime at;
	uint32_t frame;
	uint32_t stream;           /* number of the flow, or SEEN_NO_STREAM */
	uint32_t skipped;          /* PSNs skipped before it */
	uint32_t req_in;           /* answers: the request */
	uint32_t ack_in;           /* requests: the first acknowledgement */
	uint32_t nack_in;          /* requests: the last NACK */
	uint32_t retx_of, retx_in; /* previous and next transmission */
	uint32_t nack_of;          /* the NACK that caused the retransmission */
	uint32_t read_in, data_in; /* return data, and its read */
	uint32_t clear_of;         /* the response that this clear releases */
	uint32_t clear_in;         /* responses: the clear that released it */
	uint32_t flags;
	uint32_t psn;          /* its PSN, or the one that it answers */
	uint32_t base[2];      /* first PSN of its direction, of the other */
	uint32_t flight_psns;  /* sent and not acknowledged, with this one */
	uint32_t flight_bytes; /* their payload */
	vspan since;           /* the previous packet of its flow */
	uint16_t bytes;        /* payload of a packet with a PSN */
	uint8_t from;          /* end of its flow that sent it, 0 or 1 */
	bool has_psn;          /* |psn| is valid */
	uint8_t service;       /* row in the table of service response times */
	uint8_t cause;         /* enum rung_cause of a retransmission */
	uint8_t family;        /* enum family */
	struct note *notes;    /* findings of the judge */
	const struct track_message *message; /* state of its WQE, or NULL */
};

/* seen_reset forgets the frames of another capture. */
void seen_reset(void);

/* seen_at returns the state of a frame; NULL if it has none. */
struct seen *seen_at(uint32_t frame);

/* seen_new adds the state of a frame that arrived at |at|. */
struct seen *seen_new(uint32_t frame, vtime at);

/*
 * seen_stream returns the displayed number of a frame's flow: each family
 * counts from 0.
 */
uint32_t seen_stream(const struct seen *s);

#endif
