/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/look.c -- from a packet to what the monitors look at.
 *
 * Spec: UET 3.5.8.1 (target lookup), 3.5.10 (uet.md 3, 6.1)
 */
#include "judge/look.h"

#include "base/hot.h"
#include "judge/state.h"
#include "wire/crc.h"

/* ---- The PDS header ---- */

/* Bytes of the PDS header by type; 0: nobody looks at such packets. */
static const uint8_t pds_lens[32] = {
	[PDS_RUD_REQ] = 12,    [PDS_ROD_REQ] = 12, [PDS_ACK] = 12,
	[PDS_ACK_CC] = 32,     [PDS_ACK_CCX] = 40, [PDS_NACK] = 16,
	[PDS_NACK_CCX] = 32,   [PDS_CP] = 16,      [PDS_RUD_CC_REQ] = 16,
	[PDS_ROD_CC_REQ] = 16, [PDS_RUDI_REQ] = 8, [PDS_RUDI_RESP] = 8,
	[PDS_UUD_REQ] = 4,
};

static const uint8_t ses_lens[16] = {
	[PDS_NEXT_REQUEST_SMALL] = ses_small_len,
	[PDS_NEXT_REQUEST_MEDIUM] = ses_medium_len,
	[PDS_NEXT_REQUEST_STD] = ses_std_som_len,
	[PDS_NEXT_RESPONSE] = ses_response_len,
	[PDS_NEXT_RESPONSE_DATA] = ses_response_data_len,
	[PDS_NEXT_RESPONSE_DATA_SMALL] = ses_response_data_small_len,
};

size_t look_ses_len(uint8_t next_hdr)
{
	return ses_lens[next_hdr & 15];
}

static void read_ses(struct look *l, uint8_t next_hdr, size_t at)
{
	const size_t want = ses_lens[next_hdr];

	l->next_hdr = next_hdr;
	l->ses_at = at;
	if (likely(want && l->len - at >= want))
		l->ses = l->p + at;
}

static void read_syn(struct look *l)
{
	struct pds_req_syn h; /* a CP has its overlay in the same place */

	pds_req_syn_get(&h, l->p);
	l->start = l->psn - h.psn_offset;
}

static void read_req(struct look *l)
{
	struct pds_req *h = &l->req;

	l->kind = LOOK_REQ;
	pds_req_get(h, l->p);
	l->takes_psn = true;
	l->retx = h->retx;
	l->ar = h->ar;
	l->syn = h->syn;
	l->psn = h->psn;
	l->has_clear = true;
	l->clear = serial_add(h->psn, h->clear_psn_offset);
	read_ses(l, h->next_hdr, pds_lens[l->type]);
	if (likely(l->ses && h->next_hdr == PDS_NEXT_REQUEST_STD))
		look_std_get(&l->std, l->ses);
	l->spoilt |= l->in->pkt->fault != PACKET_OK || !l->ses;
	l->hash = crc32c(0, l->p + l->ses_at, l->len - l->ses_at);
}

/* NOOP, Close Command, Close Request and Negotiation use up a PSN. */
static bool cp_takes_psn(uint8_t ctl_type)
{
	return ctl_type == PDS_CP_NOOP || ctl_type == PDS_CP_CLOSE_COMMAND ||
	       ctl_type == PDS_CP_CLOSE_REQUEST ||
	       ctl_type == PDS_CP_NEGOTIATION;
}

static void read_cp(struct look *l)
{
	struct pds_cp *h = &l->cp;
	struct cp_clear tail;

	l->kind = LOOK_CP;
	pds_cp_get(h, l->p);
	cp_clear_get(&tail, l->p + pds_cp_len);
	l->payload = tail.clear_psn;
	l->takes_psn = cp_takes_psn(h->ctl_type);
	l->retx = h->retx;
	l->ar = h->ar;
	l->syn = h->syn;
	l->psn = h->psn;
	l->has_clear = h->ctl_type == PDS_CP_CLEAR_COMMAND;
	l->clear = l->payload;
	l->ses_at = l->len;
	l->hash = l->payload;
}

static void read_cc(struct look *l)
{
	struct pds_ack_cc h; /* ACK_CCX has these fields in the same place */

	pds_ack_cc_get(&h, l->p + pds_ack_len);
	l->has_cc = true;
	l->mpr = h.mpr;
	l->sack_psn = serial_add(l->ack.cack_psn, h.sack_psn_offset);
	l->sack_bitmap = h.sack_bitmap;
	if (l->type != PDS_ACK_CC)
		return;
	l->has_nscc = h.cc_type == PDS_CC_NSCC;
	pds_nscc_get(&l->nscc, l->p + pds_ack_len + pds_ack_cc_len);
	l->has_credit = h.cc_type == PDS_CC_CREDIT;
	pds_credit_get(&l->credit, l->p + pds_ack_len + pds_ack_cc_len);
}

static void read_ack(struct look *l)
{
	struct pds_ack *h = &l->ack;

	l->kind = LOOK_ACK;
	pds_ack_get(h, l->p);
	l->retx = h->retx;
	l->has_ack_psn = !h->p;
	l->ack_psn = serial_add(h->cack_psn, h->ack_psn_offset);
	if (l->type != PDS_ACK)
		read_cc(l);
	read_ses(l, h->next_hdr, pds_lens[l->type]);
}

static void read_nack(struct look *l)
{
	pds_nack_get(&l->nack, l->p);
	l->kind = l->nack.nt ? LOOK_RUDI_NACK : LOOK_NACK;
	l->m = l->nack.m;
	l->retx = l->nack.retx;
	l->psn = l->nack.nack_psn;
	l->payload = l->nack.payload;
	l->next_hdr = l->nack.next_hdr;
	l->ses_at = l->len;
}

static void read_loose_ses(struct look *l, uint8_t next_hdr)
{
	read_ses(l, next_hdr, pds_lens[l->type]);
	if (l->ses && next_hdr == PDS_NEXT_REQUEST_STD)
		look_std_get(&l->std, l->ses);
	l->spoilt |= l->in->pkt->fault != PACKET_OK || !l->ses;
	l->hash = crc32c(0, l->p + l->ses_at, l->len - l->ses_at);
}

/* A request has no m; the bit is reserved there. */
static void read_rudi(struct look *l)
{
	struct rudi_resp h;

	l->kind = l->type == PDS_RUDI_REQ ? LOOK_RUDI : LOOK_RUDI_RESP;
	rudi_resp_get(&h, l->p);
	l->retx = h.retx;
	l->m = h.m;
	l->psn = h.pkt_id;
	read_loose_ses(l, h.next_hdr);
}

static void read_uud(struct look *l)
{
	struct uud_req h;

	l->kind = LOOK_UUD;
	uud_req_get(&h, l->p);
	read_loose_ses(l, h.next_hdr);
}

/* A Clear Request, Close Request and Credit are a destination's. */
static enum req_role role_of(const struct look *l)
{
	if (l->kind & (LOOK_ACK | LOOK_NACK | LOOK_RUDI_RESP | LOOK_RUDI_NACK))
		return REQ_DST;
	if (l->kind != LOOK_CP)
		return REQ_SRC;
	return l->cp.ctl_type == PDS_CP_CLEAR_REQUEST ||
			       l->cp.ctl_type == PDS_CP_CLOSE_REQUEST ||
			       l->cp.ctl_type == PDS_CP_CREDIT
		       ? REQ_DST
		       : REQ_SRC;
}

HOT bool look_read(struct look *l, const struct judge_packet *in)
{
	l->in = in;
	l->trimmed = judge_trimmed(l->conf, in->d->dscp);
	l->spoilt = in->cut || l->trimmed;
	l->at = in->at;
	l->p = in->pkt->p;
	l->len = in->pkt->len;
	if (unlikely(l->len < pds_prologue_len))
		return false;
	l->type = pds_type_of(l->p);
	if (unlikely(!pds_lens[l->type] || l->len < pds_lens[l->type]))
		return false;
	if (l->type == PDS_CP)
		read_cp(l);
	else if (l->type == PDS_NACK || l->type == PDS_NACK_CCX)
		read_nack(l);
	else if (l->type >= PDS_ACK && l->type <= PDS_ACK_CCX)
		read_ack(l);
	else if (l->type == PDS_UUD_REQ)
		read_uud(l);
	else if (l->type == PDS_RUDI_REQ || l->type == PDS_RUDI_RESP)
		read_rudi(l);
	else
		read_req(l);
	if (unlikely(l->syn))
		read_syn(l);
	l->role = role_of(l);
	return true;
}

/* ---- The flow ---- */

static struct flow *find(struct look *l, bool sender, uint16_t pdcid,
			 unsigned *ret_end)
{
	const struct ip_addr *src = &l->in->d->src, *dst = &l->in->d->dst;
	const struct table_key key = {sender ? src : dst, sender ? dst : src,
				      pdcid};

	if (!pdcid)
		return NULL;
	return table_find(&l->j->table, &key, table_hash(&key), ret_end);
}

/* By the PDCID that judge_ahead takes for the key of such a packet. */
static HOT struct flow *find_first(struct look *l, bool sender, uint16_t pdcid,
				   unsigned *ret_end)
{
	const struct judge_ahead *a = l->in->ahead;
	const struct ip_addr *src = &l->in->d->src, *dst = &l->in->d->dst;
	const struct table_key key = {sender ? src : dst, sender ? dst : src,
				      pdcid};

	if (unlikely(!a || !a->hashed || !pdcid))
		return find(l, sender, pdcid, ret_end);
	return table_find(&l->j->table, &key, a->hash, ret_end);
}

/* A flow that is seen from the middle learns its mode late. */
static void learn_mode(struct look *l)
{
	if (likely(l->f->mode_known) || !look_tells_mode(l))
		return;
	l->f->mode_known = true;
	l->f->rod = look_is_rod(l);
}

static struct flow *begin(struct look *l)
{
	struct judge *j = l->j;
	struct flow *f = table_add(&j->table, &l->in->d->src, &l->in->d->dst);

	if (!f)
		return NULL;
	j->totals.flows++;
	for (unsigned i = 0; i < 2; i++) {
		f->side[i] = judge_side(j, &f->end[i].addr);
		f->end[i].here =
			!j->conf.afar &&
			(!j->conf.here.len ||
			 ip_addr_equal(&j->conf.here, &f->end[i].addr));
	}
	f->mode_known = look_tells_mode(l);
	f->rod = f->mode_known && look_is_rod(l);
	f->native = l->in->d->native;
	return f;
}

/* Who begins a capture in the middle knows by the SES header alone. */
static bool is_return_data(const struct look *l)
{
	return l->kind == LOOK_REQ && l->next_hdr > PDS_NEXT_RESPONSE;
}

static enum req_role chair_of(const struct look *l)
{
	const struct flow *f = l->f;

	if (likely(l->kind < LOOK_RUDI && f->initiator >= 0))
		return f->initiator == (int)l->from ? REQ_SRC : REQ_DST;
	return is_return_data(l) ? REQ_DST : l->role;
}

/* What ROD adds is there before anybody looks at it. */
static void need_rod(struct look *l)
{
	const struct dir_rare *own = dir_rare(l->j, l->own);
	const struct dir_rare *peer = dir_rare(l->j, l->peer);

	if (own != l->own->rare || peer != l->peer->rare)
		l->f->whole = false; /* there is no memory */
}

static HOT enum look_found belongs(struct look *l, struct flow *f,
				   unsigned from, bool fits)
{
	l->f = f;
	l->from = from;
	l->own = &f->home->dir[from];
	l->peer = &f->home->dir[!from];
	l->seen = flow_side(l->j, f, from)->seen;
	l->chair = chair_of(l);
	learn_mode(l);
	if (unlikely(f->rod))
		need_rod(l);
	return fits ? LOOK_FLOW : LOOK_FOREIGN;
}

static enum look_found nowhere(struct look *l)
{
	struct flow *f = l->j->nowhere;

	f->whole = false;
	f->initiator = -1;
	f->end[0].addr = l->in->d->src;
	f->end[1].addr = l->in->d->dst;
	for (unsigned i = 0; i < 2; i++) {
		f->side[i] = judge_side(l->j, &f->end[i].addr);
		f->end[i].here =
			!l->conf->afar &&
			(!l->conf->here.len ||
			 ip_addr_equal(&l->conf->here, &f->end[i].addr));
	}
	belongs(l, f, 0, false);
	return LOOK_NOWHERE;
}

/* There is no flow to be seen from its beginning: all was seen, or not. */
static enum look_found loose(struct look *l)
{
	nowhere(l);
	l->f->whole = judge_saw_all(l->conf);
	loose_find(l);
	return LOOK_LOOSE;
}

/*
 * A device that was started again may begin with the same PDCID and Start_PSN:
 * another first packet, on a PDC that was established long ago.
 */
static bool is_restart(struct look *l, struct flow *f)
{
	const struct psn_state *s = psn_find(f, &f->home->dir[0], l->psn);

	if (l->spoilt || (s && s->flags & PSN_SPOILT))
		return false;
	return f->known_at && s && !l->retx && l->kind == LOOK_REQ &&
	       (s->hash != l->hash || look_is_rod(l) != f->rod);
}

/*
 * The PDCID of a closed or failed PDC may serve again, and then the new
 * Start_PSN is 2^16 away from the PSNs before (uet.md 6.2).  A smaller distance
 * is the same PDC with a wrong psn_offset.
 */
static bool is_new_pdc(struct look *l, struct flow *f)
{
	const int32_t d = serial_diff(l->start, f->syn_start);

	if (!f->syn_start_known)
		return !f->whole; /* a SYN on one seen from the middle */
	if (d && !f->whole)
		return true;
	if (d == 0)
		return is_restart(l, f);
	return f->moved || f->closed || f->fatal_at || d >= 65536 ||
	       d <= -65536;
}

/* Nothing came before the first transmission of the first PSN. */
static bool is_first(const struct look *l)
{
	return l->psn == l->start && !l->retx;
}

static enum look_found find_syn(struct look *l, uint16_t spdcid)
{
	unsigned from = 0;
	struct flow *f = find_first(l, true, spdcid, &from);
	bool moved = false;

	if (!spdcid)
		return nowhere(l);
	if (f && from == 0 && is_new_pdc(l, f)) {
		moved = f->moved;
		l->reuses = f->whole && !moved;
		l->reused_psn = f->home->dir[from].high;
		table_forget(&l->j->table, f);
		f = NULL;
	}
	/* What the PDCID named as a target's is over. */
	if (f && from == 1 && (f->closed || f->closing || f->fatal_at)) {
		table_forget(&l->j->table, f);
		f = NULL;
	}
	if (!f) {
		f = begin(l);
		if (!f)
			return nowhere(l);
		f->began = is_first(l);
		f->whole = l->conf->whole && (f->began || !l->conf->joined);
		f->renumbered = moved;
		f->initiator = 0;
		f->syn_start_known = true;
		f->syn_start = l->start;
		table_learn(&l->j->table, f, 0, spdcid);
		table_expect(&l->j->table, f);
		from = 0;
	}
	return belongs(l, f, from, true);
}

/* A flow that the capture shows from the middle. */
static enum look_found find_middle(struct look *l, uint16_t spdcid,
				   uint16_t dpdcid)
{
	struct flow *f;

	if (!spdcid || !dpdcid)
		return nowhere(l);
	f = begin(l);
	if (!f)
		return nowhere(l);
	table_learn(&l->j->table, f, 0, spdcid);
	table_learn(&l->j->table, f, 1, dpdcid);
	return belongs(l, f, 0, true);
}

/* In a gappy capture a PDCID may have changed its owner unseen. */
static bool may_be_another(const struct flow *f)
{
	return !f->whole;
}

/* Return data may reach the initiator before any ACK that tells the TPDCID. */
static bool first_of_target(const struct flow *f, unsigned from)
{
	return from == 1 && f->syn_start_known && !f->end[1].pdcid;
}

static enum look_found find_plain(struct look *l, uint16_t spdcid,
				  uint16_t dpdcid)
{
	unsigned end = 0;
	struct flow *f = find_first(l, true, spdcid, &end);
	bool fits;

	if (likely(f)) {
		fits = f->end[!end].pdcid == dpdcid;
		if (unlikely(!fits) && may_be_another(f) &&
		    !f->end[!end].pdcid) {
			table_learn(&l->j->table, f, !end, dpdcid);
			fits = true;
		}
		if (likely(fits) || !may_be_another(f))
			return belongs(l, f, end, fits);
		table_forget(&l->j->table, f);
		return find_middle(l, spdcid, dpdcid);
	}
	f = find(l, false, dpdcid, &end);
	if (f && spdcid && first_of_target(f, !end)) {
		table_learn(&l->j->table, f, !end, spdcid);
		return belongs(l, f, !end, true);
	}
	if (f && f->end[!end].pdcid && !may_be_another(f))
		return belongs(l, f, !end, false);
	if (f)
		table_forget(&l->j->table, f);
	return find_middle(l, spdcid, dpdcid);
}

/* The initiator of a PDC learns the target's PDCID from its first answer. */
static bool answer_fits(struct look *l, struct flow *f, unsigned from,
			uint16_t spdcid)
{
	if (unlikely(!f->end[from].pdcid))
		table_learn(&l->j->table, f, from, spdcid);
	return f->end[from].pdcid == spdcid;
}

/* An answer to a PDC that has not heard its target yet, by its addresses. */
static struct flow *find_expecting(struct look *l)
{
	struct flow *f = table_find_expecting(&l->j->table, &l->in->d->dst,
					      &l->in->d->src);

	return f && f->whole && !f->end[1].pdcid ? f : NULL;
}

static enum look_found find_ack(struct look *l)
{
	const uint16_t spdcid = l->ack.spdcid, dpdcid = l->ack.dpdcid;
	unsigned end = 0;
	struct flow *f = find_first(l, false, dpdcid, &end);

	if (likely(f && spdcid && answer_fits(l, f, !end, spdcid)))
		return belongs(l, f, !end, true);
	if (f && f->whole)
		return belongs(l, f, !end, false);
	if (f)
		table_forget(&l->j->table, f);
	f = find(l, true, spdcid, &end);
	if (f && f->whole)
		return belongs(l, f, end, false);
	if (f)
		table_forget(&l->j->table, f);
	f = find_expecting(l);
	if (f)
		return belongs(l, f, 1, false);
	return find_middle(l, spdcid, dpdcid);
}

/* spdcid is 0 where the target has no PDC; such a NACK tells no PDCID. */
static enum look_found find_nack(struct look *l)
{
	const uint16_t spdcid = l->nack.spdcid, dpdcid = l->nack.dpdcid;
	unsigned end = 0;
	struct flow *f = find_first(l, false, dpdcid, &end);

	if (f && spdcid && !answer_fits(l, f, !end, spdcid))
		return belongs(l, f, !end, false);
	if (f)
		return belongs(l, f, !end, true);
	f = find(l, true, spdcid, &end);
	if (f && f->whole)
		return belongs(l, f, end, false);
	return nowhere(l);
}

HOT enum look_found look_find(struct look *l)
{
	const uint16_t spdcid =
		l->kind == LOOK_REQ ? l->req.spdcid : l->cp.spdcid;
	const uint16_t dpdcid =
		l->kind == LOOK_REQ ? l->req.dpdcid : l->cp.dpdcid;

	if (l->kind == LOOK_ACK)
		return find_ack(l);
	if (unlikely(l->kind >= LOOK_RUDI))
		return loose(l);
	if (unlikely(l->kind == LOOK_NACK))
		return find_nack(l);
	return unlikely(l->syn) ? find_syn(l, spdcid)
				: find_plain(l, spdcid, dpdcid);
}

bool look_read_of(struct look *l, uint32_t *ret_psn, uint32_t *ret_offset)
{
	struct ses_response_data_small tiny;
	struct ses_response_data data;
	const struct message *m;

	if (!l->ses || l->next_hdr < PDS_NEXT_RESPONSE_DATA)
		return false;
	*ret_offset = 0;
	if (l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL) {
		ses_response_data_small_get(&tiny, l->ses);
		*ret_psn = tiny.original_request_psn;
		return true;
	}
	ses_response_data_get(&data, l->ses);
	m = message_find(l->peer, data.read_request_message_id);
	if (!m)
		return false;
	*ret_psn = m->first;
	*ret_offset = data.message_offset;
	return true;
}

unsigned look_cases(const struct look *l)
{
	const bool data = l->next_hdr == PDS_NEXT_RESPONSE_DATA ||
			  l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL;

	/* Without a PDC all monitors look: they ask for themselves. */
	return (l->f->whole || l->kind >= LOOK_RUDI ? LOOK_WHOLE : 0u) |
	       (at_link(l, l->from) ? LOOK_HERE : 0u) |
	       (at_link(l, !l->from) ? LOOK_THERE : 0u) |
	       (l->old ? LOOK_AGAIN : LOOK_NEW) | (l->f->rod ? LOOK_ROD : 0u) |
	       (l->syn ? LOOK_SYN : 0u) | (l->has_cc ? LOOK_CC : 0u) |
	       (data ? LOOK_DATA : 0u) |
	       (l->in->d->crc != DGRAM_CRC_NONE ? LOOK_CRC : 0u);
}

static bool is_answer(enum pds_type type)
{
	return type >= PDS_RUDI_RESP && type <= PDS_NACK_CCX &&
	       type != PDS_UUD_REQ && type != PDS_CP;
}

void look_unread(struct look *l)
{
	const size_t spdcid = 8; /* its place in most headers */
	struct flow *f = NULL;
	unsigned end = 0;
	int8_t initiator = -1;

	if (l->len >= spdcid + 2)
		f = find(l, true, (uint16_t)bits_get(l->p, spdcid * 8, 16),
			 &end);
	if (f && f->initiator >= 0)
		initiator = f->initiator == (int)end ? 0 : 1;
	l->role = pds_lens[l->type] && is_answer(l->type) ? REQ_DST : REQ_SRC;
	nowhere(l);
	l->f->initiator = initiator;
	l->chair = chair_of(l);
}

/* ---- The PSN ---- */

/*
 * What a network copied comes at any time, whatever was said meanwhile, with
 * the same headers on the same path.  Of several copies before, it is not known
 * which it was made from.
 */
static bool may_be_copied(const struct look *l, const struct psn_state *s)
{
	if (s->copies > 1 || !(s->flags & PSN_FRESH) || l->kind == LOOK_CP)
		return true;
	return l->clear == psn_clear(s) && l->in->d->entropy == s->entropy;
}

/*
 * A copy that a network made has the bytes of the one before and retx = 0.
 * Behind the source's link it is made anywhere; at that link, by the capture
 * or a mirror, before any time-out or NACK.  Who sees everything there knows
 * better.
 */
static bool is_twin(const struct look *l)
{
	const struct psn_state *s = l->old;

	if (likely(!s) || l->retx || l->hash != s->hash ||
	    knows_all(l, l->from))
		return false;
	if (!at_link(l, l->from))
		return may_be_copied(l, s);
	return !(s->flags & PSN_NACKED) &&
	       (!l->conf->rto_init || l->at - s->sent_at < l->conf->rto_init);
}

/* Beyond what the destination tracks: it is not received, nor was anything
 * before it left out. */
static bool is_beyond(const struct look *l)
{
	const int32_t range = (int32_t)dir_range(l->own, l->conf);

	return seen_all(l) && l->own->start_known &&
	       serial_diff(l->psn, l->own->seen_to) > range &&
	       !knows_all(l, l->from);
}

/* The first SYN to be seen may be up to 4095 PSNs above its Start_PSN. */
static bool is_stray(const struct look *l)
{
	const bool syn = l->syn && l->from == 0;
	const uint32_t high = l->own->any ? l->own->high : l->start - 1;
	const int32_t ahead = serial_diff(l->psn, high);

	if (unlikely(!l->own->any) && !syn)
		return false;
	return (likely(l->own->any) && psn_forgotten(l->own, l->psn)) ||
	       (seen_all(l) && ahead >= FLOW_WINDOW) || is_beyond(l);
}

HOT void look_place(struct look *l)
{
	if (l->kind == LOOK_ACK) {
		if (l->has_ack_psn)
			l->old = psn_find(l->f, l->peer, l->ack_psn);
	} else if (l->kind == LOOK_NACK) {
		l->old = psn_find(l->f, l->peer, l->psn);
	} else {
		l->old = psn_find(l->f, l->own, l->psn);
	}
	if (!l->takes_psn)
		return;
	l->stray = is_stray(l);
	l->twin = is_twin(l);
}
