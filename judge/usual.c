/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/usual.c -- what makes a packet usual.
 *
 * Each condition here stands for those monitors that would say something else
 * if it did not hold; what a monitor takes from the packet's first bytes, from
 * the roles on the PDC and from the cases is in the key.  judge/traffic_test.c
 * and fuzz/capture.c hold the two against each other.
 */
#include "judge/usual.h"

#include "base/hot.h"
#include "judge/state.h"

/* Packets of another key until a place is given to theirs. */
enum { PATIENCE = 32 };

#define NOBODYS UINT64_MAX /* a key that no packet has */

static bool is_read(const struct look *l)
{
	return l->next_hdr <= PDS_NEXT_REQUEST_STD &&
	       (l->ses[0] & 0x3f) == SES_READ;
}

/* What is no SES request has no such bits. */
static bool is_clean(const struct look *l)
{
	return l->next_hdr > PDS_NEXT_REQUEST_STD ||
	       look_ses_clean(l->ses, l->next_hdr);
}

/* It is whole, and ends where its headers say; no extension follows them. */
static HOT bool has_right_shape(const struct look *l)
{
	const struct packet *pkt = l->in->pkt;
	const uint32_t mtu = l->conf->mtu;

	return likely(l->ses && !l->spoilt && pkt->fault == PACKET_OK &&
		      pkt->sec[pkt->nsec - 1].at == l->ses_at &&
		      l->in->d->crc != DGRAM_CRC_WRONG && look_ends_right(l) &&
		      (!mtu || l->len - pkt->payload <= mtu) &&
		      l->in->d->native == l->f->native);
}

/* ---- Requests ---- */

/* A message begins while none is open, or the one that is open goes on. */
static bool is_next_of_message(struct look *l)
{
	const struct look_std *h = &l->std;
	struct dir *d = l->own;
	const struct message *m;

	if (h->som)
		return !d->open && !message_find(d, h->message_id);
	if (!d->open || d->open_id != h->message_id)
		return false;
	m = message_find(d, h->message_id);
	return m && m->open && m->length == h->request_length;
}

/* A PSN that is not known yet, on a PDC on which nothing is under way but
 * requests: nobody waits for a clear or has asked for one. */
static bool is_next_of_flow(const struct look *l)
{
	const struct dir *d = l->own;
	const struct dir_rare *r = d->rare;

	return d->any && !l->f->closing && !r->asked_at && !d->gtd &&
	       !serial_after(l->clear, d->acked_to) &&
	       l->psn - l->f->syn_start < INT32_MAX &&
	       !(r->ooo_at && serial_after(r->ooo_high, d->acked_to));
}

static bool is_usual_request(struct look *l)
{
	if (unlikely(l->old || l->syn || l->stray || look_other_mode(l) ||
		     !l->req.dpdcid || !serial_before(l->clear, l->psn) ||
		     !has_right_shape(l) || is_read(l) || !is_clean(l)))
		return false;
	if (unlikely(l->next_hdr == PDS_NEXT_REQUEST_STD &&
		     !usual_is_message(&l->std)))
		return false;
	if (unlikely(!l->f->whole))
		return true;
	return likely(is_next_of_flow(l)) &&
	       (l->next_hdr != PDS_NEXT_REQUEST_STD || is_next_of_message(l));
}

/* ---- ACKs ---- */

/* It acknowledges what was sent, and tells what it must. */
static bool is_next_ack(const struct look *l)
{
	const struct dir *d = l->peer;
	const uint32_t cack = l->ack.cack_psn, clear = psn_clear(l->old);

	return !l->ack.req && !serial_after(cack, d->seen_to) &&
	       !(d->cack_known && serial_before(cack, d->cack)) &&
	       !serial_after(clear, d->acked_to) && !serial_before(cack, clear);
}

static bool is_usual_ack(const struct look *l)
{
	return l->old && l->has_ack_psn && has_right_shape(l) &&
	       usual_is_answer(l->old, l->in->d) &&
	       (l->next_hdr != PDS_NEXT_RESPONSE || /* data: LOOK_DATA */
		usual_is_response(l->old, l->ses)) &&
	       (!l->f->whole || is_next_ack(l));
}

/* ---- Keys ---- */

static uint64_t key_of(const struct look *l, unsigned more)
{
	return usual_key(l->p, l->ses, l->in->d, l->f, l->from, more);
}

bool usual_is_told(const struct judge_conf *conf)
{
	return conf->common && conf->afar && !conf->every;
}

HOT struct usual *usual_find(struct look *l)
{
	struct usual *u;
	uint64_t key;

	if (l->kind == LOOK_REQ && is_usual_request(l))
		key = key_of(l, usual_more_of_request(l->own, l->clear));
	else if (l->kind == LOOK_ACK && is_usual_ack(l))
		key = key_of(l, usual_more_of_ack(l->peer, l->old));
	else
		return NULL;
	u = usual_place(l->j->common->usual, key);
	if (likely(u->key == key))
		return u;
	if (u->key && u->missed++ < PATIENCE)
		return NULL;
	usual_count(u, l->j->common->all.seen);
	*u = (struct usual){.key = key};
	return u;
}

void usual_learn(struct usual *u, bool right, uint32_t (*seen)[2],
		 uint32_t (*all)[2])
{
	bool fits = true;

	u->n = 0;
	for (unsigned i = 0; i < 2 * REQ_COUNT; i++) {
		const uint32_t n = seen[i / 2][i % 2];

		all[i / 2][i % 2] += n;
		seen[i / 2][i % 2] = 0;
		for (uint32_t k = 0; fits && k < n; k++) {
			fits = u->n < USUAL_SHOWN;
			if (fits)
				u->shown[u->n++] = (uint16_t)i;
		}
	}
	u->known = right && fits;
	if (!u->known)
		u->key = NOBODYS; /* not again too soon */
}

void usual_count(struct usual *u, uint32_t (*all)[2])
{
	for (unsigned i = 0; i < u->n; i++)
		all[u->shown[i] / 2][u->shown[i] % 2] += (uint32_t)u->times;
	u->times = 0;
}
