/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/rudi.h -- reliable delivery of idempotent operations, without a PDC.
 *
 * The initiator keeps each request until its response is there: the response is
 * the acknowledgement.  A request is known by a pkt_id, which is unique among
 * those outstanding and says nothing else.  Without a response it is sent again
 * after its RTO, with a NACK as the code says, until a budget is spent.
 *
 * The target keeps nothing.  Every copy goes up to the SES and gets a response
 * of its own; what a response repeats of its request (pkt_id, entropy, retx,
 * CE mark) is held from the moment the packet is handed up to the moment the
 * SES answers, and not longer.
 *
 * A packet waits in at most one queue, and the packets of a queue wait equally
 * long, so that the first to enter is the first due: one queue for each number
 * of time-outs so far, one for NACKs that ask to wait, one for packets to be
 * sent.  One timer serves all of them.  No step depends on how many requests
 * are outstanding.
 *
 * Spec: UET 3.5.7.3, 3.5.10.9 (uet.md 3.11, 4, 7.7, 8)
 */
#ifndef ORACLE_RUDI_H
#define ORACLE_RUDI_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/env.h"
#include "oracle/idmap.h"
#include "oracle/inflight.h"
#include "oracle/pds_ses.h"

#define RUDI_NONE UINT32_MAX /* no index */

/* Requests that may wait for the SES of a target at once. */
#define RUDI_ASKED_MAX 4096

struct pds;

/* A request without a response. */
struct rudi_pkt {
	vtime due;
	uint8_t *bytes; /* SES header and payload; the slot's own */
	size_t cap;
	uint32_t prev, next; /* in its queue; next in the free list */
	uint32_t pkt_id, tx_pkt_handle;
	uint32_t fep;
	uint16_t entropy, len;
	uint8_t queue; /* as of inflight.h */
	uint8_t next_hdr;
	uint8_t rto_count, nack_count;
	bool sent;   /* at least once */
	bool nacked; /* since it was sent last, and counted */
};

/* A request that the SES has not answered: what its response repeats. */
struct rudi_asked {
	struct ip_addr src;
	uint32_t pkt_id;
	uint16_t entropy;
	uint8_t native;
	bool used, ce, retx;
	uint32_t next; /* free list */
};

struct rudi {
	struct pds *pds;
	struct env *env;
	struct timer timer;
	bool has_timer;

	struct rudi_pkt *pkts;
	size_t pkt_cap;
	uint32_t npkts, free_pkt;
	uint32_t busy; /* outstanding */
	struct {
		uint32_t head, tail;
	} queue[INFLIGHT_QUEUES];
	struct idmap by_id;
	bool paused; /* the SES was told to wait */

	struct rudi_asked *asked;
	size_t asked_cap;
	uint32_t nasked, free_asked;
};

/* A datagram of this mode, as it arrived. */
struct rudi_rx {
	const struct dgram *d;
	size_t len; /* without the CRC */
};

void rudi_init(struct rudi *rudi, struct pds *pds, struct env *env);

/* rudi_reset forgets all and keeps the memory; rudi_free gives it back. */
void rudi_reset(struct rudi *rudi);
void rudi_free(struct rudi *rudi);

/*
 * rudi_add takes a request packet of the SES.
 * Return: 0 and *ret_id, its pkt_id; ERR_SPACE conf.max_rudi are outstanding,
 *         pds_pause_rudi says when to go on; ERR_NOMEM.
 */
int rudi_add(struct rudi *rudi, const struct ses_tx *tx, uint32_t *ret_id);

/*
 * rudi_respond answers the request |handle| (rx_pkt_handle).
 * Return: 0; ERR_NOMEM; ERR_STATE no such request waits for a response.
 */
int rudi_respond(struct rudi *rudi, uint32_t handle,
		 const struct ses_tx_rsp *rsp);

/* rudi_ready says whether rudi_poll would send something. */
bool rudi_ready(const struct rudi *rudi);

/* rudi_poll writes the next request; false: there is none. */
bool rudi_poll(struct rudi *rudi, struct dgram *ret);

void rudi_rx_req(struct rudi *rudi, const struct rudi_rx *rx);

/* rudi_rx_trimmed answers what is left of a trimmed request with a NACK. */
void rudi_rx_trimmed(struct rudi *rudi, const struct rudi_rx *rx, uint8_t code);

void rudi_rx_rsp(struct rudi *rudi, const struct rudi_rx *rx);

/* rudi_rx_nack takes a NACK with nt = 1. */
void rudi_rx_nack(struct rudi *rudi, const struct rudi_rx *rx);

/* rudi_tick lets what is due happen. */
void rudi_tick(struct rudi *rudi);

#endif
