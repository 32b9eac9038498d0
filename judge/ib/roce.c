/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/roce.c -- reliable connections of plain RoCEv2: finds the connection
 * of a packet and updates its state.
 */
#include "judge/ib/roce.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/serial.h"
#include "judge/core/flow_stats.h"
#include "judge/findings.h"
#include "judge/ib/roce_link.h"
#include "judge/ib/rules_roce.h"
#include "judge/seen.h"
#include "wire/frame/crc.h"
#include "wire/ib/ib_packet.h"

enum {
	MTU_LEAST = 256,
	MOST = 1 << 23, /* most PSNs of a read with any MTU */
	OPCODES = 0x20, /* opcodes of the class RC */
};

struct roce_seen {
	struct ib_flows flows;
	uint32_t owners;
	struct roce_link link[ROCE_LINKS];
	struct roce_psn psns[ROCE_LINKS][ROCE_WINDOW];
};

/* ---- Life ---- */

int roce_seen_new(void **ret, enum family family)
{
	struct roce_seen *s = memory_calloc(1, sizeof(*s));

	if (!s)
		return ERR_NOMEM;
	ib_flows_init(&s->flows, family, ROCE_LINKS, ROCE_FLOW);
	*ret = s;
	return 0;
}

/* ---- Connections ---- */

/*
 * Returns true for a PSN that is sent and not acknowledged, or the last
 * acknowledged one.
 */
static bool can_answer(const struct roce_link *c, uint32_t psn24)
{
	const uint32_t psn = serial24_near(psn24, c->next);

	return !serial_before(psn, c->una - 1) && serial_before(psn, c->next);
}

/* Returns whether connection |i| can have the answer |arg|. */
static bool judge_roce_can_have(const struct ib_flows *s, unsigned i,
				const void *arg)
{
	const struct roce_item *x = arg;

	return can_answer(&((const struct roce_seen *)s)->link[i], x->bth.psn);
}

static struct ib_flow *judge_roce_begin(struct roce_seen *s,
					const struct roce_item *x)
{
	struct ib_flow *f = ib_flow_begin(&s->flows, &x->ib, x->bth.dest_qp,
					  ib_begins(x->bth.opcode));

	f->began = ib_begins(x->bth.opcode);
	s->link[f - s->flows.v] = (struct roce_link){
		.owner = ++s->owners,
		.low = x->bth.psn,
		.next = x->bth.psn,
		.una = x->bth.psn,
		.expected = x->bth.psn,
	};
	return f;
}

/* Discards the state of the PSNs of a connection; keeps its counters. */
static void begin_again(struct roce_seen *s, struct roce_item *x)
{
	struct roce_link *c = x->c;
	const uint32_t psn = x->bth.psn;

	x->ib.f->complete = false;
	c->owner = ++s->owners;
	c->ended = c->back = c->wait = false;
	c->unsure = c->msn_known = c->told = false;
	c->low = c->next = c->una = c->expected = psn;
	c->mtu = 0;
	memset(c->reads, 0, sizeof(c->reads));
}

/*
 * Returns true if the PSN is so far away that it cannot belong to the
 * connection.
 */
static bool is_far(const struct roce_link *c, uint32_t psn24)
{
	const uint32_t psn = serial24_near(psn24, c->next);
	const uint32_t most = c->unsure ? c->most : 0;

	return serial_before(psn, c->next - ROCE_WINDOW) ||
	       serial_after(psn, c->next + most + ROCE_WINDOW);
}

/* ---- Requests ---- */

/*
 * A first or middle packet, of a message or of read data, shows the path MTU.
 */
static void judge_roce_learn_mtu(const struct roce_item *x)
{
	if (!x->c->mtu && !ib_ends(x->bth.opcode))
		x->c->mtu = x->len;
}

/*
 * A read uses one PSN for each packet of its answer, any other request one PSN.
 */
static void count_psns(struct roce_item *x)
{
	const uint32_t mtu = x->c->mtu;

	x->n = 1;
	if (x->bth.opcode != IB_RC_READ_REQ || x->dmalen <= MTU_LEAST)
		return;
	if (mtu)
		x->n = (x->dmalen - 1) / mtu + 1;
	else
		x->unsure = true;
	if (x->n > MOST)
		x->n = MOST;
}

static void judge_roce_know(const struct roce_item *x)
{
	x->psns[x->psn & (ROCE_WINDOW - 1)] = (struct roce_psn){
		.owner = x->c->owner,
		.psn = x->psn,
		.frame = x->ib.in->frame,
		.n = x->n,
		.hash = x->hash,
		.len = x->len,
		.opcode = x->bth.opcode,
		.copies = 1,
		.first_at = x->ib.in->at,
		.at = x->ib.in->at,
	};
}

/* A repeated read may come when the MTU is known at last. */
static void know_read(const struct roce_item *x)
{
	struct roce_link *c = x->c;

	if (x->bth.opcode != IB_RC_READ_REQ)
		return;
	for (unsigned i = 0; i < ROCE_READS; i++) {
		struct roce_span *r = &c->reads[i];

		if (x->psn - r->psn >= r->n)
			continue;
		if (r->n < x->psn - r->psn + x->n)
			r->n = x->psn - r->psn + x->n;
		if (!x->unsure)
			r->most = r->n;
		return;
	}
	c->reads[c->nreads++ % ROCE_READS] = (struct roce_span){
		.psn = x->psn,
		.n = x->n,
		.most = x->unsure ? x->dmalen / MTU_LEAST + 1 : x->n,
		.frame = x->ib.in->frame,
	};
}

/* A later request shows where a read ended, and so does the read's answer. */
static void end_read(const struct roce_item *x)
{
	struct roce_link *c = x->c;
	struct roce_span *r = &c->reads[(c->nreads - 1) % ROCE_READS];

	if (!serial_after(x->psn, c->next) || !c->unsure || !c->nreads)
		return;
	if (r->n < x->psn - r->psn)
		r->n = x->psn - r->psn;
}

static void judge_roce_go_on(const struct roce_item *x, uint32_t end)
{
	struct roce_link *c = x->c;

	if (!serial_before(x->psn, c->next)) {
		c->next = end;
		c->unsure = x->unsure;
		c->most = x->dmalen / MTU_LEAST;
	}
}

static void judge_roce_sent_again(const struct roce_item *x, struct roce_psn *k)
{
	k->frame = x->ib.in->frame;
	k->at = x->ib.in->at;
	k->copies = (uint8_t)(k->copies + (k->copies < UINT8_MAX));
}

static void judge_roce_take_request(const struct roce_item *x)
{
	struct roce_link *c = x->c;

	judge_roce_learn_mtu(x);
	if (x->old)
		judge_roce_sent_again(x, x->old);
	else
		judge_roce_know(x);
	end_read(x);
	know_read(x);
	c->back = c->back && serial_after(x->psn, c->back_psn);
	c->wait = c->wait && x->psn != c->wait_psn;
	if (x->psn == c->expected)
		c->expected += x->n;
	judge_roce_go_on(x, x->psn + x->n);
}

/* ---- Answers ---- */

static void judge_roce_acknowledge(const struct roce_item *x, uint32_t end)
{
	struct roce_link *c = x->c;

	if (serial_before(end, c->una) || serial_after(end, c->next))
		return;
	c->told = true;
	x->ib.f->stats.side[1].covered += end - c->una;
	if (end - c->una > ROCE_WINDOW)
		c->una = end - ROCE_WINDOW;
	for (; c->una != end; c->una++) {
		struct roce_psn *k = roce_known(x, c->una);

		if (k)
			k->acked_at = x->ib.in->at;
	}
	if (serial_before(c->expected, end))
		c->expected = end;
	c->back = c->back && !serial_before(c->back_psn, end);
}

/* The time of an RNR NAK: 10 us for code 1, doubled with every second code. */
static vspan rnr_time(uint8_t code)
{
	const vspan unit = 10 * VSPAN_US;

	if (code < 3)
		return unit * (code ? code : 65536);
	if (code % 2)
		return unit * 3 << (code - 3) / 2;
	return unit << code / 2;
}

/* The responder refuses that PSN and all later ones. */
static void sent_back(const struct roce_item *x)
{
	struct roce_link *c = x->c;

	c->expected = x->psn;
	switch (x->aeth.syndrome & 0x60) {
	case IB_SYNDROME_RNR:
		c->wait = true;
		c->wait_psn = x->psn;
		c->wait_frame = x->ib.in->frame;
		c->wait_from = x->ib.in->at;
		c->wait_until =
			x->ib.in->at + rnr_time(x->aeth.syndrome & 0x1f);
		break;
	default:
		c->ended = x->aeth.syndrome != IB_SYNDROME_PSN_SEQ;
		c->back = !c->ended;
		c->back_psn = x->psn;
		c->back_frame = x->ib.in->frame;
		c->back_at = x->ib.in->at;
	}
}

/* Records how far the answer to a read has come. */
static void judge_roce_take_data(const struct roce_item *x)
{
	struct roce_link *c = x->c;
	struct roce_span *r = &c->reads[(c->nreads - 1) % ROCE_READS];

	judge_roce_learn_mtu(x);
	if (!c->unsure || !c->nreads || serial_before(x->psn, r->psn) ||
	    serial_after(x->psn, r->psn + c->most))
		return;
	if (!serial_before(x->psn, r->psn + r->n))
		r->n = x->psn - r->psn + 1;
	if (serial_before(c->next, r->psn + r->n))
		c->next = r->psn + r->n;
	c->unsure = !ib_ends(x->bth.opcode);
}

static void judge_roce_take_answer(const struct roce_item *x)
{
	struct roce_link *c = x->c;

	if (ib_is_read_data(x->bth.opcode))
		judge_roce_take_data(x);
	if (serial_after(x->psn, c->next))
		return;
	if (x->bth.opcode != IB_RC_READ_RESP_MIDDLE) {
		c->msn_known = true;
		c->msn = x->aeth.msn;
	}
	judge_roce_acknowledge(x, roce_is_nak(x) ? x->psn : x->psn + 1);
	if (roce_is_nak(x) && !serial_before(x->psn, c->una))
		sent_back(x); /* else a later ACK has already covered the PSN */
}

/* ---- Facts for programs that show captures ---- */

/*
 * Returns the frame of the latest NAK for this PSN or an earlier one; 0: none.
 */
static uint32_t judge_roce_asked_by(const struct roce_item *x)
{
	const struct roce_link *c = x->c;

	if (!serial_before(x->psn, c->back_psn) &&
	    (c->back || x->old->at < c->back_at))
		return c->back_frame;
	if (!serial_before(x->psn, c->wait_psn) && x->old->at < c->wait_from)
		return c->wait_frame;
	return 0;
}

static void note_request(const struct roce_item *x, struct judge_facts *f)
{
	const struct roce_link *c = x->c;
	const struct roce_span *r = roce_read_of(c, x->psn);
	const struct roce_psn *k = x->old;

	f->takes_psn = true;
	f->acked = serial_before(x->psn, c->una) && (k || r);
	f->late = !k && !r && serial_before(x->psn, c->next);
	if (!c->unsure && serial_after(x->psn, c->next))
		f->skipped = x->psn - c->next;
	if (r)
		f->frame = r->frame;
	if (!k)
		return;
	f->frame = k->frame;
	f->first_at = k->first_at;
	f->sent_at = k->at;
	f->copies = k->copies;
	f->asked_frame = judge_roce_asked_by(x);
	f->cause = f->asked_frame ? CAUSE_NACK : CAUSE_TIMER;
}

/* The last read may use more PSNs than were seen. */
static const struct roce_span *read_of_data(const struct roce_item *x)
{
	const struct roce_link *c = x->c;
	const struct roce_span *r = roce_read_of(c, x->psn);

	if (r || !c->unsure || !c->nreads)
		return r;
	r = &c->reads[(c->nreads - 1) % ROCE_READS];
	if (x->psn - r->psn <= c->most)
		return r;
	return NULL;
}

static void judge_roce_note_answer(const struct roce_item *x,
				   struct judge_facts *f)
{
	const struct roce_link *c = x->c;
	const struct roce_span *r = read_of_data(x);
	const struct roce_psn *k = roce_known(x, x->psn);
	const uint32_t end = roce_is_nak(x) ? x->psn : x->psn + 1;

	if (k)
		f->frame = k->frame;
	if (r && ib_is_read_data(x->bth.opcode))
		f->read_frame = r->frame;
	if (!serial_after(end, c->una) || serial_after(end, c->next))
		return;
	f->acks = true;
	f->acks_from = ib_wire(c->una - 1);
	f->acks_to = ib_wire(end - 1);
}

uint32_t roce_seen_frame(const void *state, uint32_t psn)
{
	const struct roce_seen *s = state;
	const struct ib_flow *f = s->flows.last;
	const struct roce_psn *k;
	size_t i;

	if (!f)
		return 0;
	i = (size_t)(f - s->flows.v);
	psn = serial24_near(psn, s->link[i].next);
	k = &s->psns[i][psn & (ROCE_WINDOW - 1)];
	if (k->owner == s->link[i].owner && k->psn == psn)
		return k->frame;
	return 0;
}

static void judge_roce_note_facts(const struct roce_item *x)
{
	struct judge_facts *f = &x->ib.j->facts;

	*f = (struct judge_facts){.flow = x->ib.f->number,
				  .from = x->ib.answer,
				  .initiator = 0,
				  .about = true,
				  .psn = x->bth.psn};
	if (x->ib.answer)
		judge_roce_note_answer(x, f);
	else
		note_request(x, f);
}

/* ---- Counting ---- */

static void count_answer(const struct roce_item *x)
{
	struct judge_side_stats *s = &x->ib.f->stats.side[1];
	const struct roce_psn *k = roce_known(x, x->psn);

	if (roce_is_nak(x)) {
		s->nacks++;
		x->ib.j->totals.nacks[x->aeth.syndrome]++;
		return;
	}
	s->acks++;
	if (k && k->copies == 1 && !k->acked_at)
		flow_stats_rtt(x->ib.j, x->ib.f->stats.rtt,
			       x->ib.in->at - k->at);
}

static void judge_roce_count(const struct roce_item *x)
{
	struct judge_flow_stats *t = &x->ib.f->stats;
	struct judge_side_stats *s = &t->side[x->ib.answer];
	const struct judge_facts *f = &x->ib.j->facts;

	t->last_at = x->ib.in->at;
	s->packets++;
	if (x->ib.answer) {
		count_answer(x);
		return;
	}
	s->requests++;
	if (f->acked)
		s->net_dups++;
	else if (f->frame)
		s->again[f->cause]++;
}

/* ---- Packets ---- */

static void read_ext(struct roce_item *x)
{
	const struct packet *pkt = x->ib.in->pkt;
	const uint8_t *p = pkt->p + bth_len;
	const uint8_t op = x->bth.opcode;
	struct reth reth;

	x->ib.answer = ib_is_read_data(op) || op == IB_RC_ACK ||
		       op == IB_RC_ATOMIC_ACK;
	x->aeth.syndrome = IB_SYNDROME_ACK;
	if (x->ib.answer && op != IB_RC_READ_RESP_MIDDLE)
		aeth_get(&x->aeth, p);
	if (op == IB_RC_READ_REQ) {
		reth_get(&reth, p);
		x->dmalen = reth.dmalen;
	}
	x->len = (uint32_t)(pkt->len - pkt->payload - ib_packet_pad(pkt));
	x->hash = crc32c(0, p, pkt->len - bth_len);
}

static bool judge_roce_read(struct roce_item *x)
{
	const struct packet *pkt = x->ib.in->pkt;

	if (pkt->fault != PACKET_OK || pkt->len < bth_len)
		return false;
	bth_get(&x->bth, pkt->p);
	if (x->bth.opcode >= OPCODES || x->bth.tver)
		return false;
	read_ext(x);
	return true;
}

static void judge_roce_request(struct roce_seen *s, struct roce_item *x)
{
	struct roce_link *c = x->c;

	if (c->ended || is_far(c, x->bth.psn))
		begin_again(s, x);
	x->psn = serial24_near(x->bth.psn, c->next);
	if (serial_before(x->psn, c->low)) {
		/*
		 * the assumed beginning was wrong; answers of an incomplete
		 * flow are not judged, so that |expected| has no use
		 */
		x->ib.f->complete = x->ib.f->began = false;
		c->low = x->psn;
		c->una = c->told ? c->una : x->psn;
	}
	x->old = roce_known(x, x->psn);
	count_psns(x);
	judge_roce_note_facts(x);
	judge_roce_count(x);
	if (x->ib.in->copy)
		return;
	rules_roce_request(x);
	judge_roce_take_request(x);
}

static void judge_roce_answer(struct roce_item *x)
{
	x->psn = serial24_near(x->bth.psn, x->c->next);
	judge_roce_note_facts(x);
	judge_roce_count(x);
	if (x->ib.in->copy)
		return;
	rules_roce_answer(x);
	judge_roce_take_answer(x);
}

static bool judge_roce_find_link(struct roce_seen *s, struct roce_item *x)
{
	struct ib_flow *f =
		x->ib.answer
			? ib_flow_of_answer(&s->flows, &x->ib, x->bth.dest_qp,
					    judge_roce_can_have, x)
			: ib_flow_find(&s->flows, &x->ib, x->bth.dest_qp);

	if (!f && !x->ib.answer)
		f = judge_roce_begin(s, x);
	if (!f)
		return false;
	ib_flow_heard(&s->flows, &x->ib, f);
	x->c = &s->link[f - s->flows.v];
	x->psns = s->psns[f - s->flows.v];
	return true;
}

void rules_roce(struct judge *j, void *state, const struct judge_packet *p)
{
	struct roce_seen *s = state;
	struct roce_item x = {.ib = {.j = j, .in = p}};

	if (p->cut || !judge_roce_read(&x))
		return;
	if (!judge_roce_find_link(s, &x)) {
		j->totals.unmatched++;
		return;
	}
	if (x.ib.answer)
		judge_roce_answer(&x);
	else
		judge_roce_request(s, &x);
	x.ib.f->closed = x.c->una == x.c->next || x.c->ended;
}
