/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_state.h -- the state of a case while it runs: symbols,
 * the base of the figure's PSNs, and the tester's live side of each PDC.
 *
 * The tester has no protocol engine.  Its state of a PDC is: the ids in use,
 * the PSN that it sends next, the acknowledgements that it has received, and
 * the packets that it has received.  A case may override every part of it.
 *
 * A case has one PDC, "a", unless its lines name others by pdc=NAME.  One PDC
 * is the current one.  A line selects the PDC that it names, or else that of
 * the line before; a packet selects the one that it belongs to (scope_pdc.c).
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
	bool unnamed; /* the message id of a request that has none, but */
	uint32_t psn; /* this PSN or pkt_id */
};

/*
 * A PSN, or the pkt_id of a RUDI request: its first transmission, to repeat and
 * compare with, and its newest.
 */
struct scope_psn {
	bool to_dut;
	uint8_t pdc; /* or SCOPE_RUDI: a pkt_id */
	uint32_t psn;
	size_t first, newest;           /* indexes of the record's entries */
	vtime last;                     /* when it was last seen */
	bool nacked;                    /* the other side sent a NACK for it */
	bool overtaken;                 /* an ACK showed a later PSN, not it */
	const struct decl_cause *cause; /* that its first copy carries */
};

/* The tester's side of one PDC. */
struct scope_pdc {
	const char *name; /* NULL: no line has named it yet */
	uint16_t spdcid;  /* the tester's PDCID */
	uint16_t dpdcid;  /* the DUT's; 0: not known yet */
	bool own;         /* a request of the case itself came on it */
	bool renumbered;  /* begun anew under a PDCID of the DUT in use */
	bool closed;      /* a Close Command was seen */
	bool rod;         /* a ROD request was */

	/* the tester as source */
	bool tx_any; /* a packet that takes a PSN was sent */
	uint32_t tx_start, tx_next;
	uint32_t tx_acked;  /* highest PSN with all before it acknowledged */
	uint64_t tx_beyond; /* bit i: tx_acked + 2 + i is acknowledged too */

	/* the DUT as source */
	bool rx_any;
	bool rx_syn;       /* the DUT opened the PDC */
	uint32_t rx_start; /* first PSN of the DUT */
	uint32_t rx_last;  /* PSN of the last request taken */
	uint32_t rx_next;  /* highest seen + 1 */
	uint32_t rx_cum;   /* highest with all before it received */
	uint64_t rx_beyond;
	uint32_t rx_sent; /* ROD: last PSN that the DUT sent */
	bool rx_back;     /* it goes back from a packet that it had to repeat */
	bool ooo_told;    /* it sent ROD_OOO before */

	/* the DUT as ROD destination: what reached its SES last */
	bool up_any;
	uint32_t up_psn;
	uint64_t rx_bytes; /* nominal sizes of the new requests (uet.md 8.5) */

	/* SRD: both ends' contexts (scope_srd.c); PSNs have 32 bits here */
	uint32_t scid;      /* of the tester's requests */
	uint32_t rcid;      /* the DUT's for it; 0: not known yet */
	uint32_t peer_scid; /* of the DUT's requests; 0: none was seen */
	uint32_t own_rcid;  /* the tester's for it */
	uint32_t rx_lup;    /* the highest that the DUT said */
	uint8_t path;       /* of the tester's last request */

	/* "base" that waits for the DUT's first packet of its space */
	bool fwd_pending, ret_pending;
	uint32_t fwd_figure, ret_figure;
};

/*
 * PDCIDs of the tester that a device may still know from the cases before: a
 * FEP uses one once at a time toward a peer (uet.md 6.1).  Zero at the start.
 */
struct scope_taken {
	uint8_t bits[(UINT16_MAX + 1) / 8];
	uint32_t n;
};

struct scope {
	const struct decl *decl;
	struct record *record;
	enum family family;
	enum chair chair;
	struct rng rng; /* chance for the tester's own ids */
	uint64_t
		data_seed; /* of the pattern of all payloads (base/pattern.h) */
	struct scope_taken *taken; /* ids to avoid; or NULL */
	uint16_t entropy;

	struct scope_pdc *pdc; /* the current PDC */
	struct scope_pdc pdcs[SCOPE_PDCS];
	uint8_t npdcs;
	uint8_t hand;   /* the one that the line before was about */
	bool follow;    /* no line names a PDC: lines follow the packets */
	uint8_t newest; /* the last PDC that the DUT opened */
	bool split;     /* messages of the case are on several PDCs */

	/* RUDI, without a PDC */
	uint32_t tx_pkt_id; /* for the tester's next request */
	uint32_t rx_pkt_id; /* of the last one taken from the DUT */

	uint32_t qpn; /* SRD, WQE: the DUT's QP that was made last */

	/* State for a device without ses_policy. */
	bool causes; /* a "respond" line counts on the declared causes */
	const struct decl_cause *cause;   /* the cause in force, or NULL */
	uint32_t cause_times;             /* for so many packets; 0: all */
	const struct decl_cause *crafted; /* of the packet just made */

	struct scope_symbol symbols[SCOPE_SYMBOLS];
	size_t nsymbols;
	struct scope_psn psns[SCOPE_PSNS];
	size_t npsns, psns_seen;
};

/* scope_at is the place of the PDC whose turn it is, as struct rec has it. */
static inline uint8_t scope_at(const struct scope *s)
{
	return (uint8_t)(s->pdc - s->pdcs);
}

#endif
