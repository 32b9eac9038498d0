/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/pdcless.c -- packets without a PDC: finds the request that
 * an answer belongs to, and updates its state.  No rule is checked here.
 *
 * Spec: UET 3.5.7.3, 3.5.10.9 (uet.md 3.11, 7.7)
 */
#include "judge/uet/pdcless/pdcless.h"

#include "judge/core/state.h"

static const struct ip_addr *source_of(const struct pkt_ctx *l)
{
	if (l->kind == PKT_RUDI)
		return &l->in->d->src;
	return &l->in->d->dst;
}

static const struct ip_addr *target_of(const struct pkt_ctx *l)
{
	if (l->kind == PKT_RUDI)
		return &l->in->d->dst;
	return &l->in->d->src;
}

void pdcless_find(struct pkt_ctx *l)
{
	if (l->kind == PKT_UUD)
		return;
	l->rudi = rudi_find(&l->j->rudi, source_of(l), target_of(l), l->psn);
}

/*
 * Returns true while the source may still wait for an answer.  After that it
 * may have given up the request and may reuse the id.
 */
bool pdcless_outstanding(const struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;
	vspan wait = VSPAN_MS;

	if (!p || p->flags & RUDI_ANSWERED)
		return false;
	if (l->conf->rto_init)
		wait = pkt_rto(l->conf, p->rto_retx);
	return l->at - p->sent_at < wait;
}

bool pdcless_is_another(const struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;

	if (!p)
		return true;
	if (l->retx || l->mangled)
		return false;
	return l->hash != p->hash ||
	       (p->flags & RUDI_ANSWERED && knows_all(l, l->from));
}

static void pdcless_count_up(uint8_t *n)
{
	if (*n < UINT8_MAX)
		++*n;
}

static void pdcless_begin(struct pkt_ctx *l)
{
	struct judge_rudi_pkt *p =
		rudi_begin(&l->j->rudi, l->rudi, l->in->d, l->psn);

	p->hash = l->hash;
	p->next_hdr = l->next_hdr;
	if (l->ses && l->next_hdr == PDS_NEXT_REQUEST_STD)
		p->message_id = l->std.message_id;
	l->rudi = p;
}

static void pdcless_take_request(struct pkt_ctx *l)
{
	struct judge_rudi_pkt *p;

	if (pdcless_is_another(l)) {
		pdcless_begin(l);
	} else if (l->retx) {
		pdcless_count_up(l->rudi->flags & RUDI_NACKED
					 ? &l->rudi->nack_retx
					 : &l->rudi->rto_retx);
	}
	p = l->rudi;
	rudi_path(p, l->in->d->entropy);
	pdcless_count_up(&p->copies);
	p->flags &= ~(uint32_t)RUDI_NACKED;
	p->flags |= l->retx ? RUDI_REPEATED : RUDI_FRESH;
	p->flags |= l->in->d->ecn == ECN_CE ? RUDI_CE : RUDI_NO_CE;
	p->flags |= l->mangled ? RUDI_MANGLED : RUDI_DUE;
	p->sent_at = l->at;
	p->frame = l->in->frame;
}

static void pdcless_take_answer(struct pkt_ctx *l)
{
	struct judge_rudi_pkt *p = l->rudi;

	pdcless_count_up(&p->answers);
	p->flags &= ~(uint32_t)RUDI_DUE;
}

static void pdcless_take_response(struct pkt_ctx *l)
{
	struct judge_rudi_pkt *p = l->rudi;

	if (!(p->flags & RUDI_ANSWERED))
		p->acked_at = l->at;
	p->flags |= RUDI_ANSWERED;
	pdcless_take_answer(l);
}

static void pdcless_take_nack(struct pkt_ctx *l)
{
	struct judge_rudi_pkt *p = l->rudi;

	pdcless_take_answer(l);
	if (p->flags & RUDI_ANSWERED)
		return;
	p->acked_at = l->at;
	p->nack_code = l->nack.nack_code;
	p->flags |= RUDI_NACKED;
	if (nack_fatal(p->nack_code))
		p->flags |= RUDI_ANSWERED;
}

void pdcless_note(struct pkt_ctx *l)
{
	if (l->kind != PKT_RUDI || l->rudi)
		return;
	l->mangled = true;
	pdcless_take_request(l);
	l->rudi->flags |= RUDI_FRESH | RUDI_REPEATED | RUDI_CE | RUDI_NO_CE;
}

void pdcless_take(struct pkt_ctx *l)
{
	if (l->kind == PKT_UUD)
		rudi_datagram(&l->j->rudi, l->in->d);
	else if (l->kind == PKT_RUDI)
		pdcless_take_request(l);
	else if (!l->rudi)
		return;
	else if (l->kind == PKT_RUDI_RESP)
		pdcless_take_response(l);
	else
		pdcless_take_nack(l);
}
