/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/impair.h -- impairs packets by rules.
 *
 * A chain is between two ends.  The caller pushes datagrams from either side
 * and polls them for the other: changed, delayed, duplicated or dropped.  The
 * chain does no I/O, and time is a parameter.  A callback decides which packets
 * a rule matches, so that case files and bridge rules share this
 * implementation.
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
	IMP_INJECT, /* the packet passes, followed by another one */
};

enum imp_dir {
	IMP_TO_DUT,
	IMP_FROM_DUT,
};

/*
 * A key by which rules are found: the |value| of property |what|, which the
 * caller defines.  A rule with a key is matched only with packets that have
 * this key, so that many rules cost no more than one.
 */
struct imp_key {
	uint32_t what;
	uint64_t value;
};

#define IMP_KEYS 16 /* most keys of a packet */

struct imp_rule {
	enum imp_action action;
	enum imp_dir dir;
	uint32_t nth;    /* the n-th matching packet; 0: each of them */
	uint32_t nth_to; /* last matching packet; 0: only |nth| */
	uint32_t every;  /* every n-th packet; 0: all */
	bool keyed;      /* |match| is true only for packets with |key| */
	struct imp_key key;
	uint32_t count; /* DUPLICATE: extra copies, 0: 1; TRIM: bytes kept */
	uint8_t dscp;   /* TRIM: the DSCP that marks a trimmed packet */
	bool udp_kept;  /* TRIM: the UDP length keeps the old value */
	vspan delay;    /* DELAY */
	vspan hold_max; /* HOLD, REORDER, DELAY until: longest wait; 0: 1 s */
	/*
	 * returns true for packets that the rule matches; NULL: all; |d| is
	 * lent
	 */
	bool (*match)(const void *ctx, const struct dgram *d);
	/*
	 * HOLD: a packet of either direction that matches this releases the
	 * held one.  DELAY: NULL, or the packet is held beyond |delay| until
	 * such a packet passes
	 */
	bool (*until)(const void *ctx, const struct dgram *d, enum imp_dir dir);
	/* CORRUPT: changes the datagram */
	void (*corrupt)(const void *ctx, struct dgram *d);
	/* INJECT: makes the packet; false: impossible from this one */
	bool (*inject)(const void *ctx, const struct dgram *d,
		       struct dgram *ret);
	enum imp_dir inject_dir;
	const void *ctx;
	unsigned line; /* line number for messages */
};

/* The fate of a datagram that comes out. */
enum imp_fate {
	IMP_PASSED,
	IMP_DROPPED, /* reported, not delivered */
	IMP_LATE,
	IMP_COPY,
	IMP_CHANGED,
	/* made by the chain; |tag| is the tag of the packet that caused it */
	IMP_INJECTED,
};

#define IMP_HEAD 128 /* most header bytes that a caller may attach */

struct imp_out {
	enum imp_dir dir;
	enum imp_fate fate;
	unsigned line;          /* line of the rule that acted; 0: none */
	vtime pushed;           /* when the packet was pushed in */
	uint32_t tag;           /* the caller's tag, from imp_push */
	uint8_t head[IMP_HEAD]; /* the caller's headers, from imp_attach */
	size_t nhead;
	struct dgram d;
};

/*
 * imp_trim does to a packet what a switch does that trims it: truncates it to
 * |keep| bytes without its trailer, and marks it by |dscp|.  The IP length is
 * right; the UDP length keeps its old value if |udp_kept|.  A packet that is
 * short enough already is still marked.
 */
void imp_trim(struct dgram *d, size_t keep, uint8_t dscp, bool udp_kept);

struct imp;

/* imp_new makes an empty chain, which passes everything without delay. */
int imp_new(struct imp **ret);
void imp_free(struct imp *i);

/*
 * imp_reset removes the rules and drops the held packets; the callback of
 * imp_look stays.
 */
void imp_reset(struct imp *i);

/*
 * imp_rule_add appends a rule, which counts packets from now on.  The first
 * rule that fires on a packet decides.  Errors: ERR_NOMEM.
 */
int imp_rule_add(struct imp *i, const struct imp_rule *rule);

/*
 * imp_look sets the callback that returns the keys of a packet.  The chain
 * calls it once for each packet that is pushed, before it is matched with any
 * rule.  It writes up to IMP_KEYS keys and returns their number.  NULL: no
 * packet has a key.
 */
typedef size_t imp_look_fn(void *ctx, enum imp_dir dir, const struct dgram *d,
			   struct imp_key *ret);
void imp_look(struct imp *i, imp_look_fn *look, void *ctx);

/* imp_hits returns how often the rule of |line| fired. */
uint32_t imp_hits(const struct imp *i, unsigned line);

/* imp_nrules and imp_rule_at iterate over the rules. */
size_t imp_nrules(const struct imp *i);
const struct imp_rule *imp_rule_at(const struct imp *i, size_t n,
				   uint32_t *ret_hits);

/*
 * imp_push takes a datagram.  |force_drop| overrides the rules, which still
 * count the packet: the number of a transmission does not depend on its
 * arrival.
 *
 * Every rule counts every packet that it matches, even if an earlier rule fired
 * on it.  A packet that is held for another one is released directly after that
 * one was pushed, even if that one was dropped.  A reordered packet follows the
 * next packet of its direction that is neither dropped nor held; hold_max
 * limits its wait too.
 *
 * Errors: ERR_NOMEM.
 */
int imp_push(struct imp *i, enum imp_dir dir, const struct dgram *d, vtime now,
	     uint32_t tag, bool force_drop);

/*
 * imp_attach sets the headers that are stored with the datagrams pushed from
 * now on, up to IMP_HEAD bytes, which are lent.
 */
void imp_attach(struct imp *i, const uint8_t *head, size_t len);

/*
 * imp_poll moves the next datagram that is due at |now| to *ret, in order of
 * time, including dropped ones (fate IMP_DROPPED).
 * Return: false if none is due.
 */
bool imp_poll(struct imp *i, vtime now, struct imp_out *ret);

/*
 * imp_deadline returns when the next datagram is due; VTIME_NEVER if none is
 * held.
 */
vtime imp_deadline(const struct imp *i);

#endif
