/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_state.h -- the state of a case while it runs: symbols,
 * the base of the figure's PSNs, and the tester's live side of each PDC.
 *
 * The tester has no protocol engine.  Its state of a PDC is: the ids in use,
 * the PSN that it sends next, the acknowledgements that it has received, and
 * the packets that it has received.  A case may override every part of it.
 *
 * A case has one PDC, "a", unless its lines name others by pdc=NAME.  A line
 * makes the PDC that it names the current one, or that of the previous line; a
 * packet makes its own PDC the current one (scope_pdc.c).
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_STATE_H
#define SUITE_RUN_SCOPE_SCOPE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "suite/decl/decl.h"
#include "suite/lang/case.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

#define SCOPE_PDCS    RECORD_PDCS
#define SCOPE_SYMBOLS 96
#define SCOPE_PSNS    2048
#define SCOPE_RUDI    UINT8_MAX /* no PDC */

struct scope_symbol {
	const char *name;
	uint64_t value;
	bool unnamed; /* stands for the message id of a request without one */
	bool named;   /* the message id of a request with a PSN */
	uint32_t psn; /* PSN or pkt_id of that request */
};

/*
 * A PSN, or the pkt_id of a RUDI request: its first transmission, for
 * repetition and comparison, and its newest.
 */
struct scope_psn {
	bool to_dut;
	uint8_t pdc; /* index of its PDC; SCOPE_RUDI for a pkt_id */
	uint32_t psn;
	size_t first, newest; /* indexes of the record's entries */
	vtime last;           /* time of the last transmission */
	bool nacked;          /* the other side sent a NACK for it */
	bool overtaken;       /* an ACK covered a later PSN but not this one */
	const struct decl_cause
		*cause; /* the declared cause in its first copy */
	bool divided;   /* it is a message of its own, and was part of one */
	uint32_t message_id; /* of that message, in the case */
	bool trimmed;        /* a copy was trimmed so that the DUT refuses it */
};

/* The tester's side of one PDC. */
struct scope_pdc {
	const char *name; /* NULL: no line has named it yet */
	uint16_t spdcid;  /* the tester's PDCID */
	uint16_t dpdcid;  /* the DUT's PDCID; 0: unknown */
	bool own;         /* a request of the case itself used it */
	bool renumbered;  /* opened again under a PDCID that is in use */
	bool closed;      /* a Close Command was seen */
	bool rod;         /* a ROD request was seen */

	/* the tester as source */
	bool tx_any; /* a packet that consumes a PSN was sent */
	uint32_t tx_start, tx_next;
	uint32_t tx_acked;  /* highest PSN acknowledged without a gap */
	uint64_t tx_beyond; /* bit i: tx_acked + 2 + i is acknowledged */

	/* the DUT as source */
	bool rx_any;
	bool rx_syn;       /* the DUT opened the PDC */
	uint32_t rx_start; /* first PSN of the DUT */
	uint32_t rx_last;  /* PSN of the last request received */
	uint32_t rx_next;  /* highest seen + 1 */
	uint32_t rx_cum;   /* highest received without a gap */
	uint64_t rx_beyond;
	uint32_t rx_sent; /* ROD: last PSN that the DUT sent */
	bool clears;      /* |rx_clear| is set: the newest CLEAR_PSN received */
	uint32_t rx_clear;
	bool rx_back; /* it retransmits from an earlier packet on (Go-Back-N) */
	bool ooo_told; /* the DUT sent ROD_OOO before */

	/* the DUT as ROD destination: the last packet that reached its SES */
	bool up_any;
	uint32_t up_psn;
	uint64_t rx_bytes; /* sum of the nominal sizes of new requests
			      (uet.md 8.5) */

	/* SRD: contexts of both ends (scope_srd.c); PSNs extended to 32 bits */
	uint32_t scid;      /* for the tester's requests */
	uint32_t rcid;      /* the DUT's id for it; 0: unknown */
	uint32_t peer_scid; /* for the DUT's requests; 0: none seen */
	uint32_t own_rcid;  /* the tester's id for it */
	uint32_t rx_lup;    /* highest LUP that the DUT reported */
	uint8_t path;       /* path of the tester's last request */

	/* a "base" waits for the DUT's first packet in its space */
	bool fwd_pending, ret_pending;
	uint32_t fwd_figure, ret_figure;
};

/*
 * PDCIDs of the tester that a device may still hold from earlier cases: a FEP
 * uses one once at a time toward a peer (uet.md 6.1).  It also holds the newest
 * PDCs that the device opened.  Zero at the start.
 */
#define SCOPE_OPENED 64
struct scope_taken {
	uint8_t bits[(UINT16_MAX + 1) / 8];
	uint32_t n;
	uint32_t cases; /* the number of the current case */
	struct scope_opened {
		uint16_t dpdcid;
		uint32_t start, in_case;
	} opened[SCOPE_OPENED]; /* a ring */
	uint32_t nopened;
	uint32_t kept; /* PDCs that the device did not close */
	/* requests on them that it had not acknowledged without a gap */
	uint32_t kept_requests;
};

struct scope {
	const struct decl *decl;
	struct record *record;
	enum family family;
	enum chair chair;
	struct rng rng;     /* random numbers for the tester's own ids */
	uint64_t data_seed; /* seed of the payload pattern (base/pattern.h) */
	struct scope_taken *taken; /* ids to avoid; or NULL */
	uint16_t entropy;          /* entropy value of path 0 */
	/* the tester's packets take |paths| paths in turn; 0: one path */
	uint32_t paths;
	uint32_t path; /* the path of the next packet */

	struct scope_pdc *pdc; /* the current PDC */
	struct scope_pdc pdcs[SCOPE_PDCS];
	uint8_t npdcs;
	uint8_t hand; /* PDC of the previous line */
	bool follow;  /* no line names a PDC: lines follow the packets' PDCs */
	uint8_t newest; /* the last PDC that the DUT opened */
	bool split;     /* the case's messages are on several PDCs */
	bool lawful;    /* the case violates no rule on purpose */
	/* how packets of lines are built; NULL: without plans */
	struct packet_plans *plans;

	/* RUDI, without a PDC */
	uint32_t tx_pkt_id; /* for the tester's next request */
	uint32_t rx_pkt_id; /* of the last request received from the DUT */

	uint32_t qpn; /* SRD, WQE: the DUT's newest QP */
	/* WQE, RoCE: the first PSN that a QP of the DUT shall receive, as a
	   line says it when it makes the QP ready to receive */
	bool rq_begun;
	uint32_t rq_start;

	/* State for a device without ses_policy. */
	bool causes; /* a "respond" line needs the declared causes */
	const struct decl_cause *cause; /* the cause in force, or NULL */
	uint32_t cause_times;           /* for this many packets; 0: all */
	const struct decl_cause
		*crafted;    /* the cause in the packet just built */
	bool divided;        /* that packet of a message is one of its own */
	uint32_t divided_id; /* the id that the case gives the message */
	bool trims;          /* requests are trimmed, so that it refuses them */
	uint32_t trims_left; /* that many more; 0: all */
	bool trimmed;        /* the last packet was one of them */
	bool any_trimmed;    /* a packet of the case was one of them */

	struct scope_symbol symbols[SCOPE_SYMBOLS];
	/* hash of each name, so that few names need to be compared */
	uint8_t symbol_hash[SCOPE_SYMBOLS];
	size_t nsymbols;
	struct scope_psn psns[SCOPE_PSNS];
	/* hash of each PSN, so that few of them need to be compared */
	uint8_t psn_hash[SCOPE_PSNS];
	size_t npsns, psns_seen;
};

/* scope_at returns the index of the current PDC, as in struct rec. */
static inline uint8_t scope_at(const struct scope *s)
{
	return (uint8_t)(s->pdc - s->pdcs);
}

#endif
