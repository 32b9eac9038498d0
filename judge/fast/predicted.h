/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/predicted.h -- predicted packets, as in TCP header prediction.
 *
 * Most packets of a capture are the next of their flow and break no rule.  A
 * packet is predicted if it meets the conditions of conditions.def.  The few
 * bits that still differ are its key.  Packets of one key show the same and
 * break the same rules.
 *
 * All rules look at the first packet of a key.  If they find nothing, what they
 * showed is remembered, and later packets of that key are counted.  Only rules
 * that rely on no condition (ALWAYS) look at each packet.
 *
 * Only judges that stand at the link of neither end, and share their counters
 * (judge_common), predict packets.
 */
#ifndef JUDGE_FAST_PREDICTED_H
#define JUDGE_FAST_PREDICTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "judge/conf.h"

struct pkt_ctx;

enum {
	PREDICTED_BITS = 6,   /* 2^6 keys are remembered */
	PREDICTED_SHOWN = 44, /* requirements that one packet shows */
	PREDICTED_ASK = 16,   /* rules that look at each packet of a key */
};

/* Packets of one key. */
struct predicted {
	uint64_t key;   /* 0: free */
	uint64_t times; /* packets that are not counted yet */
	bool known;     /* |shown| says what each of them shows */
	bool fast;      /* ... and no rule looks at each of them */
	uint8_t missed; /* packets of other keys that belong here */
	uint8_t n, nask;
	/* Twice a requirement, and 1 more for REQ_DST. */
	uint16_t shown[PREDICTED_SHOWN];
	/* The rules that look at each packet. */
	void (*ask[PREDICTED_ASK])(struct pkt_ctx *l);
};

/* predicted_place returns the place of a key. */
static inline struct predicted *predicted_place(struct predicted *all,
						uint64_t key)
{
	return &all[key * 0x9e3779b97f4a7c15u >> (64 - PREDICTED_BITS)];
}

/* predicted_known returns what packets of a key show, or NULL if that is not
 * known or a rule looks at each of them. */
static inline struct predicted *predicted_known(struct predicted *all,
						uint64_t key)
{
	struct predicted *u = predicted_place(all, key);

	return likely(u->key == key && u->fast) ? u : NULL;
}

/* predicted_is_told returns whether a judge predicts packets. */
bool predicted_is_told(const struct judge_conf *conf);

/*
 * predicted_find returns the place of the key of this packet in |all|.  Packets
 * of another key that held that place are counted in |seen|.
 * Return: NULL if the packet is not predicted, or its key has no place yet.
 */
struct predicted *predicted_find(const struct pkt_ctx *l, struct predicted *all,
				 uint32_t (*seen)[2]);

/* predicted_ask adds a rule that looks at each packet of the key.
 * Return: false if there is no room for it. */
bool predicted_ask(struct predicted *u, void (*look)(struct pkt_ctx *l));

/*
 * predicted_learn remembers what one packet of a key showed, if it is |right|,
 * and sets |seen| back to zeroes.  If it showed more than PREDICTED_SHOWN, or
 * is not right, all rules go on looking.
 *
 * Shape:  |seen| and |all| are counters of REQ_COUNT requirements, as struct
 *         side has them; what was shown is added to |all|.
 */
void predicted_learn(struct predicted *u, bool right, uint32_t (*seen)[2],
		     uint32_t (*all)[2]);

/* predicted_count adds to |all| what was not counted yet. */
void predicted_count(struct predicted *u, uint32_t (*all)[2]);

#endif
