/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/wqe.c -- the rules about connections of the WQE extension.
 *
 * A packet whose header makes its receiver drop it belongs to no connection and
 * is ignored.  A packet that is dropped for its ICRC is counted only.
 */
#include "judge/ib/wqe.h"

#include "judge/core/flow_stats.h"
#include "judge/core/state.h"
#include "judge/findings.h"
#include "judge/seen.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"

#define PKEY 0xffff
#define LIST 64 /* most entries of an indication */

/* ---- The sender ---- */

static bool judge_wqe_differs(const struct wqe_psn *k, const struct wqeth *x)
{
	return k->x.wqe_sn != x->wqe_sn || k->x.wqe_offset != x->wqe_offset ||
	       k->x.wqe_length != x->wqe_length;
}

static void rule_repeated(struct wqe_item *x, struct wqe_psn *k)
{
	const struct wqe_link *c = x->c;
	const bool acked = serial_before(x->psn, c->una);

	if (ib_asks(&x->ib, REQ_WQE_13, k->opcode != x->bth.opcode))
		because(x->ib.j,
			"psn=%u is another packet than in frame %u: its opcode "
			"was 0x%02x, and is 0x%02x",
			ib_wire(x->psn), k->frame, k->opcode, x->bth.opcode);
	else if (ib_asks(&x->ib, REQ_WQE_02, judge_wqe_differs(k, &x->x)))
		because(x->ib.j,
			"psn=%u has another SN, OFF or LEN than in frame %u",
			ib_wire(x->psn), k->frame);
	k->torn |= judge_wqe_differs(k, &x->x);
	if (!ib_saw_all(&x->ib) || x->read)
		return; /* the data of the read may have been lost */
	if (acked && x->ib.in->at - k->acked_at <= pkt_grace(&x->ib.j->conf))
		return; /* it may have waited in the send queue */
	if (ib_asks(&x->ib, REQ_I7, acked)) {
		ib_mark_soon(&x->ib, k->acked_at);
		because(x->ib.j,
			"psn=%u is retransmitted after it was acknowledged",
			ib_wire(x->psn));
	} else if (ib_asks(&x->ib, REQ_WQE_16,
			   !k->listed && x->psn != c->una &&
				   !(c->back &&
				     !serial_before(x->psn, c->back_psn))))
		because(x->ib.j,
			"psn=%u is retransmitted: it was not requested, and is "
			"not the oldest unacknowledged one",
			ib_wire(x->psn));
}

/* Checks a packet against the one with the previous PSN. */
static void judge_wqe_rule_follows(struct wqe_item *x, const struct wqe_psn *k)
{
	const uint32_t sn = x->x.wqe_sn;

	if (k->ends) {
		const uint32_t want = (k->x.wqe_sn + 1) & SERIAL24_MASK;

		if (ib_asks(&x->ib, REQ_WQE_09, sn != want))
			because(x->ib.j, "SN is %u after a WQE with SN %u", sn,
				k->x.wqe_sn);
		return;
	}
	if (ib_asks(&x->ib, REQ_WQE_04, sn != k->x.wqe_sn)) {
		because(x->ib.j, "SN is %u inside the WQE with SN %u", sn,
			k->x.wqe_sn);
		return;
	}
	if (ib_asks(&x->ib, REQ_WQE_06, x->x.wqe_length != k->x.wqe_length))
		because(x->ib.j, "LEN is %u inside a WQE with LEN %u",
			x->x.wqe_length, k->x.wqe_length);
	if (ib_asks(&x->ib, REQ_WQE_11,
		    x->x.wqe_offset != k->x.wqe_offset + k->len))
		because(x->ib.j, "OFF is %u after %u bytes at OFF %u",
			x->x.wqe_offset, k->len, k->x.wqe_offset);
}

/*
 * Returns true if a new packet begins a WQE.  Each request of a read looks like
 * the first: only the PSN tells whether an earlier part is still to be sent.
 */
static bool judge_wqe_begins(const struct wqe_item *x)
{
	if (x->read)
		return ib_saw_all(&x->ib) && x->psn == x->c->next;
	return ib_begins(x->bth.opcode);
}

static void judge_wqe_rule_new(struct wqe_item *x)
{
	const struct wqe_link *c = x->c;
	const struct wqe_psn *before = wqe_link_psn(x, x->psn - 1);

	if (judge_wqe_begins(x) &&
	    ib_asks(&x->ib, REQ_WQE_10, x->x.wqe_offset != 0))
		because(x->ib.j, "the first packet of SN %u has OFF %u",
			x->x.wqe_sn, x->x.wqe_offset);
	if (before && !before->open)
		judge_wqe_rule_follows(x, before);
	if (!ib_saw_all(&x->ib))
		return;
	if (ib_asks(&x->ib, REQ_WQE_01, x->psn != c->next))
		because(x->ib.j, "psn=%u is new, but the next PSN is %u",
			ib_wire(x->psn), ib_wire(c->next));
	if (ib_asks(&x->ib, REQ_WQE_14, c->listed != 0))
		because(x->ib.j,
			"psn=%u is new, but %u requested packets were not "
			"retransmitted yet",
			ib_wire(x->psn), c->listed);
}

static void judge_wqe_packet(struct wqe_item *x)
{
	struct wqe_link *c = x->c;
	struct wqe_psn *k = wqe_link_psn(x, x->psn);
	const uint32_t n = wqe_link_takes(x);

	if (serial_before(x->psn, c->next - WQE_WINDOW))
		return; /* too old to be remembered */
	if (serial_before(x->psn, c->low))
		wqe_link_midstream(x);
	if (k)
		rule_repeated(x, k);
	else
		judge_wqe_rule_new(x);
	if (!n)
		x->ib.f->complete = false;
	if (!k)
		wqe_link_add(x, n);
	for (uint32_t i = 0; k && i < (n ? n : 1); i++) {
		struct wqe_psn *part = wqe_link_psn(x, x->psn + i);

		if (part)
			wqe_link_again(x, part);
	}
	if (!serial_before(x->psn, c->next))
		c->next = x->psn + (n ? n : 1);
}

/* ---- The receiver ---- */

static void judge_wqe_rule_covers(struct wqe_item *x, uint32_t to)
{
	const struct wqe_link *c = x->c;
	uint32_t psn = c->una;

	if (!ib_saw_all(&x->ib) || serial_before(to, psn) ||
	    to - psn >= WQE_WINDOW)
		return;
	while (!serial_after(psn, to) && wqe_link_psn(x, psn))
		psn++;
	if (ib_asks(&x->ib, REQ_I5, !serial_after(psn, to)))
		because(x->ib.j, "psn=%u is acknowledged but did not arrive",
			ib_wire(psn));
}

/* Returns the PSN after the last known WQE, computed from its LEN. */
static uint32_t end_known(const struct wqe_item *x)
{
	const struct wqe_psn *last = wqe_link_psn(x, x->c->next - 1);
	uint32_t left;

	if (!last || !last->len || last->ends)
		return x->c->next;
	left = last->x.wqe_length - last->x.wqe_offset - last->len;
	return x->c->next + (left + last->len - 1) / last->len;
}

static void rule_listed(struct wqe_item *x, uint32_t psn)
{
	const struct wqe_link *c = x->c;

	if (!ib_saw_all(&x->ib))
		return;
	if (ib_asks(&x->ib, REQ_WQE_35, c->acked && serial_before(psn, c->una)))
		because(x->ib.j,
			"psn=%u is requested after it was acknowledged",
			ib_wire(psn));
	if (ib_asks(&x->ib, REQ_WQE_34, !serial_before(psn, end_known(x))))
		because(x->ib.j,
			"psn=%u is requested, but the receiver knows no "
			"packet of its WQE",
			ib_wire(psn));
}

/*
 * "not re-sent within T_hold": an indication may have crossed the
 * retransmission. A sender chooses T_hold itself; here it is two time-outs.
 */
static bool judge_wqe_is_held(const struct wqe_item *x, const struct wqe_psn *k)
{
	const struct judge_conf *conf = &x->ib.j->conf;
	const vspan hold = 2 * conf->rto_init + conf->rto_tolerance;

	return k->again &&
	       (!conf->rto_init || x->ib.in->at - k->again_at < hold);
}

static void judge_wqe_list(void *arg, uint32_t psn24)
{
	struct wqe_item *x = arg;
	const uint32_t psn = serial24_near(psn24, x->c->una);
	struct wqe_psn *k = wqe_link_psn(x, psn);

	rule_listed(x, psn);
	if (!k || serial_before(psn, x->c->una))
		return;
	k->asked = x->ib.in->frame;
	k->listed = true;
	if (k->due || judge_wqe_is_held(x, k))
		return;
	k->due = true;
	x->c->listed++;
}

static void judge_wqe_acknowledge(struct wqe_item *x, uint32_t to)
{
	struct wqe_link *c = x->c;

	judge_wqe_rule_covers(x, to);
	c->acked |= !serial_before(to, c->una);
	for (; serial_before(c->una, c->next) && !serial_after(c->una, to);
	     c->una++) {
		struct wqe_psn *k = wqe_link_psn(x, c->una);

		if (!k)
			continue;
		c->listed -= k->due;
		k->listed = k->due = false;
		k->acked_at = x->ib.in->at;
	}
}

/*
 * Returns true for an indication that its receiver can parse; it ignores
 * others.
 */
static bool is_indication(const struct wqe_item *x)
{
	const struct packet *pkt = x->ib.in->pkt;
	const struct rieth *h = &x->rieth;
	const size_t words = h->count + (h->fmt == RIETH_BITMAP ? 1u : 0u);

	return x->bth.opcode == IB_WQE_RTX_IND && !h->ver &&
	       h->fmt <= RIETH_BITMAP && h->count && h->count <= LIST &&
	       pkt->len - pkt->payload == words * rieth_entry_len;
}

/* "any ACK outside [una-1, next] is ignored": it acknowledges nothing. */
static bool judge_wqe_is_outside(const struct wqe_item *x, uint32_t to)
{
	return serial_before(to, x->c->una - 1) ||
	       !serial_before(to, x->c->next);
}

static bool is_negative(const struct wqe_item *x)
{
	return ib_is_nak(x->aeth.syndrome);
}

/*
 * Returns true if the first answer acknowledges PSNs of no known WQE, and says
 * that no message is complete.  The connection began after those PSNs, which
 * packets alone do not say: the receiver takes a request with a PSN before its
 * first one for a duplicate, and repeats its last ACK.  It repeats no NAK and
 * no indication.
 */
static bool is_of_earlier(const struct wqe_item *x, uint32_t to)
{
	if (x->c->acked || x->data || is_negative(x) ||
	    x->bth.opcode == IB_WQE_RTX_IND)
		return false;
	return !x->aeth.msn && !serial_before(to, end_known(x));
}

/*
 * Returns the last acknowledged PSN.  A NAK carries the PSN after it, other
 * answers the PSN itself.
 */
static uint32_t acked_to(const struct wqe_item *x)
{
	if (is_negative(x))
		return x->psn - 1;
	return x->psn;
}

static bool is_unreadable(const struct wqe_item *x)
{
	return x->bth.opcode == IB_WQE_RTX_IND && !is_indication(x);
}

/* Applies the rules for a sender to read data, which the responder sends. */
static void rule_brought(struct wqe_item *x, struct wqe_psn *k)
{
	const struct ib_item *ib = &x->ib;

	if (ib_asks_as(ib, REQ_SRC, REQ_WQE_04, x->x.wqe_sn != k->x.wqe_sn)) {
		because(ib->j, "SN is %u in the data of the read with SN %u",
			x->x.wqe_sn, k->x.wqe_sn);
		return;
	}
	if (ib_asks_as(ib, REQ_SRC, REQ_WQE_06,
		       x->x.wqe_length != k->x.wqe_length))
		because(ib->j, "LEN is %u in the data of a read with LEN %u",
			x->x.wqe_length, k->x.wqe_length);
	if (ib_asks_as(ib, REQ_SRC, REQ_WQE_42,
		       x->x.wqe_offset != k->x.wqe_offset))
		because(ib->j, "OFF is %u in psn=%u, but its OFF should be %u",
			x->x.wqe_offset, ib_wire(x->psn), k->x.wqe_offset);
}

static void brought(struct wqe_item *x)
{
	struct wqe_psn *k = wqe_link_psn(x, x->psn);

	if (!k || !k->read)
		return;
	if (!k->torn)
		rule_brought(x, k);
	k->brought = true;
}

/*
 * The requester requests a packet of read data that it missed.  The packet must
 * belong to a read, and must not have been sent.
 */
static void miss(void *arg, uint32_t psn24)
{
	struct wqe_item *x = arg;
	const uint32_t psn = serial24_near(psn24, x->c->next);
	const struct wqe_psn *k = wqe_link_psn(x, psn);

	if (!ib_saw_all(&x->ib))
		return;
	if (ib_asks_as(&x->ib, REQ_DST, REQ_WQE_34, !k || !k->read))
		because(x->ib.j, "psn=%u is requested, but no read uses it",
			ib_wire(psn));
	else if (ib_asks_as(&x->ib, REQ_DST, REQ_WQE_35, k && k->brought))
		because(x->ib.j, "psn=%u is requested after it was sent",
			ib_wire(psn));
}

static void judge_wqe_answer(struct wqe_item *x)
{
	struct wqe_link *c = x->c;
	const uint32_t to = acked_to(x);

	if (is_unreadable(x))
		return;
	if (x->data)
		brought(x);
	if (is_of_earlier(x, to)) {
		x->ib.f->complete = false;
		return;
	}
	if (judge_wqe_is_outside(x, to)) {
		judge_wqe_rule_covers(x, to);
		return;
	}
	judge_wqe_acknowledge(x, to);
	if (is_indication(x)) {
		ib_packet_listed(x->ib.in->pkt, judge_wqe_list, x);
		/* RNR or a gap: the sender must go back to this PSN */
	} else if (is_negative(x)) {
		c->back = true;
		c->back_psn = x->psn;
		c->back_frame = x->ib.in->frame;
		c->back_gap = x->aeth.syndrome == IB_SYNDROME_PSN_SEQ;
	}
}

/* ---- Packets ---- */

static void judge_wqe_read_answer(struct wqe_item *x)
{
	const uint8_t *p = x->ib.in->pkt->p + bth_len;

	aeth_get(&x->aeth, p);
	if (x->bth.opcode == IB_WQE_RTX_IND)
		rieth_get(&x->rieth, p + aeth_len);
	x->misses = x->rieth.d;
	x->ib.answer = !x->misses;
}

static bool judge_wqe_read(struct wqe_item *x)
{
	const struct packet *pkt = x->ib.in->pkt;
	uint8_t op;

	if (pkt->fault != PACKET_OK || pkt->len < bth_len)
		return false;
	bth_get(&x->bth, pkt->p);
	if (ib_class_of(x->bth.opcode) != IB_CLASS_WQE || x->bth.tver ||
	    x->bth.pkey != PKEY)
		return false;
	op = x->bth.opcode & 0x1f;
	if (x->bth.opcode == IB_WQE_ACK || x->bth.opcode == IB_WQE_RTX_IND) {
		judge_wqe_read_answer(x);
		return true;
	}
	x->read = op == IB_RC_READ_REQ;
	x->data = op >= IB_RC_READ_RESP_FIRST && op <= IB_RC_READ_RESP_ONLY;
	x->ib.answer = x->data;
	if (op > IB_RC_READ_RESP_ONLY)
		return false; /* an invalidation is not followed */
	wqeth_get(&x->x, pkt->p + pkt->payload - wqeth_len);
	x->len = (uint32_t)(pkt->len - pkt->payload - ib_packet_pad(pkt));
	return !x->x.ver && !x->x.rsvd_2;
}

/*
 * Finds the cause of a retransmission.  A listed packet did not arrive; a
 * packet after the PSN of a NAK may have arrived.
 */
static void note_cause(const struct wqe_item *x, const struct wqe_psn *k)
{
	const struct wqe_link *c = x->c;
	struct judge_facts *f = &x->ib.j->facts;

	if (k->listed) {
		f->cause = CAUSE_GAP;
		f->asked_frame = k->asked;
	} else if (c->back && k->last < c->back_frame &&
		   !serial_before(x->psn, c->back_psn)) {
		f->cause = c->back_gap && x->psn == c->back_psn ? CAUSE_GAP
								: CAUSE_NACK;
		f->asked_frame = c->back_frame;
	}
}

static void judge_wqe_note_sent(const struct wqe_item *x,
				const struct wqe_psn *k)
{
	const int32_t ahead = serial_diff(x->psn, x->c->next);
	struct judge_facts *f = &x->ib.j->facts;

	f->takes_psn = true;
	if (k)
		note_cause(x, k);
	else if (ahead < 0)
		f->late = true;
	else
		f->skipped = (uint32_t)ahead;
}

static void judge_wqe_note_answer(const struct wqe_item *x)
{
	const struct wqe_link *c = x->c;
	struct judge_facts *f = &x->ib.j->facts;
	const uint32_t to = acked_to(x);

	if (is_unreadable(x) || judge_wqe_is_outside(x, to) ||
	    serial_before(to, c->una))
		return;
	f->acks = true;
	f->acks_to = to;
	f->acks_from = serial_max(c->una - 1, to - WQE_WINDOW);
}

/* Records the facts of a packet before it changes the connection. */
static void judge_wqe_note_facts(const struct wqe_item *x)
{
	const struct wqe_psn *k = wqe_link_psn(x, x->psn);

	x->ib.j->facts = (struct judge_facts){
		.flow = x->ib.f->number,
		.from = x->ib.answer,
		.initiator = 0,
		.about = true,
		.psn = x->bth.psn,
		.frame = k ? k->last : 0,
		.acked = k && serial_before(x->psn, x->c->una),
	};
	if (x->ib.answer)
		judge_wqe_note_answer(x);
	else if (!x->misses)
		judge_wqe_note_sent(x, k);
}

static void judge_wqe_count(const struct wqe_item *x)
{
	struct judge_flow_stats *t = &x->ib.f->stats;
	struct judge_side_stats *s = &t->side[x->ib.answer];

	t->last_at = x->ib.in->at;
	s->packets++;
	if (!x->ib.answer && !x->misses)
		s->requests++;
	else if (x->bth.opcode == IB_WQE_RTX_IND || is_negative(x))
		s->nacks++;
	else
		s->acks++;
	if (x->ib.j->facts.takes_psn && x->ib.j->facts.frame)
		s->again[x->ib.j->facts.cause]++;
}

void rules_wqe(struct judge *j, void *state, const struct judge_packet *p)
{
	struct wqe_seen *s = state;
	struct wqe_item x = {.ib = {.j = j, .in = p}};

	if (p->cut || !judge_wqe_read(&x) || !wqe_link_find(s, &x))
		return;
	x.psn = serial24_near(x.bth.psn, x.c->next);
	judge_wqe_note_facts(&x);
	judge_wqe_count(&x);
	if (p->copy)
		return;
	wqe_link_learn_mtu(&x);
	if (x.misses) {
		if (is_indication(&x))
			ib_packet_listed(p->pkt, miss, &x);
	} else if (x.ib.answer) {
		judge_wqe_answer(&x);
	} else {
		judge_wqe_packet(&x);
	}
}
