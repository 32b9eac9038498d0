/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/links.c -- links between frames: transmissions of a PSN, requests
 * and answers, reads and their data, NAKs, WQEs.
 *
 * The judge finds the earlier frame that a packet belongs to, so this file
 * keeps no second table of flows and PSNs: a frame number is an index.
 */
#include "dissector/links.h"
#include "dissector/families.h"
#include "dissector/flow.h"

#include <string.h>

#include "base/serial.h"
#include "wire/family.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/uet/uet_pds.h"

/* RUDI packets have no PDC: identifier, source and destination are the key. */
struct rudi_key {
	struct ip_addr src, dst;
	uint32_t id;
};

/* The number of a flow and a PSN or identifier in it. */
struct part_key {
	uint32_t stream, number;
};

/* A WQE, by its SN. */
struct message_of {
	struct part_key key;
	struct track_message m;
};

/* A requested PSN that no earlier frame has sent. */
struct links_asked {
	struct part_key key;
	uint32_t frame;
};

static struct {
	wmem_map_t *rudi;
	wmem_map_t *messages, *asked;
	const struct rung_judge *judge; /* the judge of the last packet */
} state;

static guint rudi_hash(gconstpointer key)
{
	const struct rudi_key *k = key;
	guint h = k->id;

	for (unsigned i = 0; i < k->src.len; i++)
		h = h * 31 + k->src.b[i];
	for (unsigned i = 0; i < k->dst.len; i++)
		h = h * 31 + k->dst.b[i];
	return h;
}

static gboolean rudi_equal(gconstpointer a, gconstpointer b)
{
	const struct rudi_key *x = a, *y = b;

	return x->id == y->id && ip_addr_equal(&x->src, &y->src) &&
	       ip_addr_equal(&x->dst, &y->dst);
}

static guint part_hash(gconstpointer key)
{
	const struct part_key *k = key;

	return k->number * 0x9e3779b1u ^ k->stream;
}

static gboolean part_equal(gconstpointer a, gconstpointer b)
{
	const struct part_key *x = a, *y = b;

	return x->number == y->number && x->stream == y->stream;
}

void links_open(void)
{
	memset(&state, 0, sizeof(state));
	state.rudi = wmem_map_new(wmem_file_scope(), rudi_hash, rudi_equal);
	state.asked = wmem_map_new(wmem_file_scope(), part_hash, part_equal);
	state.messages = wmem_map_new(wmem_file_scope(), part_hash, part_equal);
}

/* ---- PSNs ---- */

/* Links an ACK with every transmission of the PSN. */
static void acked_by(struct seen *s, uint32_t psn)
{
	struct seen *r = seen_at(rung_judge_frame(state.judge, 0, psn));

	if (r && !r->ack_in && r->flags & SEEN_SENT)
		flow_acked(r);
	for (; r && !r->ack_in; r = seen_at(r->retx_of))
		r->ack_in = s->frame;
}

static void released_by(struct seen *s, uint32_t psn)
{
	struct seen *r = seen_at(rung_judge_frame(state.judge, 1, psn));
	struct seen *response = r ? seen_at(r->ack_in) : NULL;

	if (!response || !(response->flags & SEEN_ASKS) || response->clear_in)
		return;
	response->clear_in = s->frame;
	s->clear_of = response->frame;
}

static void links_ask(const struct seen *s, uint32_t psn)
{
	struct links_asked a = {{s->stream, psn}, s->frame};
	struct links_asked *old = wmem_map_lookup(state.asked, &a.key);

	if (old) {
		old->frame = s->frame;
		return;
	}
	old = wmem_memdup(wmem_file_scope(), &a, sizeof(a));
	wmem_map_insert(state.asked, &old->key, old);
}

/*
 * Links a new packet with the request for it; its earlier transmission is not
 * in the capture.
 */
static void find_asked(struct seen *s, uint32_t psn)
{
	const struct part_key key = {s->stream, psn};
	const struct links_asked *a = wmem_map_lookup(state.asked, &key);

	if (a)
		s->nack_of = a->frame;
}

/*
 * Returns false if rung removed the ACK of a packet on its way: the sender then
 * repeats the packet for good reason.
 */
static bool ack_crossed(const struct seen *s)
{
	const struct seen *ack = s ? seen_at(s->ack_in) : NULL;

	return !ack || !(ack->flags & SEEN_REMOVED);
}

static void links_sent(struct seen *s, const struct rung_facts *x)
{
	struct seen *before = seen_at(x->frame);

	s->flags |= SEEN_SENT;
	if (x->late)
		s->flags |= SEEN_LATE;
	s->skipped = x->skipped;
	if (!x->frame) {
		if (s->family != MAIN_FAMILY)
			find_asked(s, x->psn);
		return;
	}
	s->flags |= SEEN_AGAIN;
	if (x->net_dup)
		s->flags |= SEEN_NET_DUP;
	if (x->acked)
		s->flags |= ack_crossed(before) ? SEEN_NEEDLESS : SEEN_ACK_LOST;
	s->cause = (uint8_t)x->cause;
	s->retx_of = x->frame;
	if (!before)
		return;
	before->retx_in = s->frame;
	s->nack_of = x->asked;
	if (x->cause == RUNG_NACK && !s->nack_of)
		s->nack_of = before->nack_in;
}

/*
 * Links a NACK, which in other families names a PSN that did not arrive,
 * perhaps not in the capture.
 */
static void links_answered(struct seen *s, const struct rung_facts *x)
{
	struct seen *req = seen_at(x->frame);
	const bool nack = s->flags & SEEN_NACK;

	if (!req) {
		if (s->family == MAIN_FAMILY || (!nack && !x->read))
			s->flags |= SEEN_UNSEEN;
		return;
	}
	s->req_in = x->frame;
	if (nack)
		req->nack_in = s->frame;
	else
		acked_by(s, x->psn);
}

/* Links the PSNs from |from| + 1 to |to| with an ACK. */
static void links_acked(struct seen *s, uint32_t from, uint32_t to)
{
	const uint32_t mask = wire_families[s->family]->psn_mask;

	from &= mask;
	to &= mask;
	while (from != to) {
		from = (from + 1) & mask;
		acked_by(s, from);
	}
}

static void links_up(struct seen *s, const struct rung_facts *x)
{
	struct seen *read = seen_at(x->read);

	if (x->takes_psn)
		links_sent(s, x);
	else if (s->flags & SEEN_ANSWER && x->about)
		links_answered(s, x);
	if (x->acks)
		links_acked(s, flow_seen_from(s, x->acks_from, x->acks_to),
			    x->acks_to);
	for (uint32_t i = x->clears_from; x->clears && i != x->clears_to;)
		released_by(s, ++i);
	if (!read)
		return;
	s->read_in = read->frame;
	if (!read->data_in)
		read->data_in = s->frame;
}

/* ---- Other families: NAKs, and WQEs ---- */

/* Links a requested PSN, whether it was sent before or not. */
static void asked_for(void *arg, uint32_t psn)
{
	const struct seen *s = arg;
	struct seen *r = seen_at(rung_judge_frame(state.judge, 0, psn));

	if (r)
		r->nack_in = s->frame;
	else
		links_ask(s, psn);
}

/*
 * Returns the WQE with an SN; when an SN is reused, 2^24 WQEs later, it is
 * another WQE.
 */
static struct track_message *links_message_of(const struct seen *s, uint32_t sn,
					      bool begins)
{
	const struct message_of fresh = {.key = {s->stream, sn}};
	struct message_of *m = wmem_map_lookup(state.messages, &fresh.key);

	if (m && !(begins && m->m.begins && !s->retx_of))
		return &m->m;
	m = wmem_memdup(wmem_file_scope(), &fresh, sizeof(fresh));
	wmem_map_insert(state.messages, &m->key, m);
	return &m->m;
}

static void links_part_of(struct seen *s, const struct packet *pkt)
{
	const bool begins = ib_begins(pkt->p[0]);
	struct track_message *m;
	struct wqeth x;

	wqeth_get(&x, pkt->p + pkt->payload - wqeth_len);
	m = links_message_of(s, x.wqe_sn, begins);
	s->message = m;
	if (begins && !m->begins)
		m->begins = s->frame;
	if (ib_ends(pkt->p[0]) && !m->ends)
		m->ends = s->frame;
}

static void links_requested(struct seen *s, const struct packet *pkt)
{
	uint64_t syndrome, psn = 0;

	if (pkt->p[0] == IB_WQE_RTX_IND) {
		ib_packet_listed(pkt, asked_for, s);
		return;
	}
	packet_value(pkt, "psn", &psn);
	if (packet_value(pkt, "syndrome", &syndrome) &&
	    syndrome == IB_SYNDROME_PSN_SEQ)
		asked_for(s, (uint32_t)psn);
}

void links_judged(struct seen *s, const struct rung_judge *judge,
		  const struct rung_facts *x, const struct packet *pkt)
{
	const struct dissect_family *family = dissect_families[s->family];

	state.judge = judge;
	flow_add(s, x, pkt);
	if (!x->foreign)
		links_up(s, x);
	if (s->flags & SEEN_SENT && family->links_messages)
		links_part_of(s, pkt);
	if (s->flags & SEEN_NACK && family->syndrome)
		links_requested(s, pkt);
}

/* ---- RUDI: a request and its response have the same identifier ---- */

bool links_is_rudi(const struct packet *pkt)
{
	return pkt->nsec && (pkt->sec[0].h == &rudi_req_header ||
			     pkt->sec[0].h == &rudi_resp_header ||
			     pkt->sec[0].h == &pds_nack_rudi_header);
}

static void rudi_sent(struct seen *s, const struct rudi_key *key, bool retx)
{
	struct seen *before = wmem_map_lookup(state.rudi, key);

	s->flags |= SEEN_SENT | SEEN_DUE;
	if (before && retx) {
		s->flags |= SEEN_AGAIN;
		if (before->nack_in)
			s->cause = RUNG_NACK;
		else
			s->cause = RUNG_TIMER;
		s->nack_of = before->nack_in;
		s->retx_of = before->frame;
		before->retx_in = s->frame;
	}
	wmem_map_insert(state.rudi,
			wmem_memdup(wmem_file_scope(), key, sizeof(*key)), s);
}

static void rudi_answered(struct seen *s, const struct rudi_key *key)
{
	struct seen *req = wmem_map_lookup(state.rudi, key);

	s->flags |= SEEN_ANSWER;
	if (!req) {
		s->flags |= SEEN_UNSEEN;
		return;
	}
	s->req_in = req->frame;
	if (s->flags & SEEN_NACK)
		req->nack_in = s->frame;
	else if (!req->ack_in)
		req->ack_in = s->frame;
}

void links_rudi(struct seen *s, const struct packet *pkt, const struct dgram *d)
{
	const bool request = pkt->sec[0].h == &rudi_req_header;
	struct rudi_key key;
	struct rudi_req h;

	/* the other types have pkt_id at the same place */
	rudi_req_get(&h, pkt->p);
	memset(&key, 0, sizeof(key));
	key.id = h.pkt_id;
	if (request) {
		key.src = d->src;
		key.dst = d->dst;
	} else {
		key.src = d->dst;
		key.dst = d->src;
	}
	if (request)
		rudi_sent(s, &key, h.retx);
	else
		rudi_answered(s, &key);
}
