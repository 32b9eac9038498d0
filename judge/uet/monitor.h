/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/monitor.h -- one rule, and which packets it looks at.
 */
#ifndef JUDGE_UET_MONITOR_H
#define JUDGE_UET_MONITOR_H

#include "judge/uet/pkt_ctx.h"

/* When the fast path can test a condition (judge/fast/conditions.def). */
enum condition_stage {
	STAGE_JUDGE,   /* once, when the judge gets its configuration */
	STAGE_BYTES,   /* the packet came; its header is not read */
	STAGE_HEADERS, /* the PDS and SES headers are read */
	STAGE_FLOW,    /* the flow is found */
	STAGE_DIR,     /* the direction is known */
	STAGE_PSN,     /* the state of the PSN is found */
	STAGE_KEY,     /* the packets of its key are known */
	STAGE_ALL,     /* full path: all of these but STAGE_JUDGE */
};

/* The rows of conditions.def: conditions and fields of the key. */
enum condition {
	COND_NONE,
#define BOTH(kinds, stage, name, test, why)       COND_##name,
#define EACH(kinds, stage, name, fast, full, why) COND_##name,
#define FAST(kinds, stage, name, test, why)       COND_##name,
#define FULL(kinds, stage, name, test, why)       COND_##name,
#define KEY(kinds, name, bits, value, what)       COND_##name,
#include "judge/fast/conditions.def"
#undef BOTH
#undef EACH
#undef FAST
#undef FULL
#undef KEY
	COND_COUNT
};

/* The rows on which a rule can rely: those that the full path tests. */
enum condition_relied {
#define BOTH(kinds, stage, name, test, why)       RELY_##name,
#define EACH(kinds, stage, name, fast, full, why) RELY_##name,
#define FAST(kinds, stage, name, test, why)
#define FULL(kinds, stage, name, test, why) RELY_##name,
#define KEY(kinds, name, bits, value, what) RELY_##name,
#include "judge/fast/conditions.def"
#undef BOTH
#undef EACH
#undef FAST
#undef FULL
#undef KEY
	RELY_COUNT
};

_Static_assert(RELY_COUNT <= 64, "a set of conditions is a uint64_t");

/* ON, in a rule: the rule relies on this row of conditions.def. */
#define ON(name) (UINT64_C(1) << RELY_##name)

/* ALWAYS: the rule relies on no condition, so it looks at each packet. */
#define ALWAYS UINT64_C(0)

/*
 * One rule.
 *
 * what:   its kinds of packets, and the conditions, which must all hold.
 * relies: the conditions by which the rule finds the same in each predicted
 *         packet of one key.  The rule looks at the first packet of a key only.
 *         ALWAYS: the rule looks at each packet.
 */
struct monitor {
	unsigned what;
	void (*look)(struct pkt_ctx *l);
	uint64_t relies;
};

/* Each ends with a row whose look is NULL. */
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
	ASKED_MOST = 96, /* monitors about one packet */
	ASKED_BITS = 6,  /* 2^6 kinds of packets are remembered with them */
};

/* The monitors that look at a packet, in the order of all rules. */
struct asked {
	unsigned what; /* its kind and its cases; 0: nothing was asked yet */
	unsigned n;
	void (*look[ASKED_MOST])(struct pkt_ctx *l);
};

#endif
