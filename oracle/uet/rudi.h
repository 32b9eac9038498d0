/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/rudi.h -- reliable delivery of idempotent operations, without a
 * PDC.
 *
 * The initiator keeps each request until its response arrives: the response is
 * the acknowledgement.  A request is identified by a pkt_id, which is unique
 * among those outstanding and has no other meaning.  Without a response it is
 * retransmitted after its RTO, after a NACK as the code says, until a budget is
 * exhausted.
 *
 * The target keeps nothing.  Every copy goes up to the SES and gets a response
 * of its own; the fields that a response repeats of its request (pkt_id,
 * entropy, retx, CE mark) are kept only until the SES answers.
 *
 * A packet is in at most one queue, and the packets of a queue wait equally
 * long, so that the first to enter is the first due: one queue for each number
 * of time-outs so far, one for NACKs that delay the retransmission, one for
 * packets to be sent.  One timer serves all of them.  No step depends on how
 * many requests are outstanding.
 *
 * Spec: UET 3.5.7.3, 3.5.10.9 (uet.md 3.11, 4, 7.7, 8)
 */
#ifndef ORACLE_UET_RUDI_H
#define ORACLE_UET_RUDI_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/core/env.h"
#include "oracle/core/idmap.h"
#include "oracle/core/inflight.h"
#include "oracle/uet/fep.h"
#include "oracle/uet/pds_ses.h"

#define RUDI_NONE UINT32_MAX /* no index */

/* Most requests that wait for the SES of a target at once. */
#define RUDI_ASKED_MAX 4096

/* A request without a response. */
struct rudi_pkt {
	vtime due;
	uint8_t *bytes; /* SES header and payload; owned by the slot */
	size_t cap;
	/* neighbours in its queue; next in the free list */
	uint32_t prev, next;
	uint32_t pkt_id, tx_pkt_handle;
	uint32_t fep;
	uint16_t entropy, len;
	uint8_t queue; /* a queue of inflight.h */
	uint8_t next_hdr;
	uint8_t rto_count, nack_count;
	bool sent;   /* sent at least once */
	bool nacked; /* NACKed since the last transmission, and counted */
};

/*
 * A request without an answer of the SES: the fields that its response repeats.
 */
struct rudi_asked {
	struct ip_addr src;
	uint32_t pkt_id;
	uint16_t entropy;
	uint8_t native;
	bool used, ce, retx;
	uint32_t next; /* next in the free list */
};

struct rudi {
	struct env *env;
	const struct pds_ses *ses;
	const struct feps *feps;
	struct timer timer;
	bool has_timer;

	struct rudi_pkt *pkts;
	size_t pkt_cap;
	uint32_t npkts, free_pkt;
	uint32_t busy; /* outstanding requests */
	struct {
		uint32_t head, tail;
	} queue[INFLIGHT_QUEUES];
	struct idmap by_id;
	bool paused; /* the SES was paused */

	struct rudi_asked *asked;
	size_t asked_cap;
	uint32_t nasked, free_asked;
};

/* A received RUDI datagram. */
struct rudi_rx {
	const struct dgram *d;
	size_t len; /* length without the CRC */
};

/* rudi_init starts without requests; |ses| and |feps| are lent. */
void rudi_init(struct rudi *rudi, struct env *env, const struct pds_ses *ses,
	       const struct feps *feps);

/* rudi_reset forgets all requests and keeps the memory; rudi_free frees it. */
void rudi_reset(struct rudi *rudi);
void rudi_free(struct rudi *rudi);

/*
 * rudi_add takes a request packet of the SES.
 *
 * Return: 0 and *ret_id, its pkt_id.
 *
 * Errors:
 * - ERR_SPACE conf.max_rudi are outstanding; pds_pause_rudi reports when to
 *   continue
 * - ERR_NOMEM
 */
int rudi_add(struct rudi *rudi, const struct ses_tx *tx, uint32_t *ret_id);

/*
 * rudi_respond answers the request |handle| (rx_pkt_handle).
 *
 * Return: 0; ERR_NOMEM; ERR_STATE: no such request waits for a response.
 */
int rudi_respond(struct rudi *rudi, uint32_t handle,
		 const struct ses_tx_rsp *rsp);

/* rudi_ready returns true if rudi_poll would send a packet. */
bool rudi_ready(const struct rudi *rudi);

/* rudi_poll writes the next request.  Return: false if there is none. */
bool rudi_poll(struct rudi *rudi, struct dgram *ret);

void rudi_rx_req(struct rudi *rudi, const struct rudi_rx *rx);

/* rudi_rx_trimmed answers a trimmed request with a NACK. */
void rudi_rx_trimmed(struct rudi *rudi, const struct rudi_rx *rx, uint8_t code);

void rudi_rx_rsp(struct rudi *rudi, const struct rudi_rx *rx);

/* rudi_rx_nack processes a NACK with nt = 1. */
void rudi_rx_nack(struct rudi *rudi, const struct rudi_rx *rx);

/* rudi_tick does everything that is due. */
void rudi_tick(struct rudi *rudi);

#endif
