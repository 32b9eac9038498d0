/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/straight.c -- first all conditions, then all changes; only what time it
 * is, which may put flows to sleep, is told before the flow is looked for.
 *
 * What is asked here is that a packet is usual (judge/usual.c), and that it and
 * its flow have nothing of what flow.c has to tell apart: both ends are known,
 * the direction never had anything rare, its PSNs are in line.  What is in the
 * key of usual packets is not asked again: none has syn, p or a wrong CRC.
 * judge/straight_test.c compares all that both ways leave behind.
 *
 * Spec: UET 3.5.8.2, 3.5.11, 3.5.12 (uet.md 6, 7)
 */
#include "judge/straight.h"

#include "base/hot.h"
#include "judge/flow_steps.h"
#include "judge/state.h"
#include "judge/usual.h"
#include "wire/crc.h"

bool straight_is_open(const struct judge_conf *conf)
{
	return usual_is_told(conf) && conf->together && conf->brief &&
	       conf->mp_range && !conf->ack_gen_trigger;
}

/* A packet and what it is about. */
struct next {
	struct judge *j;
	const struct judge_packet *in;
	struct flow *f;
	unsigned from;       /* the end that sent it */
	struct dir *d;       /* the PSN space that it belongs to, */
	struct psn_state *s; /* and where its PSN stands, or will */
};

/* ---- The flow ---- */

/* The first of that hash, as judge_ahead may have found it. */
static struct flow *candidate(const struct table *t,
			      const struct judge_ahead *a,
			      const struct table_key *key, unsigned *ret_end)
{
	uint32_t hash, at, node;

	if (likely(a && a->flow && a->changes == t->changes)) {
		*ret_end = a->end;
		return a->flow;
	}
	hash = at = table_hash(key);
	node = table_next(t, hash, &at);
	return node ? table_flow(t, node, ret_end) : NULL;
}

/* It is awake, nothing has to be learnt of its ends, and it is not closing. */
static bool is_plain_flow(const struct flow *f, const struct judge_packet *in)
{
	return f->home && f->use && f->mode_known && !f->rod && !f->closing &&
	       f->initiator >= 0 && (f->known_at || !f->syn_start_known) &&
	       f->native == in->d->native;
}

static bool is_plain_dir(const struct dir *d)
{
	return d->rare == &dir_nothing && d->slots && d->cack_known &&
	       !d->gtd && !d->again;
}

/* By the key, whose end is |*ret_end|; the other one's PDCID is |peer|. */
static HOT bool find(struct next *n, const struct table_key *key, uint16_t peer,
		     unsigned *ret_end)
{
	struct table *t = &n->j->table;
	unsigned end;

	table_now(t, n->in->at, n->j->conf.idle);
	n->f = candidate(t, n->in->ahead, key, &end);
	if (unlikely(!n->f || !table_is(key, n->f, end) || !peer ||
		     n->f->end[!end].pdcid != peer ||
		     !is_plain_flow(n->f, n->in)))
		return false;
	n->d = &n->f->home->dir[end];
	*ret_end = end;
	return likely(is_plain_dir(n->d));
}

/* What packets of its kind show is known.  Return: false if it is not. */
static bool count_usual(const struct next *n, const uint8_t *ses, unsigned more)
{
	const uint64_t key =
		usual_key(n->in->pkt->p, ses, n->in->d, n->f, n->from, more);
	struct usual *u = usual_known(n->j->common->usual, key);

	if (unlikely(!u))
		return false;
	u->times++;
	return true;
}

/* What every packet leaves behind. */
static void note(const struct next *n)
{
	struct judge *j = n->j;

	table_use(&j->table, n->f);
	n->f->last_at = n->in->at;
	j->flow = n->f;
	j->family = FAMILY_UET;
	j->facts.flow = n->f->number;
	j->facts.from = n->from;
	j->facts.initiator = n->f->initiator;
	j->facts.late = false;
	j->facts.skipped = 0;
}

/* ---- Requests ---- */

/* Of these the header tells all, and no other one follows. */
static bool is_plain_opcode(uint8_t opcode)
{
	return opcode == SES_SEND || opcode == SES_WRITE ||
	       opcode == SES_TAGGED_SEND;
}

static bool ends_right(const struct look_std *h, const uint8_t *ses,
		       size_t payload)
{
	size_t told;

	return !look_std_told(h, ses, &told) || told == payload;
}

/* A message begins while none is open, or goes on.  Of a flow that is whole it
 * is looked at who had its id before. */
static struct message *message_of(const struct dir *d, const struct look_std *h,
				  bool whole)
{
	struct message *m;

	if (unlikely(!d->message_slots))
		return NULL;
	m = message_place(d, h->message_id);
	if (h->som)
		return !d->open && (!m->used ||
				    (m->id == h->message_id && !whole) ||
				    (m->id != h->message_id && !m->open &&
				     d->message_slots == d->nmessages))
			       ? m
			       : NULL;
	return d->open && d->open_id == h->message_id && m->used &&
			       m->id == h->message_id && m->open &&
			       m->length == h->request_length
		       ? m
		       : NULL;
}

/* It is free, or its PSN is acknowledged and gives way. */
static bool gives_way(const struct flow *f, const struct dir *d,
		      const struct psn_state *s, uint32_t psn)
{
	if (s->owner != f->owner)
		return true;
	return s->flags & PSN_ACKED && serial_before(s->psn, psn) &&
	       ring_meet(s->psn, psn, d->window);
}

/* It is the next one, and neither it nor CLEAR_PSN runs ahead.  No PSN may be
 * missing that can be: where a gap ends, its time is noted. */
static bool is_in_line(const struct dir *d, uint32_t psn, uint32_t clear)
{
	if (psn != d->high + 1 || psn_forgotten(d, psn) ||
	    !serial_before(clear, psn) || !serial_after(psn, d->cack) ||
	    serial_diff(psn, d->cack) >= d->window)
		return false;
	if (unlikely(!d->start_known))
		return psn != d->seen_to;
	return d->seen_to == d->high && !serial_after(clear, d->acked_to);
}

static void go_on(struct dir *d, uint32_t psn)
{
	d->high = psn;
	if (likely(d->start_known))
		d->seen_to = psn;
	d->gap = d->high != d->seen_to;
}

static uint32_t flags_of(const struct judge_conf *conf, const struct pds_req *h,
			 const struct look_std *std, bool ce)
{
	uint32_t flags = PSN_STD | PSN_FRESH | (ce ? PSN_CE : PSN_NO_CE);

	flags |= std->opcode == SES_WRITE ? PSN_WRITE : 0;
	flags |= std->som && std->eom ? 0 : PSN_MULTI;
	flags |= h->ar ? PSN_AR : 0;
	return flags | (h->ar || (ce && conf->ack_on_ecn) ? PSN_DUE : 0);
}

/* A request, as far as its bytes tell. */
struct request {
	struct pds_req pds;
	struct look_std std;
	const uint8_t *ses;
	uint32_t clear;
	struct message *m;
};

static bool read_request(const struct judge_packet *in, uint32_t mtu,
			 struct request *r)
{
	const size_t headers = pds_req_len + ses_std_som_len;
	const size_t len = in->pkt->len;

	if (unlikely(len < headers || (mtu && len - headers > mtu)))
		return false;
	pds_req_get(&r->pds, in->pkt->p);
	if (unlikely(r->pds.next_hdr != PDS_NEXT_REQUEST_STD || r->pds.retx))
		return false;
	r->clear = serial_add(r->pds.psn, r->pds.clear_psn_offset);
	r->ses = in->pkt->p + pds_req_len;
	look_std_get(&r->std, r->ses);
	return likely(is_plain_opcode(r->std.opcode) &&
		      look_ses_clean(r->ses, r->pds.next_hdr) &&
		      usual_is_message(&r->std) &&
		      ends_right(&r->std, r->ses, len - headers));
}

/* It is the next of its flow, and there is a place for what it tells. */
static bool place_request(struct next *n, struct request *r)
{
	const struct flow *f = n->f;
	const uint32_t psn = r->pds.psn;

	if (unlikely(!is_in_line(n->d, psn, r->clear) ||
		     (f->whole && psn - f->syn_start >= INT32_MAX)))
		return false;
	n->s = psn_slot(n->d, psn);
	r->m = message_of(n->d, &r->std, f->whole);
	return likely(gives_way(f, n->d, n->s, psn) && r->m);
}

static void take_request(const struct next *n, const struct request *r)
{
	const struct judge_packet *in = n->in;
	const uint32_t psn = r->pds.psn;
	const bool ce = in->d->ecn == ECN_CE;
	struct psn_state *s = n->s;
	struct dir *d = n->d;

	d->tally.requests++;
	if (s->owner == n->f->owner)
		step_lose(d, s);
	*s = (struct psn_state){
		.owner = n->f->owner,
		.psn = psn,
		.first_at = in->at,
		.sent_at = in->at,
		.frame = in->frame,
		.hash = crc32c(0, r->ses, in->pkt->len - pds_req_len),
		.clear_offset = r->pds.clear_psn_offset,
		.flags = flags_of(&n->j->conf, &r->pds, &r->std, ce),
		.entropy = in->d->entropy,
		.entropy_last = in->d->entropy,
		.message_id = r->std.message_id,
		.copies = 1,
	};
	go_on(d, psn);
	step_sent(d, s, in->pkt->len);
	step_message(d, r->m, &r->std, false, psn);
	step_release(d, r->clear);
	step_clear(d, r->clear);
	d->ce_unsaid |= ce;
	if (unlikely(!n->f->syn_done) && n->from == 0 && n->f->syn_start_known)
		step_syn_done(n->f, psn);
}

static bool request(struct judge *j, const struct judge_packet *in)
{
	struct table_key key = {&in->d->src, &in->d->dst, 0};
	struct next n = {.j = j, .in = in};
	struct request r;

	if (unlikely(!read_request(in, j->conf.mtu, &r)))
		return false;
	key.pdcid = r.pds.spdcid;
	if (unlikely(!find(&n, &key, r.pds.dpdcid, &n.from) ||
		     !place_request(&n, &r) ||
		     !count_usual(&n, r.ses,
				  usual_more_of_request(n.d, r.clear))))
		return false;
	note(&n);
	take_request(&n, &r);
	return true;
}

/* ---- ACKs ---- */

/* It covers no less than before and, as far as that is known, what was sent. */
static bool is_next_ack(const struct dir *d, const struct psn_state *s,
			uint32_t cack)
{
	const uint32_t clear = psn_clear(s);

	if (serial_before(cack, d->cack) ||
	    serial_diff(cack, d->cack) > d->window)
		return false;
	if (unlikely(!d->start_known))
		return true;
	return !serial_after(cack, d->seen_to) &&
	       !serial_after(clear, d->acked_to) && !serial_before(cack, clear);
}

/* Those above the last CACK_PSN. */
static void cover(struct flow *f, struct dir *d, uint32_t cack, vtime at)
{
	uint32_t psn = d->cack;
	struct psn_state *s;

	if (psn == cack)
		return;
	d->tally.covered += cack - psn;
	while (psn != cack) {
		s = psn_find(f, d, ++psn);
		if (likely(s))
			step_cover(d, s, at);
	}
	d->cack = cack;
	d->cack_at = at;
}

static void take_ack(const struct next *n, uint32_t cack, const uint8_t *ses)
{
	const vtime at = n->in->at;
	struct psn_state *s = n->s;
	struct dir *d = n->d;

	d->tally.acks++;
	if (likely(!(s->flags & (PSN_ACKED | PSN_OWN_ACK))))
		tally_rtt_of(n->j, n->f, at - s->sent_at);
	cover(n->f, d, cack, at);
	step_cover(d, s, at);
	if (likely(!(s->flags & PSN_OWN_ACK)))
		step_answer(s, ses);
	if (likely(d->start_known))
		step_acked_to(n->f, d);
	d->ce_unsaid = false;
}

static bool ack(struct judge *j, const struct judge_packet *in)
{
	const uint8_t *ses = in->pkt->p + pds_ack_len;
	struct table_key key = {&in->d->dst, &in->d->src, 0};
	struct next n = {.j = j, .in = in};
	struct pds_ack h;
	unsigned end;

	if (unlikely(in->pkt->len != pds_ack_len + ses_response_len))
		return false;
	pds_ack_get(&h, in->pkt->p);
	if (unlikely(h.next_hdr != PDS_NEXT_RESPONSE || h.req ||
		     h.ack_psn_offset > 0))
		return false;
	key.pdcid = h.dpdcid;
	if (unlikely(!find(&n, &key, h.spdcid, &end)))
		return false;
	n.from = !end;
	n.s = psn_find(n.f, n.d, serial_add(h.cack_psn, h.ack_psn_offset));
	if (unlikely(!n.s || !usual_is_answer(n.s, in->d) ||
		     !usual_is_response(n.s, ses) ||
		     !is_next_ack(n.d, n.s, h.cack_psn) ||
		     !count_usual(&n, ses, usual_more_of_ack(n.d, n.s))))
		return false;
	note(&n);
	take_ack(&n, h.cack_psn, ses);
	return true;
}

/* ---- Both ---- */

HOT bool judge_straight(struct judge *j, const struct judge_packet *in)
{
	const struct packet *pkt = in->pkt;
	const struct dgram *d = in->d;

	if (unlikely(!j->goes_straight || in->copy || in->cut ||
		     judge_trimmed(&j->conf, d->dscp) ||
		     pkt->len < pds_ack_len))
		return false;
	switch (pds_type_of(pkt->p)) {
	case PDS_RUD_REQ:
		return request(j, in);
	case PDS_ACK:
		return ack(j, in);
	default:
		return false;
	}
}
