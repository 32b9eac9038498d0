/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/families.h -- the properties of a transport that the dissector
 * uses.
 */
#ifndef DISSECTOR_FAMILIES_H
#define DISSECTOR_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/req.h"
#include "wire/family.h"
#include "wire/field.h"

/* The requirements to which the events of a flow refer. */
struct dissect_about {
	enum req_id net_dup, needless, nack, gap, timer; /* retransmissions */
	enum req_id late, skipped, unseen, due;
};

/* A transport, as the dissector sees it. */
struct dissect_family {
	const char *column;   /* "SRD": the column and the menus */
	const char *flow;     /* "context": the name of a flow */
	bool links_reads;     /* reads are linked to their data */
	bool links_clears;    /* responses are linked to their clears */
	bool links_messages;  /* packets are linked to the ends of their WQE */
	bool follows_cut;     /* the judge follows truncated packets */
	bool errors_end_flow; /* a NAK with an error ends the flow */
	struct dissect_about about;

	/* The requirement of a syndrome other than ACK. */
	enum req_id (*syndrome)(uint8_t syndrome);

	/* used by ib.c, which shows the packet; NULL: another file shows it */
	const char *title;
	const struct header *const *headers; /* |nheaders| of them */
	size_t nheaders;
};

/* The rows, by enum family. */
extern const struct dissect_family *const dissect_families[];

/* DISSECT_FAMILIES expands X(id, ...) for each family. */
#define DISSECT_FAMILIES(X) FAMILY_LIST(X, )

/* DISSECT_FAMILY returns the index of a family, in DISSECT_FAMILIES. */
#define DISSECT_FAMILY(id) FAMILY_##id

#endif
