/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/look.h -- one packet of one flow, as the monitors look at it.
 *
 * A monitor is a function that looks at a packet before the flow's state takes
 * it in, so that the state is what both ends had been told until then.  It asks
 *
 *	if (holds(l, REQ_RUD_SVC_5, REQ_SRC, clear_psn <= psn))
 *		return;
 *	expected(l, "clear_psn=%" PRIu32, ...);
 *	actual(l, "clear_psn=%" PRIu32, ...);
 *	because(l, "The request clears ...");
 *
 * and so shows that it looked, which a pass needs, and what it found.
 */
#ifndef JUDGE_LOOK_H
#define JUDGE_LOOK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/flow.h"
#include "judge/judge.h"
#include "judge/rudi.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

/* Kinds of packets, bits: which of them a monitor looks at. */
enum look_kind {
	LOOK_REQ = 1,  /* RUD and ROD requests, with CC or without */
	LOOK_ACK = 2,  /* ACK, ACK_CC, ACK_CCX */
	LOOK_NACK = 4, /* NACK, NACK_CCX with nt = 0 */
	LOOK_CP = 8,
	/* without a PDC */
	LOOK_RUDI = 16, /* RUDI requests */
	LOOK_RUDI_RESP = 32,
	LOOK_RUDI_NACK = 64, /* NACKs with nt = 1 */
	LOOK_UUD = 128,
	LOOK_KINDS = 8,
};

/* More bits: what a packet must be for a monitor to look at it.  Each is a
 * condition more; a row without any is asked about all packets of its kinds. */
enum look_case {
	/* What it reports shows in the packet itself and in what was seen of
	 * the PSN, whatever packets are missing.  Only such monitors look at
	 * flows that are not whole. */
	LOOK_GAPS = 1 << 8,
	LOOK_WHOLE = 1 << 9,  /* without LOOK_GAPS: understood */
	LOOK_HERE = 1 << 10,  /* the judge stands at the link of its sender */
	LOOK_THERE = 1 << 11, /* of its receiver */
	LOOK_NEW = 1 << 12,   /* nothing is known of its PSN, or of the one that
				 it answers: l->old is NULL */
	LOOK_AGAIN = 1 << 13, /* something is */
	LOOK_ROD = 1 << 14,   /* its PDC is one */
	LOOK_SYN = 1 << 15,
	LOOK_CC = 1 << 16,    /* it is an ACK_CC or ACK_CCX */
	LOOK_DATA = 1 << 17,  /* next_hdr says return data */
	LOOK_CRC = 1 << 18,   /* somebody has looked at its trailer */
	LOOK_USUAL = 1 << 19, /* no row's: it is usual (judge/usual.h) */
	LOOK_CASES = LOOK_WHOLE | LOOK_HERE | LOOK_THERE | LOOK_NEW |
		     LOOK_AGAIN | LOOK_ROD | LOOK_SYN | LOOK_CC | LOOK_DATA |
		     LOOK_CRC,
};

/* What rules ask of the header of a standard request. */
struct look_std {
	uint64_t header_data; /* of its first packet */
	uint32_t request_length;
	uint16_t message_id;
	uint8_t opcode;
	bool som, eom, hd;
};

/* look_std_get reads them. */
static inline void look_std_get(struct look_std *ret, const uint8_t *ses)
{
	struct ses_std_som h;

	ses_std_som_get(&h, ses);
	*ret = (struct look_std){.header_data = h.header_data,
				 .request_length = h.request_length,
				 .message_id = h.message_id,
				 .opcode = h.opcode,
				 .som = h.som,
				 .eom = h.eom,
				 .hd = h.hd};
}

/*
 * look_std_told is how many bytes of payload such a header tells of; it is one
 * of a message, no control of it.
 * Return: false: none, in the first packet of several.
 */
static inline bool look_std_told(const struct look_std *h, const uint8_t *ses,
				 size_t *ret)
{
	struct ses_std rest;

	if (h->som) {
		*ret = h->request_length;
		return h->eom;
	}
	ses_std_get(&rest, ses);
	*ret = rest.payload_length;
	return true;
}

struct look {
	struct judge *j;
	const struct judge_conf *conf;
	struct flow *f;
	const struct judge_packet *in;
	const uint8_t *p;
	size_t len;
	vtime at;
	enum look_kind kind;
	enum pds_type type;
	enum req_role role;  /* in which its sender is judged */
	enum req_role chair; /* and the one that it has on the PDC */
	unsigned from;       /* the end that sent it, */
	uint32_t (*seen)[2]; /* and its counters */

	struct dir *own;  /* the PSN space in which its sender is the source */
	struct dir *peer; /* the one that its sender acknowledges */

	union {                     /* by kind: */
		struct pds_req req; /* dpdcid is the overlay if syn = 1 */
		struct pds_cp cp;
		struct pds_ack ack; /* ack_psn_offset is not one if p = 1 */
		struct pds_nack nack;
	};

	bool takes_psn; /* a request, or a CP that uses up a PSN */
	bool retx, ar, syn;
	uint32_t psn;          /* without a PDC: pkt_id */
	bool m;                /* of an answer without a PDC */
	struct rudi_pkt *rudi; /* the request that it is, or answers */
	uint32_t clear;        /* CLEAR_PSN of a request or Clear Command */
	bool has_clear;
	uint32_t start;   /* Start_PSN of a packet with syn = 1 */
	uint32_t payload; /* of a CP or NACK */
	struct psn_state
		*old;        /* what is known of psn (req, cp), ack_psn, ... */
	bool reuses;         /* a SYN with the PDCID of a PDC that ended, */
	uint32_t reused_psn; /* and the highest PSN of that one */
	bool stray;          /* its PSN is too far away to be followed */
	uint8_t trimmed;     /* by a switch: the NACK that would say so, or 0 */
	bool spoilt;         /* malformed or cut: bytes mean nothing */
	bool twin;           /* looks like a copy that the network made */
	uint32_t hash;       /* of SES header and payload, if takes_psn */

	bool has_ack_psn;
	uint32_t ack_psn;
	bool has_cc; /* mpr and SACK are there */
	uint8_t mpr;
	uint32_t sack_psn;
	uint64_t sack_bitmap;
	bool has_nscc;
	struct pds_nscc nscc;
	bool has_credit;
	struct pds_credit credit;

	uint8_t next_hdr;
	size_t ses_at;       /* offset of the SES header */
	const uint8_t *ses;  /* NULL: it is missing or incomplete */
	struct look_std std; /* of a standard request */
};

/*
 * One rule.  what: its kinds of packets, and the cases, all of which hold. What
 * it says of a packet that is usual is not asked for each (judge/usual.h).
 */
struct monitor {
	unsigned what;
	void (*look)(struct look *l);
};

/* At the end of what was seen: one PSN that may lack something. */
struct absence {
	struct judge *j;
	const struct judge_conf *conf;
	struct flow *f;
	unsigned source; /* the end whose PSN space it is */
	struct dir *d;
	vtime now;
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

/* rules_uet_end looks at a direction of a flow for answers that never came. */
void rules_uet_end(struct absence *a);

/* rules_uet_rudi_end looks at a RUDI request for what never came. */
void rules_uet_rudi_end(struct absence *a, struct rudi_pkt *p);

/*
 * rules_uet_loose_answer looks at an ACK or NACK without a PDC: what it names
 * may be a RUDI request, or nothing but a datagram's path.
 */
void rules_uet_loose_answer(struct look *l);

/*
 * look_lacks_crc says of a packet without a right CRC that it ends where its
 * headers say: there is none at all.
 */
bool look_lacks_crc(const struct look *l);

/* rules_uet_trim_end looks at one PSN of that direction. */
void rules_uet_trim_end(struct absence *a, struct psn_state *s);

/* look_blame begins a finding against the sender of the packet. */
void look_blame(struct look *l, enum req_id req, enum req_role role);

/* shows counts that |req| was looked at and met, and nothing else. */
static inline void shows(struct look *l, enum req_id req, enum req_role role)
{
	l->seen[req][role == REQ_DST]++;
}

/* look_owed begins one against the receiver, for want of an answer to |frame|.
 */
void look_owed(struct look *l, enum req_id req, uint32_t frame);

/*
 * holds counts that |req| was looked at for the sender of the packet, and says
 * whether it is met.  If not, a finding is begun, and the three functions below
 * fill it in.
 */
static inline bool holds(struct look *l, enum req_id req, enum req_role role,
			 bool met)
{
	shows(l, req, role);
	if (!met)
		look_blame(l, req, role);
	return met;
}

/* lacks is the same for an absence: |end| is to blame, |frame| shows it. */
bool lacks(struct absence *a, enum req_id req, enum req_role role, unsigned end,
	   uint32_t frame, bool missing);

/* Texts of the finding just begun; l->j says which.  Long ones are cut. */
__attribute__((format(printf, 2, 3))) void expected(struct judge *j,
						    const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void actual(struct judge *j,
						  const char *fmt, ...);
/* too_early marks the finding as one of time. */
void too_early(struct judge *j);

__attribute__((format(printf, 2, 3))) void because(struct judge *j,
						   const char *fmt, ...);

/* Everything of this flow was seen: what was not seen was not sent. */
static inline bool seen_all(const struct look *l)
{
	return l->f->whole;
}

/*
 * at_link says whether the packets were seen in the order and at the times at
 * which |end| sent and received them.
 */
static inline bool at_link(const struct look *l, unsigned end)
{
	return l->f->end[end].here;
}

/* What |end| was sent, it got; what it sent was seen. */
static inline bool knows_all(const struct look *l, unsigned end)
{
	return seen_all(l) && at_link(l, end);
}

/*
 * look_grace is how long a side may take until a packet that it sends shows
 * what it has received: packets that wait in its queues were made before.
 */
vspan look_grace(const struct judge_conf *conf);

/* look_cause is that of a repeated packet; l->old is its PSN. */
enum look_cause look_cause(const struct look *l);

/* nack_received: codes that say that the packet arrived before. */
bool nack_received(uint8_t code);

/* look_refuses_noop: a NACK says UNEXP_EVENT of a NOOP that is as it should be
 * and stands on a PDC that both sides know. */
static inline bool look_refuses_noop(const struct look *l)
{
	const struct dir_rare *r = l->peer->rare;

	return l->nack.nack_code == NACK_UNEXP_EVENT && r->noop_frame &&
	       r->noop_psn == l->psn && l->f->syn_done && !l->f->closing &&
	       !l->f->close_asked;
}

/* look_goes_back: a repeat that is not the next in line; ROD goes back to it.
 */
static inline bool look_goes_back(const struct look *l)
{
	return l->old && !serial_after(l->psn, l->own->rare->rod.last);
}

/* look_ends_right: a packet ends where its headers say, as far as they do. */
bool look_ends_right(const struct look *l);

/*
 * look_may_be_cut: where no codepoints are known, a switch may have trimmed
 * this copy of a PSN, or the one before it, which was shorter.
 */
static inline bool look_may_be_cut(const struct look *l)
{
	if (l->conf->dscp_trimmed || l->conf->dscp_trimmed_lasthop ||
	    l->kind != LOOK_REQ || !l->ses)
		return false;
	return l->len < l->old->size ? !look_ends_right(l)
				     : l->len > l->old->size;
}

/* look_asked_for: a NACK asks for this packet though it arrived: its data, or
 * its response, is wanted again.  It comes alone.
 */
static inline bool look_asked_for(const struct look *l)
{
	return l->old && l->old->flags & PSN_NACKED &&
	       nack_received(l->old->nack_code);
}

/*
 * look_read_of finds the read that return data belongs to: the PSN of its
 * (first) request, and where in the message the data lies.
 * Return: false if it is not known.
 */
bool look_read_of(struct look *l, uint32_t *ret_psn, uint32_t *ret_offset);

/* "isrod is meaningful for NOOP and Negotiation only" */
static inline bool look_tells_mode(const struct look *l)
{
	return l->kind == LOOK_REQ ||
	       (l->kind == LOOK_CP && (l->cp.ctl_type == PDS_CP_NOOP ||
				       l->cp.ctl_type == PDS_CP_NEGOTIATION));
}

static inline bool look_is_rod(const struct look *l)
{
	if (l->kind == LOOK_CP)
		return l->cp.isrod;
	return l->type == PDS_ROD_REQ || l->type == PDS_ROD_CC_REQ;
}

/*
 * look_other_mode: a request that is not of its PDC's mode, or a control packet
 * whose isrod says so, which a receiver may refuse or pass over.
 */
static inline bool look_other_mode(const struct look *l)
{
	return l->f->mode_known && look_tells_mode(l) &&
	       look_is_rod(l) != l->f->rod;
}

/* look_role is the role in which the sender of a packet is judged. */
static inline enum req_role look_role(const struct look *l)
{
	return l->role;
}

/* look_cases is which of the cases a packet is, LOOK_WHOLE among them. */
unsigned look_cases(const struct look *l);

/* look_is says whether a packet is all that a row of a monitor wants, but for
 * its flow. */
static inline bool look_is(const struct look *l, unsigned what)
{
	return !(what & LOOK_CASES & ~look_cases(l));
}

/*
 * look_chair is the role that its sender has on the PDC: who acknowledges
 * return data is the initiator still.  It is for rows on headers, which name
 * neither the source nor the destination of a request.
 */
static inline enum req_role look_chair(const struct look *l)
{
	return l->chair;
}

/*
 * judge_saw_all says whether every packet was seen since the two sides began to
 * talk: without a PDC nothing else tells where something begins.
 */
static inline bool judge_saw_all(const struct judge_conf *conf)
{
	return conf->whole && !conf->joined;
}

/* look_ses_len is the length of the SES header that next_hdr names; or 0. */
size_t look_ses_len(uint8_t next_hdr);

/* look_ses_clean: the common first 12 bytes of an SES request, which is there,
 * have their reserved bits 0. */
static inline bool look_ses_clean(const uint8_t *ses, uint8_t next_hdr)
{
	return !(ses[0] >> 6 | ses[8] >> 4 | ses[10] >> 4) &&
	       (next_hdr == PDS_NEXT_REQUEST_STD || !(ses[2] >> 6));
}

/* look_echoes checks what an answer repeats of the packet it answers. */
void look_echoes(struct look *l);

/* look_is_preliminary: NO_RESPONSE, "received, semantic result comes later":
 * the PSN needs more state. */
static inline bool look_is_preliminary(const struct look *l)
{
	return l->ses && l->next_hdr == PDS_NEXT_RESPONSE &&
	       (l->ses[0] & 0x3f) == SES_NO_RESPONSE;
}

/* look_stateful: the SES response of an ACK is one that is guaranteed. */
bool look_stateful(const struct look *l);

/* nack_fatal, nack_drops: the class of a NACK code (uet.md 4). */
bool nack_fatal(uint8_t code);
bool nack_drops(uint8_t code);

/* nack_req is the row of a NACK code; false: it has none. */
bool nack_req(uint8_t code, enum req_id *ret);

/* look_overdue is the time after which an answer that was due at once is
 * missing, generously. */
vspan look_overdue(const struct judge_conf *conf);

/*
 * look_rto is the shortest legal wait before retransmission number |n| + 1.
 * Whether |n| counts the packet's own time-outs or all its retransmissions is
 * open: a lower limit takes the former, an upper one the latter.
 */
vspan look_rto(const struct judge_conf *conf, unsigned n);

/* look_repair is the time, generously, after which a packet that was sent
 * |copies| times and not acknowledged has to be sent again. */
vspan look_repair(const struct judge_conf *conf, unsigned copies);

#endif
