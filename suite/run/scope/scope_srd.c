/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_srd.c -- the tester's side of SRD contexts.
 *
 * A flow of a case is a pair of contexts: one for requests of the tester and
 * one for requests of the DUT.  They share nothing except the two addresses,
 * and most cases use one of them.  PSNs are extended to 32 bits, so that they
 * do not wrap here.
 *
 * Spec: srd_wqe.md A.4
 */
#include "suite/run/scope/scope_srd.h"

#include "base/serial.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/ib/ib.h"

/* The relevant fields of a packet; absent without a SETH. */
struct scope_srd_view {
	struct packet pkt;
	bool response;
	bool message; /* a request that consumes a PSN */
	uint32_t psn, scid, rcid, lup;
};

static bool scope_srd_look(const struct scope *s, size_t index,
			   struct scope_srd_view *ret)
{
	struct bth bth;
	struct seth seth;

	record_packet(s->record, &s->record->recs[index], &ret->pkt);
	if (ret->pkt.len < bth_len + seth_len)
		return false;
	bth_get(&bth, ret->pkt.p);
	seth_get(&seth, ret->pkt.p + bth_len);
	ret->response = bth.opcode >= IB_SRD_ACK;
	ret->message = bth.opcode == IB_SRD_SEND_ONLY ||
		       bth.opcode == IB_SRD_SEND_ONLY_IMM;
	ret->psn = bth.psn;
	ret->scid = seth.scid;
	ret->rcid = seth.rcid;
	ret->lup = seth.lup;
	return true;
}

/* ---- Whose packet it is ---- */

static struct scope_pdc *by_own(struct scope *s, uint32_t scid)
{
	for (uint8_t i = s->npdcs; i-- > 0;)
		if (s->pdcs[i].scid == scid)
			return &s->pdcs[i];
	return NULL;
}

/* Returns the context of the DUT with that SCID; an unknown SCID makes one. */
static struct scope_pdc *by_peer(struct scope *s, uint32_t scid)
{
	struct scope_pdc *pdc = NULL;

	for (uint8_t i = 0; i < s->npdcs; i++) {
		if (s->pdcs[i].peer_scid == scid)
			return &s->pdcs[i];
		if (!pdc && !s->pdcs[i].peer_scid)
			pdc = &s->pdcs[i];
	}
	if (!pdc)
		pdc = scope_make(s);
	if (pdc)
		pdc->peer_scid = scid;
	return pdc;
}

void scope_srd_turn(struct scope *s, size_t index)
{
	struct scope_pdc *pdc = NULL;
	struct scope_srd_view v;

	if (scope_srd_look(s, index, &v))
		pdc = v.response ? by_own(s, v.scid) : by_peer(s, v.scid);
	if (pdc)
		s->pdc = pdc;
	else
		s->pdc = s->pdcs;
	s->record->recs[index].pdc = scope_at(s);
}

/* ---- The tester requests ---- */

static void sent_message(struct scope *s, const struct scope_srd_view *v,
			 size_t index)
{
	struct scope_pdc *pdc = s->pdc;
	const uint32_t psn = serial24_near(v->psn, pdc->tx_next);

	if (!pdc->tx_any && psn != pdc->tx_start) {
		pdc->tx_start = pdc->tx_next = psn;
		pdc->tx_acked = psn - 1;
	}
	scope_psn_seen(s, true, scope_at(s), v->psn, index);
	if (serial_diff(psn, pdc->tx_next) >= 0)
		pdc->tx_next = psn + 1;
}

/* A PSN with an outcome, good or bad, is done. */
static void scope_srd_taken_ack(struct scope *s, const struct scope_srd_view *v)
{
	struct scope_pdc *pdc = s->pdc;
	uint64_t cack = 0, sack = 0;
	uint32_t to;

	if (v->rcid)
		pdc->rcid = v->rcid;
	if (!packet_value(&v->pkt, "cack", &cack))
		return;
	packet_value(&v->pkt, "sack_bitmap", &sack);
	to = serial24_near((uint32_t)cack, pdc->tx_next);
	if (serial_before(to, pdc->tx_next))
		scope_mark_to(&pdc->tx_acked, &pdc->tx_beyond, to);
	scope_mark(&pdc->tx_acked, &pdc->tx_beyond,
		   serial24_near(v->psn, pdc->tx_next));
	for (unsigned k = 0; k < 64; k++)
		if (sack >> (63 - k) & 1)
			scope_mark(&pdc->tx_acked, &pdc->tx_beyond, to + 1 + k);
}

/* ---- The DUT requests ---- */

static void arrived_message(struct scope *s, const struct scope_srd_view *v,
			    size_t index)
{
	struct scope_pdc *pdc = s->pdc;
	const uint32_t psn =
		pdc->rx_any ? serial24_near(v->psn, pdc->rx_next) : v->psn;
	const uint32_t lup = serial24_near(v->lup, psn);

	scope_psn_seen(s, false, scope_at(s), v->psn, index);
	if (!pdc->rx_any) {
		scope_bind_pending(s, psn);
		pdc->rx_any = true;
		pdc->rx_start = pdc->rx_next = psn;
		pdc->rx_cum = lup - 1;
		pdc->rx_lup = lup;
	}
	if (serial_diff(psn, pdc->rx_next) >= 0)
		pdc->rx_next = psn + 1;
}

static void taken_request(struct scope *s, const struct scope_srd_view *v,
			  size_t index)
{
	struct scope_pdc *pdc = s->pdc;
	struct scope_psn *p = scope_psn_find(s, false, v->psn);
	const uint32_t lup = serial24_near(v->lup, pdc->rx_next);

	if (p)
		p->newest = index;
	if (v->message)
		pdc->rx_last = v->psn;
	if (!serial_after(lup, pdc->rx_lup))
		return;
	pdc->rx_lup = lup;
	scope_mark_to(&pdc->rx_cum, &pdc->rx_beyond, lup - 1);
}

/* Records the tester's acknowledgement of a PSN of the DUT. */
static void sent_ack(struct scope *s, const struct scope_srd_view *v)
{
	struct scope_pdc *pdc = s->pdc;
	uint64_t syndrome = 0;

	if (packet_value(&v->pkt, "syndrome", &syndrome) &&
	    syndrome == IB_SYNDROME_ACK && v->rcid == pdc->own_rcid)
		scope_mark(&pdc->rx_cum, &pdc->rx_beyond,
			   serial24_near(v->psn, pdc->rx_next));
}

/* ---- Both ---- */

void scope_srd_sent(struct scope *s, size_t index)
{
	struct scope_srd_view v;

	if (!scope_srd_look(s, index, &v))
		return;
	if (v.response)
		sent_ack(s, &v);
	else if (v.message)
		sent_message(s, &v, index);
}

void scope_srd_arrived(struct scope *s, size_t index)
{
	struct scope_srd_view v;

	if (scope_srd_look(s, index, &v) && v.message)
		arrived_message(s, &v, index);
}

void scope_srd_taken(struct scope *s, size_t index)
{
	struct scope_srd_view v;

	if (!scope_srd_look(s, index, &v))
		return;
	if (v.response)
		scope_srd_taken_ack(s, &v);
	else
		taken_request(s, &v, index);
}
