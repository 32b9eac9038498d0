/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/usual.h -- packets that are as they should be, and like others before.
 *
 * Most packets of a capture are the next of their flow and break no rule.  TCP
 * stacks know them by header prediction; so does the judge.  A packet is usual
 * if all that depends on its numbers and on what is known of its flow is as it
 * should be (usual.c says what that is).  What is left for monitors to look at
 * is few bits: the packet's key.  Packets of one key show the same and break
 * the same rules.
 *
 * So monitors look at one packet of a key, and if they have found nothing, what
 * they counted is remembered: the next ones are counted, and that is all.  Only
 * monitors of LOOK_CC and LOOK_DATA, whose numbers no key holds, are asked
 * about each packet.
 *
 * This is for judges that stand at nobody's link and share their counters
 * (judge_common).
 */
#ifndef JUDGE_USUAL_H
#define JUDGE_USUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/look.h"

enum {
	USUAL_BITS = 6,   /* 2^6 keys are remembered */
	USUAL_SHOWN = 44, /* what one packet shows */
	/* Cases of which monitors are asked all the same. */
	USUAL_ASKED = LOOK_CC | LOOK_DATA,
};

/* Packets of one key. */
struct usual {
	uint64_t key;   /* 0: none yet */
	uint64_t times; /* not yet counted, as often as they came */
	bool known;     /* |shown| says what each of them shows */
	uint8_t missed; /* packets of another key that belongs here */
	uint8_t n;
	uint16_t shown[USUAL_SHOWN]; /* a requirement twice, and 1: as DST */
};

/* usual_is_told says whether a judge knows what is usual at all. */
bool usual_is_told(const struct judge_conf *conf);

/*
 * usual_find is what is known of packets with the key of this one.
 * Return: NULL if the packet is not usual, or there is no place for its key.
 */
struct usual *usual_find(struct look *l);

/* usual_asks says whether some monitor is asked about a usual packet. */
static inline bool usual_asks(const struct look *l)
{
	return l->has_cc || l->next_hdr > PDS_NEXT_RESPONSE;
}

/*
 * usual_learn remembers what one packet of a key has shown, if it is |right|,
 * and sets |seen| back to zeroes.  Of what is not, or is more than USUAL_SHOWN,
 * nothing is remembered: all monitors go on looking.
 *
 * Shape:  |seen| and |all| are counters of REQ_COUNT requirements, as struct
 *         side has them; what was shown is added to |all|.
 */
void usual_learn(struct usual *u, bool right, uint32_t (*seen)[2],
		 uint32_t (*all)[2]);

/* usual_count adds to |all| what was not counted yet. */
void usual_count(struct usual *u, uint32_t (*all)[2]);

#endif
