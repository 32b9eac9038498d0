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
	return l->next_hdr > PDS_NEXT_REQUEST_STD || look_ses_clean(l);
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
		return !d->open;
	if (!d->open || d->open_id != h->message_id)
		return false;
	m = message_find(d, h->message_id);
	return m && m->open && m->length == h->request_length;
}

static bool is_plain_message(const struct look *l)
{
	const struct look_std *h = &l->std;

	return h->message_id && (!h->som || h->hd || !h->header_data);
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
		     !is_plain_message(l)))
		return false;
	if (unlikely(!l->f->whole))
		return true;
	return likely(is_next_of_flow(l)) &&
	       (l->next_hdr != PDS_NEXT_REQUEST_STD || is_next_of_message(l));
}

/* A CLEAR_PSN that lags behind shows less. */
static unsigned key_of_request(const struct look *l)
{
	return l->clear == l->own->acked_to;
}

/* ---- ACKs ---- */

/* The response to one packet, as a source that waits for it takes it. */
static bool is_plain_response(const struct look *l)
{
	const struct psn_state *s = l->old;
	struct ses_response h;

	if (unlikely(l->next_hdr != PDS_NEXT_RESPONSE))
		return true; /* data: LOOK_DATA */
	ses_response_get(&h, l->ses);
	if (h.opcode == SES_DEFAULT_RESPONSE &&
	    (h.list || h.ri_generation || h.modified_length || h.message_id))
		return false;
	return h.opcode != SES_RESPONSE || !(s->flags & PSN_STD) ||
	       h.message_id == s->message_id;
}

/* The packet that it answers was sent once, as a request, and came whole. */
static bool answers_plain(const struct look *l)
{
	const struct psn_state *s = l->old;

	return s->copies == 1 && s->flags & PSN_FRESH &&
	       !(s->flags & (PSN_CP | PSN_SPOILT | PSN_CUT_ALL | PSN_DATA |
			     PSN_OUTSIDE | PSN_AGAIN | PSN_WANTED)) &&
	       l->in->d->entropy == s->entropy;
}

/* It acknowledges what was sent, and tells what it must. */
static bool is_next_ack(const struct look *l)
{
	const struct dir *d = l->peer;
	const uint32_t cack = l->ack.cack_psn, clear = psn_clear(l->old);

	return !serial_after(cack, d->seen_to) &&
	       !(d->cack_known && serial_before(cack, d->cack)) &&
	       !serial_after(clear, d->acked_to) && !serial_before(cack, clear);
}

static bool is_usual_ack(const struct look *l)
{
	return l->old && l->has_ack_psn && has_right_shape(l) &&
	       answers_plain(l) && is_plain_response(l) &&
	       (!l->f->whole || is_next_ack(l));
}

static unsigned key_of_ack(const struct look *l)
{
	const uint32_t flags = l->old->flags;

	return (l->peer->high != l->peer->seen_to ? 1u : 0u) |
	       (flags & PSN_STD ? 2u : 0u) | (flags & PSN_DUE ? 4u : 0u) |
	       (flags & PSN_SYN ? 8u : 0u);
}

/* ---- Keys ---- */

/* Type, next_hdr and flags, the first bytes of the SES header (opcode, version,
 * som and eom, return code), and who is who: 45 bits, and with them the kind of
 * the packet and its cases. */
static HOT uint64_t key_of(const struct look *l, unsigned more)
{
	const struct flow *f = l->f;
	uint64_t key = (unsigned)(l->p[0] << 8 | l->p[1]);

	key = key << 16 | (unsigned)(l->ses[0] << 8 | l->ses[1]);
	key = key << 2 | (unsigned)(f->initiator + 1);
	key = key << 1 | l->from;
	key = key << 1 | (f->known_at != 0);
	key = key << 1 | f->whole;
	key = key << 1 | f->rod;
	key = key << 1 | l->in->d->native;
	key = key << 2 | l->in->d->crc;
	return key << 4 | more;
}

static struct usual *place_of(struct judge_common *c, uint64_t key)
{
	return &c->usual[key * 0x9e3779b97f4a7c15u >> (64 - USUAL_BITS)];
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
		key = key_of(l, key_of_request(l));
	else if (l->kind == LOOK_ACK && is_usual_ack(l))
		key = key_of(l, key_of_ack(l));
	else
		return NULL;
	u = place_of(l->j->common, key);
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
