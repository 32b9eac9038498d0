/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/link.h -- conditions of a judge at the link of an end.
 *
 * There the order and the times of packets count, so more rules check a packet:
 * those of PKT_HERE and PKT_THERE.  Each function states when one or some of
 * these rules find nothing.  Included by judge/fast/conditions.h.
 */
#ifndef JUDGE_FAST_LINK_H
#define JUDGE_FAST_LINK_H

#include "judge/fast/fast_pkt.h"
#include "judge/uet/flow/bytes.h"
#include "judge/uet/flow/ring.h"

/* link_afar returns true if the judge is at the link of neither end. */
static inline bool link_afar(const struct flow *f)
{
	return !f->end[0].here && !f->end[1].here;
}

/* ---- The headers around a packet ---- */

static inline bool link_plain(const struct dgram *d)
{
	return !d->udp_dport && !d->udp_checksum && !d->ip_proto && !d->no_df;
}

/* link_headers returns two bits: which outer headers are judged. */
static inline unsigned link_headers(const struct dgram *d)
{
	return (unsigned)(d->headers != 0) << 1 | (unsigned)(d->src.len == 4);
}

/*
 * link_codepoint returns true if the DSCP fits a request or an answer, as far
 * as the declaration has another one for each.
 */
static inline bool link_codepoint(const struct fast_pkt *x, bool request)
{
	const struct judge_conf *conf = x->conf;

	if (!conf->dscp_known || conf->dscp_data == conf->dscp_control)
		return true;
	return (x->in->d->dscp == conf->dscp_control) != request;
}

/* ---- Requests ---- */

/*
 * link_in_window returns true if a request lies in the window of its source, as
 * far as ACKs have told it.
 */
static inline bool link_in_window(const struct fast_pkt *x)
{
	const uint32_t range = dir_range(x->d, x->conf);

	return !x->d->cack_known || !range ||
	       serial_diff(x->psn, x->d->cack) <= (int32_t)range;
}

/* link_window returns two bits: where the window ends, and what tells it. */
static inline unsigned link_window(const struct fast_pkt *x)
{
	return (unsigned)x->d->cack_known << 1 |
	       (unsigned)(x->d->rare->mp_range != 0);
}

/*
 * link_clear_due returns true if the source has had the time to read the last
 * CACK_PSN, so that its CLEAR_PSN follows.
 */
static inline bool link_clear_due(const struct fast_pkt *x)
{
	return x->d->cack_known && x->d->cack_at &&
	       x->in->at - x->d->cack_at > pkt_grace(x->conf);
}

/*
 * link_clear_follows returns true if CLEAR_PSN did not decrease, and follows
 * CACK_PSN if that is due.
 */
static inline bool link_clear_follows(const struct fast_pkt *x)
{
	if (x->d->clear_known && serial_before(x->clear, x->d->clear))
		return false;
	return !serial_before(x->clear, x->d->cack) || !link_clear_due(x);
}

/*
 * link_syn_late returns true if the initiator must know the TPDCID, so that
 * rules check syn.
 */
static inline bool link_syn_late(const struct fast_pkt *x)
{
	const struct flow *f = x->f;

	if (x->from != 0)
		return false;
	if (f->complete && f->known_at &&
	    x->in->at - f->known_at > pkt_grace(x->conf))
		return true;
	return f->syn_done && serial_after(x->psn, f->syn_done_psn);
}

/*
 * Returns the message that a standard request continues, if the judge knows it.
 */
static inline const struct message *link_continued(const struct fast_pkt *x)
{
	if (x->next_hdr != PDS_NEXT_REQUEST_STD || x->std.som)
		return NULL;
	return message_find(x->d, x->std.message_id);
}

/*
 * link_began returns true if a standard request begins a message, or continues
 * one that the judge knows.
 */
static inline bool link_began(const struct fast_pkt *x)
{
	return x->next_hdr != PDS_NEXT_REQUEST_STD || x->std.som ||
	       link_continued(x);
}

/*
 * link_may_be_older returns true if another message had the slot of the
 * continued one before, so that the judge cannot know all that began.
 */
static inline bool link_may_be_older(const struct fast_pkt *x)
{
	const struct message *m = link_continued(x);

	return m && m->evicted;
}

/* ---- ACKs ---- */

/* link_mark returns true if m shows whether the request was CE-marked. */
static inline bool link_mark(const struct fast_pkt *x)
{
	if (x->m_flag)
		return x->s->flags & PSN_CE || x->d->ce_unsaid;
	return x->s->flags & PSN_NO_CE;
}

/* link_cack_rises returns true if CACK_PSN neither decreases nor wraps. */
static inline bool link_cack_rises(const struct fast_pkt *x)
{
	return !x->d->cack_known ||
	       (!serial_before(x->cack, x->d->cack) && x->cack >= x->d->cack);
}

/*
 * link_bytes returns true if rcvd_bytes is right: as the rules of a judge at
 * the sender's link compute it, or those of any other judge.
 */
static inline bool link_bytes(const struct fast_pkt *x)
{
	const struct dir_rare *r = x->d->rare;
	const uint32_t told = x->nscc.rcvd_bytes;
	uint32_t units;

	if (!x->has_nscc)
		return true;
	if (x->here && r->bytes_known && !bytes_rise(r->rcvd_bytes, told))
		return false;
	if (!r->cc.base_known)
		return true;
	units = bytes_grown(r->cc.base_bytes, told);
	if (!x->here)
		return bytes_sent_fit(x->d, units);
	return bytes_are_within(bytes_of_arrived(x->d), units) &&
	       bytes_are_within(bytes_of_nominal(x->d), units);
}

/*
 * link_service returns true if service_time is not longer than the time since
 * the request, which was sent once.
 */
static inline bool link_service(const struct fast_pkt *x)
{
	const vspan claimed = x->nscc.service_time * (vspan)SERVICE_UNIT;

	return !x->has_nscc || claimed <= x->in->at - x->s->first_at +
						  VSPAN_US +
						  x->conf->time_error;
}

/* link_sack returns true if the judge saw every PSN arrive that SACK reports.
 */
static inline bool link_sack(const struct fast_pkt *x)
{
	const struct psn_state *s;
	uint64_t bits;

	if (!x->has_cc || !x->sack_bitmap)
		return true;
	bits = x->sack_bitmap & ~dir_sacked(x->d, x->sack_psn);
	for (; bits; bits &= bits - 1) {
		s = psn_find(x->f, x->d,
			     x->sack_psn + (uint32_t)__builtin_ctzll(bits));
		if (!s || psn_trimmed(s))
			return false;
		if (x->here && psn_refused(s) && !(s->flags & PSN_ACKED))
			return false;
	}
	return true;
}

/*
 * link_dropped returns true if an ACK may cover a PSN whose copies were all
 * dropped: a NACK told so.
 */
static inline bool link_dropped(const struct fast_pkt *x)
{
	const int32_t ahead = serial_diff(x->cack, x->d->cack);
	const struct psn_state *s = x->s;

	if (!x->d->rare->nack_at)
		return false;
	if (s->drops && !(s->flags & PSN_ACKED))
		return true;
	if (!x->d->cack_known || ahead < 0)
		return false;
	if (ahead > FLOW_WINDOW)
		return true;
	for (uint32_t psn = x->d->cack + 1; !serial_after(psn, x->cack);
	     psn++) {
		s = psn_find(x->f, x->d, psn);
		if (s && s->drops && !(s->flags & PSN_ACKED))
			return true;
	}
	return false;
}

/* link_order returns what the judge at the sender's link knows of ooo_count. */
static inline enum link_order link_order(const struct fast_pkt *x)
{
	const struct ooo_ack a = {x->s, x->cack, x->ack_psn, x->sack_psn,
				  x->sack_bitmap};
	const uint16_t ooo = x->nscc.ooo_count;

	if (!x->has_nscc || !x->d->start_known || ooo == OOO_NONE)
		return LINK_ANY_COUNT;
	if (ooo_none(x->f, x->d, &a))
		return ooo ? LINK_WRONG : LINK_IN_ORDER;
	if (!x->s || !ooo_some(x->d, &a))
		return LINK_ANY_COUNT;
	return ooo && ooo <= ooo_most(x->d, &a) ? LINK_GAP : LINK_WRONG;
}

/* Returns true if all PSNs below the acknowledged one were acknowledged. */
static inline bool link_is_next(const struct fast_pkt *x)
{
	return !serial_before(x->d->acked_to, x->ack_psn - 1);
}

/*
 * link_cack_follows returns true if CACK_PSN advances to the PSN that the ACK
 * answers, if all PSNs below were acknowledged.
 */
static inline bool link_cack_follows(const struct fast_pkt *x)
{
	return x->f->initiator == (int)x->from || !link_is_next(x) ||
	       !serial_before(x->cack, x->ack_psn);
}

#endif
