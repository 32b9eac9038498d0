/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/transport.h -- what the judge asks of a transport.
 *
 * The judge itself follows the flows of MAIN_FAMILY.  Each other family keeps a
 * state of its own, which is allocated when its first packet is seen, and has
 * one function that judges a packet.
 */
#ifndef JUDGE_TRANSPORT_H
#define JUDGE_TRANSPORT_H

#include "judge/req.h"
#include "judge/types.h"

struct judge;

#define JUDGE_PREFIXES 3

/* A transport, as the judge sees it.  What may be NULL says so. */
struct judge_family {
	/* The ids of its requirements begin so; NULL ends.  MAIN_FAMILY has
	 * none: its ids are those that begin like no other family's. */
	const char *prefixes[JUDGE_PREFIXES];
	bool invariants; /* I1, I2 and so on are its requirements too */

	/* The numbers of its flows have this bit; MAIN_FAMILY: 0. */
	uint32_t flow_bit;

	/*
	 * Makes the state of a judge; |family| is the row's own.
	 * Errors: ERR_NOMEM.
	 */
	int (*start)(void **ret, enum family family);
	void (*end)(void *state);

	/* Judges a packet, and then takes it in.  NULL: MAIN_FAMILY. */
	void (*push)(struct judge *j, void *state,
		     const struct judge_packet *p);

	/* As judge_reset, judge_mark_incomplete and judge_flows; |state| is
	 * not NULL. */
	void (*reset)(void *state);
	void (*mark_incomplete)(void *state);
	void (*each)(const void *state,
		     void (*see)(void *arg, const struct judge_flow *f),
		     void *arg);

	/* As judge_frame, in the flow of the packet that was judged last. */
	uint32_t (*frame)(const void *state, uint32_t psn);

	/* As judge_flow_mode.  NULL: the family's name. */
	const char *(*mode)(const struct judge_flow *f);
};

/* The rows, by enum family; judge/families.c. */
extern const struct judge_family *const judge_families[];

/* judge_flow_mode names the kind of a flow: "rud", "rudi", "srd", ... */
const char *judge_flow_mode(const struct judge_flow *f);

/* judge_req_is_invariant says whether a requirement is one of I1 and on. */
bool judge_req_is_invariant(enum req_id req);

/* judge_req_family is the family of a requirement by the prefix of its id;
 * MAIN_FAMILY if it has no other family's. */
enum family judge_req_family(enum req_id req);

#endif
