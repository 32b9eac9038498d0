/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/loose.c -- packets without a PDC: which request an answer belongs to,
 * and what a packet changes in what is known.  Nothing is judged here.
 *
 * Spec: UET 3.5.7.3, 3.5.10.9 (uet.md 3.11, 7.7)
 */
#include "judge/state.h"

static const struct ip_addr *source_of(const struct look *l)
{
	return l->kind == LOOK_RUDI ? &l->in->d->src : &l->in->d->dst;
}

static const struct ip_addr *target_of(const struct look *l)
{
	return l->kind == LOOK_RUDI ? &l->in->d->dst : &l->in->d->src;
}

void loose_find(struct look *l)
{
	if (l->kind == LOOK_UUD)
		return;
	l->rudi = rudi_find(&l->j->rudi, source_of(l), target_of(l), l->psn);
}

/*
 * How long a source may still wait for an answer: after that it may have given
 * the request up, and the id is free.
 */
bool loose_outstanding(const struct look *l)
{
	const struct rudi_pkt *p = l->rudi;
	vspan wait = VSPAN_MS;

	if (!p || p->flags & RUDI_ANSWERED)
		return false;
	if (l->conf->rto_init)
		wait = look_rto(l->conf, p->rto_retx);
	return l->at - p->sent_at < wait;
}

bool loose_is_another(const struct look *l)
{
	const struct rudi_pkt *p = l->rudi;

	if (!p)
		return true;
	if (l->retx || l->spoilt)
		return false;
	return l->hash != p->hash ||
	       (p->flags & RUDI_ANSWERED && knows_all(l, l->from));
}

static void count_up(uint8_t *n)
{
	if (*n < UINT8_MAX)
		++*n;
}

static void begin(struct look *l)
{
	struct rudi_pkt *p = rudi_begin(&l->j->rudi, l->rudi, l->in->d, l->psn);

	p->hash = l->hash;
	p->next_hdr = l->next_hdr;
	if (l->ses && l->next_hdr == PDS_NEXT_REQUEST_STD)
		p->message_id = l->std.message_id;
	l->rudi = p;
}

static void take_request(struct look *l)
{
	struct rudi_pkt *p;

	if (loose_is_another(l)) {
		begin(l);
	} else if (l->retx) {
		count_up(l->rudi->flags & RUDI_NACKED ? &l->rudi->nack_retx
						      : &l->rudi->rto_retx);
	}
	p = l->rudi;
	rudi_path(p, l->in->d->entropy);
	count_up(&p->copies);
	p->flags &= ~(uint32_t)RUDI_NACKED;
	p->flags |= l->retx ? RUDI_REPEATED : RUDI_FRESH;
	p->flags |= l->in->d->ecn == ECN_CE ? RUDI_CE : RUDI_NO_CE;
	p->flags |= l->spoilt ? RUDI_SPOILT : RUDI_DUE;
	p->sent_at = l->at;
	p->frame = l->in->frame;
}

static void take_answer(struct look *l)
{
	struct rudi_pkt *p = l->rudi;

	count_up(&p->answers);
	p->flags &= ~(uint32_t)RUDI_DUE;
}

static void take_response(struct look *l)
{
	struct rudi_pkt *p = l->rudi;

	if (!(p->flags & RUDI_ANSWERED))
		p->told_at = l->at;
	p->flags |= RUDI_ANSWERED;
	take_answer(l);
}

static void take_nack(struct look *l)
{
	struct rudi_pkt *p = l->rudi;

	take_answer(l);
	if (p->flags & RUDI_ANSWERED)
		return;
	p->told_at = l->at;
	p->nack_code = l->nack.nack_code;
	p->flags |= RUDI_NACKED;
	if (nack_fatal(p->nack_code))
		p->flags |= RUDI_ANSWERED;
}

void loose_note(struct look *l)
{
	if (l->kind != LOOK_RUDI || l->rudi)
		return;
	l->spoilt = true;
	take_request(l);
	l->rudi->flags |= RUDI_FRESH | RUDI_REPEATED | RUDI_CE | RUDI_NO_CE;
}

void loose_take(struct look *l)
{
	if (l->kind == LOOK_UUD)
		rudi_datagram(&l->j->rudi, l->in->d);
	else if (l->kind == LOOK_RUDI)
		take_request(l);
	else if (!l->rudi)
		return;
	else if (l->kind == LOOK_RUDI_RESP)
		take_response(l);
	else
		take_nack(l);
}
