/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rudi.h -- the judge's state of PDC-less packets: RUDI
 * requests and datagrams.
 *
 * They belong to no flow.  A RUDI request is identified by its two addresses
 * and its pkt_id, which may be reused once the request has its response.  All
 * memory is allocated at the start: a new request replaces the one that was
 * silent longest, and from then on unmatched answers are not judged.  The last
 * few datagrams are kept, to recognise an answer to one.
 *
 * Spec: UET 3.5.7.3, 3.5.7.4, 3.5.10.9 (uet.md 3.11, 3.12, 7.7, 7.8)
 */
#ifndef JUDGE_UET_PDCLESS_RUDI_H
#define JUDGE_UET_PDCLESS_RUDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/addr.h"
#include "wire/dgram.h"

enum {
	/* entropy values stored for the copies of one request */
	RUDI_ENTROPIES = 4,
	RUDI_DATAGRAMS = 64,
};

enum rudi_flag {
	RUDI_FRESH = 1u << 0,    /* was sent with retx = 0 */
	RUDI_REPEATED = 1u << 1, /* was sent with retx = 1 */
	RUDI_CE = 1u << 2,       /* a copy was CE-marked */
	RUDI_NO_CE = 1u << 3,    /* a copy was not CE-marked */
	RUDI_MANGLED = 1u << 4,  /* trimmed or malformed: no bytes to compare */
	/* answered by a response, or by a NACK that ends it */
	RUDI_ANSWERED = 1u << 5,
	RUDI_NACKED = 1u << 6, /* NACKed since its last transmission */
	RUDI_DUE = 1u << 7,    /* the last copy has no answer yet */
	RUDI_PATHS = 1u << 8,  /* it has more entropy values than are stored */
	/* a finding about its missing answer was reported */
	RUDI_TOLD = 1u << 9,
};

struct judge_rudi_pkt {
	struct ip_addr src, dst; /* addresses of the request */
	uint32_t pkt_id;
	uint32_t flags;
	vtime sent_at;  /* time of the last copy */
	vtime acked_at; /* time of the first response, or of the last NACK */
	uint32_t frame;
	uint32_t hash; /* of SES header and payload of the first copy */
	uint16_t entropy[RUDI_ENTROPIES];
	uint16_t message_id; /* 0 if its header has none */
	uint8_t next_hdr;
	uint8_t copies, answers; /* |answers|: responses and NACKs, up to 255 */
	uint8_t rto_retx, nack_retx, nack_code;
	uint32_t next; /* next in the hash chain, as index + 1 */
	uint32_t newer, older;
};

struct rudi_datagram {
	struct ip_addr src, dst;
	uint16_t entropy;
	bool used;
};

struct rudi_seen {
	struct judge_rudi_pkt *pkts;
	size_t max, n; /* |n|: entries ever used */
	uint32_t *heads;
	uint32_t mask;
	uint32_t newest, oldest; /* as index + 1 */
	bool forgot;             /* an entry was replaced */
	struct rudi_datagram datagrams[RUDI_DATAGRAMS];
	uint32_t ndatagrams;
};

/* rudi_seen_new allocates the table.  Errors: ERR_NOMEM. */
int rudi_seen_new(struct rudi_seen *s, size_t max);
void rudi_seen_free(struct rudi_seen *s);
void rudi_seen_reset(struct rudi_seen *s);

/*
 * rudi_find returns the request from |src| to |dst|, or NULL if it is unknown.
 */
struct judge_rudi_pkt *rudi_find(struct rudi_seen *s, const struct ip_addr *src,
				 const struct ip_addr *dst, uint32_t pkt_id);

/*
 * rudi_begin starts a new request; |old| is the result of rudi_find, or NULL.
 */
struct judge_rudi_pkt *rudi_begin(struct rudi_seen *s,
				  struct judge_rudi_pkt *old,
				  const struct dgram *d, uint32_t pkt_id);

/*
 * rudi_path records the entropy value of a copy.  rudi_has_path returns true if
 * a copy had that value, or if not all values are stored.
 */
void rudi_path(struct judge_rudi_pkt *p, uint16_t entropy);
bool rudi_has_path(const struct judge_rudi_pkt *p, uint16_t entropy);

/* rudi_datagram records a datagram. */
void rudi_datagram(struct rudi_seen *s, const struct dgram *d);

/*
 * rudi_answers_datagram returns true if |d| has the reversed addresses and the
 * entropy of a datagram.
 */
bool rudi_answers_datagram(const struct rudi_seen *s, const struct dgram *d);

#endif
