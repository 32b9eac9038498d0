/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/conditions.h -- the table of conditions, for both paths.
 *
 * fast_path.c tests the rows of conditions.def on bytes, predicted.c on a
 * pkt_ctx.  The rules name the rows on which they rely (judge/uet/monitor.h).
 */
#ifndef JUDGE_FAST_CONDITIONS_H
#define JUDGE_FAST_CONDITIONS_H

#include "base/hot.h"
#include "judge/fast/fast_pkt.h"
#include "judge/fast/link.h"
#include "judge/uet/flow.h"
#include "judge/uet/monitor.h"
#include "judge/uet/pkt_ctx.h"
#include "judge/uet/pkt_shape.h"

/* Bits: the path that runs the test. */
enum condition_path { PATH_FAST = 1, PATH_FULL = 2 };

enum {
	COND_ANY = PKT_REQ | PKT_ACK | PKT_CP,
	REQ_HEADERS_LEN = pds_req_len + ses_std_som_len,
	DATA_HEADERS_LEN = pds_req_len + ses_response_data_len,
};

/*
 * condition_headers returns true if the headers are complete and no extension
 * header follows.
 */
static inline bool condition_headers(const struct pkt_ctx *l)
{
	const struct packet *pkt = l->in->pkt;

	return l->ses && pkt->fault == PACKET_OK &&
	       pkt->sec[pkt->nsec - 1].at == l->ses_at;
}

/* condition_cp_ends returns true if nothing follows a control packet. */
static inline bool condition_cp_ends(const struct pkt_ctx *l)
{
	return l->in->pkt->fault == PACKET_OK && pkt_ends_right(l);
}

/*
 * condition_req_headers returns the bytes of the headers of a request on the
 * fast path, by its next_hdr: a standard one, or return data.
 */
static inline size_t condition_req_headers(const uint8_t *p)
{
	struct pds_prologue h;

	pds_prologue_get(&h, p);
	return unlikely(h.next_hdr == PDS_NEXT_RESPONSE_DATA) ? DATA_HEADERS_LEN
							      : REQ_HEADERS_LEN;
}

/*
 * condition_opcode returns true if the SES header describes the request
 * completely.
 */
static inline bool condition_opcode(uint8_t opcode)
{
	return opcode == SES_SEND || opcode == SES_WRITE ||
	       opcode == SES_TAGGED_SEND || opcode == SES_READ;
}

/*
 * condition_read_length returns false for a read that may ask for more than the
 * MTU: its header is standard and asks for more, or is another one.
 */
static inline bool condition_read_length(const struct fast_pkt *x)
{
	struct ses_std rest;

	if (x->next_hdr > PDS_NEXT_REQUEST_STD ||
	    (x->ses[0] & 0x3f) != SES_READ)
		return true;
	if (x->next_hdr != PDS_NEXT_REQUEST_STD)
		return false;
	if (x->std.som)
		return !x->std.eom || x->std.request_length <= x->conf->mtu;
	ses_std_get(&rest, x->ses);
	return rest.payload_length <= x->conf->mtu;
}

/*
 * condition_message_id returns true if a standard request has a message id, and
 * header_data only with hd.
 */
static inline bool condition_message_id(const struct pkt_std *h)
{
	return h->message_id && (!h->som || h->hd || !h->header_data);
}

/*
 * condition_end returns true if a standard request, or return data, has the
 * length that its header gives; that of a read gives none.  pkt_ends_right()
 * does the same for every packet.
 */
static inline bool condition_end(const struct fast_pkt *x)
{
	struct ses_response_data data;
	size_t told;

	if (unlikely(x->next_hdr == PDS_NEXT_RESPONSE_DATA)) {
		ses_response_data_get(&data, x->ses);
		return data.payload_length == x->payload;
	}
	if (x->std.opcode == SES_READ)
		return true;
	return !pkt_std_told(&x->std, x->ses, &told) || told == x->payload;
}

/*
 * condition_asks_ack returns true for an ACK Request that opens no PDC, and
 * whose other fields are right, so that the rules of control packets find
 * nothing in it.
 */
static inline bool condition_asks_ack(const uint8_t *p)
{
	struct pds_cp h;

	pds_cp_get(&h, p);
	return h.ctl_type == PDS_CP_ACK_REQUEST && !h.syn && !h.probe_opaque;
}

/*
 * condition_pdcid returns true if the PDCID of the packet's other end is the
 * one of the flow, or an ACK tells it first.
 */
static inline bool condition_pdcid(const struct fast_pkt *x)
{
	const uint16_t known = x->f->end[!x->end].pdcid;

	return x->pdcid &&
	       (likely(known == x->pdcid) || (!known && x->pds_len));
}

/*
 * condition_further_syn returns true for a SYN of the initiator after the first
 * packet of its PDC, with the Start_PSN of that one, while the initiator need
 * not know the TPDCID.
 */
static inline bool condition_further_syn(const struct fast_pkt *x)
{
	const struct flow *f = x->f;
	struct pds_req_syn h; /* |x| has dpdcid in this place */

	if (x->from != 0 || !f->syn_start_known || f->renumbered ||
	    !x->d->any || (x->here && link_syn_late(x)))
		return false;
	pds_req_syn_get(&h, x->p);
	return h.psn_offset && x->psn - h.psn_offset == f->syn_start &&
	       !(h.pdc_info & PDC_INFO_RESERVED);
}

/*
 * condition_quiet_source returns true if a request changes no rare state of its
 * direction, and an ACK of it can be due; an ACK Request changes only what it
 * asks for.
 */
static inline bool condition_quiet_source(const struct dir_rare *r)
{
	return !r->asked_at && !r->nstrays && !r->mpr_zero && !r->noop_frame;
}

/*
 * condition_is_repeat returns true if a retransmission or network duplicate has
 * the bytes of the first copy, and its flow is not complete.  In a complete
 * flow, further rules check it.
 */
static inline bool condition_is_repeat(const struct fast_pkt *x)
{
	const struct psn_state *s = x->s;

	if (x->whole || x->len != s->size ||
	    s->flags & (PSN_CP | PSN_MANGLED | PSN_CUT_ALL))
		return false;
	return s->hash ==
	       (x->l ? x->l->hash : pkt_tail_crc(x->in, pds_req_len));
}

/*
 * condition_in_reach returns true if the destination certainly tracks the PSN;
 * without Start_PSN no packet counts as outside its range.
 */
static inline bool condition_in_reach(const struct fast_pkt *x)
{
	const int32_t range = (int32_t)dir_range(x->d, x->conf);
	const int32_t ahead = serial_diff(x->psn, x->d->seen_to);

	return !x->whole || (ahead <= range && ahead > -range);
}

/*
 * condition_cc_defined returns true for an ACK without a CC section, and if the
 * section of type and reserved bits has defined values alone.  |pds_len| tells
 * which ACK it is.
 */
static inline bool condition_cc_defined(const uint8_t *p, size_t pds_len)
{
	const uint8_t *cc = p + pds_ack_len;
	struct pds_credit credit;

	if (pds_len == pds_ack_len)
		return true;
	if (pds_len == pds_ack_len + pds_ack_ccx_len)
		return cc[0] >> 4 >= PDS_CCX_LEAST;
	if (cc[0] & 15 || cc[0] >> 4 > PDS_CC_CREDIT)
		return false;
	if (cc[0] >> 4 != PDS_CC_CREDIT)
		return true;
	pds_credit_get(&credit, cc + pds_ack_cc_len);
	return !credit.rsvd_24;
}

/*
 * condition_comes_next returns true if the last seen packet of message |m| was
 * sent just before the packet.  Only at its sender's link is the order known.
 */
static inline bool condition_comes_next(const struct fast_pkt *x,
					const struct message *m)
{
	return m && (x->here || x->psn == m->last + 1);
}

/*
 * condition_fits_messages returns true if a packet contradicts no message whose
 * last seen packet was sent just before it: no other message is open then, it
 * begins no message twice, and its message has one length.
 */
static inline bool condition_fits_messages(const struct fast_pkt *x)
{
	const struct pkt_std *h = &x->std;
	const struct dir *d = x->d;
	const struct message *m;

	if (!x->f->complete || x->next_hdr != PDS_NEXT_REQUEST_STD)
		return true;
	if (d->open && d->open_id != h->message_id &&
	    condition_comes_next(x, message_find(d, d->open_id)))
		return false;
	m = message_find(d, h->message_id);
	if (!condition_comes_next(x, m))
		return true;
	if (h->som)
		return false;
	return !m->open || m->length == h->request_length;
}

/*
 * condition_message_key returns three bits: a message is open, the packet
 * belongs to it, the message of the packet is open.
 */
static inline unsigned condition_message_key(const struct fast_pkt *x)
{
	const struct dir *d = x->d;
	const uint16_t id = x->std.message_id;
	const struct message *m;

	if (!x->f->complete || x->next_hdr != PDS_NEXT_REQUEST_STD)
		return 0; /* the rules about messages check no packet */
	m = message_find(d, id);
	return (unsigned)d->open << 2 |
	       (unsigned)(d->open && d->open_id == id) << 1 |
	       (unsigned)(m && m->open);
}

/*
 * condition_gives_way returns true if the slot of a PSN is free, or holds an
 * older PSN that is acknowledged.
 */
static inline bool condition_gives_way(const struct fast_pkt *x)
{
	const struct psn_state *s = x->s;

	if (s->owner != x->f->owner)
		return true;
	return s->flags & PSN_ACKED && serial_before(s->psn, x->psn) &&
	       ring_meet(s->psn, x->psn, x->d->window);
}

/*
 * condition_is_answer returns true if an ACK answers a request that arrived
 * whole.  In a complete flow, the request was sent once and nothing else asked
 * for the ACK, which has its entropy.
 */
static inline bool condition_is_answer(const struct fast_pkt *x)
{
	const struct psn_state *s = x->s;

	if (s->flags & (PSN_CP | PSN_MANGLED | PSN_CUT_ALL))
		return false;
	return !x->whole ||
	       (s->copies == 1 && s->flags & PSN_FRESH &&
		!(s->flags & (PSN_OUTSIDE | PSN_AGAIN | PSN_WANTED)) &&
		x->in->d->entropy == s->entropy);
}

/*
 * condition_is_response returns true if a response without data matches its
 * request or return data; only such a response answers return data.
 */
static inline bool condition_is_response(const struct fast_pkt *x)
{
	const struct psn_state *s = x->s;
	struct ses_response h;
	bool has_id;

	if (x->next_hdr != PDS_NEXT_RESPONSE)
		return !(s->flags & PSN_DATA);
	ses_response_get(&h, x->ses);
	has_id = h.message_id == s->message_id;
	if (h.opcode == SES_DEFAULT_RESPONSE &&
	    (h.list || h.ri_generation || h.modified_length))
		return false;
	if (s->flags & PSN_DATA && s->message_id)
		return has_id;
	if (has_id || !(s->flags & PSN_STD))
		return true;
	if (h.opcode == SES_DEFAULT_RESPONSE)
		return !h.message_id;
	return h.opcode != SES_RESPONSE;
}

/*
 * condition_echoes returns true if an ACK answers only one packet of return
 * data, so that it echoes its response_message_id.
 */
static inline bool condition_echoes(const struct fast_pkt *x)
{
	return x->f->complete && x->s->flags & PSN_DATA && x->s->message_id &&
	       x->d->start_known && x->d->acked_to + 1 == x->ack_psn &&
	       x->cack == x->ack_psn;
}

/* condition_is_of returns true if a row of |stage| is tested with |asked|. */
static inline bool condition_is_of(enum condition_stage stage,
				   enum condition_stage asked)
{
	return asked == STAGE_ALL ? stage != STAGE_JUDGE : stage == asked;
}

#define BOTH(kinds, stage, name, test, why) \
	EACH(kinds, stage, name, test, test, why)
#define FAST(kinds, stage, name, test, why) \
	EACH(kinds, stage, name, test, true, why)
#define FULL(kinds, stage, name, test, why) \
	EACH(kinds, stage, name, true, test, why)
#define LINK(kinds, name, where, test, why) \
	BOTH(kinds, STAGE_PSN, name, !(where) || (test), why)
#define LINK_KEY(kinds, name, bits, where, value, what) \
	KEY(kinds, name, bits, (where) ? (unsigned)(value) : 0u, what)

/*
 * condition_failed runs the tests of one path that belong to a stage.  |kind|,
 * |path| and |stage| are constants, so that the compiler drops all other tests.
 * Returns the first condition that fails, or COND_NONE.
 */
static inline __attribute__((always_inline)) enum condition
condition_failed(const struct fast_pkt *x, unsigned kind,
		 enum condition_path path, enum condition_stage stage_)
{
#define EACH(kinds, stage, name, fast, full, why)                    \
	if (((kinds)&kind) && condition_is_of((stage), stage_)) {    \
		if (path == PATH_FAST ? unlikely(!(fast)) : !(full)) \
			return COND_##name;                          \
	}
#define KEY(kinds, name, bits, value, what)
#include "judge/fast/conditions.def"
#undef EACH
#undef KEY
	return COND_NONE;
}

/* condition_key returns the key of a packet that meets the conditions. */
static inline __attribute__((always_inline)) uint64_t
condition_key(const struct fast_pkt *x, unsigned kind)
{
	uint64_t key = 0;

#define EACH(kinds, stage, name, fast, full, why)
#define KEY(kinds, name, bits, value, what) \
	if ((kinds)&kind)                   \
		key = key << (bits) | (value);
#include "judge/fast/conditions.def"
#undef EACH
#undef KEY
	return key;
}

/* The bits of a key, by the kind of packet. */
enum {
#define EACH(kinds, stage, name, fast, full, why)
#define KEY(kinds, name, bits, value, what) +((kinds)&PKT_REQ ? (bits) : 0)
	CONDITION_REQ_BITS = 0
#include "judge/fast/conditions.def"
#undef KEY
	,
#define KEY(kinds, name, bits, value, what) +((kinds)&PKT_ACK ? (bits) : 0)
	CONDITION_ACK_BITS = 0
#include "judge/fast/conditions.def"
#undef EACH
#undef KEY
};

_Static_assert(CONDITION_REQ_BITS <= 64 && CONDITION_ACK_BITS <= 64,
	       "a key is a uint64_t");

#undef BOTH
#undef FAST
#undef FULL
#undef LINK
#undef LINK_KEY

/* condition_name returns the name of a row of the table. */
const char *condition_name(enum condition c);

/*
 * condition_reason returns why a packet that fails the row takes the full path;
 * for a row of the key, what the field holds.
 */
const char *condition_reason(enum condition c);

#endif
