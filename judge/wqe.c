/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/wqe.c -- connections of the WQE extension and the rules about them.
 *
 * A packet that its receiver has to drop for its header alone has no part in a
 * connection, and nothing follows from it.  One that it has to drop for its
 * ICRC counts, and nothing else.
 */
#include "judge/wqe.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "judge/state.h"
#include "wire/ib.h"
#include "wire/ib_packet.h"

#define PKEY 0xffff
#define LIST 64 /* entries of an indication */

#define MTU_LEAST 256 /* of InfiniBand's */

/* What is known of a PSN: the packet that was sent first under it. */
struct psn_known {
	uint32_t number; /* of the connection; another: nothing is known */
	uint32_t psn, frame;
	uint32_t last;  /* the frame that it was sent in last */
	uint32_t asked; /* the one that asked for it last */
	struct wqeth x;
	uint32_t len; /* payload */
	bool ends;    /* its WQE */
	bool read;    /* it is one of what a read brings, */
	bool brought; /* and was brought; */
	bool torn;    /* it was sent as two that differ */
	bool open;    /* how many more it takes is not known */
	bool listed;  /* asked for, and not sent again since */
	bool due;     /* likewise, and nothing excuses the sender */
	bool again;   /* it was sent more than once, */
	vtime again_at;
	vtime acked_at; /* (una is behind it) */
};

struct wqe_link {
	uint32_t own_qpn;    /* the sender's; 0: no answer was seen */
	bool acked;          /* |una| is what an answer said */
	uint32_t low;        /* the first PSN that was seen */
	uint32_t next;       /* behind the highest PSN sent */
	uint32_t una;        /* the oldest that is not acknowledged */
	uint32_t listed;     /* PSNs that were asked for */
	uint32_t mtu;        /* 0: not known */
	bool back;           /* the sender was told to go back, */
	uint32_t back_psn;   /* to here, */
	uint32_t back_frame; /* by this one, */
	bool back_gap;       /* which misses just that PSN */
};

struct wqe_seen {
	struct ib_flows flows;
	struct wqe_link link[WQE_LINKS];
	struct psn_known psns[WQE_LINKS][WQE_WINDOW];
};

/* A packet, taken apart. */
struct sight {
	struct ib_sight ib;
	struct wqe_link *c;
	struct psn_known *psns; /* of the connection */
	struct bth bth;
	struct wqeth x;
	struct aeth aeth;
	struct rieth rieth;
	bool read;    /* a request for data, */
	bool data;    /* what it brings, */
	bool misses;  /* and what the requester misses of that */
	uint32_t len; /* payload */
	uint32_t psn; /* 32 bits */
};

/* ---- Life ---- */

int wqe_seen_new(struct wqe_seen **ret)
{
	struct wqe_seen *s = calloc(1, sizeof(*s));

	if (!s)
		return ERR_NOMEM;
	ib_flows_init(&s->flows, FAMILY_WQE, WQE_LINKS, WQE_FLOW);
	*ret = s;
	return 0;
}

void wqe_seen_free(struct wqe_seen *s)
{
	free(s);
}

struct ib_flows *wqe_seen_flows(struct wqe_seen *s)
{
	return s ? &s->flows : NULL;
}

/* ---- Connections ---- */

/* The one whose sender has that QP; or the only one of which that can be. */
static struct ib_flow *of_answer(struct wqe_seen *s, const struct sight *x)
{
	struct wqe_link *open = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < WQE_LINKS; i++) {
		struct wqe_link *c = &s->link[i];

		if (!ib_flow_is(&s->flows.v[i], &x->ib))
			continue;
		if (c->own_qpn == x->bth.dest_qp)
			return &s->flows.v[i];
		if (!c->own_qpn) {
			open = c;
			n++;
		}
	}
	if (n != 1 || x->ib.in->copy)
		return NULL;
	open->own_qpn = x->bth.dest_qp;
	return &s->flows.v[open - s->link];
}

/* SN 0 is where a connection begins; a packet before it may have been lost. */
static struct ib_flow *begin(struct wqe_seen *s, const struct sight *x)
{
	struct ib_flow *f = ib_flow_begin(&s->flows, &x->ib, x->bth.dest_qp,
					  ib_begins(x->bth.opcode));

	s->link[f - s->flows.v] = (struct wqe_link){
		.low = x->bth.psn,
		.next = x->bth.psn,
		.una = x->bth.psn,
	};
	return f;
}

/* ---- PSNs ---- */

static struct psn_known *known(const struct sight *x, uint32_t psn)
{
	struct psn_known *k = &x->psns[psn & (WQE_WINDOW - 1)];

	return k->number == x->ib.f->number && k->psn == psn ? k : NULL;
}

/* A read takes the PSNs of what it brings; 0: nobody knows how many. */
static uint32_t psns_of(const struct sight *x)
{
	const uint32_t len = x->x.wqe_length - x->x.wqe_offset;
	const uint32_t mtu = x->c->mtu;
	uint32_t n;

	if (!x->read || !len)
		return 1;
	if (!mtu)
		return len <= MTU_LEAST ? 1 : 0;
	n = (len - 1) / mtu + 1;
	return n < WQE_WINDOW / 2 ? n : 0;
}

/* The packet, and the |n| PSNs that it takes; 0: who knows? */
static void know(const struct sight *x, uint32_t n)
{
	for (uint32_t i = 0; i < (n ? n : 1); i++) {
		struct psn_known k = {
			.number = x->ib.f->number,
			.psn = x->psn + i,
			.frame = x->ib.in->frame,
			.last = x->ib.in->frame,
			.x = x->x,
			.len = x->len,
			.ends = ib_ends(x->bth.opcode),
			.read = x->read,
			.open = !n,
		};

		k.x.wqe_offset += i * x->c->mtu;
		x->psns[k.psn & (WQE_WINDOW - 1)] = k;
	}
}

/* ---- The sender ---- */

static bool differs(const struct psn_known *k, const struct wqeth *x)
{
	return k->x.wqe_sn != x->wqe_sn || k->x.wqe_offset != x->wqe_offset ||
	       k->x.wqe_length != x->wqe_length;
}

static void rule_repeated(struct sight *x, struct psn_known *k)
{
	const struct wqe_link *c = x->c;
	const bool acked = serial_before(x->psn, c->una);

	if (ib_asks(&x->ib, REQ_WQE_02, differs(k, &x->x)))
		because(x->ib.j,
			"psn=%u has another SN, OFF or LEN than in frame %u",
			ib_wire(x->psn), k->frame);
	k->torn |= differs(k, &x->x);
	if (!ib_saw_all(&x->ib) || x->read)
		return; /* what a read brought may have been lost */
	if (acked && x->ib.in->at - k->acked_at <= look_grace(&x->ib.j->conf))
		return; /* it may have waited in the sender's queues */
	if (ib_asks(&x->ib, REQ_I7, acked))
		because(x->ib.j,
			"psn=%u is sent again after it was acknowledged",
			ib_wire(x->psn));
	else if (ib_asks(&x->ib, REQ_WQE_16,
			 !k->listed && x->psn != c->una &&
				 !(c->back &&
				   !serial_before(x->psn, c->back_psn))))
		because(x->ib.j,
			"psn=%u is sent again: it was not asked for, and is "
			"not the oldest",
			ib_wire(x->psn));
}

/* What the packet of the PSN before says of this one. */
static void rule_follows(struct sight *x, const struct psn_known *k)
{
	const uint32_t sn = x->x.wqe_sn;

	if (k->ends) {
		const uint32_t want = (k->x.wqe_sn + 1) & SERIAL24_MASK;

		if (ib_asks(&x->ib, REQ_WQE_09, sn != want))
			because(x->ib.j, "SN is %u behind a WQE of SN %u", sn,
				k->x.wqe_sn);
		return;
	}
	if (ib_asks(&x->ib, REQ_WQE_04, sn != k->x.wqe_sn)) {
		because(x->ib.j, "SN is %u inside the WQE of SN %u", sn,
			k->x.wqe_sn);
		return;
	}
	if (ib_asks(&x->ib, REQ_WQE_06, x->x.wqe_length != k->x.wqe_length))
		because(x->ib.j, "LEN is %u in a WQE of %u", x->x.wqe_length,
			k->x.wqe_length);
	if (ib_asks(&x->ib, REQ_WQE_11,
		    x->x.wqe_offset != k->x.wqe_offset + k->len))
		because(x->ib.j, "OFF is %u behind %u bytes at %u",
			x->x.wqe_offset, k->len, k->x.wqe_offset);
}

static void rule_new(struct sight *x)
{
	const struct wqe_link *c = x->c;
	const struct psn_known *before = known(x, x->psn - 1);

	if (ib_begins(x->bth.opcode) && (!x->read || ib_saw_all(&x->ib)) &&
	    ib_asks(&x->ib, REQ_WQE_10, x->x.wqe_offset != 0))
		because(x->ib.j, "the first packet of SN %u has OFF %u",
			x->x.wqe_sn, x->x.wqe_offset);
	if (before && !before->open)
		rule_follows(x, before);
	if (!ib_saw_all(&x->ib))
		return;
	if (ib_asks(&x->ib, REQ_WQE_01, x->psn != c->next))
		because(x->ib.j, "psn=%u is new, psn=%u was to be the next",
			ib_wire(x->psn), ib_wire(c->next));
	if (ib_asks(&x->ib, REQ_WQE_14, c->listed != 0))
		because(x->ib.j,
			"psn=%u is new, and %u that were asked for are not "
			"on the wire again",
			ib_wire(x->psn), c->listed);
}

/* What was taken for the beginning was none. */
static void joined(struct sight *x)
{
	struct wqe_link *c = x->c;

	x->ib.f->whole = false;
	c->low = x->psn;
	if (!c->acked)
		c->una = x->psn;
}

static void sent_again(const struct sight *x, struct psn_known *k)
{
	x->c->listed -= k->due;
	k->listed = k->due = false;
	k->again = true;
	k->again_at = x->ib.in->at;
	k->last = x->ib.in->frame;
}

static void packet(struct sight *x)
{
	struct wqe_link *c = x->c;
	struct psn_known *k = known(x, x->psn);
	const uint32_t n = psns_of(x);

	if (serial_before(x->psn, c->next - WQE_WINDOW))
		return; /* too old to be remembered */
	if (serial_before(x->psn, c->low))
		joined(x);
	if (k)
		rule_repeated(x, k);
	else
		rule_new(x);
	if (!n)
		x->ib.f->whole = false;
	if (!k)
		know(x, n);
	for (uint32_t i = 0; k && i < (n ? n : 1); i++) {
		struct psn_known *part = known(x, x->psn + i);

		if (part)
			sent_again(x, part);
	}
	if (!serial_before(x->psn, c->next))
		c->next = x->psn + (n ? n : 1);
}

/* ---- The receiver ---- */

static void rule_covers(struct sight *x, uint32_t to)
{
	const struct wqe_link *c = x->c;
	uint32_t psn = c->una;

	if (!ib_saw_all(&x->ib) || serial_before(to, psn) ||
	    to - psn >= WQE_WINDOW)
		return;
	while (!serial_after(psn, to) && known(x, psn))
		psn++;
	if (ib_asks(&x->ib, REQ_I5, !serial_after(psn, to)))
		because(x->ib.j, "psn=%u is acknowledged and did not arrive",
			ib_wire(psn));
}

/* Behind the last PSN of any WQE of which LEN is known. */
static uint32_t end_known(const struct sight *x)
{
	const struct psn_known *last = known(x, x->c->next - 1);
	uint32_t left;

	if (!last || !last->len || last->ends)
		return x->c->next;
	left = last->x.wqe_length - last->x.wqe_offset - last->len;
	return x->c->next + (left + last->len - 1) / last->len;
}

static void rule_listed(struct sight *x, uint32_t psn)
{
	const struct wqe_link *c = x->c;

	if (!ib_saw_all(&x->ib))
		return;
	if (ib_asks(&x->ib, REQ_WQE_35, c->acked && serial_before(psn, c->una)))
		because(x->ib.j,
			"psn=%u is asked for after it was acknowledged",
			ib_wire(psn));
	if (ib_asks(&x->ib, REQ_WQE_34, !serial_before(psn, end_known(x))))
		because(x->ib.j,
			"psn=%u is asked for, of a WQE of which nothing "
			"is known",
			ib_wire(psn));
}

/*
 * "not re-sent within T_hold": an indication may have crossed the repetition.
 * How long a sender holds it back is its own choice, here two time-outs.
 */
static bool is_held(const struct sight *x, const struct psn_known *k)
{
	const struct judge_conf *conf = &x->ib.j->conf;
	const vspan hold = 2 * conf->rto_init + conf->rto_tolerance;

	return k->again &&
	       (!conf->rto_init || x->ib.in->at - k->again_at < hold);
}

static void list(void *arg, uint32_t psn24)
{
	struct sight *x = arg;
	const uint32_t psn = serial24_near(psn24, x->c->una);
	struct psn_known *k = known(x, psn);

	rule_listed(x, psn);
	if (!k || serial_before(psn, x->c->una))
		return;
	k->asked = x->ib.in->frame;
	k->listed = true;
	if (k->due || is_held(x, k))
		return;
	k->due = true;
	x->c->listed++;
}

static void acknowledge(struct sight *x, uint32_t to)
{
	struct wqe_link *c = x->c;

	rule_covers(x, to);
	c->acked |= !serial_before(to, c->una);
	for (; serial_before(c->una, c->next) && !serial_after(c->una, to);
	     c->una++) {
		struct psn_known *k = known(x, c->una);

		if (!k)
			continue;
		c->listed -= k->due;
		k->listed = k->due = false;
		k->acked_at = x->ib.in->at;
	}
}

/* An indication that its sender can read; the others it ignores. */
static bool is_indication(const struct sight *x)
{
	const struct packet *pkt = x->ib.in->pkt;
	const struct rieth *h = &x->rieth;
	const size_t words = h->count + (h->fmt == RIETH_BITMAP ? 1u : 0u);

	return x->bth.opcode == IB_WQE_RTX_IND && !h->ver &&
	       h->fmt <= RIETH_BITMAP && h->count && h->count <= LIST &&
	       pkt->len - pkt->payload == words * rieth_entry_len;
}

/* "any ACK outside [una-1, next] is ignored": it says nothing. */
static bool is_outside(const struct sight *x, uint32_t to)
{
	return serial_before(to, x->c->una - 1) ||
	       !serial_before(to, x->c->next);
}

static bool is_negative(const struct sight *x)
{
	return ib_is_nak(x->aeth.syndrome);
}

/* What it names is the last PSN that it acknowledges, or the one behind. */
static uint32_t acked_to(const struct sight *x)
{
	return is_negative(x) ? x->psn - 1 : x->psn;
}

static bool is_unreadable(const struct sight *x)
{
	return x->bth.opcode == IB_WQE_RTX_IND && !is_indication(x);
}

/* Who brings data is the sender of the patent. */
static void rule_brought(struct sight *x, struct psn_known *k)
{
	const struct ib_sight *ib = &x->ib;

	if (ib_asks_as(ib, REQ_SRC, REQ_WQE_04, x->x.wqe_sn != k->x.wqe_sn)) {
		because(ib->j, "SN is %u in what SN %u reads", x->x.wqe_sn,
			k->x.wqe_sn);
		return;
	}
	if (ib_asks_as(ib, REQ_SRC, REQ_WQE_06,
		       x->x.wqe_length != k->x.wqe_length))
		because(ib->j, "LEN is %u in what a read of %u brings",
			x->x.wqe_length, k->x.wqe_length);
	if (ib_asks_as(ib, REQ_SRC, REQ_WQE_11,
		       x->x.wqe_offset != k->x.wqe_offset))
		because(ib->j, "OFF is %u in psn=%u, which is at %u",
			x->x.wqe_offset, ib_wire(x->psn), k->x.wqe_offset);
}

static void brought(struct sight *x)
{
	struct psn_known *k = known(x, x->psn);

	if (!k || !k->read)
		return;
	if (!k->torn)
		rule_brought(x, k);
	k->brought = true;
}

/* A packet that was passed over is asked for, of a read, and did not come. */
static void miss(void *arg, uint32_t psn24)
{
	struct sight *x = arg;
	const uint32_t psn = serial24_near(psn24, x->c->next);
	const struct psn_known *k = known(x, psn);

	if (!ib_saw_all(&x->ib))
		return;
	if (ib_asks_as(&x->ib, REQ_DST, REQ_WQE_34, !k || !k->read))
		because(x->ib.j, "psn=%u is asked for, and no read takes it",
			ib_wire(psn));
	else if (ib_asks_as(&x->ib, REQ_DST, REQ_WQE_35, k && k->brought))
		because(x->ib.j, "psn=%u is asked for after it was brought",
			ib_wire(psn));
}

static void answer(struct sight *x)
{
	struct wqe_link *c = x->c;
	const uint32_t to = acked_to(x);

	if (is_unreadable(x))
		return;
	if (x->data)
		brought(x);
	if (is_outside(x, to)) {
		rule_covers(x, to);
		return;
	}
	acknowledge(x, to);
	if (is_indication(x)) {
		ib_packet_listed(x->ib.in->pkt, list, x);
	} else if (is_negative(x)) { /* RNR, or a gap: from here on */
		c->back = true;
		c->back_psn = x->psn;
		c->back_frame = x->ib.in->frame;
		c->back_gap = x->aeth.syndrome == IB_SYNDROME_PSN_SEQ;
	}
}

/* ---- Packets ---- */

static void read_answer(struct sight *x)
{
	const uint8_t *p = x->ib.in->pkt->p + bth_len;

	aeth_get(&x->aeth, p);
	if (x->bth.opcode == IB_WQE_RTX_IND)
		rieth_get(&x->rieth, p + aeth_len);
	x->misses = x->rieth.d;
	x->ib.answer = !x->misses;
}

static bool read(struct sight *x)
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
		read_answer(x);
		return true;
	}
	x->read = op == IB_RC_READ_REQ;
	x->data = op >= IB_RC_READ_RESP_FIRST && op <= IB_RC_READ_RESP_ONLY;
	x->ib.answer = x->data;
	if (op > IB_RC_READ_RESP_ONLY)
		return false; /* invalidation: not followed */
	wqeth_get(&x->x, pkt->p + pkt->payload - wqeth_len);
	x->len = (uint32_t)(pkt->len - pkt->payload - ib_packet_pad(pkt));
	return !x->x.ver && !x->x.rsvd_2;
}

/*
 * Why it is sent again.  What a receiver lists did not arrive; what lies behind
 * a NAK may have.
 */
static void note_cause(const struct sight *x, const struct psn_known *k)
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

static void note_sent(const struct sight *x, const struct psn_known *k)
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

static void note_answer(const struct sight *x)
{
	const struct wqe_link *c = x->c;
	struct judge_facts *f = &x->ib.j->facts;
	const uint32_t to = acked_to(x);

	if (is_unreadable(x) || is_outside(x, to) || serial_before(to, c->una))
		return;
	f->acks = true;
	f->acks_to = to;
	f->acks_from = serial_max(c->una - 1, to - WQE_WINDOW);
}

/* What is known of the packet before the connection takes it in. */
static void note_facts(const struct sight *x)
{
	const struct psn_known *k = known(x, x->psn);

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
		note_answer(x);
	else if (!x->misses)
		note_sent(x, k);
}

uint32_t wqe_seen_frame(const struct wqe_seen *s, uint32_t psn)
{
	const struct ib_flow *f = s->flows.last;
	const struct psn_known *k;
	size_t i;

	if (!f)
		return 0;
	i = (size_t)(f - s->flows.v);
	psn = serial24_near(psn, s->link[i].next);
	k = &s->psns[i][psn & (WQE_WINDOW - 1)];
	return k->number == f->number && k->psn == psn ? k->last : 0;
}

static void count(const struct sight *x)
{
	struct judge_tally *t = &x->ib.f->tally;
	struct judge_side_tally *s = &t->side[x->ib.answer];

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

static bool find_link(struct wqe_seen *s, struct sight *x)
{
	struct ib_flow *f =
		x->ib.answer ? of_answer(s, x)
			     : ib_flow_find(&s->flows, &x->ib, x->bth.dest_qp);

	if (!f && !x->ib.answer && !x->misses)
		f = begin(s, x);
	if (!f)
		return false;
	ib_flow_heard(&s->flows, &x->ib, f);
	x->c = &s->link[f - s->flows.v];
	x->psns = s->psns[f - s->flows.v];
	return true;
}

/* All but the last packet are full. */
static void learn_mtu(const struct sight *x)
{
	if (x->len && !ib_ends(x->bth.opcode))
		x->c->mtu = x->len;
}

void rules_wqe(struct judge *j, struct wqe_seen *s,
	       const struct judge_packet *p)
{
	struct sight x = {.ib = {.j = j, .in = p}};

	if (p->cut || !read(&x) || !find_link(s, &x))
		return;
	x.psn = serial24_near(x.bth.psn, x.c->next);
	note_facts(&x);
	count(&x);
	if (p->copy)
		return;
	learn_mtu(&x);
	if (x.misses) {
		if (is_indication(&x))
			ib_packet_listed(p->pkt, miss, &x);
	} else if (x.ib.answer) {
		answer(&x);
	} else {
		packet(&x);
	}
}
