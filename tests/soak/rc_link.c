/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/rc_link.c -- the link between two queue pairs: it loses, copies,
 * delays and forges packets, and checks those that may leave an end.
 *
 * Spec: srd_wqe.md B, C.4
 */
#include "tests/soak/rc_link.h"

#include <string.h>

#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/ib/icrc.h"

/* ---- Packets that may leave ---- */

static struct traced *traced(struct run *r, uint32_t psn24)
{
	const uint32_t i = (psn24 - r->first) & SERIAL24_MASK;

	if (i < PSNS)
		return &r->psn[i];
	return NULL;
}

/* T_hold delays some; a time-out may add one, and an RNR NAK many. */
static void look_at_repeat(struct run *r, const struct bth *h)
{
	struct traced *t = traced(r, h->psn);
	const bool first = t && !t->sent;

	if (!t || r->q.conf[0].wqe_gbn || r->rnr)
		return;
	t->sent = true;
	if (first)
		return;
	if (t->repeat[1] && r->q.now - t->repeat[1] < r->q.conf[0].wqe_hold)
		qps_wrong(&r->q, "WQE-16: psn=%u is sent again within T_hold",
			  h->psn);
	t->repeat[1] = t->repeat[0];
	t->repeat[0] = r->q.now;
}

/* Returns true if the cache has room for all packets. */
static bool keeps_all(const struct run *r)
{
	const struct orc_conf *c = &r->q.conf[r->rsp];

	return c->wqe_cache_max >= 1 << 20 && c->wqe_cache_device >= 1 << 20 &&
	       c->wqe_max_ooo > MESSAGES && !r->rnr;
}

static void look_at_listed(void *arg, uint32_t psn24)
{
	struct run *r = arg;
	const struct orc_conf *c = &r->q.conf[r->rsp];
	struct traced *t = traced(r, psn24);

	if (!t)
		return;
	if (t->arrived && keeps_all(r))
		qps_wrong(&r->q, "WQE-35: psn=%u is asked for, and is here",
			  psn24);
	/* T_tail may ask for a PSN that no later one has shown to be missing.
	 */
	if (t->asked && r->q.now - t->asked < c->wqe_again - c->wqe_miss)
		qps_wrong(&r->q, "WQE-33: psn=%u is asked for again", psn24);
	if (!t->asked && t->shown && r->q.now - t->shown < c->wqe_miss / 2)
		qps_wrong(&r->q, "WQE-22: psn=%u is asked for at once", psn24);
	t->asked = r->q.now;
}

uint32_t rc_whole_messages(const struct run *r)
{
	uint32_t n = 0, psn = 0;

	for (; n < r->posted; n++)
		for (; psn < r->message[n].end; psn++)
			if (!r->psn[psn].arrived)
				return n;
	return n;
}

static void look_at_answer(struct run *r, const struct packet *pkt)
{
	struct aeth h;

	aeth_get(&h, pkt->p + bth_len);
	if (h.msn > rc_whole_messages(r))
		qps_wrong(&r->q, "ROCE-09: msn=%u, %u messages are here", h.msn,
			  rc_whole_messages(r));
	r->rnr |= (h.syndrome & 0xe0) == IB_SYNDROME_RNR;
	ib_packet_listed(pkt, look_at_listed, r);
}

static void look_at_leaving(struct run *r, unsigned from,
			    const struct packet *pkt)
{
	struct bth h;

	bth_get(&h, pkt->p);
	if (from == r->req)
		look_at_repeat(r, &h);
	else
		look_at_answer(r, pkt);
}

/* A skipped PSN is shown to be missing. */
static void rc_note_arrival(struct run *r, const struct packet *pkt)
{
	struct traced *t;
	struct bth h;

	bth_get(&h, pkt->p);
	t = traced(r, h.psn);
	if (!t)
		return;
	t->arrived = true;
	for (struct traced *p = r->psn; p != t; p++)
		if (!p->arrived && !p->shown)
			p->shown = r->q.now;
}

/* ---- The judges ---- */

/*
 * Returns true for permitted findings about its own side: go-back-N repeats
 * packets that were not requested.
 */
static bool is_permitted(const struct qps *q, const struct finding *f)
{
	return q->conf[0].wqe_gbn && f->req == REQ_WQE_16;
}

void rc_look(struct run *r, unsigned i, const struct dgram *d, bool leaves)
{
	struct packet pkt;

	if (r->hostile || d->len < ICRC_LEN)
		return;
	packet_parse(r->q.family, &pkt, d->data, d->len - ICRC_LEN);
	/* The requester repeats reads for reasons that messages do not have. */
	if (!r->asked && leaves)
		look_at_leaving(r, i, &pkt);
	else if (!r->asked && i == r->rsp)
		rc_note_arrival(r, &pkt);
	qps_look(&r->q, i, d, &pkt, is_permitted);
}

/* ---- The link ---- */

static struct qps_flight *rc_put(struct run *r, const struct dgram *d,
				 unsigned to, bool forged)
{
	const vspan more =
		r->reorder ? rng_below(&r->rng, (uint32_t)r->reorder) : 0;
	struct qps_flight *f = qps_fly(&r->q, to, d, r->hop + more);

	if (!f)
		return NULL;
	f->forged = forged;
	qps_flies(&r->q, f);
	return f;
}

/* Changes bits in one byte of the headers of a packet. */
static void rc_forge(struct run *r, const struct dgram *d, unsigned to)
{
	const size_t head = d->len - ICRC_LEN < 28 ? d->len - ICRC_LEN : 28;
	struct dgram bad;
	uint8_t *p;

	dgram_copy(&bad, d);
	p = &bad.data[rng_below(&r->rng, (uint32_t)head)];
	*p ^= (uint8_t)(1 + rng_below(&r->rng, 255));
	bad.len -= ICRC_LEN;
	icrc_append(&bad, family_port(r->q.family), &icrc_socket);
	rc_put(r, &bad, to, true);
	r->q.tally.forged++;
}

/* The fault that makes a receiver drop a packet. */
enum trick { TVER, PKEY, DEST_QP, ICRC, OPCODE, VERSION, BEHIND, TRICKS };

/*
 * Makes the packet harmful if accepted: other bytes, or a higher
 * acknowledgement.
 */
static void harm(struct run *r, struct dgram *d, unsigned to,
		 const struct packet *pkt)
{
	struct bth h;

	bth_get(&h, d->data);
	h.psn = (h.psn + (to == r->req)) & SERIAL24_MASK;
	bth_put(&h, d->data);
	for (size_t i = pkt->payload; to == r->rsp && i < pkt->len; i++)
		d->data[i] ^= 0xff;
}

/* Adds one word to an indication that it does not count. */
static void add_word(struct dgram *d)
{
	memset(d->data + d->len, 0, rieth_entry_len);
	d->len += rieth_entry_len;
}

/* Sends a packet that its receiver must ignore. */
static void trick(struct run *r, const struct dgram *good, unsigned to)
{
	enum trick kind = (enum trick)rng_below(&r->rng, TRICKS);
	struct qps_flight *f;
	struct packet pkt;
	struct dgram d;
	bool indication;

	dgram_copy(&d, good);
	d.len -= ICRC_LEN;
	packet_parse(r->q.family, &pkt, d.data, d.len);
	indication = pkt.p[0] == IB_WQE_RTX_IND && r->q.family == FAMILY_WQE;
	if (kind == BEHIND && !indication)
		kind = VERSION;
	if (kind == VERSION && !indication &&
	    (r->q.conf[0].wqe_gbn || to == r->req))
		kind = ICRC;
	harm(r, &d, to, &pkt);
	if (kind == TVER)
		d.data[1] |= 1;
	else if (kind == PKEY)
		d.data[3] ^= 1;
	else if (kind == DEST_QP)
		d.data[5] ^= 0x40;
	else if (kind == OPCODE)
		d.data[0] ^= 0x20;
	else if (kind == VERSION)
		d.data[indication ? bth_len + aeth_len
				  : pkt.payload - wqeth_len] |= 0x40;
	else if (kind == BEHIND)
		add_word(&d);
	icrc_append(&d, family_port(r->q.family), &icrc_socket);
	d.data[d.len - 1] ^= kind == ICRC;
	f = rc_put(r, &d, to, true);
	if (f)
		f->unjudged = true;
	r->q.tally.forged++;
}

void rc_leave(struct run *r, unsigned from, const struct dgram *d)
{
	r->q.tally.packets++;
	rc_look(r, from, d, true);
	qps_leaves(&r->q, from, d);
	if (rc_chance(r, 20) && !r->q.honest)
		(r->hostile ? rc_forge : trick)(r, d, !from);
	if (rc_chance(r, r->loss)) {
		r->q.tally.lost++;
		return;
	}
	rc_put(r, d, !from, false);
	if (rc_chance(r, r->copies)) {
		r->q.tally.doubled++;
		rc_put(r, d, !from, false);
	}
}
