/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/wqe.c -- connections of the WQE extension and the rules about them.
 *
 * A packet that its receiver has to drop for its header alone has no part in a
 * connection, and nothing follows from it.
 */
#include "judge/wqe.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "judge/state.h"
#include "wire/ib.h"
#include "wire/ib_packet.h"

#define PKEY 0xffff
#define LIST 64 /* entries of an indication */

/* What is known of a PSN: the packet that was sent first under it. */
struct psn_known {
	uint32_t owner; /* of the connection; another value: nothing is known */
	uint32_t psn, frame;
	struct wqeth x;
	uint32_t len; /* payload */
	bool ends;    /* its WQE */
	bool listed;  /* asked for, and not sent again since */
};

struct wqe_link {
	bool used;
	uint32_t owner; /* not 0, never used twice */
	struct ip_addr sender, receiver;
	uint32_t qpn;      /* the receiver's */
	uint32_t own_qpn;  /* the sender's; 0: no answer was seen */
	bool whole;        /* every packet of it was seen */
	bool acked;        /* |una| is what an answer said */
	uint32_t low;      /* the first PSN that was seen */
	uint32_t next;     /* behind the highest PSN sent */
	uint32_t una;      /* the oldest that is not acknowledged */
	uint32_t listed;   /* PSNs that were asked for */
	bool back;         /* the sender was told to go back, */
	uint32_t back_psn; /* to here */
	uint64_t used_at;  /* larger: later */
	uint32_t first_frame;
	vtime first_at;
	struct judge_tally tally;
};

struct wqe_seen {
	uint32_t owners;
	uint64_t clock;
	struct wqe_link link[WQE_LINKS];
	struct psn_known psns[WQE_LINKS][WQE_WINDOW];
};

/* A packet, taken apart. */
struct sight {
	struct judge *j;
	const struct judge_packet *in;
	struct wqe_link *c;
	struct psn_known *psns; /* of the connection */
	struct bth bth;
	struct wqeth x;
	struct aeth aeth;
	struct rieth rieth;
	bool answer, begins, ends;
	uint32_t len; /* payload */
	uint32_t psn; /* 32 bits */
};

/* ---- Life ---- */

int wqe_seen_new(struct wqe_seen **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : ERR_NOMEM;
}

void wqe_seen_free(struct wqe_seen *s)
{
	free(s);
}

/* What PSNs are known of goes with the owners: none is used twice. */
void wqe_seen_reset(struct wqe_seen *s)
{
	if (!s)
		return;
	memset(s->link, 0, sizeof(s->link));
	s->clock = 0;
}

void wqe_seen_doubt(struct wqe_seen *s)
{
	for (unsigned i = 0; s && i < WQE_LINKS; i++)
		s->link[i].whole = false;
}

/* ---- Findings ---- */

static const struct ip_addr *side_of(const struct sight *x)
{
	return x->answer ? &x->c->receiver : &x->c->sender;
}

/* Whether the judge saw packets in the order in which that side did. */
static bool is_here(const struct sight *x)
{
	const struct judge_conf *conf = &x->j->conf;

	return !conf->afar &&
	       (!conf->here.len || ip_addr_equal(&conf->here, side_of(x)));
}

static uint32_t number_of(const struct wqe_link *c)
{
	return WQE_FLOW | (c->owner - 1);
}

/*
 * asks counts that somebody was in a position to break a rule, and begins a
 * finding if it was broken.
 */
static bool asks(struct sight *x, enum req_id req, bool broken)
{
	const enum req_role role = x->answer ? REQ_DST : REQ_SRC;
	struct finding *f;

	judge_side(x->j, side_of(x))->seen[req][role == REQ_DST]++;
	if (!broken)
		return false;
	f = judge_found(x->j);
	f->req = req;
	f->role = role;
	f->side = *side_of(x);
	f->frame = x->in->frame;
	f->flow = number_of(x->c);
	f->ends[0] = x->c->sender;
	f->ends[1] = x->c->receiver;
	return true;
}

static uint32_t wire(uint32_t psn)
{
	return psn & SERIAL24_MASK;
}

/* ---- Connections ---- */

static bool is_between(const struct wqe_link *c, const struct ip_addr *sender,
		       const struct ip_addr *receiver)
{
	return c->used && ip_addr_equal(&c->sender, sender) &&
	       ip_addr_equal(&c->receiver, receiver);
}

static struct wqe_link *of_packet(struct wqe_seen *s, const struct sight *x)
{
	for (unsigned i = 0; i < WQE_LINKS; i++) {
		struct wqe_link *c = &s->link[i];

		if (is_between(c, &x->in->d->src, &x->in->d->dst) &&
		    c->qpn == x->bth.dest_qp)
			return c;
	}
	return NULL;
}

/* The one whose sender has that QP; or the only one of which that can be. */
static struct wqe_link *of_answer(struct wqe_seen *s, const struct sight *x)
{
	struct wqe_link *open = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < WQE_LINKS; i++) {
		struct wqe_link *c = &s->link[i];

		if (!is_between(c, &x->in->d->dst, &x->in->d->src))
			continue;
		if (c->own_qpn == x->bth.dest_qp)
			return c;
		if (!c->own_qpn) {
			open = c;
			n++;
		}
	}
	if (n != 1)
		return NULL;
	open->own_qpn = x->bth.dest_qp;
	return open;
}

/* A place for one more: the one that was silent longest gives way. */
static struct wqe_link *place(struct wqe_seen *s)
{
	struct wqe_link *oldest = &s->link[0];

	for (unsigned i = 0; i < WQE_LINKS; i++) {
		if (!s->link[i].used)
			return &s->link[i];
		if (s->link[i].used_at < oldest->used_at)
			oldest = &s->link[i];
	}
	return oldest;
}

/* SN 0 is where a connection begins; a packet before it may have been lost. */
static struct wqe_link *begin(struct wqe_seen *s, const struct sight *x)
{
	struct wqe_link *c = place(s);

	x->j->totals.flows++;
	*c = (struct wqe_link){
		.used = true,
		.owner = ++s->owners,
		.sender = x->in->d->src,
		.receiver = x->in->d->dst,
		.qpn = x->bth.dest_qp,
		.whole = x->j->conf.whole && x->begins,
		.low = x->bth.psn,
		.next = x->bth.psn,
		.una = x->bth.psn,
		.first_frame = x->in->frame,
		.first_at = x->in->at,
	};
	return c;
}

/* ---- PSNs ---- */

static struct psn_known *known(const struct sight *x, uint32_t psn)
{
	struct psn_known *k = &x->psns[psn & (WQE_WINDOW - 1)];

	return k->owner == x->c->owner && k->psn == psn ? k : NULL;
}

static void know(const struct sight *x)
{
	x->psns[x->psn & (WQE_WINDOW - 1)] = (struct psn_known){
		.owner = x->c->owner,
		.psn = x->psn,
		.frame = x->in->frame,
		.x = x->x,
		.len = x->len,
		.ends = x->ends,
	};
}

/* ---- The sender ---- */

static void rule_repeated(struct sight *x, struct psn_known *k)
{
	const struct wqe_link *c = x->c;

	if (asks(x, REQ_WQE_02,
		 k->x.wqe_sn != x->x.wqe_sn ||
			 k->x.wqe_offset != x->x.wqe_offset ||
			 k->x.wqe_length != x->x.wqe_length))
		because(x->j,
			"psn=%u has another SN, OFF or LEN than in frame %u",
			wire(x->psn), k->frame);
	if (!is_here(x) || !c->whole)
		return;
	if (asks(x, REQ_I7, serial_before(x->psn, c->una)))
		because(x->j, "psn=%u is sent again after it was acknowledged",
			wire(x->psn));
	else if (asks(x, REQ_WQE_16,
		      !k->listed && x->psn != c->una &&
			      !(c->back &&
				!serial_before(x->psn, c->back_psn))))
		because(x->j,
			"psn=%u is sent again: it was not asked for, and is "
			"not the oldest",
			wire(x->psn));
}

/* What the packet of the PSN before says of this one. */
static void rule_follows(struct sight *x, const struct psn_known *k)
{
	const uint32_t sn = x->x.wqe_sn;

	if (k->ends) {
		const uint32_t want = (k->x.wqe_sn + 1) & SERIAL24_MASK;

		if (asks(x, REQ_WQE_09, sn != want))
			because(x->j, "SN is %u behind a WQE of SN %u", sn,
				k->x.wqe_sn);
		return;
	}
	if (asks(x, REQ_WQE_04, sn != k->x.wqe_sn)) {
		because(x->j, "SN is %u inside the WQE of SN %u", sn,
			k->x.wqe_sn);
		return;
	}
	if (asks(x, REQ_WQE_06, x->x.wqe_length != k->x.wqe_length))
		because(x->j, "LEN is %u in a WQE of %u", x->x.wqe_length,
			k->x.wqe_length);
	if (asks(x, REQ_WQE_11, x->x.wqe_offset != k->x.wqe_offset + k->len))
		because(x->j, "OFF is %u behind %u bytes at %u",
			x->x.wqe_offset, k->len, k->x.wqe_offset);
}

static void rule_new(struct sight *x)
{
	const struct wqe_link *c = x->c;
	const struct psn_known *before = known(x, x->psn - 1);

	if (x->begins && asks(x, REQ_WQE_10, x->x.wqe_offset != 0))
		because(x->j, "the first packet of SN %u has OFF %u",
			x->x.wqe_sn, x->x.wqe_offset);
	if (before)
		rule_follows(x, before);
	if (!is_here(x) || !c->whole)
		return;
	if (asks(x, REQ_WQE_01, x->psn != c->next))
		because(x->j, "psn=%u is new, psn=%u was to be the next",
			wire(x->psn), wire(c->next));
	if (asks(x, REQ_WQE_14, c->listed != 0))
		because(x->j,
			"psn=%u is new, and %u that were asked for are not "
			"on the wire again",
			wire(x->psn), c->listed);
}

/* What was taken for the beginning was none. */
static void joined(struct wqe_link *c, uint32_t psn)
{
	c->whole = false;
	c->low = psn;
	if (!c->acked)
		c->una = psn;
}

static void packet(struct sight *x)
{
	struct wqe_link *c = x->c;
	struct psn_known *k = known(x, x->psn);

	if (serial_before(x->psn, c->next - WQE_WINDOW))
		return; /* too old to be remembered */
	if (serial_before(x->psn, c->low))
		joined(c, x->psn);
	if (k)
		rule_repeated(x, k);
	else
		rule_new(x);
	if (x->in->copy)
		return;
	if (k) {
		c->listed -= k->listed;
		k->listed = false;
	} else {
		know(x);
	}
	if (!serial_before(x->psn, c->next))
		c->next = x->psn + 1;
}

/* ---- The receiver ---- */

static void rule_covers(struct sight *x, uint32_t to)
{
	const struct wqe_link *c = x->c;
	uint32_t psn = c->una;

	if (!c->whole || !is_here(x) || serial_before(to, psn) ||
	    to - psn >= WQE_WINDOW)
		return;
	while (!serial_after(psn, to) && known(x, psn))
		psn++;
	if (asks(x, REQ_I5, !serial_after(psn, to)))
		because(x->j, "psn=%u is acknowledged and did not arrive",
			wire(psn));
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

	if (!c->whole || !is_here(x))
		return;
	if (asks(x, REQ_WQE_35, c->acked && serial_before(psn, c->una)))
		because(x->j, "psn=%u is asked for after it was acknowledged",
			wire(psn));
	if (asks(x, REQ_WQE_34, !serial_before(psn, end_known(x))))
		because(x->j,
			"psn=%u is asked for, of a WQE of which nothing "
			"is known",
			wire(psn));
}

static void list(struct sight *x, uint32_t psn24)
{
	const uint32_t psn = serial24_near(psn24, x->c->una);
	struct psn_known *k = known(x, psn);

	rule_listed(x, psn);
	if (x->in->copy || !k || k->listed || serial_before(psn, x->c->una))
		return;
	k->listed = true;
	x->c->listed++;
}

static void each_listed(struct sight *x)
{
	const struct packet *pkt = x->in->pkt;
	const uint8_t *p = pkt->p + pkt->payload;
	const size_t n = (pkt->len - pkt->payload) / rieth_entry_len;
	struct rieth_entry e;

	rieth_entry_get(&e, p);
	if (x->rieth.fmt == RIETH_BITMAP) {
		for (uint32_t k = 0; k < 32 * (n - 1); k++)
			if (p[4 + k / 8] >> (7 - k % 8) & 1)
				list(x, e.missing_psn + k);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		rieth_entry_get(&e, p + i * rieth_entry_len);
		list(x, e.missing_psn);
	}
}

static void acknowledge(struct sight *x, uint32_t to)
{
	struct wqe_link *c = x->c;

	rule_covers(x, to);
	if (x->in->copy)
		return;
	c->acked |= !serial_before(to, c->una);
	for (; serial_before(c->una, c->next) && !serial_after(c->una, to);
	     c->una++) {
		struct psn_known *k = known(x, c->una);

		if (k && k->listed) {
			k->listed = false;
			c->listed--;
		}
	}
}

/* An indication that its sender can read; the others it ignores. */
static bool is_indication(const struct sight *x)
{
	const struct packet *pkt = x->in->pkt;
	const struct rieth *h = &x->rieth;
	const size_t words = h->count + (h->fmt == RIETH_BITMAP ? 1u : 0u);

	return x->bth.opcode == IB_WQE_RTX_IND && !h->ver &&
	       h->fmt <= RIETH_BITMAP && !h->d && h->count &&
	       h->count <= LIST &&
	       pkt->len - pkt->payload == words * rieth_entry_len;
}

/* "any ACK outside [una-1, next] is ignored": it says nothing. */
static bool is_outside(const struct sight *x, uint32_t to)
{
	return serial_before(to, x->c->una - 1) ||
	       !serial_before(to, x->c->next);
}

static void answer(struct sight *x)
{
	struct wqe_link *c = x->c;
	const bool negative = x->aeth.syndrome >> 5 & 3;
	const uint32_t to = negative ? x->psn - 1 : x->psn;

	if (x->bth.opcode == IB_WQE_RTX_IND && !is_indication(x))
		return;
	if (is_outside(x, to)) {
		rule_covers(x, to);
		return;
	}
	acknowledge(x, to);
	if (is_indication(x)) {
		each_listed(x);
	} else if (negative) { /* RNR, or a gap: from here on */
		c->back = true;
		c->back_psn = x->psn;
	}
}

/* ---- Packets ---- */

/* A middle, first, last packet by its opcode: 2 bits say what it is. */
static void read_place(struct sight *x)
{
	const unsigned place = (x->bth.opcode & 0x1f) % 6;

	x->begins = place == 0 || place >= 4;
	x->ends = place >= 2;
}

static bool read(struct sight *x)
{
	const struct packet *pkt = x->in->pkt;
	const uint8_t op = pkt->len ? pkt->p[0] & 0x1f : 0x1f;
	size_t at;

	if (pkt->fault != PACKET_OK || pkt->len < bth_len)
		return false;
	bth_get(&x->bth, pkt->p);
	if (ib_class_of(x->bth.opcode) != IB_CLASS_WQE || x->bth.tver ||
	    x->bth.pkey != PKEY)
		return false;
	x->answer =
		x->bth.opcode == IB_WQE_ACK || x->bth.opcode == IB_WQE_RTX_IND;
	if (x->answer) {
		aeth_get(&x->aeth, pkt->p + bth_len);
		if (x->bth.opcode == IB_WQE_RTX_IND)
			rieth_get(&x->rieth, pkt->p + bth_len + aeth_len);
		return true;
	}
	if (op >= 0x0c)
		return false; /* reads: not followed */
	at = pkt->payload - wqeth_len;
	wqeth_get(&x->x, pkt->p + at);
	x->len = (uint32_t)(pkt->len - pkt->payload - ib_packet_pad(pkt));
	read_place(x);
	return !x->x.ver && !x->x.rsvd_2;
}

/* What is known of the packet before the connection takes it in. */
static void note_facts(const struct sight *x)
{
	const struct psn_known *k = x->answer ? NULL : known(x, x->psn);

	x->j->facts = (struct judge_facts){
		.flow = number_of(x->c),
		.from = x->answer,
		.initiator = 0,
		.takes_psn = !x->answer,
		.about = true,
		.psn = x->bth.psn,
		.frame = k ? k->frame : 0,
		.acked = k && serial_before(x->psn, x->c->una),
	};
}

static void count(const struct sight *x)
{
	struct judge_tally *t = &x->c->tally;
	struct judge_side_tally *s = &t->side[x->answer];

	t->last_at = x->in->at;
	s->packets++;
	if (!x->answer)
		s->requests++;
	else if (x->bth.opcode == IB_WQE_RTX_IND || x->aeth.syndrome >> 5 & 3)
		s->nacks++;
	else
		s->acks++;
	s->again[CAUSE_TIMER] += !x->answer && x->j->facts.frame != 0;
}

void wqe_seen_flows(const struct wqe_seen *s,
		    void (*see)(void *arg, const struct judge_flow *f),
		    void *arg)
{
	for (unsigned i = 0; s && i < WQE_LINKS; i++) {
		const struct wqe_link *c = &s->link[i];
		const struct judge_flow view = {
			.number = number_of(c),
			.addr = {c->sender, c->receiver},
			.whole = c->whole,
			.family = FAMILY_WQE,
			.began = c->first_frame != 0,
			.first_frame = c->first_frame,
			.first_at = c->first_at,
			.tally = &c->tally,
		};

		if (c->used)
			see(arg, &view);
	}
}

void rules_wqe(struct judge *j, struct wqe_seen *s,
	       const struct judge_packet *p)
{
	struct sight x = {.j = j, .in = p};

	if (p->cut || !read(&x))
		return;
	x.c = x.answer ? of_answer(s, &x) : of_packet(s, &x);
	if (!x.c && !x.answer)
		x.c = begin(s, &x);
	if (!x.c)
		return;
	x.c->used_at = ++s->clock;
	x.psns = s->psns[x.c - s->link];
	if (p->copy)
		x.c->whole = false;
	x.psn = serial24_near(x.bth.psn, x.c->next);
	note_facts(&x);
	count(&x);
	if (x.answer)
		answer(&x);
	else
		packet(&x);
}
