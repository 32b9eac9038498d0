/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/impair.h -- what happens to packets on the way, by rule.
 *
 * A chain stands between two ends.  Datagrams are pushed in from either side
 * and polled out for the other, changed, late, twice or never.  It is sans-I/O:
 * time is a parameter.  Which packets a rule means is asked of a callback, so
 * that case files and bridge rules share this implementation.
 */
#ifndef GEN_IMPAIR_H
#define GEN_IMPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/dgram.h"

enum imp_action {
	IMP_DROP,
	IMP_DUPLICATE,
	IMP_DELAY,
	IMP_HOLD,
	IMP_REORDER,
	IMP_CORRUPT,
	IMP_MARK_CE,
	IMP_TRIM,
	IMP_INJECT, /* the packet passes, and another one is sent behind it */
};

enum imp_dir {
	IMP_TO_DUT,
	IMP_FROM_DUT,
};

/*
 * What a packet can be found by: |value| of one of the caller's |what|s.  A
 * rule with a key is asked only about packets that have it, so that many rules
 * cost no more than one.
 */
struct imp_key {
	uint32_t what;
	uint64_t value;
};

#define IMP_KEYS 16 /* of a packet */

struct imp_rule {
	enum imp_action action;
	enum imp_dir dir;
	uint32_t nth;    /* the n-th packet that matches; 0: each of them */
	uint32_t nth_to; /* to the n-th; 0: that one alone */
	uint32_t every;  /* each n-th; 0: all the same */
	bool keyed;      /* |match| can be true of packets with |key| only */
	struct imp_key key;
	uint32_t
		count; /* DUPLICATE: copies more, 0: 1; TRIM: bytes that stay */
	uint8_t dscp;  /* TRIM: the codepoint that says so */
	bool udp_kept; /* TRIM: the UDP length stays as it was */
	vspan delay;   /* DELAY */
	vspan hold_max; /* HOLD, REORDER: let go after so long; 0: 1 s */
	/* which packets, NULL: all; |d| is lent */
	bool (*match)(const void *ctx, const struct dgram *d);
	/* HOLD: released once a packet of either direction matches this */
	bool (*until)(const void *ctx, const struct dgram *d, enum imp_dir dir);
	/* CORRUPT: changes the datagram */
	void (*corrupt)(const void *ctx, struct dgram *d);
	/* INJECT: makes the packet; false: it cannot be made of this one */
	bool (*inject)(const void *ctx, const struct dgram *d,
		       struct dgram *ret);
	enum imp_dir inject_dir;
	const void *ctx;
	unsigned line; /* for messages */
};

/* How a datagram came out. */
enum imp_fate {
	IMP_PASSED,
	IMP_DROPPED, /* told, not delivered */
	IMP_LATE,
	IMP_COPY,
	IMP_CHANGED,
	IMP_INJECTED, /* nobody sent it; |tag| is that of its cause */
};

#define IMP_HEAD 128 /* bytes that a caller may attach */

struct imp_out {
	enum imp_dir dir;
	enum imp_fate fate;
	unsigned line;          /* of the rule that did it; 0: none */
	vtime pushed;           /* when it was pushed in */
	uint32_t tag;           /* the caller's, from push */
	uint8_t head[IMP_HEAD]; /* likewise, from imp_attach */
	size_t nhead;
	struct dgram d;
};

struct imp;

/* imp_new makes an empty chain, which passes everything at once. */
int imp_new(struct imp **ret);
void imp_free(struct imp *i);

/* imp_reset drops the rules and what is held; who looks stays. */
void imp_reset(struct imp *i);

/*
 * imp_rule_add appends a rule; it counts packets from now on.  The first rule
 * that fires on a packet decides.  Errors: ERR_NOMEM.
 */
int imp_rule_add(struct imp *i, const struct imp_rule *rule);

/*
 * imp_look sets who says what keys a packet has, to be asked once for each that
 * is pushed, before any rule is; NULL: no packet has one.  It writes up to
 * IMP_KEYS of them and returns how many.
 */
typedef size_t imp_look_fn(void *ctx, enum imp_dir dir, const struct dgram *d,
			   struct imp_key *ret);
void imp_look(struct imp *i, imp_look_fn *look, void *ctx);

/* imp_hits says how often the rule of |line| fired. */
uint32_t imp_hits(const struct imp *i, unsigned line);

/* imp_nrules and imp_rule_at walk the rules. */
size_t imp_nrules(const struct imp *i);
const struct imp_rule *imp_rule_at(const struct imp *i, size_t n,
				   uint32_t *ret_hits);

/*
 * imp_push takes a datagram; |force_drop| overrides the rules, which count it
 * all the same: the n-th transmission is the n-th, whatever became of it.
 *
 * Every rule counts every packet that it means, also one on which an earlier
 * rule fired.  What is held until a packet is released right after that packet
 * was pushed, even if it was dropped.  A reordered packet follows the next one
 * of its direction that is not dropped or held itself; hold_max bounds it too.
 *
 * Errors: ERR_NOMEM.
 */
int imp_push(struct imp *i, enum imp_dir dir, const struct dgram *d, vtime now,
	     uint32_t tag, bool force_drop);

/*
 * imp_attach says what the next datagrams that are pushed carry with them: the
 * headers that they came in, up to IMP_HEAD bytes, which are lent.
 */
void imp_attach(struct imp *i, const uint8_t *head, size_t len);

/*
 * imp_poll moves the next datagram that is due at |now| to *ret, dropped ones
 * included (fate IMP_DROPPED), in the order of their time.  false: none is due.
 */
bool imp_poll(struct imp *i, vtime now, struct imp_out *ret);

/* imp_deadline says when the next one is due; VTIME_NEVER: none is held. */
vtime imp_deadline(const struct imp *i);

#endif
