/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/ledger.h -- what must hold at the SES side of both endpoints,
 * whatever the link does.
 *
 *	each request packet, and each packet of return data, reaches the SES
 *	exactly once, and exactly one response to it comes back: that which the
 *	policy in force said, or success
 *	in ROD packets reach the SES in the order of their PSNs
 *	in RUDI each request packet reaches the SES at least once, and exactly
 *	one response to it is taken: that to one of its copies; in UUD a
 *	datagram is sent once, and arrives or not, with the bytes that were sent
 *	each operation completes exactly once, as it must
 *	each message is received exactly once, with the bytes that were sent
 *	exposed memory holds what was written, and nothing else; a count is the
 *	sum of what atomics added
 *	a packet that was refused for want of resources is sent again when
 *	NACK_Retx_Time is over, not when its RTO is
 *	a clear is asked for where the SES wants one, and no PDC stays open that
 *	its target asked to have closed
 *
 * In a frail run operations may fail, for lack of retries: each still completes
 * once, each of its packets is answered or given up once, and none is delivered
 * twice.
 *
 * It knows what happened from events and from the headers on the link, not from
 * the endpoints.
 */
#ifndef SOAK_LEDGER_H
#define SOAK_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"
#include "tests/soak/plan.h"

/* A packet that takes a PSN, by who sent it. */
struct entry {
	uint64_t key; /* 0: free */
	uint8_t delivered, answered;
	uint8_t error;  /* return code that its response must have, or 0 */
	uint64_t codes; /* RUDI: those that its copies were refused with */
	bool rudi;
	bool ret; /* return data */
	bool gtd; /* its response is to be guaranteed */
};

#define LEDGER_ENTRIES (1u << 15)
#define LEDGER_TOUCHED 2048

/* A PDCID of one side: how often it was opened, and by whom. */
struct pdcid {
	uint16_t life;
	bool open, initiator;
	bool asked;   /* to be closed */
	bool any;     /* ROD: a packet reached the SES, */
	uint32_t psn; /* the last */
};

/* A packet that must be sent again by |due|. */
struct wait {
	unsigned side;
	uint16_t pdcid;
	uint32_t psn;
	vtime due;
};

#define LEDGER_WAITS 256

struct ledger {
	struct plan *plan;
	struct wait waits[LEDGER_WAITS];
	unsigned nwaits;
	struct entry v[LEDGER_ENTRIES];
	uint32_t used[LEDGER_ENTRIES]; /* places in |v| */
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
	uint32_t data_lost;         /* packets of return data given up */
	unsigned errors;            /* findings of this run */
	char text[400];             /* the first */
};

/* The request that is being fed, so that an event can be tied to it. */
struct arriving {
	uint16_t spdcid;
	uint32_t psn;
	bool syn;
	bool rod;
	bool rudi, uud; /* without a PDC; psn is the pkt_id */
};

/* ledger_open begins a run; a ledger is zeroed memory before its first. */
void ledger_open(struct ledger *l, struct plan *plan);

/* ledger_policy notes that the SES of |side| answers so from now on. */
void ledger_policy(struct ledger *l, unsigned side, struct ses_policy policy);

/*
 * ledger_event takes an event of |side|; |in| is the request that caused it, or
 * NULL; |api| and |end| are that side's endpoint, for its memory.
 * Return: the operation that it completed, or NULL.
 */
struct plan_op *ledger_event(struct ledger *l, unsigned side,
			     const struct orc_event *ev,
			     const struct arriving *in,
			     const struct orc_api *api, const struct orc *end);

/* ledger_nack notes that |side| was told to send a packet again by |due|. */
void ledger_nack(struct ledger *l, unsigned side, uint16_t pdcid, uint32_t psn,
		 vtime due);

/* ledger_sent notes that |side| sent a request. */
void ledger_sent(struct ledger *l, unsigned side, uint16_t pdcid, uint32_t psn);

/* ledger_datagram notes that |side| sent a datagram. */
void ledger_datagram(struct ledger *l, unsigned side);

/*
 * ledger_asks_clear notes that an ACK asks for the clear of a PSN of |side|,
 * whose response it says to be a success.
 */
void ledger_asks_clear(struct ledger *l, unsigned side, uint16_t pdcid,
		       uint32_t psn);

/* ledger_ask_close notes that |side|, as a target, asks for its PDCs' close. */
void ledger_ask_close(struct ledger *l, unsigned side);

/* ledger_time lets time pass: nothing may be overdue. */
void ledger_time(struct ledger *l, vtime now);

/* ledger_close asks what only the end of a run can show. */
void ledger_close(struct ledger *l, const struct orc_api *const *api,
		  struct orc *const *end);

/* ledger_wrong notes a finding. */
__attribute__((format(printf, 2, 3))) void ledger_wrong(struct ledger *l,
							const char *fmt, ...);

#endif
