/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/monitor.h -- one rule, and the packets that it checks.
 */
#ifndef JUDGE_UET_MONITOR_H
#define JUDGE_UET_MONITOR_H

#include "judge/uet/pkt_ctx.h"

/*
 * The stage at which the fast path can test a condition
 * (judge/fast/conditions.def).
 */
enum condition_stage {
	STAGE_JUDGE,   /* once, when the judge gets its configuration */
	STAGE_BYTES,   /* the packet came; its headers are not parsed */
	STAGE_HEADERS, /* the PDS and SES headers are parsed */
	STAGE_FLOW,    /* the flow is found */
	STAGE_DIR,     /* the direction is known */
	STAGE_PSN,     /* the state of the PSN is found */
	STAGE_KEY,     /* the prediction of its key is known */
	STAGE_ALL,     /* full path: all stages except STAGE_JUDGE */
};

/* The rows of conditions.def: conditions and fields of the key. */
enum condition {
	COND_NONE,
#define BOTH(kinds, stage, name, test, why)             COND_##name,
#define EACH(kinds, stage, name, fast, full, why)       COND_##name,
#define FAST(kinds, stage, name, test, why)             COND_##name,
#define FULL(kinds, stage, name, test, why)             COND_##name,
#define LINK(kinds, name, where, test, why)             COND_##name,
#define KEY(kinds, name, bits, value, what)             COND_##name,
#define LINK_KEY(kinds, name, bits, where, value, what) COND_##name,
#include "judge/fast/conditions.def"
#undef BOTH
#undef EACH
#undef FAST
#undef FULL
#undef LINK
#undef KEY
#undef LINK_KEY
	COND_COUNT
};

/* The rows on which a rule can rely: those that the full path tests. */
enum condition_relied {
#define BOTH(kinds, stage, name, test, why)       RELY_##name,
#define EACH(kinds, stage, name, fast, full, why) RELY_##name,
#define FAST(kinds, stage, name, test, why)
#define FULL(kinds, stage, name, test, why) RELY_##name,
#define LINK(kinds, name, where, test, why)
#define KEY(kinds, name, bits, value, what) RELY_##name,
#define LINK_KEY(kinds, name, bits, where, value, what)
#include "judge/fast/conditions.def"
#undef BOTH
#undef EACH
#undef FAST
#undef FULL
#undef LINK
#undef KEY
#undef LINK_KEY
	RELY_LINKED, /* all LINK and LINK_KEY rows */
	RELY_COUNT
};

_Static_assert(RELY_COUNT <= 64, "a set of conditions is a uint64_t");

/* ON(name) states that a rule relies on this row of conditions.def. */
#define ON(name) (UINT64_C(1) << RELY_##name)

/*
 * ALWAYS states that a rule relies on no condition, so that it checks each
 * packet.
 */
#define ALWAYS UINT64_C(0)

/*
 * One rule.
 *
 * what:   its kinds of packets, and the cases, which must all hold.
 * relies: the conditions under which the rule has the same result for each
 *         predicted packet of one key.  The rule then checks only the first
 *         packet of a key.  ALWAYS: the rule checks each packet.
 */
struct monitor {
	unsigned what;
	void (*look)(struct pkt_ctx *l);
	uint64_t relies;
};

/* Each array ends with a row whose |look| is NULL. */
extern const struct monitor rules_uet_wire[];
extern const struct monitor rules_uet_shape[];
extern const struct monitor rules_uet_src[];
extern const struct monitor rules_uet_rtx[];
extern const struct monitor rules_uet_ack[];
extern const struct monitor rules_uet_cc[];
extern const struct monitor rules_uet_trim[];
extern const struct monitor rules_uet_dst[];
extern const struct monitor rules_uet_nack[];
extern const struct monitor rules_uet_pdc[];
extern const struct monitor rules_uet_cp[];
extern const struct monitor rules_uet_life[];
extern const struct monitor rules_uet_ses[];
extern const struct monitor rules_uet_rod[];
extern const struct monitor rules_uet_rudi[];
extern const struct monitor rules_uet_late[];

enum {
	ASKED_MOST = 96, /* most monitors for one packet */
	ASKED_BITS = 6,  /* the monitors of 2^6 kinds of packets are cached */
};

/* The monitors that check a packet, in the order of all rules. */
struct asked {
	unsigned what; /* kind and cases of the packet; 0: the entry is free */
	unsigned n;
	void (*look[ASKED_MOST])(struct pkt_ctx *l);
};

#endif
