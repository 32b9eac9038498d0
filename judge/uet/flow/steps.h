/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/steps.h -- how a packet changes its flow, in steps that both
 * paths take: the full path (judge/uet/flow) and the fast path
 * (judge/fast/fast_path.c).
 *
 * Spec: UET 3.5.8.2, 3.5.11, 3.6.9 (uet.md 6, 7, 8.5)
 */
#ifndef JUDGE_UET_FLOW_STEPS_H
#define JUDGE_UET_FLOW_STEPS_H

#include "base/hot.h"
#include "judge/uet/flow.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/pkt_ctx.h"

/* The flags of a PSN that describe only its last copy. */
enum {
	PSN_OF_LAST_COPY = PSN_AR | PSN_SYN | PSN_LAST_RETX | PSN_NACKED |
			   PSN_OUTSIDE | PSN_TOLD | PSN_OTHER_MODE |
			   PSN_OTHER_START,
};

/*
 * Bytes of the headers of a request with CC section, standard header and
 * compare-and-swap extension.
 */
#define FLOW_CC_HEADERS (16 + 44 + 36)

/* step_count_up increments a counter, up to 255. */
static inline void step_count_up(uint8_t *n)
{
	if (*n < UINT8_MAX)
		++*n;
}

/*
 * step_new_psn initialises the state of a PSN, before its first copy is
 * recorded.
 */
static inline void step_new_psn(struct psn_state *s, const struct flow *f,
				uint32_t psn, const struct judge_packet *in,
				uint32_t hash, int16_t clear_offset,
				uint32_t flags, uint16_t message_id)
{
	*s = (struct psn_state){.owner = f->owner,
				.psn = psn,
				.first_at = in->at,
				.hash = hash,
				.clear_offset = clear_offset,
				.flags = flags,
				.entropy = in->d->entropy,
				.message_id = message_id};
}

/* step_copy records a transmission of a PSN with the flags of that copy. */
static inline void step_copy(struct dir *d, struct psn_state *s,
			     const struct judge_packet *in, uint32_t flags)
{
	step_count_up(&s->copies);
	s->flags = (s->flags & ~(uint32_t)PSN_OF_LAST_COPY) | flags;
	s->sent_at = in->at;
	s->frame = in->frame;
	s->entropy_last = in->d->entropy;
	d->ce_unsaid |= in->d->ecn == ECN_CE;
}

/* step_copy_flags returns the flags that each copy of a PSN may have. */
static inline uint32_t step_copy_flags(const struct judge_packet *in, bool retx,
				       bool ar, bool syn)
{
	uint32_t flags = retx ? PSN_REPEATED | PSN_LAST_RETX : PSN_FRESH;

	flags |= in->d->ecn == ECN_CE ? PSN_CE : PSN_NO_CE;
	return flags | (ar ? PSN_AR : 0) | (syn ? PSN_SYN : 0);
}

/*
 * step_ses_flags returns flags for the SES header of a request: whether it
 * reads, writes, or is one packet of several.
 */
static inline uint32_t step_ses_flags(const uint8_t *ses)
{
	uint32_t flags = (ses[1] & 3) != 3 ? PSN_MULTI : 0; /* som and eom */

	switch (ses[0] & 0x3f) {
	case SES_READ:
	case SES_FETCHING_ATOMIC:
	case SES_TSEND_FETCH_ATOMIC:
		return flags | PSN_READ;
	case SES_WRITE:
	case SES_ATOMIC:
	case SES_TSEND_ATOMIC:
		return flags | PSN_WRITE;
	default:
		return flags;
	}
}

/*
 * step_asks_ack returns true if a copy requests an ACK at once.
 *
 * request: the copy is a request, not a control packet.
 */
static inline bool step_asks_ack(const struct judge_conf *conf,
				 const struct judge_packet *in, bool request,
				 bool asks)
{
	return asks || (conf->ack_on_ecn && in->d->ecn == ECN_CE && request);
}

/*
 * step_seen advances |seen_to| over the PSNs that were seen.  Only packets
 * without a slot can have PSNs above the highest.
 */
static inline void step_seen(struct flow *f, struct dir *d)
{
	while ((serial_before(d->seen_to, d->high) ||
		unlikely(d->rare->nstrays)) &&
	       psn_seen(f, d, d->seen_to + 1))
		d->seen_to++;
}

/*
 * step_closed records when the last gap was closed: from then on no packet is
 * out of order.
 */
static inline void step_closed(struct judge *j, struct dir *d, uint32_t psn,
			       vtime at)
{
	const bool gap = d->high != d->seen_to;

	if (unlikely(d->gap) && !gap) {
		dir_rare(j, d)->cc.closed_at = at;
		dir_rare(j, d)->cc.closed_psn = psn;
	}
	d->gap = gap;
}

/* step_sent counts the bytes of a PSN that arrived for the first time. */
static inline void step_sent(struct dir *d, struct psn_state *s, size_t len)
{
	s->size = (uint16_t)(len < UINT16_MAX ? len : UINT16_MAX);
	d->sums.sent += s->size;
	d->sums.npkts++;
}

/*
 * step_begins returns true if a packet of a standard request belongs to another
 * message than the one in the slot.  A message id comes back after the last
 * packet of its message, and the first packet of the next one may be lost.
 */
static inline bool step_begins(const struct message *m, const struct pkt_std *h,
			       uint32_t psn)
{
	if (h->som || !m->used || m->id != h->message_id)
		return true;
	return !m->open && serial_after(psn, m->last);
}

/*
 * step_message records a packet of a standard request in the slot of its
 * message.
 */
static inline void step_message(struct dir *d, struct message *m,
				const struct pkt_std *h, bool read,
				uint32_t psn)
{
	if (step_begins(m, h, psn)) {
		const bool evicted =
			m->evicted || (m->used && m->id != h->message_id);

		*m = (struct message){.used = true, .id = h->message_id};
		m->evicted = evicted;
		m->first = psn;
		m->length = h->request_length;
		m->read = read;
	}
	m->open = !h->eom;
	m->last = psn;
	d->open = !h->eom;
	d->open_id = h->message_id;
}

/*
 * step_release records that all PSNs up to |psn| are cleared, correctly or not.
 * Return: true if some of them were not cleared before.
 */
static inline bool step_release(struct dir *d, uint32_t psn)
{
	if (d->released_known && !serial_after(psn, d->released))
		return false;
	d->released_known = true;
	d->released = psn;
	return true;
}

/*
 * step_syn_done records that the initiator has shown that it knows the TPDCID.
 */
static inline void step_syn_done(struct flow *f, uint32_t psn)
{
	f->syn_done = true;
	f->syn_done_psn = psn;
}

/* step_known records an ACK, which may show that the target knows the PDC. */
static inline void step_known(struct flow *f, unsigned from, vtime at)
{
	if (unlikely(!f->known_at) && f->syn_start_known && from == 1)
		f->known_at = at;
}

/* step_dscp records the codepoint of the first answer or control packet. */
static inline void step_dscp(struct flow *f, const struct judge_packet *in)
{
	if (likely(f->dscp_known))
		return;
	f->dscp_known = true;
	f->dscp = in->d->dscp;
}

/* step_clear records a correct CLEAR_PSN. */
static inline void step_clear(struct dir *d, uint32_t clear)
{
	if (!d->clear_known || serial_after(clear, d->clear))
		d->clear = clear;
	d->clear_known = true;
}

/* step_cover records that an ACK covers a PSN. */
static inline void step_cover(struct dir *d, struct psn_state *s, vtime at)
{
	const bool first = !(s->flags & PSN_ACKED);

	if (first) {
		d->sums.acked += s->size;
		d->sums.acked_npkts += s->size != 0;
		if (s->size > FLOW_CC_HEADERS)
			d->sums.acked_payload += s->size - FLOW_CC_HEADERS;
	}
	if (first || s->acked_at == VTIME_NEVER)
		s->acked_at = at;
	s->flags |= PSN_ACKED;
	if (!(s->flags & PSN_AGAIN))
		s->flags &= ~(uint32_t)PSN_DUE;
}

/*
 * step_cover_to records that an ACK covers the PSNs after |from|, up to
 * CACK_PSN.
 */
static inline void step_cover_to(struct flow *f, struct dir *d, uint32_t from,
				 uint32_t cack, vtime at)
{
	struct psn_state *s;

	while (from != cack) {
		s = psn_find(f, d, ++from);
		if (likely(s))
			step_cover(d, s, at);
	}
	d->cack_known = true;
	d->cack = cack;
	d->cack_at = at;
}

/*
 * step_no_requests records that CACK_PSN advanced, which answers the ACK
 * Requests before.
 */
static inline void step_no_requests(struct judge *j, struct dir *d)
{
	if (unlikely(d->rare->requests))
		dir_rare(j, d)->requests = 0;
}

/* step_wanted records an ACK of |psn|, which an ACK Request may have wanted. */
static inline void step_wanted(struct judge *j, struct dir *d, uint32_t psn)
{
	if (unlikely(d->rare->wanted_at) && psn == d->rare->wanted_psn)
		dir_rare(j, d)->wanted_at = 0;
}

/* step_count_ack counts an ACK and the PSNs by which it advances CACK_PSN. */
static inline void step_count_ack(struct dir *d, uint32_t cack)
{
	const int32_t n = serial_diff(cack, d->cack);

	d->stats.acks++;
	if (d->cack_known && n > 0 && n <= FLOW_WINDOW)
		d->stats.covered += (uint32_t)n;
}

/*
 * step_has_rtt returns true if the first ACK of |s| gives a round-trip time:
 * the PSN was sent once, and no ACK answered it before.
 */
static inline bool step_has_rtt(const struct psn_state *s)
{
	return s->copies == 1 && !(s->flags & (PSN_ACKED | PSN_OWN_ACK));
}

/*
 * step_due records that the last copy of a PSN asks for an answer.  If an ACK
 * covers the PSN already, the answer repeats that ACK; to a network duplicate
 * (retx = 0) it is optional then.
 */
static inline void step_due(struct judge *j, struct flow *f, struct dir *d,
			    struct psn_state *s, bool retx)
{
	const bool acked = psn_acked(f, d, s->psn);

	if (acked && !retx)
		return;
	s->flags |= PSN_DUE;
	if (likely(!acked))
		return;
	s->flags |= PSN_AGAIN;
	d->again = true;
	dir_rare(j, d)->again_psn = s->psn;
}

/*
 * step_answer_again records that the first ACK that covers a duplicate may be
 * the answer to it.
 */
static inline void step_answer_again(struct flow *f, struct dir *d,
				     uint32_t cack)
{
	struct psn_state *s;

	if (likely(!d->again) || serial_after(d->rare->again_psn, cack))
		return;
	d->again = false;
	s = psn_find(f, d, d->rare->again_psn);
	if (s)
		s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
}

/* step_answer records the first response to a PSN that has an SES header. */
static inline void step_answer(struct psn_state *s, const uint8_t *ses)
{
	s->answer_code = (uint8_t)((ses[0] & 3) << 6 | (ses[1] & 0x3f));
	s->flags |= PSN_OWN_ACK;
}

/*
 * step_own_ack records an ACK whose ACK_PSN is |s|.
 *
 * ses: its SES header, or NULL.
 */
static inline void step_own_ack(struct dir *d, struct psn_state *s,
				const uint8_t *ses, vtime at)
{
	step_cover(d, s, at);
	if (likely(ses && !(s->flags & PSN_OWN_ACK)))
		step_answer(s, ses);
	s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
}

/*
 * step_gap records that an ACK with this CACK_PSN shows that |top| arrived: a
 * lower PSN is missing if |top| is above CACK_PSN.
 */
static inline void step_gap(struct judge *j, struct dir *d, uint32_t cack,
			    uint32_t top, vtime at)
{
	struct dir_rare *r;

	if (likely(!serial_after(top, cack)))
		return;
	r = dir_rare(j, d);
	if (r->ngaps && r->gaps[r->ngaps - 1].at == at)
		top = serial_max(top, r->gaps[r->ngaps - 1].top);
	while (r->ngaps && !serial_after(r->gaps[r->ngaps - 1].top, top))
		r->ngaps--;
	if (r->ngaps == DIR_GAPS) {
		/* The last two become one, which excuses more than they did. */
		r->ngaps--;
		r->gaps[DIR_GAPS - 2].at = r->gaps[DIR_GAPS - 1].at;
	}
	r->gaps[r->ngaps++] = (struct gap){.top = top, .at = at};
}

/* step_ask_close records that the source of |d| asks for a close. */
static inline void step_ask_close(struct judge *j, struct flow *f,
				  struct dir *d, vtime at)
{
	f->close_asked = true;
	if (!d->rare->close_asked_at)
		dir_rare(j, d)->close_asked_at = at;
}

/*
 * step_sack records the PSNs that a SACK bitmap reports.  The highest of them
 * shows a gap, as step_gap() describes.
 */
static inline void step_sack(struct judge *j, struct flow *f, struct dir *d,
			     uint32_t cack, uint32_t sack_psn, uint64_t bitmap,
			     vtime at)
{
	uint64_t known = dir_sacked(d, sack_psn);
	struct dir_rare *r;
	struct psn_state *s;

	if (!bitmap)
		return;
	for (uint64_t bits = bitmap & ~known; bits; bits &= bits - 1) {
		s = psn_find(f, d, sack_psn + (uint32_t)__builtin_ctzll(bits));
		if (!s)
			continue;
		s->flags |= PSN_SACKED;
		if (!psn_trimmed(s) && !psn_refused(s))
			known |= bits & -bits;
	}
	r = dir_rare(j, d);
	r->sack_psn = sack_psn;
	r->sacked = known;
	step_gap(j, d, cack, sack_psn + 63 - (uint32_t)__builtin_clzll(bitmap),
		 at);
}

/* step_rcvd_bytes records the bytes that an ACK_CC reports as received. */
static inline void step_rcvd_bytes(struct judge *j, struct dir *d,
				   uint32_t rcvd_bytes)
{
	struct dir_rare *r = dir_rare(j, d);

	r->bytes_known = true;
	r->rcvd_bytes = rcvd_bytes;
}

/*
 * step_bytes_base begins to count the bytes of a direction with the first
 * rcvd_bytes that an ACK carries.
 */
static inline void step_bytes_base(struct judge *j, struct dir *d,
				   uint32_t rcvd_bytes)
{
	struct dir_cc *cc;

	if (likely(d->rare->cc.base_known))
		return;
	cc = &dir_rare(j, d)->cc;
	cc->base_known = true;
	cc->base = d->sums;
	cc->base_bytes = rcvd_bytes;
}

/* step_range records the MP_RANGE, above 0, that an ACK advertises. */
static inline void step_range(struct judge *j, struct dir *d, uint32_t range)
{
	struct dir_rare *r = dir_rare(j, d);

	r->mp_range = range > r->mp_last ? range : r->mp_last;
	r->mp_last = range;
}

/*
 * step_acked_to advances |acked_to| to the last PSN before the first
 * unacknowledged one.
 */
static inline void step_acked_to(struct flow *f, struct dir *d)
{
	const struct psn_state *s;

	if (likely(d->cack_known))
		d->acked_to = serial_max(d->acked_to, d->cack);
	while (unlikely(serial_before(d->acked_to, d->high)) &&
	       (s = psn_find(f, d, d->acked_to + 1)) && s->flags & PSN_ACKED)
		d->acked_to++;
}

#endif
