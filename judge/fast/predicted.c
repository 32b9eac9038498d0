/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/predicted.c -- decides which packets of the full path are
 * predicted.
 *
 * The conditions and the key are those of conditions.def.
 */
#include "judge/fast/predicted.h"

#include "judge/fast/conditions.h"

/* Number of packets with other keys after which one of them takes the slot. */
enum { PATIENCE = 32 };

#define NOBODYS UINT64_MAX /* a key that no packet has */

bool predicted_is_told(const struct judge_conf *conf)
{
	const struct fast_pkt x = {.conf = conf};

	return condition_failed(&x, COND_ANY, PATH_FULL, STAGE_JUDGE) ==
	       COND_NONE;
}

static void predicted_view(struct fast_pkt *x, const struct pkt_ctx *l)
{
	*x = (struct fast_pkt){.conf = l->conf,
			       .in = l->in,
			       .l = l,
			       .p = l->p,
			       .ses = l->ses,
			       .len = l->len,
			       .payload = l->len - l->in->pkt->payload,
			       .next_hdr = l->next_hdr,
			       .psn = l->psn,
			       .clear = l->clear,
			       .std = l->std,
			       .f = l->f,
			       .whole = l->f->complete,
			       .from = l->from,
			       .here = at_link(l, l->from),
			       .there = at_link(l, !l->from),
			       .s = l->old};
	if (l->kind != PKT_ACK) {
		x->pdcid = l->kind == PKT_CP ? l->cp.dpdcid : l->req.dpdcid;
		x->retx = l->retx;
		x->syn = l->syn;
		x->again = l->old;
		x->end = l->from;
		x->d = l->own;
	} else {
		x->pdcid = l->ack.spdcid;
		x->ack_req = l->ack.req;
		x->m_flag = l->ack.m;
		x->cack = l->ack.cack_psn;
		x->ack_psn = l->ack_psn;
		x->pds_len = l->ses_at;
		x->has_cc = l->has_cc;
		x->has_nscc = l->has_nscc;
		x->has_credit = l->has_credit;
		x->mpr = l->mpr;
		x->sack_psn = l->sack_psn;
		x->sack_bitmap = l->sack_bitmap;
		if (l->has_nscc)
			x->nscc = l->nscc;
		x->end = !l->from;
		x->d = l->peer;
		if (x->here)
			x->order = link_order(x);
	}
}

/* Return: the key, or 0 if the packet does not meet the conditions. */
static inline __attribute__((always_inline)) uint64_t
predicted_key_if(const struct fast_pkt *x, unsigned kind)
{
	if (condition_failed(x, kind, PATH_FULL, STAGE_ALL))
		return 0;
	return condition_key(x, kind);
}

/* Return: the key, or 0 if the packet is not predicted. */
static uint64_t predicted_key_of(const struct pkt_ctx *l)
{
	struct fast_pkt x;

	if (!(l->kind & COND_ANY))
		return 0;
	predicted_view(&x, l);
	if (l->kind == PKT_REQ)
		return predicted_key_if(&x, PKT_REQ);
	if (l->kind == PKT_ACK)
		return predicted_key_if(&x, PKT_ACK);
	return predicted_key_if(&x, PKT_CP);
}

HOT struct predicted *predicted_find(const struct pkt_ctx *l,
				     struct predicted *all, uint32_t (*seen)[2])
{
	const uint64_t key = predicted_key_of(l);
	struct predicted *u;

	if (!key)
		return NULL;
	u = predicted_place(all, key);
	if (likely(u->key == key))
		return u;
	if (u->key && u->missed++ < PATIENCE)
		return NULL;
	predicted_count(u, seen);
	*u = (struct predicted){.key = key};
	return u;
}

bool predicted_ask(struct predicted *u, void (*look)(struct pkt_ctx *l))
{
	if (u->nask == PREDICTED_ASK)
		return false;
	u->ask[u->nask++] = look;
	return true;
}

void predicted_learn(struct predicted *u, bool right, uint32_t (*seen)[2],
		     uint32_t (*all)[2])
{
	bool fits = true;

	u->n = 0;
	for (unsigned i = 0; i < 2 * REQ_COUNT; i++) {
		const uint32_t n = seen[i / 2][i % 2];

		all[i / 2][i % 2] += n;
		seen[i / 2][i % 2] = 0;
		for (uint32_t k = 0; fits && k < n; k++) {
			fits = u->n < PREDICTED_SHOWN;
			if (fits)
				u->shown[u->n++] = (uint16_t)i;
		}
	}
	u->known = right && fits;
	u->fast = u->known && !u->nask;
	if (!u->known)
		u->key = NOBODYS; /* prevents an immediate second try */
}

void predicted_count(struct predicted *u, uint32_t (*all)[2])
{
	for (unsigned i = 0; i < u->n; i++)
		all[u->shown[i] / 2][u->shown[i] % 2] += (uint32_t)u->times;
	u->times = 0;
}
