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

#include "base/hot.h"
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

/* usual_is_message: a standard request names a message, and says nothing that
 * it has no word for. */
static inline bool usual_is_message(const struct look_std *h)
{
	return h->message_id && (!h->som || h->hd || !h->header_data);
}

/* usual_is_answer: the packet that an ACK answers was sent once, as a request,
 * and came whole. */
static inline bool usual_is_answer(const struct psn_state *s,
				   const struct dgram *d)
{
	return s->copies == 1 && s->flags & PSN_FRESH &&
	       !(s->flags & (PSN_CP | PSN_SPOILT | PSN_CUT_ALL | PSN_DATA |
			     PSN_OUTSIDE | PSN_AGAIN | PSN_WANTED)) &&
	       d->entropy == s->entropy;
}

/* usual_is_response: a response without data, as a source that waits for that
 * of this packet takes it. */
static inline bool usual_is_response(const struct psn_state *s,
				     const uint8_t *ses)
{
	struct ses_response h;

	ses_response_get(&h, ses);
	if (h.opcode == SES_DEFAULT_RESPONSE &&
	    (h.list || h.ri_generation || h.modified_length || h.message_id))
		return false;
	return h.opcode != SES_RESPONSE || !(s->flags & PSN_STD) ||
	       h.message_id == s->message_id;
}

/* usual_more_of_request is what else is in its key: a CLEAR_PSN that lags
 * behind shows less. */
static inline unsigned usual_more_of_request(const struct dir *d,
					     uint32_t clear)
{
	return clear == d->acked_to;
}

/* usual_more_of_ack is the same of an ACK that answers |s|. */
static inline unsigned usual_more_of_ack(const struct dir *d,
					 const struct psn_state *s)
{
	return (d->high != d->seen_to ? 1u : 0u) |
	       (s->flags & PSN_STD ? 2u : 0u) | (s->flags & PSN_DUE ? 4u : 0u) |
	       (s->flags & PSN_SYN ? 8u : 0u);
}

/*
 * usual_key is type, next_hdr and flags, the first bytes of the SES header
 * (opcode, version, som and eom, return code), and who is who: 45 bits, and
 * with them the kind of the packet and its cases.
 */
static inline uint64_t usual_key(const uint8_t *p, const uint8_t *ses,
				 const struct dgram *d, const struct flow *f,
				 unsigned from, unsigned more)
{
	uint64_t key = (unsigned)(p[0] << 8 | p[1]);

	key = key << 16 | (unsigned)(ses[0] << 8 | ses[1]);
	key = key << 2 | (unsigned)(f->initiator + 1);
	key = key << 1 | from;
	key = key << 1 | (f->known_at != 0);
	key = key << 1 | f->whole;
	key = key << 1 | f->rod;
	key = key << 1 | d->native;
	key = key << 2 | d->crc;
	return key << 4 | more;
}

/* usual_place is where packets of a key stand, or would. */
static inline struct usual *usual_place(struct usual *all, uint64_t key)
{
	return &all[key * 0x9e3779b97f4a7c15u >> (64 - USUAL_BITS)];
}

/* usual_known is what packets of that key show, or NULL. */
static inline struct usual *usual_known(struct usual *all, uint64_t key)
{
	struct usual *u = usual_place(all, key);

	return likely(u->key == key && u->known) ? u : NULL;
}

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
