/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_read.c -- parses the headers of a packet into a pkt_ctx.
 *
 * Spec: UET 3.5.10 (uet.md 3)
 */
#include "judge/uet/pkt_read.h"

#include "base/hot.h"
#include "wire/frame/crc.h"

/* Bytes of the PDS header by type; 0: such packets are not parsed. */
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

size_t pkt_pds_len(enum pds_type type)
{
	return pds_lens[type];
}

size_t pkt_ses_len(uint8_t next_hdr)
{
	return ses_lens[next_hdr & 15];
}

static void read_ses(struct pkt_ctx *l, uint8_t next_hdr, size_t at)
{
	const size_t want = ses_lens[next_hdr];

	l->next_hdr = next_hdr;
	l->ses_at = at;
	if (likely(want && l->len - at >= want))
		l->ses = l->p + at;
}

static void read_syn(struct pkt_ctx *l)
{
	struct pds_req_syn h; /* a CP has its overlay in the same place */

	pds_req_syn_get(&h, l->p);
	l->start = l->psn - h.psn_offset;
}

static void read_req(struct pkt_ctx *l)
{
	struct pds_req *h = &l->req;

	l->kind = PKT_REQ;
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
		pkt_std_get(&l->std, l->ses);
	l->mangled |= l->in->pkt->fault != PACKET_OK || !l->ses;
	l->hash = pkt_tail_crc(l->in, l->ses_at);
}

/* NOOP, Close Command, Close Request and Negotiation use a PSN. */
static bool cp_takes_psn(uint8_t ctl_type)
{
	return ctl_type == PDS_CP_NOOP || ctl_type == PDS_CP_CLOSE_COMMAND ||
	       ctl_type == PDS_CP_CLOSE_REQUEST ||
	       ctl_type == PDS_CP_NEGOTIATION;
}

static void read_cp(struct pkt_ctx *l)
{
	struct pds_cp *h = &l->cp;
	struct cp_clear tail;

	l->kind = PKT_CP;
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

static void read_cc(struct pkt_ctx *l)
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

static void read_ack(struct pkt_ctx *l)
{
	struct pds_ack *h = &l->ack;

	l->kind = PKT_ACK;
	pds_ack_get(h, l->p);
	l->retx = h->retx;
	l->has_ack_psn = !h->p;
	l->ack_psn = serial_add(h->cack_psn, h->ack_psn_offset);
	if (l->type != PDS_ACK)
		read_cc(l);
	read_ses(l, h->next_hdr, pds_lens[l->type]);
}

static void read_nack(struct pkt_ctx *l)
{
	pds_nack_get(&l->nack, l->p);
	l->kind = l->nack.nt ? PKT_RUDI_NACK : PKT_NACK;
	l->m = l->nack.m;
	l->retx = l->nack.retx;
	l->psn = l->nack.nack_psn;
	l->payload = l->nack.payload;
	l->next_hdr = l->nack.next_hdr;
	l->ses_at = l->len;
}

static void read_pdcless_ses(struct pkt_ctx *l, uint8_t next_hdr)
{
	read_ses(l, next_hdr, pds_lens[l->type]);
	if (l->ses && next_hdr == PDS_NEXT_REQUEST_STD)
		pkt_std_get(&l->std, l->ses);
	l->mangled |= l->in->pkt->fault != PACKET_OK || !l->ses;
	l->hash = crc32c(0, l->p + l->ses_at, l->len - l->ses_at);
}

/* A request has no m bit; the bit is reserved in a request. */
static void read_rudi(struct pkt_ctx *l)
{
	struct rudi_resp h;

	l->kind = l->type == PDS_RUDI_REQ ? PKT_RUDI : PKT_RUDI_RESP;
	rudi_resp_get(&h, l->p);
	l->retx = h.retx;
	l->m = h.m;
	l->psn = h.pkt_id;
	read_pdcless_ses(l, h.next_hdr);
}

static void read_uud(struct pkt_ctx *l)
{
	struct uud_req h;

	l->kind = PKT_UUD;
	uud_req_get(&h, l->p);
	read_pdcless_ses(l, h.next_hdr);
}

/* A destination sends Clear Request, Close Request and Credit. */
static enum req_role role_of(const struct pkt_ctx *l)
{
	if (l->kind & (PKT_ACK | PKT_NACK | PKT_RUDI_RESP | PKT_RUDI_NACK))
		return REQ_DST;
	if (l->kind != PKT_CP)
		return REQ_SRC;
	return l->cp.ctl_type == PDS_CP_CLEAR_REQUEST ||
			       l->cp.ctl_type == PDS_CP_CLOSE_REQUEST ||
			       l->cp.ctl_type == PDS_CP_CREDIT
		       ? REQ_DST
		       : REQ_SRC;
}

HOT bool pkt_read(struct pkt_ctx *l, const struct judge_packet *in)
{
	l->in = in;
	l->trimmed = judge_trimmed(l->conf, in->d->dscp);
	l->mangled = in->cut || l->trimmed;
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
	else if (pds_is_nack(l->type))
		read_nack(l);
	else if (pds_is_ack(l->type))
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
