/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/flow.c -- what a packet changes in what is known of its flow.
 *
 * Nothing is judged here.  What a packet claims against what was seen (an ACK
 * of a PSN that nobody sent) is not taken in, so that one fault is reported
 * once and not by every packet after it.
 *
 * Spec: UET 3.5.8.2, 3.5.11, 3.5.12 (uet.md 6, 7)
 */
#include "judge/flow.h"

#include <limits.h>
#include <string.h>

#include "base/hot.h"
#include "judge/flow_cc.h"
#include "judge/flow_steps.h"
#include "judge/state.h"
#include "wire/crc.h"

/* ---- PSNs ---- */

/* The lowest PSN that has to be remembered, if that is known. */
static bool lowest(const struct dir *d, uint32_t *ret)
{
	if (!d->cack_known && !d->start_known)
		return false;
	*ret = d->cack_known ? d->cack : d->start;
	return true;
}

/* The slot is free, or no ring of the window's size has room for both. */
static bool fits(const struct flow *f, const struct dir *d, uint32_t psn)
{
	const struct psn_state *s;

	if (!d->slots)
		return false;
	s = psn_slot(d, psn);
	return s->owner != f->owner || ring_meet(s->psn, psn, d->window);
}

/* What is acknowledged gives way to what came after it; nothing else does. */
static bool has_room(const struct flow *f, const struct dir *d, uint32_t psn)
{
	const struct psn_state *s;
	uint32_t low;

	if (lowest(d, &low) && serial_diff(psn, low) >= (int32_t)d->window)
		return false;
	if (!d->slots)
		return true;
	s = psn_slot(d, psn);
	if (s->owner != f->owner || !ring_meet(s->psn, psn, d->window))
		return true;
	return s->psn == psn ||
	       (s->flags & PSN_ACKED && serial_before(s->psn, psn));
}

static bool more_slots(struct look *l, struct dir *d)
{
	struct flow_home *h = l->f->home;
	struct pool *pool = &l->j->table.pool;
	const uint16_t slots = d->slots ? (uint16_t)(2 * d->slots) : FLOW_LEAST;
	const bool first = !h->dir[0].slots && !h->dir[1].slots;
	struct psn_state *ring =
		first ? h->ring : pool_take(pool, slots * sizeof(*ring));

	if (!ring)
		return false;
	for (uint32_t i = 0; i < d->slots; i++)
		if (d->ring[i].owner == l->f->owner)
			ring[d->ring[i].psn & (slots - 1)] = d->ring[i];
	home_give_ring(pool, h, d);
	d->ring = ring;
	d->slots = slots;
	return true;
}

/* Without memory the window is what there is. */
static void make_room(struct look *l, struct dir *d, uint32_t psn)
{
	if (unlikely(!d->window))
		d->window = l->conf->window ? (uint16_t)l->conf->window
					    : FLOW_WINDOW;
	while (d->window < FLOW_WINDOW && !has_room(l->f, d, psn))
		d->window *= 2;
	while (d->slots < d->window && !fits(l->f, d, psn))
		if (!more_slots(l, d))
			d->window = d->slots;
}

/* Where the state of a new PSN goes; an older one there is lost.  NULL: there
 * is no memory. */
static struct psn_state *psn_place(struct look *l, struct dir *d, uint32_t psn)
{
	struct psn_state *s;

	make_room(l, d, psn);
	if (unlikely(!d->slots))
		return NULL;
	s = psn_slot(d, psn);
	if (s->owner == l->f->owner && serial_before(s->psn, psn))
		step_lose(d, s);
	return s;
}

const struct dir_rare dir_nothing;

struct dir_rare *dir_rare(struct judge *j, struct dir *d)
{
	struct dir_rare *r = (struct dir_rare *)(uintptr_t)d->rare;

	if (r != &dir_nothing)
		return r;
	r = pool_take(&j->table.pool, sizeof(*r));
	if (!r) {
		memset(&j->lost, 0, sizeof(j->lost));
		return &j->lost;
	}
	if (d->start_known)
		r->rod.taken_to = r->rod.sure_to = d->start - 1;
	d->rare = r;
	return r;
}

bool psn_acked(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s = psn_find(f, d, psn);

	if (d->cack_known && !serial_after(psn, d->cack))
		return true;
	return s && s->flags & PSN_ACKED;
}

const struct stray *dir_stray(const struct dir *d, uint32_t psn,
			      const struct stray *last)
{
	const struct stray *all = d->rare->strays;
	const unsigned n =
		d->rare->nstrays < FLOW_STRAYS ? d->rare->nstrays : FLOW_STRAYS;

	for (const struct stray *s = last ? last + 1 : all; s < all + n; s++)
		if (s->psn == psn)
			return s;
	return NULL;
}

bool psn_seen(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s = psn_find(f, d, psn);
	const struct stray *stray = NULL;

	if (likely(s))
		return !psn_trimmed(s);
	while ((stray = dir_stray(d, psn, stray)))
		if (!stray->foreign)
			return true;
	return false;
}

struct message *message_find(struct dir *d, uint16_t id)
{
	struct message *m;

	if (!d->message_slots)
		return NULL;
	m = message_place(d, id);
	return m->used && m->id == id ? m : NULL;
}

const struct message *message_slot(const struct dir *d, uint16_t id)
{
	static const struct message none, gone = {.evicted = true};
	static const struct message lost = {
		.used = true, .read = true, .evicted = true};
	const struct message *m;

	if (!d->message_slots)
		return d->lost_messages ? &lost : &none;
	m = message_place(d, id);
	if (m->used && !ring_meet(m->id, id, d->nmessages))
		return m->evicted ? &gone : &none;
	return m;
}

/* The slot is free, or its own; what gives way leaves a mark that is that of
 * one place among all that there can be. */
static bool message_fits(const struct dir *d, uint16_t id)
{
	const struct message *m;

	if (!d->message_slots)
		return false;
	m = message_place(d, id);
	return !m->used || m->id == id;
}

static bool more_messages(struct look *l, struct dir *d)
{
	struct flow_home *h = l->f->home;
	struct pool *pool = &l->j->table.pool;
	const uint8_t was = d->message_slots;
	const uint8_t n = was ? (uint8_t)(2 * was) : FLOW_FIRST_MESSAGES;
	const bool first = !h->dir[0].message_slots && !h->dir[1].message_slots;
	struct message *p =
		first ? h->messages : pool_take(pool, n * sizeof(*p));

	if (!p)
		return false;
	for (uint32_t i = 0; !was && i < n; i++)
		p[i].evicted = d->lost_messages;
	for (uint32_t i = 0; i < was; i++) {
		const struct message *m = &d->messages[i];

		p[i].evicted = p[i + was].evicted = m->evicted;
		if (m->used)
			p[m->id & (n - 1)] = *m;
	}
	home_give_messages(pool, h, d);
	d->messages = p;
	d->message_slots = n;
	return true;
}

/* What is finished may give way, what is open should not. */
static bool keeps_place(const struct dir *d, uint16_t id)
{
	const struct message *m = message_slot(d, id);

	return m->used && m->id != id && m->open;
}

static struct message *message_room(struct look *l, struct dir *d, uint16_t id)
{
	const bool all = !l->conf->window || l->conf->window == FLOW_WINDOW;

	if (!d->nmessages)
		d->nmessages = all ? FLOW_MESSAGES : FLOW_FIRST_MESSAGES;
	while (d->nmessages < FLOW_MESSAGES && keeps_place(d, id))
		d->nmessages *= 2;
	while (d->message_slots < d->nmessages && !message_fits(d, id))
		if (!more_messages(l, d))
			d->nmessages = d->message_slots;
	return d->message_slots ? message_place(d, id) : NULL;
}

/* ---- Requests and CPs with a PSN ---- */

/* An ACK has shown since it was sent that a later one arrived. */
static bool gap_seen(const struct dir *d, const struct psn_state *s)
{
	if (d->rare->ooo_at && d->rare->ooo_at >= s->sent_at &&
	    serial_after(d->rare->ooo_high, s->psn))
		return true;
	return d->rare->ooo_top_at && d->rare->ooo_top_at >= s->sent_at &&
	       serial_after(d->rare->ooo_top, s->psn);
}

enum look_cause look_cause(const struct look *l)
{
	const struct psn_state *s = l->old;

	if (s->flags & PSN_NACKED)
		return CAUSE_NACK;
	if (l->f->rod && l->own->rare->nack_at &&
	    l->own->rare->nack_at >= s->sent_at)
		return CAUSE_NACK;
	return gap_seen(l->own, s) ? CAUSE_GAP : CAUSE_TIMER;
}

/* Where the forward direction did, if that is near. */
static uint32_t return_start(const struct look *l)
{
	const uint32_t start = l->f->syn_start;

	return l->f->syn_start_known && l->psn - start < FLOW_WINDOW ? start
								     : l->psn;
}

/*
 * The forward direction starts where its SYN says.  The return direction has no
 * SYN: its first packet may have been overtaken, but nothing can be cleared
 * yet, so CLEAR_PSN is Start_PSN - 1.  A control packet does not say one.
 */
static void begin_dir(struct look *l)
{
	struct dir *d = l->own;

	d->any = true;
	d->high = l->stray ? l->start - 1 : l->psn;
	if (!seen_all(l))
		return;
	d->start = l->has_clear ? l->clear + 1 : return_start(l);
	if (l->from == 0) {
		d->start = l->f->syn_start;
		d->clear_known = d->released_known = d->cack_known = true;
		d->clear = d->released = d->cack = d->start - 1;
	}
	d->start_known = true;
	d->seen_to = d->acked_to = d->start - 1;
	if (d->rare != &dir_nothing) {
		dir_rare(l->j, d)->rod.taken_to = d->start - 1;
		dir_rare(l->j, d)->rod.sure_to = d->start - 1;
	}
}

static HOT void advance_seen(struct flow *f, struct dir *d)
{
	/* Above the highest there is nothing but strays. */
	while ((serial_before(d->seen_to, d->high) ||
		unlikely(d->rare->nstrays)) &&
	       psn_seen(f, d, d->seen_to + 1))
		d->seen_to++;
}

static bool is_one_of(uint64_t opcodes, uint8_t opcode)
{
	return opcodes >> (opcode & 0x3f) & 1;
}

#define OPCODE(name) (UINT64_C(1) << (name))

static bool is_read(uint8_t opcode)
{
	return is_one_of(OPCODE(SES_READ) | OPCODE(SES_FETCHING_ATOMIC) |
				 OPCODE(SES_TSEND_FETCH_ATOMIC),
			 opcode);
}

static bool is_write(uint8_t opcode)
{
	return is_one_of(OPCODE(SES_WRITE) | OPCODE(SES_ATOMIC) |
				 OPCODE(SES_TSEND_ATOMIC),
			 opcode);
}

/* What the SES header of a request says: its flags, and its message id where it
 * has one. */
static uint32_t request_flags(const struct look *l, uint16_t *ret_id)
{
	struct ses_response_data data;
	uint32_t flags = 0;

	if (unlikely(!l->ses))
		return 0;
	if (unlikely(l->next_hdr == PDS_NEXT_RESPONSE_DATA)) {
		ses_response_data_get(&data, l->ses);
		*ret_id = data.response_message_id;
	}
	if (unlikely(l->next_hdr >= PDS_NEXT_RESPONSE))
		return PSN_DATA;
	flags |= is_read(l->ses[0]) ? PSN_READ : 0;
	flags |= is_write(l->ses[0]) ? PSN_WRITE : 0;
	flags |= (l->ses[1] & 3) != 3 ? PSN_MULTI : 0; /* som and eom */
	if (likely(l->next_hdr == PDS_NEXT_REQUEST_STD)) {
		flags |= PSN_STD;
		*ret_id = l->std.message_id;
	}
	return flags;
}

static uint32_t trim_flags(const struct look *l)
{
	if (!l->trimmed)
		return 0;
	return l->trimmed == NACK_TRIMMED ? PSN_CUT : PSN_CUT_LAST;
}

/* A control packet is no longer than what a switch leaves of it.  Where the
 * codepoints are not known, one that others have not may be such a one. */
static bool may_be_trimmed(const struct look *l)
{
	const struct judge_conf *conf = l->conf;

	/* No switch says with 0 that it has trimmed a packet. */
	return !conf->dscp_trimmed && !conf->dscp_trimmed_lasthop &&
	       l->in->d->dscp && l->f->dscp_known &&
	       l->in->d->dscp != l->f->dscp;
}

static uint32_t first_flags(const struct look *l, uint16_t *ret_id)
{
	uint32_t flags = unlikely(l->trimmed) ? trim_flags(l) | PSN_CUT_ALL : 0;

	/* What was sent before it may be another: nothing to compare with. */
	if (unlikely(l->spoilt || (!seen_all(l) && l->retx)))
		flags |= PSN_SPOILT;
	if (unlikely(l->kind == LOOK_CP))
		return flags | PSN_CP | (may_be_trimmed(l) ? PSN_SPOILT : 0);
	return flags | request_flags(l, ret_id);
}

/*
 * A control packet with a PSN carries no CLEAR_PSN: the one before it holds on.
 * What does not fit into 16 bits is farther back than any window.
 */
static int16_t clear_offset(const struct look *l)
{
	const struct dir *d = l->own;
	const int32_t before = d->released_known
				       ? serial_diff(d->released, l->psn)
				       : INT16_MIN;

	if (likely(l->has_clear))
		return (int16_t)(int32_t)(l->clear - l->psn);
	return before < INT16_MIN || before >= 0 ? INT16_MIN : (int16_t)before;
}

static struct psn_state *first_copy(struct look *l)
{
	struct dir *d = l->own;
	struct psn_state *s = psn_place(l, d, l->psn);
	uint16_t id = 0;
	uint32_t flags;

	if (unlikely(!s))
		return NULL;
	flags = first_flags(l, &id);
	*s = (struct psn_state){.owner = l->f->owner,
				.psn = l->psn,
				.first_at = l->at,
				.hash = l->hash,
				.clear_offset = clear_offset(l),
				.flags = flags,
				.entropy = l->in->d->entropy,
				.message_id = id};
	if (likely(serial_after(l->psn, d->high)))
		d->high = l->psn;
	if (likely(d->start_known))
		advance_seen(l->f, d);
	flow_cc_arrived(l, s);
	return s;
}

/* What the packet says is known only now: all copies before were trimmed, or
 * ended inside their headers, as trimmed ones do whose codepoint is not known.
 * Without all packets nothing is compared with the first copy. */
static bool is_first_whole(const struct look *l, const struct psn_state *s)
{
	if (psn_trimmed(s))
		return !l->trimmed;
	if (likely(!(s->flags & PSN_SPOILT)) || l->spoilt || !seen_all(l))
		return false;
	return l->kind != LOOK_CP || !may_be_trimmed(l);
}

static struct psn_state *first_whole(struct look *l, struct psn_state *s)
{
	s->hash = l->hash;
	s->clear_offset = clear_offset(l);
	if (!l->spoilt)
		s->flags &= ~(uint32_t)PSN_SPOILT;
	s->flags &= ~(uint32_t)PSN_CUT_ALL;
	s->flags |= request_flags(l, &s->message_id);
	if (l->own->start_known)
		advance_seen(l->f, l->own);
	flow_cc_arrived(l, s);
	return s;
}

static void count_up(uint8_t *n)
{
	if (*n < UINT8_MAX)
		++*n;
}

static void count_repeat(const struct look *l, struct psn_state *s)
{
	/* ROD: what follows the packet that is missing comes along. */
	if (l->twin || (l->f->rod && !look_goes_back(l)))
		return;
	switch (look_cause(l)) {
	case CAUSE_TIMER:
		count_up(&s->rto_retx);
		break;
	case CAUSE_NACK:
		if (s->nack_code != NACK_RCVD_SES_PROCG)
			count_up(&s->nack_retx);
		break;
	case CAUSE_GAP:
		break;
	}
}

/* The destination tracks PSNs around its own CACK_PSN, of which only bounds are
 * known: not below the last that it told, not above what was sent to it. */
static bool is_outside(const struct look *l)
{
	const struct dir *d = l->own;
	const int32_t range = (int32_t)dir_range(d, l->conf);

	if (!d->start_known)
		return false;
	return serial_diff(l->psn, d->seen_to) > range ||
	       (d->cack_known && serial_diff(l->psn, d->cack) < -range);
}

static uint32_t copy_flags(const struct look *l)
{
	uint32_t flags = l->retx ? PSN_REPEATED | PSN_LAST_RETX : PSN_FRESH;

	flags |= l->in->d->ecn == ECN_CE ? PSN_CE : PSN_NO_CE;
	flags |= l->ar ? PSN_AR : 0;
	flags |= l->syn ? PSN_SYN : 0;
	flags |= is_outside(l) ? PSN_OUTSIDE : 0;
	if (unlikely(look_other_mode(l)))
		flags |= PSN_OTHER_MODE;
	flags |= l->syn && l->start != l->f->syn_start ? PSN_OTHER_START : 0;
	return flags;
}

/* How far CACK_PSN went is not told at once: the packet may be so old that the
 * destination drops it.  At CACK_PSN - MP_RANGE it is: to send up to that
 * CACK_PSN, the source had to be told of it. */
static bool may_be_too_old(const struct look *l)
{
	const struct dir *d = l->own;
	const int32_t range = (int32_t)dir_range(d, l->conf);

	return d->start_known && serial_diff(d->seen_to, l->psn) >= range;
}

/* With mpr = 0 of 1.0.3 only the two ends know how far the window
 * reaches: a packet behind a gap may be outside it. */
static bool may_be_too_far(const struct look *l)
{
	const struct dir *d = l->own;

	return unlikely(d->rare->mpr_zero) && d->start_known &&
	       serial_diff(l->psn, d->seen_to) > 0;
}

static void note_due(struct look *l, struct psn_state *s)
{
	const bool marked = l->conf->ack_on_ecn && l->in->d->ecn == ECN_CE &&
			    l->kind == LOOK_REQ;
	bool acked;

	if (!l->ar && !l->syn && !l->retx && !marked)
		return;
	if (unlikely(l->twin || s->flags & (PSN_SPOILT | PSN_OUTSIDE) ||
		     may_be_too_old(l) || may_be_too_far(l)))
		return;
	if (unlikely(l->f->rod) &&
	    serial_after(l->psn, l->own->rare->rod.sure_to))
		return; /* it may be dropped */
	if (unlikely(l->trimmed) && l->kind == LOOK_CP)
		return; /* likewise */
	if (unlikely(l->kind == LOOK_CP) && may_be_trimmed(l))
		return;
	acked = psn_acked(l->f, l->own, l->psn);
	if (acked && !l->retx)
		return; /* a copy that the network made: as it likes */
	s->flags |= PSN_DUE;
	if (likely(!acked))
		return;
	s->flags |= PSN_AGAIN;
	l->own->again = true;
	dir_rare(l->j, l->own)->again_psn = l->psn;
}

enum {
	OF_LAST_COPY = PSN_AR | PSN_SYN | PSN_LAST_RETX | PSN_NACKED |
		       PSN_OUTSIDE | PSN_TOLD | PSN_OTHER_MODE |
		       PSN_OTHER_START,
};

/*
 * How often a source sends again before it may give up, |declared| or 0.  Of a
 * device that has not declared a timer either, nothing is known: it may do so
 * after any repeat.
 */
static unsigned retries(const struct judge_conf *conf, unsigned declared)
{
	if (!conf->rto_init)
		return 1;
	return declared ? declared : UINT_MAX;
}

static void next_copy(struct look *l, struct psn_state *s)
{
	if (unlikely(s->copies))
		count_repeat(l, s);
	count_up(&s->copies);
	if (unlikely(s->copies > 1) &&
	    s->copies > retries(l->conf, l->conf->max_rto_retx))
		l->own->spent = true;
	s->flags = (s->flags & ~(uint32_t)OF_LAST_COPY) | copy_flags(l);
	s->sent_at = l->at;
	s->frame = l->in->frame;
	s->entropy_last = l->in->d->entropy;
	note_due(l, s);
}

void flow_take_stray(struct look *l, bool foreign)
{
	struct dir_rare *r = dir_rare(l->j, l->own);

	r->strays[r->nstrays++ % FLOW_STRAYS] = (struct stray){
		.used = true,
		.foreign = foreign,
		.outside = !foreign && is_outside(l),
		.spdcid = l->kind == LOOK_CP ? l->cp.spdcid : l->req.spdcid,
		.psn = l->psn};
}

static void take_message(struct look *l)
{
	struct dir *d = l->own;
	const struct look_std *h = &l->std;
	struct message *m;

	m = message_room(l, d, h->message_id);
	if (unlikely(!m))
		return;
	step_message(d, m, h, is_read(h->opcode), l->psn);
}

/* Return data says to which read it belongs: note which way it went. */
static void take_return(struct look *l)
{
	struct ses_response_data h;
	struct message *m;

	ses_response_data_get(&h, l->ses);
	m = message_find(l->peer, h.read_request_message_id);
	if (m && l->kind == LOOK_ACK)
		m->via_ack = true;
	else if (m)
		m->via_return = true;
}

static void take_ses(struct look *l)
{
	if (unlikely(!l->ses || l->spoilt))
		return;
	if (likely(l->next_hdr == PDS_NEXT_REQUEST_STD))
		take_message(l);
	else if (l->next_hdr == PDS_NEXT_RESPONSE_DATA)
		take_return(l);
}

/* ---- ROD ---- */

bool nack_received(uint8_t code)
{
	return code == NACK_RCVD_SES_PROCG || code == NACK_ACK_WITH_DATA ||
	       code == NACK_TRIMMED_ACK;
}

/* A packet reaches the destination of a ROD PDC: in order, or not. */
static void take_arrival(struct look *l)
{
	struct rod *r = &dir_rare(l->j, l->own)->rod;

	if (l->spoilt || (l->kind == LOOK_REQ && look_other_mode(l)))
		return;
	r->sure_to = serial_max(r->sure_to, l->own->acked_to);
	if (l->psn == r->sure_to + 1)
		r->sure_to++;
	if (l->psn == r->taken_to + 1) {
		r->taken_to++;
		r->gap_told = false;
		r->gap_at = 0;
	} else if (serial_after(l->psn, r->taken_to) && !r->gap_told &&
		   !r->gap_at && !rod_in_doubt(l->own, l->psn)) {
		r->gap_at = l->at;
		r->gap_frame = l->in->frame;
		r->gap_psn = l->psn;
	}
}

/* A packet leaves its source, in line or back to one that is missing. */
static void take_departure(struct look *l, bool back, bool asked_for)
{
	struct rod *r = &dir_rare(l->j, l->own)->rod;

	r->entropy = l->in->d->entropy;
	if (l->twin)
		return;
	if (back && !r->aside)
		r->line = r->last;
	if (back)
		r->aside = asked_for;
	else if (l->psn == r->line + 1)
		r->aside = false;
	r->last = l->psn;
	if (!back)
		return;
	r->head = l->psn;
	r->head_at = l->at;
}

/* Nothing is due for what came behind |psn|. */
static void forgive(struct flow *f, struct dir *d, uint32_t psn)
{
	for (unsigned i = 0; i < FLOW_WINDOW && psn != d->high; i++) {
		struct psn_state *s = psn_find(f, d, ++psn);

		if (s)
			s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
	}
}

/* What is behind |psn| has to come again before it is surely taken. */
static void unsure(struct look *l, struct dir *d, uint32_t psn)
{
	if (!serial_after(psn, d->rare->rod.sure_to))
		dir_rare(l->j, d)->rod.sure_to = psn - 1;
}

/* |psn| was not taken after all, nor was what came behind it. */
static void untake(struct look *l, struct dir *d, uint32_t psn)
{
	unsure(l, d, psn);
	if (serial_after(psn, d->rare->rod.taken_to))
		return;
	dir_rare(l->j, d)->rod.taken_to = psn - 1;
	forgive(l->f, d, psn);
}

/* One of several copies was dropped, and which of them is not known. */
static void doubt_order(struct look *l, struct dir *d, uint32_t psn)
{
	struct rod *r = &dir_rare(l->j, d)->rod;

	unsure(l, d, psn);
	if (r->doubted && serial_after(r->doubt, d->acked_to) &&
	    serial_before(r->doubt, psn))
		return;
	r->doubted = true;
	r->doubt = psn;
	r->gap_at = 0;
	forgive(l->f, d, psn);
}

/* Expected_PSN: what is below it arrived, what is at it did not. */
static void take_expected(struct look *l)
{
	struct dir *d = l->peer;
	struct rod *r = &dir_rare(l->j, d)->rod;
	const struct psn_state *missing;

	r->ooo_at = l->at;
	r->zero_told |= !l->payload;
	r->gap_told = true;
	r->gap_at = 0;
	if (!l->payload || !serial_after(l->payload, d->acked_to) ||
	    serial_after(l->payload, l->psn) || !l->old)
		return;
	r->told = r->told_at ? serial_max(r->told, l->payload) : l->payload;
	r->told_at = l->at;
	missing = psn_find(l->f, d, l->payload);
	if (missing && missing->sent_at < l->old->sent_at)
		untake(l, d, l->payload); /* dropped without a word */
}

static void take_rod_nack(struct look *l)
{
	const struct psn_state *s = l->old;
	struct dir *d = l->peer;

	if (l->nack.nack_code == NACK_ROD_OOO)
		take_expected(l);
	else if (d->rare->rod.gap_psn == l->psn)
		dir_rare(l->j, d)->rod.gap_at = 0;
	if (!s || !s->drops || s->flags & PSN_ACKED)
		return;
	if (s->drops >= s->copies)
		untake(l, d, l->psn);
	else if (nack_drops(l->nack.nack_code))
		doubt_order(l, d, l->psn);
}

/* Only an ACK that nobody asked for again has its place in the order. */
static void take_rod_ack(struct look *l)
{
	struct rod *r = &dir_rare(l->j, l->peer)->rod;

	if (l->old->copies > 1 || l->old->flags & (PSN_OWN_ACK | PSN_WANTED))
		return;
	if (!r->acked || serial_after(l->ack_psn, r->ack_high))
		r->ack_high = l->ack_psn;
	r->acked = true;
}

static void take_rod_return(struct look *l)
{
	struct rod *r = &dir_rare(l->j, l->own)->rod;

	if (l->kind == LOOK_REQ && look_read_of(l, &r->ret_psn, &r->ret_offset))
		r->returned = true;
}

/* "ACK_GEN_COUNT += max(packet payload bytes, ACK_Gen_Min_Pkt_Add)" */
static void count_bytes(struct look *l)
{
	const struct judge_conf *conf = l->conf;
	const uint32_t payload = (uint32_t)(l->len - l->in->pkt->payload);
	struct dir_rare *r;

	if (likely(!conf->ack_gen_trigger) || l->spoilt || is_outside(l) ||
	    l->f->rod)
		return; /* ROD: it may be dropped */
	r = dir_rare(l->j, l->own);
	r->unacked += payload > conf->ack_gen_min_pkt_add
			      ? payload
			      : conf->ack_gen_min_pkt_add;
	if (r->trigger_at || r->unacked < conf->ack_gen_trigger)
		return;
	r->trigger_at = l->at;
	r->trigger_frame = l->in->frame;
}

static HOT void take_psn(struct look *l)
{
	const bool back = look_goes_back(l);
	const bool asked_for = look_asked_for(l);
	struct psn_state *s = l->old;

	if (unlikely(!l->own->any))
		begin_dir(l);
	if (unlikely(l->stray)) {
		flow_take_stray(l, false);
		return;
	}
	if (likely(!s) || is_first_whole(l, s)) {
		s = unlikely(s) ? first_whole(l, s) : first_copy(l);
		if (unlikely(!s))
			return;
		if (likely(l->kind == LOOK_REQ)) {
			count_bytes(l);
			take_ses(l);
		}
		if (unlikely(l->f->rod))
			take_rod_return(l);
	} else {
		s->flags |= trim_flags(l);
	}
	if (unlikely(l->f->rod))
		take_arrival(l);
	next_copy(l, s);
	if (unlikely(l->f->rod))
		take_departure(l, back, asked_for);
	l->own->ce_unsaid |= l->in->d->ecn == ECN_CE;
}

/* ---- Clears ---- */

/* The next response that is surely stored, above |psn|. */
static void find_gtd(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s;

	d->gtd = false;
	for (unsigned i = 0; i < FLOW_WINDOW && psn != d->high && !d->gtd;
	     i++) {
		s = psn_find(f, d, ++psn);
		if (s && s->flags & PSN_GTD) {
			d->gtd = true;
			d->gtd_low = psn;
		}
	}
}

static HOT void release(struct flow *f, struct dir *d, uint32_t psn)
{
	if (!step_release(d, psn))
		return;
	if (unlikely(d->gtd) && !serial_after(d->gtd_low, psn))
		find_gtd(f, d, psn);
}

static void forget_clear_request(struct look *l, struct dir *d)
{
	if (unlikely(d->rare->asked_at))
		dir_rare(l->j, d)->asked_at = 0;
}

/* "Answered by a CLEAR_PSN": one that covers what was asked for. */
static void take_clear(struct look *l)
{
	struct dir *d = l->own;

	release(l->f, d, l->clear);
	if (unlikely(d->rare->asked_at) &&
	    !serial_before(l->clear, d->rare->asked_psn))
		forget_clear_request(l, d);
	if (unlikely(d->start_known && serial_after(l->clear, d->acked_to)))
		return;
	if (unlikely(l->kind == LOOK_REQ && !serial_before(l->clear, l->psn)))
		return;
	step_clear(d, l->clear);
}

/* ---- ACKs ---- */

static void take_cack(struct look *l)
{
	struct dir *d = l->peer;
	const uint32_t cack = l->ack.cack_psn;
	uint32_t psn = d->cack_known ? d->cack : cack - d->window;
	struct psn_state *s;

	if (unlikely(d->start_known && serial_after(cack, d->seen_to)))
		return;
	if (d->cack_known && !serial_after(cack, d->cack))
		return;
	if (unlikely(serial_diff(cack, psn) > (int32_t)d->window))
		psn = cack - d->window;
	while (psn != cack) {
		s = psn_find(l->f, d, ++psn);
		if (likely(s))
			step_cover(d, s, l->at);
	}
	if (unlikely(d->rare->requests))
		dir_rare(l->j, d)->requests = 0;
	d->cack_known = true;
	d->cack = cack;
	d->cack_at = l->at;
	if (unlikely(d->gtd) && !serial_after(d->gtd_low, cack))
		find_gtd(l->f, d, cack);
}

bool look_stateful(const struct look *l)
{
	struct ses_response h;

	if (!l->ses)
		return false;
	if (l->next_hdr != PDS_NEXT_RESPONSE)
		return true; /* read data */
	ses_response_get(&h, l->ses);
	return h.return_code > RC_OK || h.list == SES_LIST_OVERFLOW;
}

/*
 * Whose clear does an ACK ask for?  Its own, if nothing else that a clear was
 * asked for is still stored.  Otherwise only its response can tell: some
 * targets ask in every ACK while anything is stored.
 */
static void take_asked(struct look *l, struct psn_state *s)
{
	struct dir *d = l->peer;
	const bool alone = !d->asked_clear || !d->released_known ||
			   !serial_after(d->asked_high, d->released);

	s->flags |= PSN_ASKED;
	if (!d->asked_clear || serial_after(s->psn, d->asked_high))
		d->asked_high = s->psn;
	d->asked_clear = true;
	if (!alone && !look_stateful(l))
		return;
	if (d->released_known && !serial_after(s->psn, d->released))
		return;
	s->flags |= PSN_GTD;
	if (!d->gtd || serial_before(s->psn, d->gtd_low))
		d->gtd_low = s->psn;
	d->gtd = true;
}

/* A clear of it will be asked for, or CACK_PSN will pass it. */
static void take_preliminary(struct dir *d, uint32_t psn)
{
	if (!d->asked_clear || serial_after(psn, d->asked_high))
		d->asked_high = psn;
	d->asked_clear = true;
}

static void take_own_ack(struct look *l, struct psn_state *s)
{
	step_cover(l->peer, s, l->at);
	if (likely(!(s->flags & PSN_OWN_ACK) && l->ses)) {
		/* Only there are answers compared. */
		if (unlikely(at_link(l, l->from)))
			s->answer = crc32c(0, l->ses, l->len - l->ses_at);
		if (unlikely(l->next_hdr != PDS_NEXT_RESPONSE))
			s->flags |= PSN_ANSWER_DATA;
		step_answer(s, l->ses);
	}
	s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
	if (unlikely(look_is_preliminary(l)))
		take_preliminary(l->peer, s->psn);
	if (unlikely(l->ack.req == PDS_REQ_CLEAR) && !(s->flags & PSN_ASKED) &&
	    serial_after(s->psn, l->ack.cack_psn))
		take_asked(l, s);
}

/* The first ACK after a duplicate may be its answer, if it covers it. */
static void take_again(struct look *l)
{
	struct dir *d = l->peer;
	struct psn_state *s;

	if (likely(!d->again) ||
	    serial_after(d->rare->again_psn, l->ack.cack_psn))
		return;
	d->again = false;
	s = psn_find(l->f, d, d->rare->again_psn);
	if (s)
		s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
}

static void take_gap(struct look *l, uint32_t top)
{
	struct dir_rare *r;

	if (likely(!serial_after(top, l->ack.cack_psn)))
		return;
	r = dir_rare(l->j, l->peer);
	if (r->ooo_at == l->at)
		top = serial_max(top, r->ooo_high);
	r->ooo_high = top;
	r->ooo_at = l->at;
	if (r->ooo_top_at && serial_before(top, r->ooo_top))
		return; /* an ACK may say less than the one before it */
	r->ooo_top = top;
	r->ooo_top_at = l->at;
}

static void take_sack(struct look *l)
{
	struct psn_state *s;
	uint32_t psn;

	for (uint64_t bits = l->sack_bitmap; bits; bits &= bits - 1) {
		psn = l->sack_psn + (uint32_t)__builtin_ctzll(bits);
		s = psn_find(l->f, l->peer, psn);
		if (s)
			s->flags |= PSN_SACKED;
		take_gap(l, psn);
	}
}

/* "mpr is taken only from an ACK whose cack_psn is not older than the newest
 * seen": who stands at the source's link knows which that is. */
static bool is_out_of_date(const struct look *l)
{
	const struct dir *d = l->peer;

	return at_link(l, !l->from) && d->cack_known &&
	       serial_before(l->ack.cack_psn, d->cack);
}

static void take_cc(struct look *l)
{
	struct dir *d = l->peer;
	const uint32_t range = l->mpr * (uint32_t)JUDGE_MPR_UNIT;
	struct dir_rare *r;

	take_sack(l);
	if (l->has_nscc) {
		r = dir_rare(l->j, d);
		r->bytes_known = true;
		r->rcvd_bytes = l->nscc.rcvd_bytes;
	}
	if (!range && l->conf->version >= UET_1_0_3)
		dir_rare(l->j, d)->mpr_zero = true;
	if (!range || is_out_of_date(l))
		return;
	r = dir_rare(l->j, d);
	r->mp_range = range > r->mp_last ? range : r->mp_last;
	r->mp_last = range;
}

static HOT void take_acked_to(struct look *l)
{
	if (likely(l->peer->start_known))
		step_acked_to(l->f, l->peer);
}

static void take_close_ack(struct look *l)
{
	struct flow *f = l->f;

	if (likely(!f->closing) || (int)l->from == f->initiator)
		return;
	if (!serial_before(l->ack.cack_psn, f->close_psn) ||
	    (l->has_ack_psn && l->ack_psn == f->close_psn))
		f->closed = true;
}

static void take_requests_of_ack(struct look *l)
{
	struct flow *f = l->f;

	if (unlikely(l->ack.req) && f->initiator < 0)
		f->initiator = !l->from;
	f->close_asked |= l->ack.req == PDS_REQ_CLOSE;
	if (unlikely(!f->known_at) && f->syn_start_known && l->from == 1)
		f->known_at = l->at;
}

/*
 * An ACK that is cut inside the SES header that it announces, or that covers
 * what was never sent: the source may refuse it, or make use of what is left.
 */
static bool is_doubtful(const struct look *l)
{
	const bool cut = l->next_hdr >= PDS_NEXT_RESPONSE &&
			 l->next_hdr <= PDS_NEXT_RESPONSE_DATA_SMALL && !l->ses;
	const struct dir *d = l->peer;

	if (!d->start_known)
		return cut;
	return cut || serial_after(l->ack.cack_psn, d->seen_to) ||
	       (l->has_ack_psn && serial_after(l->ack_psn, d->high));
}

/* Acknowledged, but nobody can say that the source was told. */
static void doubt(struct psn_state *s)
{
	if (!s)
		return;
	s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
	if (s->flags & PSN_ACKED)
		return;
	s->flags |= PSN_ACKED;
	s->told_at = VTIME_NEVER;
}

static void take_doubtful(struct look *l)
{
	struct dir *d = l->peer;
	const uint32_t low = d->cack_known ? d->cack : d->start - 1;
	uint32_t psn = serial_before(l->ack.cack_psn, d->high) ? l->ack.cack_psn
							       : d->high;

	doubt(l->old);
	if (serial_diff(psn, low) > FLOW_WINDOW)
		return;
	for (; serial_after(psn, low); psn--)
		doubt(psn_find(l->f, d, psn));
	take_acked_to(l);
}

/* One answer for each, unless the network copied it. */
static void close_probe(struct dir_rare *r, uint16_t opaque)
{
	for (unsigned i = 0; i < 4; i++)
		if (r->probes_open >> i & 1 && r->probes[i] == opaque) {
			r->probes_open &= (uint8_t) ~(1u << i);
			return;
		}
}

static void take_probe_answer(struct look *l)
{
	struct dir *d = l->peer;

	if (d->rare->probes_open && at_link(l, l->from))
		close_probe(dir_rare(l->j, d), (uint16_t)l->ack.ack_psn_offset);
	if (d->rare->probed_at)
		dir_rare(l->j, d)->probed_at = 0;
	take_gap(l, d->high + 1); /* the last one may be missing, too */
}

/* What it counts towards an ACK begins anew; a NACK takes a packet back. */
static void count_anew(struct look *l)
{
	struct dir_rare *r;

	if (likely(!l->peer->rare->unacked))
		return;
	r = dir_rare(l->j, l->peer);
	r->unacked = 0;
	r->trigger_at = 0;
}

/* A PDC whose end acknowledges something has not ended with its NACK. */
static void take_sign_of_life(struct look *l)
{
	struct flow *f = l->f;
	const unsigned end = 1u << l->from;

	if (likely(!(f->unexpected & end)) || !at_link(l, l->from))
		return;
	f->unexpected &= (uint8_t)~end;
	if (!f->unexpected && !f->closing && !f->close_asked)
		f->upset = false;
}

static void take_ack(struct look *l)
{
	struct dir *d = l->peer;

	count_anew(l);
	take_sign_of_life(l);

	if (unlikely(is_doubtful(l))) {
		take_doubtful(l);
		return;
	}
	take_requests_of_ack(l);
	if (unlikely(l->f->rod) && l->old)
		take_rod_ack(l);
	take_cack(l);
	if (likely(l->old))
		take_own_ack(l, l->old);
	take_again(l);
	if (likely(l->has_ack_psn))
		take_gap(l, l->ack_psn);
	else
		take_probe_answer(l);
	if (l->has_cc)
		take_cc(l);
	take_acked_to(l);
	take_close_ack(l);
	if (unlikely(l->next_hdr == PDS_NEXT_RESPONSE_DATA) && l->ses)
		take_return(l);
	if (unlikely(d->rare->wanted_at) && l->has_ack_psn &&
	    l->ack_psn == d->rare->wanted_psn)
		dir_rare(l->j, d)->wanted_at = 0;
	d->ce_unsaid = false;
	flow_cc_told(l);
}

/* ---- NACKs ---- */

bool nack_fatal(uint8_t code)
{
	switch (code) {
	case NACK_INV_DPDCID:
	case NACK_PDC_HDR_MISMATCH:
	case NACK_CLOSING:
	case NACK_CLOSING_IN_ERR:
	case NACK_GTD_RESP_UNAVAIL:
	case NACK_INVALID_SYN:
	case NACK_PDC_MODE_MISMATCH:
	case NACK_UNEXP_EVENT:
	case NACK_EXP_NACK_FATAL:
		return true;
	}
	return false;
}

/* Codes that say: the packet is not received, nothing of it is kept. */
bool nack_drops(uint8_t code)
{
	return (code >= NACK_NO_PDC_AVAIL && code <= NACK_NO_RESOURCE) ||
	       code == NACK_ROD_OOO || code == NACK_TRIMMED ||
	       code == NACK_TRIMMED_LASTHOP;
}

/* A source counts NACKs, a copy of one by the network too. */
static bool nacks_are_spent(const struct look *l, bool again)
{
	const struct psn_state *s = l->old;
	const unsigned max = retries(l->conf, l->conf->max_nack_retx);
	const bool first = s->drops + s->nack_retx <= 1 && !again;

	if (first && !l->conf->rto_init)
		return false; /* it is heeded once */
	return s->drops >= max || s->nack_retx + (again ? 1u : 0u) >= max;
}

/* A packet that was never the flow's own: wrong PDCID, wild PSN. */
static bool is_for_stray(const struct look *l)
{
	const uint8_t code = l->nack.nack_code;

	if (!dir_stray(l->peer, l->psn, NULL))
		return false;
	return !l->old || code == NACK_INV_DPDCID ||
	       code == NACK_PDC_HDR_MISMATCH;
}

/* A NOOP is NACKed on a PDC that an earlier NACK may have ended: that shows
 * later. */
static void take_refusal(struct look *l)
{
	struct dir_rare *r;

	if (likely(!look_refuses_noop(l)) || !l->f->upset)
		return;
	r = dir_rare(l->j, l->peer);
	if (r->refused_frame)
		return;
	r->refused_frame = l->in->frame;
	r->refused_psn = l->psn;
}

static void upset(struct flow *f, vtime at)
{
	if (!f->upset)
		f->upset_at = at;
	f->upset = true;
}

/* "unsupported or impossible event": some devices go on behind it. */
static void take_fatal(struct flow *f, unsigned from, uint8_t code, vtime at)
{
	if (!nack_fatal(code))
		return;
	if (code != NACK_UNEXP_EVENT)
		f->unexpected = 0;
	else if (!f->upset || f->unexpected)
		f->unexpected |= (uint8_t)(1u << from);
	upset(f, at);
}

static void take_nack(struct look *l)
{
	struct flow *f = l->f;
	struct dir *d = l->peer;
	const uint8_t code = l->nack.nack_code;
	struct psn_state *s = l->old;
	bool again;

	count_anew(l);
	if (d->rare->wanted_at && d->rare->wanted_psn == l->psn)
		dir_rare(l->j, d)->wanted_at = 0;
	if (is_for_stray(l))
		return;
	dir_rare(l->j, d)->nack_at = l->at;
	if (l->nack.spdcid && l->from == 1 && !f->nack_told_at &&
	    code != NACK_NEW_START_PSN)
		f->nack_told_at = l->at;
	take_refusal(l);
	take_fatal(f, l->from, code, l->at);
	if (!s)
		return;
	s->told_at = l->at;
	again = s->flags & PSN_NACKED;
	/* ROD_OOO may have been overtaken: it takes no other cause back. */
	if (!again || code != NACK_ROD_OOO)
		s->nack_code = code;
	s->flags |= PSN_NACKED;
	s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
	if (nack_drops(code))
		count_up(&s->drops);
	if (f->rod)
		take_rod_nack(l);
	if (nacks_are_spent(l, again))
		d->spent = true;
	/* What is acknowledged is out of the source's range: nothing changes.
	 */
	if (!nack_fatal(code) || f->fatal_at || s->flags & PSN_ACKED ||
	    (d->cack_known && !serial_after(l->psn, d->cack)))
		return;
	f->fatal_at = l->at;
	f->fatal_frame = l->in->frame;
	f->fatal_code = code;
	f->fatal_end = !l->from;
}

/* ---- CPs, and all together ---- */

/* Nobody answers for a PSN that is a window or more behind. */
static bool may_be_behind(const struct look *l)
{
	const struct dir *d = l->own;

	return d->any &&
	       serial_diff(d->high, l->psn) >= (int32_t)dir_range(d, l->conf);
}

static void take_probe(struct look *l)
{
	struct dir_rare *r = dir_rare(l->j, l->own);

	r->probe_known = true;
	r->probe = l->cp.probe_opaque;
	r->probes_lost |= r->probes_open >> r->probes_next & 1;
	r->probes_open |= (uint8_t)(1u << r->probes_next);
	r->probes[r->probes_next] = r->probe;
	r->probes_next = (uint8_t)((r->probes_next + 1) % 4);
	r->probe_psn = l->psn;
	r->probed_at = may_be_trimmed(l) ? 0 : l->at;
	r->probed_frame = l->in->frame;
}

/* The one before got no answer, and it is late for one. */
static bool is_passed_over(const struct look *l, const struct dir_rare *r)
{
	return r->wanted_at && !r->passed_frame &&
	       l->at - r->wanted_at > look_overdue(l->conf);
}

static void take_ack_request(struct look *l)
{
	struct dir_rare *r = dir_rare(l->j, l->own);

	if (is_passed_over(l, r)) {
		r->passed_frame = r->wanted_frame;
		r->passed_psn = r->wanted_psn;
	}
	r->requests++;
	if (r->requests >= retries(l->conf, l->conf->max_rto_retx))
		l->own->spent = true;
	r->wanted_known = true;
	r->wanted_psn = l->psn;
	r->wanted_at = may_be_behind(l) || may_be_trimmed(l) ? 0 : l->at;
	r->wanted_frame = l->in->frame;
}

/* What is to be cleared: no more than the source has the responses to. */
static uint32_t asked_psn(const struct look *l)
{
	const struct dir *d = l->peer;

	if (d->start_known && serial_after(l->payload, d->acked_to))
		return d->acked_to;
	return l->payload;
}

/* Several wait for the same answer; the first one that does counts. */
static void take_clear_request(struct look *l)
{
	struct dir_rare *r = dir_rare(l->j, l->peer);
	const uint32_t psn = asked_psn(l);

	if (r->asked_at && !serial_after(psn, r->asked_psn))
		return;
	r->asked_at = l->at;
	r->asked_psn = psn;
	r->asked_frame = l->in->frame;
}

/* One as it should be, which its receiver has to acknowledge. */
static void take_noop(struct look *l)
{
	struct dir_rare *r = dir_rare(l->j, l->own);

	if (!l->ar || l->payload || l->cp.isrod != l->f->rod || l->spoilt)
		return;
	r->noop_frame = l->in->frame;
	r->noop_psn = l->psn;
}

/* A later packet has its PSN: a NACK may answer that one. */
static void forget_noop(struct look *l)
{
	if (unlikely(l->own->rare->noop_frame) &&
	    l->own->rare->noop_psn == l->psn)
		dir_rare(l->j, l->own)->noop_frame = 0;
}

/* A NACK for PSN 0 answers one of these, whichever it is. */
static void take_cp_at_zero(struct look *l)
{
	const unsigned end = 1u << l->from;

	if (l->psn)
		return;
	if (l->cp.ctl_type == PDS_CP_CLEAR_REQUEST)
		l->f->clear_requests = (l->f->clear_requests | end) & 3;
	else
		l->f->others_at_zero = (l->f->others_at_zero | end) & 3;
}

static void take_cp(struct look *l)
{
	struct flow *f = l->f;
	struct psn_state *s;

	take_cp_at_zero(l);
	switch (l->cp.ctl_type) {
	case PDS_CP_NOOP:
		take_noop(l);
		break;
	case PDS_CP_ACK_REQUEST:
		s = psn_find(f, l->own, l->psn);
		if (s)
			s->flags |= PSN_WANTED;
		take_ack_request(l);
		break;
	case PDS_CP_CLEAR_REQUEST:
		if (f->closing) /* that clears everything */
			break;
		take_clear_request(l);
		break;
	case PDS_CP_CLOSE_COMMAND:
		forget_clear_request(l, l->own);
		forget_clear_request(l, l->peer);
		f->closing = true;
		f->close_psn = l->psn;
		release(f, l->own, l->psn);
		break;
	case PDS_CP_CLOSE_REQUEST:
		f->close_asked = true;
		break;
	case PDS_CP_CREDIT:
		flow_cc_credit(l, l->payload >> 8);
		break;
	case PDS_CP_PROBE:
		take_probe(l);
		break;
	}
}

static void learn_roles(struct look *l)
{
	struct flow *f = l->f;

	if (likely(f->initiator >= 0))
		return;
	if (l->kind == LOOK_CP) {
		if (l->cp.ctl_type == PDS_CP_CLOSE_COMMAND)
			f->initiator = (int8_t)l->from;
		else if (l->cp.ctl_type == PDS_CP_CLOSE_REQUEST)
			f->initiator = !l->from;
	} else if (l->next_hdr >= PDS_NEXT_REQUEST_SMALL &&
		   l->next_hdr <= PDS_NEXT_REQUEST_STD) {
		f->initiator = (int8_t)l->from;
	} else if (l->next_hdr == PDS_NEXT_RESPONSE_DATA ||
		   l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL) {
		f->initiator = !l->from;
	}
}

static void take_source(struct look *l)
{
	struct flow *f = l->f;

	learn_roles(l);
	forget_noop(l);
	if (likely(l->takes_psn))
		take_psn(l);
	if (likely(l->has_clear && !l->stray))
		take_clear(l);
	if (unlikely(l->kind == LOOK_CP))
		take_cp(l);
	if (unlikely(!f->syn_done) && !l->syn && l->from == 0 &&
	    f->syn_start_known)
		step_syn_done(f, l->psn);
}

void flow_take_sent(struct look *l)
{
	take_psn(l);
}

static void learn_dscp(struct look *l)
{
	if (likely(l->f->dscp_known) || l->kind == LOOK_REQ)
		return;
	l->f->dscp_known = true;
	l->f->dscp = l->in->d->dscp;
}

HOT void flow_take(struct look *l)
{
	learn_dscp(l);
	if (l->kind == LOOK_ACK)
		take_ack(l);
	else if (unlikely(l->kind == LOOK_NACK))
		take_nack(l);
	else
		take_source(l);
	/* The source numbers all its packets anew: a new PDC for the judge,
	 * which begins with the first of them. */
	if (unlikely(l->kind == LOOK_NACK) &&
	    l->nack.nack_code == NACK_NEW_START_PSN) {
		l->f->moved = true;
		upset(l->f, l->at);
		l->f->unexpected = 0;
	}
}
