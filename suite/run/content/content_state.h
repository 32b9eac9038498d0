/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_state.h -- packets, memory and messages as the
 * files of this room share them.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_STATE_H
#define SUITE_RUN_CONTENT_CONTENT_STATE_H

#include "suite/run/content/content_amo.h"
#include "suite/run/run_state.h"
#include "wire/packet.h"

#define CONTENT_REGIONS 4
#define CONTENT_OLD     32

enum content_kind {
	CONTENT_OTHER,
	CONTENT_REQUEST, /* of a message: send, write, read, atomic */
	CONTENT_DATA,    /* of a read, in an ACK or in a packet of its own */
	CONTENT_ANSWER,  /* an ACK or response without data */
};

/* A packet of the record, in a form that all families share. */
struct content_pkt {
	size_t index; /* of the record */
	vtime at;     /* when it was at the device */
	bool to_dut;
	enum content_kind kind;
	const char *word; /* "rud_req", ...; static */
	uint8_t pdc;
	bool loose;   /* RUDI or UUD: no PDC */
	uint32_t psn; /* PSN or pkt_id, of an answer that of the request */
	bool covers;  /* an ACK: |cack| counts */
	uint32_t cack;
	bool has_code; /* it carries a response with |code| */
	uint8_t code;
	uint8_t opcode;
	bool som, eom;
	uint32_t message_id; /* 0: the header has none */
	uint64_t key, offset;
	uint32_t total;   /* bytes of the message */
	uint32_t at_byte; /* offset of the payload in it */
	size_t body, len; /* payload, in the bytes of the record */
	size_t span;      /* bytes of memory that a request changes */
	struct content_amo amo;
	bool by_psn; /* data: |read_psn| names the read */
	uint32_t read_psn;
	uint32_t handle; /* request of the device: its operation; 0: none */
	/* a write: the first answer that settles it */
	bool settled, refused;
	bool has_old; /* a fetching atomic: |old| was there before */
	uint8_t old[CONTENT_OLD];
	vtime settled_at;
};

/* The bits of struct content_region.state. */
enum {
	BYTE_KNOWN = 1,   /* |bytes| says what it is */
	BYTE_WRITTEN = 2, /* the tester wrote it */
	BYTE_PENDING = 4, /* a write of it is not answered yet */
};

struct content_region {
	uint64_t key, start; /* |start|: the offset of its first byte */
	size_t len;
	uint8_t *bytes, *state;
};

struct content {
	struct runner *r;
	struct content_pkt *pkts;
	size_t n;
	struct content_region regions[CONTENT_REGIONS];
	size_t nregions;
	bool touched;      /* memory was written */
	bool raw;          /* lines of the case make packets of the device */
	uint32_t compared; /* comparisons that were made */
	uint32_t told;     /* fields of requests that were reported, by bits */
};

/* content_parse says what an entry is; false: no packet, or not whole. */
bool content_parse(const struct content *c, size_t index,
		   struct content_pkt *ret);

/* content_bytes is the payload of a packet, lent until the record grows. */
static inline const uint8_t *content_bytes(const struct content *c,
					   const struct content_pkt *p)
{
	return c->r->rec->bytes + p->body;
}

/* content_fault reports bytes that differ (I2); |frame| 0: of no packet. */
void content_fault(struct content *c, uint32_t frame, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* content_held notes that bytes were compared and are right. */
void content_held(struct content *c, bool wire);

/* content_memory follows the memory of a target, and checks data of reads. */
void content_memory(struct content *c);

/* content_look asks the device for checksums of the memory around writes. */
void content_look(struct content *c);

/* content_messages checks the checksums of messages that were delivered. */
void content_messages(struct content *c);

/* content_reads checks the checksums of what posted reads brought. */
void content_reads(struct content *c);

/* content_requests compares a device's requests with what was posted. */
void content_requests(struct content *c);

#endif
