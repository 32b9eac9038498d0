/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/ledger.h -- checks what must hold at the SES side of both
 * endpoints on any link.
 *
 * - Each request packet, and each packet of return data, reaches the SES
 *   exactly once, and gets exactly one response: that of the policy in force,
 *   or success.
 * - In ROD packets reach the SES in the order of their PSNs.
 * - In RUDI each request packet reaches the SES at least once, and exactly one
 *   response to it is taken, that to one of its copies.
 * - In UUD a datagram is sent once, and arrives unchanged or not at all.
 * - Each operation completes exactly once, with the expected status.
 * - Each message is received exactly once, unchanged.
 * - Exposed memory holds the written data, and nothing else; a counter is the
 *   sum of its atomics.
 * - A packet that was refused for lack of resources is retransmitted after
 *   NACK_Retx_Time, not after its RTO.
 * - A clear is requested only if the SES wants one, and no PDC stays open whose
 *   close its target requested.
 *
 * In a frail run operations may fail, for lack of retries: each still completes
 * once, each of its packets is answered or abandoned once, and none is
 * delivered twice.
 *
 * The ledger uses events and the headers on the link, not the state of the
 * endpoints.
 */
#ifndef SOAK_LEDGER_H
#define SOAK_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"
#include "tests/soak/plan.h"

/* A packet with a PSN, by sender. */
struct entry {
	uint64_t key; /* 0: free */
	uint8_t delivered, answered;
	uint8_t error;  /* return code that its response must have; 0: none */
	uint64_t codes; /* RUDI: codes with which its copies were refused */
	bool rudi;
	bool ret; /* it is return data */
	bool gtd; /* its response must be guaranteed, or may defer */
	/* the read of a body, or a DEFERRABLE_RTR: no operation posted it */
	bool silent;
};

#define LEDGER_ENTRIES (1u << 15)
#define LEDGER_TOUCHED 2048

/* A PDCID of one side: how often it was opened, and by which end. */
struct pdcid {
	uint16_t life;
	bool open, initiator;
	bool asked;   /* a close was requested */
	bool any;     /* ROD: a packet reached the SES */
	uint32_t psn; /* the last PSN */
};

/* A packet that must be retransmitted by |due|. */
struct wait {
	unsigned side;
	uint16_t pdcid;
	uint32_t psn;
	vtime due;
};

#define LEDGER_WAITS 256

struct ledger {
	struct plan *plan;
	/* The sides may be variants: what the reference alone does is free. */
	bool variants;
	struct wait waits[LEDGER_WAITS];
	unsigned nwaits;
	struct entry v[LEDGER_ENTRIES];
	uint32_t used[LEDGER_ENTRIES]; /* used slots of |v| */
	uint32_t nused;
	struct pdcid pdcids[SIDES][65536];
	struct {
		unsigned side;
		uint16_t pdcid;
	} touched[LEDGER_TOUCHED];
	unsigned ntouched;
	struct ses_policy policy[SIDES];
	uint32_t policy_left[SIDES];
	uint32_t forward, returned; /* packets delivered */
	uint32_t datagrams[SIDES];  /* sent by each side */
	/* bytes of bodies that each side was read, and that its ended sends had
	 */
	uint64_t served[SIDES], ended[SIDES];
	uint32_t data_lost; /* abandoned packets of return data */
	unsigned errors;    /* findings of this run */
	char text[400];     /* text of the first finding */
};

/* The request that is being fed, to which events are assigned. */
struct arriving {
	uint16_t spdcid;
	uint32_t psn;
	bool syn;
	bool rod;
	bool rudi, uud; /* PDC-less; psn is the pkt_id */
};

/* ledger_open begins a run; the ledger must be zeroed before its first. */
void ledger_open(struct ledger *l, struct plan *plan);

/* ledger_policy records the new policy of the SES of |side|. */
void ledger_policy(struct ledger *l, unsigned side, struct ses_policy policy);

/*
 * ledger_event checks an event of |side|; |in| is the request that caused it,
 * or NULL; |api| and |end| are that side's endpoint, for its memory.
 *
 * Return: the operation that it completed, or NULL.
 */
struct plan_op *ledger_event(struct ledger *l, unsigned side,
			     const struct orc_event *ev,
			     const struct arriving *in,
			     const struct orc_api *api, const struct orc *end);

/* ledger_nack records that |side| must retransmit a packet by |due|. */
void ledger_nack(struct ledger *l, unsigned side, uint16_t pdcid, uint32_t psn,
		 vtime due);

/* ledger_sent records that |side| sent a request. */
void ledger_sent(struct ledger *l, unsigned side, uint16_t pdcid, uint32_t psn);

/* ledger_datagram records that |side| sent a datagram. */
void ledger_datagram(struct ledger *l, unsigned side);

/*
 * ledger_asks_clear records an ACK that requests the clear of a PSN of |side|
 * and whose response is a success.
 */
void ledger_asks_clear(struct ledger *l, unsigned side, uint16_t pdcid,
		       uint32_t psn);

/*
 * ledger_ask_close records that |side|, as a target, requests the close of its
 * PDCs.
 */
void ledger_ask_close(struct ledger *l, unsigned side);

/* ledger_time advances the time and checks that nothing is overdue. */
void ledger_time(struct ledger *l, vtime now);

/* ledger_wrong records a finding. */
__attribute__((format(printf, 2, 3))) void ledger_wrong(struct ledger *l,
							const char *fmt, ...);

#endif
