/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_state.h -- packets, memory and messages, as shared
 * by the files of this room.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_STATE_H
#define SUITE_RUN_CONTENT_CONTENT_STATE_H

#include "suite/run/content/content_amo.h"
#include "suite/run/run_state.h"
#include "wire/packet.h"

#define CONTENT_OLD    32
#define CONTENT_BEGINS 64 /* a power of 2 */

enum content_kind {
	CONTENT_OTHER,
	CONTENT_REQUEST, /* a request: send, write, read, atomic */
	CONTENT_DATA,    /* read data, in an ACK or in a packet of its own */
	CONTENT_ANSWER,  /* an ACK or response without data */
	CONTENT_KINDS,
};

/* A packet of the record, in a form common to all families. */
struct content_pkt {
	size_t index; /* index in the record */
	vtime at;     /* time at the device */
	bool to_dut;
	enum content_kind kind;
	struct content_pkt *next; /* see content.first */
	const char *word;         /* "rud_req", ...; static */
	uint8_t pdc;
	bool loose;   /* RUDI or UUD: no PDC */
	uint32_t psn; /* PSN or pkt_id; an answer has that of the request */
	bool covers;  /* an ACK, so |cack| is valid */
	uint32_t cack;
	bool has_code; /* it carries a response with |code| */
	uint8_t code;
	uint8_t opcode;
	bool som, eom;
	uint32_t message_id; /* 0: the header has no message id */
	/*
	 * The PSN of the packet that begins the message, if it is known.  An id
	 * may be used again once its message is complete.
	 */
	bool begun;
	uint32_t begin;
	struct content_pkt *next_begin; /* see content.begins */
	/* of a message of |whole_len| bytes that the packet begins */
	bool whole_made; /* the next members are set */
	bool whole_known;
	uint32_t whole_len, whole_digest;
	uint64_t key, offset;
	uint32_t total;   /* length of the message in bytes */
	uint32_t at_byte; /* offset of the payload in the message */
	size_t body,
		len; /* position of the payload in the record, and its length */
	size_t span; /* bytes of memory that the request changes */
	struct content_amo amo;
	/* the first packet of a rendezvous: where its body is read */
	bool rendezvous;
	uint32_t eager;
	uint64_t read_key, read_offset;
	bool by_psn; /* read data: |read_psn| names the request */
	uint32_t read_psn;
	uint32_t handle; /* operation of the device's request; 0: none */
	struct content_pkt *next_owned; /* see content.owned */
	/* for a request that changes memory: see content.changes */
	struct content_pkt *next_change;
	const struct content_pkt *before; /* an earlier copy of it, or NULL */
	/* for an answer: see content.answers and content.refusals */
	struct content_pkt *next_answer, *next_refusal;
	/* for a write: the first answer completed it, or refused it */
	bool settled, refused;
	bool has_old; /* a fetching atomic: |old| was the value before */
	uint8_t old[CONTENT_OLD];
	vtime settled_at;
	size_t settled_index; /* of that answer, in the record */
};

/* The bits of struct content_region.state. */
enum {
	BYTE_KNOWN = 1,   /* |bytes| has its value */
	BYTE_WRITTEN = 2, /* the tester wrote it */
	BYTE_PENDING = 4, /* a write of it is unanswered */
};

struct content {
	struct runner *r;
	struct content_pkt *pkts;
	size_t n;
	/* the first packet of each kind and direction (to_dut), by |next| */
	struct content_pkt *first[CONTENT_KINDS][2];
	/*
	 * the packets that may begin a message, by the last bits of its id and
	 * by |next_begin|
	 */
	struct content_pkt *begins[CONTENT_BEGINS];
	/*
	 * the requests whose operation is known, by the last bits of the
	 * message id and by |next_owned|: the first and the last one
	 */
	struct content_pkt *owned[CONTENT_BEGINS], *owned_last[CONTENT_BEGINS];
	/* the requests that change memory, by |next_change| */
	struct content_pkt *changes;
	/*
	 * the answers of the device, by |next_answer|, and those of them with a
	 * code other than RC_OK, by |next_refusal|
	 */
	struct content_pkt *answers, *refusals;
	struct content_region *regions;
	size_t nregions;
	bool touched;      /* memory was written */
	bool raw;          /* lines of the case build packets of the device */
	uint32_t compared; /* comparisons made */
	uint32_t told;     /* bit i: field i of requests was reported */
};

/*
 * content_bytes returns the payload of a packet, lent until the record grows.
 */
static inline const uint8_t *content_bytes(const struct content *c,
					   const struct content_pkt *p)
{
	return c->r->rec->bytes + p->body;
}

/* content_fault reports differing bytes (I2); |frame| 0: not in a packet. */
void content_fault(struct content *c, uint32_t frame, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* content_held notes that bytes were compared and are equal. */
void content_held(struct content *c, bool wire);

/* content_changes returns true for a request that changes memory. */
bool content_changes(const struct content_pkt *p);

/* content_memory follows the memory of a target, and checks read data. */
void content_memory(struct content *c);

/* content_look asks the device for checksums of the memory around writes. */
void content_look(struct content *c);

#endif
