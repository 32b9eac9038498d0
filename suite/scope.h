/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/scope.h -- what the numbers of a case stand for while it runs: symbols,
 * the base of the figure's PSNs, and the tester's live side of the PDC.
 *
 * The tester has no protocol engine.  What it knows of a PDC is this: which ids
 * are in use, which PSN it sends next, what it has been told, what it has
 * received.  A case may override every bit of it.
 *
 * A case has one PDC, "a", unless its lines name others by pdc=NAME.  Whose
 * turn it is decides what a function works on: a line turns to the PDC that it
 * names or else to that of the line before, a packet to the one that it belongs
 * to (scope_pdc.c).
 */
#ifndef SUITE_SCOPE_H
#define SUITE_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "suite/case.h"
#include "suite/decl.h"
#include "suite/record.h"
#include "suite/space.h"

#define SCOPE_PDCS    RECORD_PDCS
#define SCOPE_SYMBOLS 64
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
	bool rx_syn;       /* it opened the PDC, */
	uint32_t rx_start; /* here */
	uint32_t rx_last;  /* PSN of the last request taken */
	uint32_t rx_next;  /* highest seen + 1 */
	uint32_t rx_cum;   /* highest with all before it received */
	uint64_t rx_beyond;
	uint32_t rx_sent; /* what it sent last; ROD: */
	bool rx_back;     /* on its way from a packet that it had to repeat */
	bool ooo_told;    /* it said ROD_OOO before */

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
	struct rng rng;            /* ids of the tester's own choosing, */
	struct scope_taken *taken; /* but for these; or NULL */
	uint16_t entropy;

	struct scope_pdc *pdc; /* whose turn it is, one of: */
	struct scope_pdc pdcs[SCOPE_PDCS];
	uint8_t npdcs;
	uint8_t hand;   /* the one that the line before was about */
	bool follow;    /* no line names a PDC: lines follow the packets */
	uint8_t newest; /* then: the last PDC that the DUT opened */
	bool split;     /* then: messages of the case are on several */

	/* RUDI, without a PDC */
	uint32_t tx_pkt_id; /* for the tester's next request */
	uint32_t rx_pkt_id; /* of the last one taken from the DUT */

	uint32_t qpn; /* SRD, WQE: the DUT's QP that was made last */

	/* Of a device without ses_policy: */
	bool causes; /* a "respond" line counts on the declared causes */
	const struct decl_cause *cause;   /* in force, or NULL, */
	uint32_t cause_times;             /* for so many packets; 0: all */
	const struct decl_cause *crafted; /* of the packet just made */

	struct scope_symbol symbols[SCOPE_SYMBOLS];
	size_t nsymbols;
	struct scope_psn psns[SCOPE_PSNS];
	size_t npsns, psns_seen;
};

/* scope_start begins a case: fresh ids and Start_PSN from the case's seed. */
void scope_start(struct scope *s, const struct decl *decl, struct record *r,
		 enum chair chair, uint64_t seed);

/*
 * scope_avoid keeps the case, which has just begun, from PDCIDs that are taken,
 * and notes those that it takes; |taken| is lent until the case is over.  Once
 * half of them are taken all are free again: those cases were long ago.
 */
void scope_avoid(struct scope *s, struct scope_taken *taken);

/* scope_initiator says whether the sender of a packet is the PDC's initiator.
 */
bool scope_initiator(const struct scope *s, bool to_dut);

/*
 * scope_turn turns to the PDC that a line names; NULL: to that of the line
 * before.  A name that is new makes a PDC, with ids of its own.
 * Errors: ERR_SPACE there are too many.
 */
int scope_turn(struct scope *s, const char *pdc);

/* scope_turn_packet turns to the PDC of a packet of the DUT (record entry); the
 * first packet of a PDC that the DUT opens makes it. */
void scope_turn_packet(struct scope *s, size_t index);

/* scope_turn_peer turns to the PDC of a packet that another endpoint sent in
 * the tester's place, and takes its PDCID for the tester's; a packet that names
 * no PDC stays where we are. */
void scope_turn_peer(struct scope *s, size_t index);

/* scope_turn_rec turns to the PDC that an entry was found to belong to. */
void scope_turn_rec(struct scope *s, size_t index);

/* scope_met notes that a line was met by that entry: the next line is about its
 * PDC, unless it names another. */
void scope_met(struct scope *s, size_t index);

/* scope_at is the place of the PDC whose turn it is, as struct rec has it. */
static inline uint8_t scope_at(const struct scope *s)
{
	return (uint8_t)(s->pdc - s->pdcs);
}

/*
 * scope_named is the PDC of that name (NULL: of the line before); NULL: there
 * is none yet.
 */
const struct scope_pdc *scope_named(const struct scope *s, const char *pdc);

/* scope_is_pdc says whether an entry is a packet of the PDC that a line names;
 * a name that is new fits any PDC that has none. */
bool scope_is_pdc(const struct scope *s, const char *pdc, size_t index);

/*
 * A DUT may open a PDC for each message (uet.md 6.1).  Where no line names a
 * PDC, one that it opens goes on with the figure's numbers of the one before,
 * and lines are about the PDC of the packet that fits.
 *
 * scope_line_pdc is the place of the PDC whose numbers a line without a name
 * uses for a packet.  scope_turn_answer turns to the PDC of the DUT's request
 * that an ACK or NACK without a name is about; it stays for other lines.
 */
uint8_t scope_line_pdc(const struct scope *s, size_t index);
void scope_turn_answer(struct scope *s, const struct rung *rung);

/* scope_name names the PDC of an entry, if it has no name yet. */
void scope_name(struct scope *s, const char *pdc, size_t index);

/* scope_base binds figure numbers, at once or with the DUT's first packet. */
void scope_base(struct scope *s, const struct step *base);

/* scope_find is a symbol's value; NULL: it is not bound. */
const uint64_t *scope_find(const struct scope *s, const char *symbol);

/* scope_bind sets a symbol.  Errors: ERR_SPACE there are too many. */
int scope_bind(struct scope *s, const char *symbol, uint64_t value);

/*
 * scope_bind_unnamed sets a symbol that stands for the message id of a request
 * whose header has none: its value is 0, and |psn|, the request's PSN or
 * pkt_id, names the message.  Errors: ERR_SPACE there are too many.
 */
int scope_bind_unnamed(struct scope *s, const char *symbol, uint32_t psn);

/* scope_unnamed returns whether a symbol is such a one, and its PSN. */
bool scope_unnamed(const struct scope *s, const char *symbol,
		   uint32_t *ret_psn);

/*
 * scope_number evaluates a number of a field that lies in |space|.
 * Return: true and *ret; false if its symbol is not bound.
 */
bool scope_number(const struct scope *s, const struct number *n,
		  enum psn_space space, uint64_t *ret);

/* scope_number_of is the same for the numbers of another PDC's line. */
bool scope_number_of(const struct scope *s, const char *pdc,
		     const struct number *n, enum psn_space space,
		     uint64_t *ret);

/* scope_number_at is the same for the PDC at that place. */
bool scope_number_at(const struct scope *s, uint8_t pdc, const struct number *n,
		     enum psn_space space, uint64_t *ret);

/*
 * scope_wrap is a number with a symbol as a value of a field: modulo its width,
 * and a PDCID passes over 0, which stands for no PDC.  |f| NULL: a sum that has
 * no field of its own.
 */
uint64_t scope_wrap(const struct field *f, const struct number *n, uint64_t v);

/* scope_sent takes note of a packet that the tester sent (record entry). */
void scope_sent(struct scope *s, size_t index);

/*
 * scope_arrived takes note that a packet of the DUT came in, after
 * scope_turn_packet: ids and pending bases; scope_taken that it was not lost
 * and counts as received.
 */
void scope_arrived(struct scope *s, size_t index);
void scope_taken(struct scope *s, size_t index);

/* scope_psn_find is what is known of a PSN; NULL: it was not seen. */
struct scope_psn *scope_psn_find(struct scope *s, bool to_dut, uint32_t psn);

/* scope_pkt_find is the same for the pkt_id of a RUDI request. */
struct scope_psn *scope_pkt_find(struct scope *s, bool to_dut, uint32_t pkt_id);

/*
 * scope_known is what is known of the PSN or pkt_id that a request has; NULL:
 * it has none, or it was not seen.
 */
struct scope_psn *scope_known(struct scope *s, bool to_dut,
			      const struct packet *pkt);

/*
 * scope_cause is the cause that a request carried, by the response of the DUT
 * to it; NULL: none, or it is no response.
 */
const struct decl_cause *scope_cause(const struct scope *s, size_t index);

/* span_of is scope_span for those who have no scope. */
vspan span_of(const struct decl *decl, const struct span *span,
	      vspan *ret_tolerance);

/*
 * span_sure is how long a packet is held back for the device to have acted
 * before: as late as it may, if the span is a timer of its own.
 */
vspan span_sure(const struct decl *decl, const struct span *span);

/*
 * scope_psn_seen notes a packet that has a PSN or pkt_id: its first
 * transmission, or a repetition.
 */
void scope_psn_seen(struct scope *s, bool to_dut, uint8_t pdc, uint32_t psn,
		    size_t index);

/*
 * scope_mark notes that |psn| is there, scope_mark_to that all up to it are:
 * |*cum| is the highest with all before it, bit i of |*beyond| stands for
 * *cum + 2 + i.
 */
void scope_mark(uint32_t *cum, uint64_t *beyond, uint32_t psn);
void scope_mark_to(uint32_t *cum, uint64_t *beyond, uint32_t psn);

/* scope_bind_pending gives a base that waits the DUT's first PSN. */
void scope_bind_pending(struct scope *s, uint32_t psn);

/* scope_make is one more flow with ids of its own; NULL: no room. */
struct scope_pdc *scope_make(struct scope *s);

/* The same of SRD, where a flow is a pair of contexts (scope_srd.c). */
void scope_srd_make(struct scope *s, struct scope_pdc *pdc);
void scope_srd_turn(struct scope *s, size_t index);
void scope_srd_sent(struct scope *s, size_t index);
void scope_srd_arrived(struct scope *s, size_t index);
void scope_srd_taken(struct scope *s, size_t index);

/* And of the WQE extension, where it is a connection (scope_wqe.c). */
void scope_wqe_make(struct scope *s, struct scope_pdc *pdc);
void scope_wqe_sent(struct scope *s, size_t index);
void scope_wqe_arrived(struct scope *s, size_t index);
void scope_wqe_taken(struct scope *s, size_t index);

/*
 * scope_span is a span in ns; *ret_tolerance is how late is still right.
 */
vspan scope_span(const struct scope *s, const struct span *span,
		 vspan *ret_tolerance);

/* scope_span_early is a lower limit: the span less the declared tolerance, or
 * less a fifth if it is a time and no declared timer. */
vspan scope_span_early(const struct scope *s, const struct span *span);

/* scope_span_late is an upper limit without its tolerance: the span, or what
 * is left of ack_time if even an answer that is due at once may take longer. */
vspan scope_span_late(const struct scope *s, const struct span *span,
		      vspan *ret_tolerance);

#endif
