/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/scope.h -- what the numbers of a case stand for while it runs: symbols,
 * the base of the figure's PSNs, and the tester's live side of the PDC.
 *
 * The tester has no protocol engine.  What it knows of the PDC is this: which
 * ids are in use, which PSN it sends next, what it has been told, what it has
 * received.  A case may override every bit of it.
 */
#ifndef SUITE_SCOPE_H
#define SUITE_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/case.h"
#include "suite/decl.h"
#include "suite/record.h"
#include "suite/space.h"

#define SCOPE_SYMBOLS 64
#define SCOPE_PSNS    256

struct symbol {
	const char *name;
	uint64_t value;
};

/* A PSN: its first transmission, to repeat and compare with, and its newest. */
struct scope_psn {
	bool to_dut;
	uint32_t psn;
	size_t first, newest; /* indexes of the record's entries */
	vtime last;           /* when it was last seen */
	bool nacked;          /* the other side sent a NACK for it */
};

struct scope {
	const struct decl *decl;
	struct record *record;
	enum chair chair;

	uint16_t spdcid; /* the tester's PDCID */
	uint16_t dpdcid; /* the DUT's; 0: not known yet */
	uint16_t entropy;

	/* the tester as source */
	uint32_t tx_start, tx_next;
	uint32_t tx_acked;  /* highest PSN with all before it acknowledged */
	uint64_t tx_beyond; /* bit i: tx_acked + 2 + i is acknowledged too */

	/* the DUT as source */
	bool rx_any;
	uint32_t rx_last; /* PSN of the last request taken */
	uint32_t rx_next; /* highest seen + 1 */
	uint32_t rx_cum;  /* highest with all before it received */
	uint64_t rx_beyond;

	/* "base" that waits for the DUT's first packet of its space */
	bool fwd_pending, ret_pending;
	uint32_t fwd_figure, ret_figure;

	const struct decl_cause *cause; /* overrides, to provoke an answer */

	struct symbol symbols[SCOPE_SYMBOLS];
	size_t nsymbols;
	struct scope_psn psns[SCOPE_PSNS];
	size_t npsns;
};

/* scope_start begins a case: fresh ids and Start_PSN from the case's seed. */
void scope_start(struct scope *s, const struct decl *decl, struct record *r,
		 enum chair chair, uint64_t seed);

/* scope_initiator says whether the sender of a packet is the PDC's initiator.
 */
bool scope_initiator(const struct scope *s, bool to_dut);

/* scope_base binds figure numbers, at once or with the DUT's first packet. */
void scope_base(struct scope *s, const struct step *base);

/* scope_find is a symbol's value; NULL: it is not bound. */
const uint64_t *scope_find(const struct scope *s, const char *symbol);

/* scope_bind sets a symbol.  Errors: ERR_SPACE there are too many. */
int scope_bind(struct scope *s, const char *symbol, uint64_t value);

/*
 * scope_number evaluates a number of a field that lies in |space|.
 * Return: true and *ret; false if its symbol is not bound.
 */
bool scope_number(const struct scope *s, const struct number *n,
		  enum psn_space space, uint64_t *ret);

/* scope_sent takes note of a packet that the tester sent (record entry). */
void scope_sent(struct scope *s, size_t index);

/*
 * scope_arrived takes note that a packet of the DUT came in: ids and pending
 * bases; scope_taken that it was not lost and counts as received.
 */
void scope_arrived(struct scope *s, size_t index);
void scope_taken(struct scope *s, size_t index);

/* scope_psn_find is what is known of a PSN; NULL: it was not seen. */
struct scope_psn *scope_psn_find(struct scope *s, bool to_dut, uint32_t psn);

/*
 * scope_span is a span in ns; *ret_tolerance is how late is still right.
 * |early| asks for the lower bound: the span less a fifth of it at most.
 */
vspan scope_span(const struct scope *s, const struct span *span,
		 vspan *ret_tolerance);
vspan scope_span_early(const struct scope *s, const struct span *span);

#endif
