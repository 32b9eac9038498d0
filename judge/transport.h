/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/transport.h -- the interface between the judge and a transport.
 *
 * The judge itself follows the flows of MAIN_FAMILY.  Each other family has its
 * own state, allocated with its first packet, and one function that judges a
 * packet.
 */
#ifndef JUDGE_TRANSPORT_H
#define JUDGE_TRANSPORT_H

#include "judge/req.h"
#include "judge/types.h"

struct judge;

#define JUDGE_PREFIXES 3

/*
 * A transport, as the judge sees it.  A member may be NULL only if its comment
 * says so.
 */
struct judge_family {
	/*
	 * The prefixes of the ids of its requirements; NULL ends the list.
	 * MAIN_FAMILY has none: it owns every id without another family's
	 * prefix.
	 */
	const char *prefixes[JUDGE_PREFIXES];
	bool invariants; /* I1, I2 and so on are its requirements too */

	/* This bit is set in the numbers of its flows; MAIN_FAMILY: 0. */
	uint32_t flow_bit;

	/*
	 * Makes the state of a judge; |family| is the family of the row.
	 * Errors: ERR_NOMEM.
	 */
	int (*start)(void **ret, enum family family);
	void (*end)(void *state);

	/* Judges a packet, then updates the state.  NULL: MAIN_FAMILY. */
	void (*push)(struct judge *j, void *state,
		     const struct judge_packet *p);

	/*
	 * Like judge_reset, judge_mark_incomplete and judge_flows; |state| is
	 * not NULL.
	 */
	void (*reset)(void *state);
	void (*mark_incomplete)(void *state);
	void (*each)(const void *state,
		     void (*see)(void *arg, const struct judge_flow *f),
		     void *arg);

	/* Like judge_frame, in the flow of the packet that was judged last. */
	uint32_t (*frame)(const void *state, uint32_t psn);

	/* Like judge_flow_mode.  NULL: the family's name. */
	const char *(*mode)(const struct judge_flow *f);
};

/* The rows, by enum family; judge/families.c. */
extern const struct judge_family *const judge_families[];

/* judge_flow_mode names the kind of a flow: "rud", "rudi", "srd", ... */
const char *judge_flow_mode(const struct judge_flow *f);

/*
 * judge_req_is_invariant returns true if a requirement is an invariant (I1, I2,
 * ...).
 */
bool judge_req_is_invariant(enum req_id req);

/*
 * judge_req_family returns the family of a requirement by the prefix of its id;
 * MAIN_FAMILY if the prefix belongs to no other family.
 */
enum family judge_req_family(enum req_id req);

#endif
