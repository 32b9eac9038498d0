/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/predicted.h -- predicted packets, as in TCP header prediction.
 *
 * Most packets of a capture are the next of their flow and violate no rule.  A
 * packet is predicted if it meets the conditions of conditions.def.  The few
 * bits that may still differ are its key.  Packets of one key give the same
 * result for every rule.
 *
 * All rules check the first packet of a key.  If they find nothing, the judge
 * remembers which requirements they checked, and only counts later packets of
 * that key.  Only rules that rely on no condition (ALWAYS) check each packet.
 *
 * A judge predicts packets only if it uses shared counters (judge_common).
 */
#ifndef JUDGE_FAST_PREDICTED_H
#define JUDGE_FAST_PREDICTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "judge/conf.h"

struct pkt_ctx;

enum {
	PREDICTED_BITS = 9,   /* 2^9 keys are remembered */
	PREDICTED_SHOWN = 60, /* most requirements checked for one packet */
	PREDICTED_ASK = 16,   /* most rules that check each packet of a key */
};

/* Packets of one key. */
struct predicted {
	uint64_t key;   /* the key; 0: the slot is free */
	uint64_t times; /* packets that are not counted yet */
	/* |shown| holds the requirements checked for each of them */
	bool known;
	bool fast;      /* known, and no rule checks each of them */
	uint8_t missed; /* packets of other keys that map to this slot */
	uint8_t n, nask;
	/* Each is twice the requirement, plus 1 for REQ_DST. */
	uint16_t shown[PREDICTED_SHOWN];
	/* The rules that check each packet. */
	void (*ask[PREDICTED_ASK])(struct pkt_ctx *l);
};

/*
 * predicted_place returns the slot of a key: one of two, so that two frequent
 * keys do not replace each other.
 */
static inline struct predicted *predicted_place(struct predicted *all,
						uint64_t key)
{
	const uint64_t i = key * 0x9e3779b97f4a7c15u >> (64 - PREDICTED_BITS);
	struct predicted *u = &all[i], *other = &all[i ^ 1];

	if (likely(u->key == key))
		return u;
	return other->key == key || (u->key && !other->key) ? other : u;
}

/*
 * predicted_known returns the prediction for a key, or NULL if it is unknown or
 * a rule checks each packet of the key.
 */
static inline struct predicted *predicted_known(struct predicted *all,
						uint64_t key)
{
	struct predicted *u = predicted_place(all, key);

	return likely(u->key == key && u->fast) ? u : NULL;
}

/*
 * predicted_is_told returns true if a judge with this configuration predicts
 * packets.
 */
bool predicted_is_told(const struct judge_conf *conf);

/*
 * predicted_find returns the slot in |all| of the key of this packet.  If it
 * replaces another key, it adds the counts of that key to |seen|.
 * Return: NULL if the packet is not predicted, or its key has no slot yet.
 */
struct predicted *predicted_find(const struct pkt_ctx *l, struct predicted *all,
				 uint32_t (*seen)[2]);

/*
 * predicted_ask adds a rule that checks each packet of the key.
 * Return: false if there is no room for it.
 */
bool predicted_ask(struct predicted *u, void (*look)(struct pkt_ctx *l));

/*
 * predicted_learn stores which requirements were checked for one packet of a
 * key, if it is |right|, and sets |seen| to zero.  If there are more than
 * PREDICTED_SHOWN, or it is not right, all rules continue to check the packets.
 *
 * Shape:  |seen| and |all| are counters of REQ_COUNT requirements, as in struct
 *         side; the counts of |seen| are added to |all|.
 */
void predicted_learn(struct predicted *u, bool right, uint32_t (*seen)[2],
		     uint32_t (*all)[2]);

/* predicted_count adds the counts that are not added yet to |all|. */
void predicted_count(struct predicted *u, uint32_t (*all)[2]);

#endif
