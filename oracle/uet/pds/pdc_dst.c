/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pdc_dst.c -- the half of a PDC that receives requests.
 *
 * States of a packet: admitted (marked received), with the SES, answered, and
 * then either settled at once or stored until CLEAR_PSN covers it.  Above
 * CACK_PSN each PSN has a slot with the fields that its ACK must echo; PSNs up
 * to CACK_PSN have no state.
 *
 * Spec: UET 3.5.12, 3.5.13, 3.5.16.8, 3.5.20.1 (uet.md 7.1 to 7.4)
 */
#include "oracle/uet/pds/pdc_dst.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/uet/pds/pdc.h"
#include "oracle/uet/pds/pds.h"

#define FIRST_CAP 16 /* first size of a ring */

#define CCX_TYPE 14 /* 14 and 15 are proprietary, all others reserved */

void dst_init(struct pdc *pdc, uint32_t start_psn)
{
	struct pdc_dst *dst = &pdc->dst;
	const uint32_t range = cc_mp_range(pdc, pdc->env->conf.mpr);

	dst->clear_psn = start_psn - 1;
	dst->expected_psn = start_psn;
	dst->answer_psn = start_psn;
	dst->ooo_told = false;
	dst->took_cp = false;
	dst->nstored = 0;
	dst->nwith_ses = 0;
	dst->inferred = start_psn - 1;
	dst->ack_gen_count = 0;
	dst->unacked = 0;
	rcvd_init(&dst->rcvd, &pdc->env->mem, start_psn - 1, range);
}

static void pdc_dst_free_ring(struct dst_ring *ring)
{
	for (size_t i = 0; ring && i < ring->cap; i++)
		free(ring->pkt[i].rsp);
	free(ring);
}

void dst_free(struct pdc_dst *dst)
{
	pdc_dst_free_ring(dst->ring);
	rcvd_free(&dst->rcvd);
	*dst = (struct pdc_dst){0};
}

void dst_drain(struct mem *m)
{
	struct dst_ring *ring;

	while ((ring = mem_drain(m, MEM_DST)))
		pdc_dst_free_ring(ring);
	rcvd_drain(m);
}

void dst_rest(struct pdc *pdc)
{
	struct pdc_dst *dst = &pdc->dst;
	struct mem *m = &pdc->env->mem;

	if (!dst->ring || dst->rcvd.max_psn != dst->rcvd.cack_psn)
		return;
	mem_give(m, MEM_DST, dst->ring->cap, &dst->ring->block);
	dst->ring = NULL;
	rcvd_rest(&dst->rcvd, m);
}

static struct dst_pkt *pdc_dst_slot(const struct pdc_dst *dst, uint32_t psn)
{
	return &dst->ring->pkt[psn & (uint32_t)(dst->ring->cap - 1)];
}

static struct dst_ring *pdc_dst_take_ring(struct mem *m, size_t cap)
{
	struct dst_ring *ring =
		mem_ring(m, MEM_DST, cap, sizeof(*ring), sizeof(ring->pkt[0]));

	if (ring)
		ring->cap = cap;
	return ring;
}

/* Moves each slot to the place of its PSN; its memory is swapped. */
static void pdc_dst_move_slots(struct pdc_dst *dst, struct dst_ring *ring)
{
	for (size_t i = 0; i < dst->ring->cap; i++) {
		const uint32_t psn = dst->rcvd.cack_psn + 1 + (uint32_t)i;
		struct dst_pkt *to =
			&ring->pkt[psn & (uint32_t)(ring->cap - 1)];
		const struct dst_pkt empty = *to;

		*to = *pdc_dst_slot(dst, psn);
		*pdc_dst_slot(dst, psn) = empty;
	}
}

/* Grows the ring to cover CACK_PSN to |psn|. */
static bool reach(struct pdc *pdc, uint32_t psn)
{
	struct pdc_dst *dst = &pdc->dst;
	struct mem *m = &pdc->env->mem;
	const uint32_t first = dst->rcvd.cack_psn + 1;
	size_t cap = dst->ring ? dst->ring->cap : FIRST_CAP;
	struct dst_ring *ring;

	if (!rcvd_room(&dst->rcvd, m))
		return false;
	if (dst->ring && psn - first < cap)
		return true;
	while (psn - first >= cap)
		cap *= 2;
	ring = pdc_dst_take_ring(m, cap);
	if (!ring)
		return false;
	if (dst->ring) {
		pdc_dst_move_slots(dst, ring);
		mem_give(m, MEM_DST, dst->ring->cap, &dst->ring->block);
	}
	dst->ring = ring;
	return true;
}

/* The contents of one ACK. */
struct ack {
	uint32_t psn; /* ACK_PSN */
	bool retx, m, p;
	uint8_t req;
	uint16_t probe_opaque;
	uint32_t sack_psn;
	vtime arrived; /* the packet that it answers */
	uint16_t entropy;
	uint8_t native;
	uint8_t next_hdr; /* next_hdr of |rsp| */
	const uint8_t *rsp;
	size_t rsp_len;
};

static size_t pdc_dst_write_ack(const struct pdc *pdc, const struct ack *ack,
				uint8_t type, uint8_t *p)
{
	const uint32_t cack_psn = pdc->dst.rcvd.cack_psn;
	const int32_t offset = serial_diff(ack->psn, cack_psn);
	const struct pds_ack h = {
		.type = type,
		.next_hdr = ack->next_hdr,
		.m = ack->m,
		.retx = ack->retx,
		.p = ack->p,
		.req = ack->req,
		.ack_psn_offset =
			(int16_t)(ack->p ? ack->probe_opaque : offset),
		.cack_psn = cack_psn,
		.spdcid = pdc->spdcid,
		.dpdcid = pdc->dpdcid,
	};

	pds_ack_put(&h, p);
	return pds_ack_len;
}

static size_t write_plain(const struct pdc *pdc, const struct ack *ack,
			  uint8_t *p)
{
	return pdc_dst_write_ack(pdc, ack, PDS_ACK, p);
}

static size_t write_cc(const struct pdc *pdc, const struct ack *ack, uint8_t *p)
{
	const struct pdc_dst *dst = &pdc->dst;
	const struct pds_ack_cc cc = {
		.cc_type = cc_type(pdc),
		.mpr = pdc->env->conf.mpr,
		.sack_psn_offset =
			(int16_t)serial_diff(ack->sack_psn, dst->rcvd.cack_psn),
		.sack_bitmap = rcvd_bitmap(&dst->rcvd, ack->sack_psn),
	};
	size_t at = pdc_dst_write_ack(pdc, ack, PDS_ACK_CC, p);

	pds_ack_cc_put(&cc, p + at);
	at += pds_ack_cc_len;
	cc_put_state(pdc, ack->arrived, p + at);
	return at + pds_nscc_len;
}

static size_t write_ccx(const struct pdc *pdc, const struct ack *ack,
			uint8_t *p)
{
	const struct rcvd *rcvd = &pdc->dst.rcvd;
	const struct pds_ack_ccx ccx = {
		.ccx_type = CCX_TYPE,
		.mpr = pdc->env->conf.mpr,
		.sack_psn_offset =
			(int16_t)serial_diff(ack->sack_psn, rcvd->cack_psn),
		.sack_bitmap = rcvd_bitmap(rcvd, ack->sack_psn),
	};
	const size_t at = pdc_dst_write_ack(pdc, ack, PDS_ACK_CCX, p);

	pds_ack_ccx_put(&ccx, p + at);
	return at + pds_ack_ccx_len;
}

struct ack_form {
	size_t len;
	size_t (*write)(const struct pdc *pdc, const struct ack *ack,
			uint8_t *p);
};

static const struct ack_form ack_forms[] = {
	[ORC_ACK] = {pds_ack_len, write_plain},
	[ORC_ACK_CC] = {pds_ack_len + pds_ack_cc_len + pds_nscc_len, write_cc},
	[ORC_ACK_CCX] = {pds_ack_len + pds_ack_ccx_len, write_ccx},
};

/* "ACKs that carry more read data than Trimmable_ACK_Size use a trimmable
 * DSCP": that of data. */
static uint8_t ack_dscp(const struct orc_conf *conf, const struct ack *ack)
{
	const bool data = ack->next_hdr >= PDS_NEXT_RESPONSE_DATA &&
			  ack->rsp_len > conf->trimmable_ack;

	return data ? conf->dscp_data : conf->dscp_control;
}

static void send_ack(struct pdc *pdc, const struct ack *ack)
{
	struct env *env = pdc->env;
	const struct ack_form *form = &ack_forms[env->conf.ack_type];
	const struct outq_head head = {
		.dst = pdc->peer,
		.entropy = ack->entropy, /* that of the packet it answers */
		.dscp = ack_dscp(&env->conf, ack),
		.native = ack->native,
		.len = (uint32_t)(form->len + ack->rsp_len),
	};
	uint8_t *p = outq_add(&env->out, &env->mem, &head);

	if (!p)
		return;
	p += form->write(pdc, ack, p);
	if (ack->rsp_len)
		memcpy(p, ack->rsp, ack->rsp_len);
	env->stats.tx_ack++;
	pdc->dst.ack_gen_count = 0;
	pdc->dst.unacked = 0;
}

/*
 * Writes the response that the PDS makes itself (table 3-43): for duplicates
 * whose response is not stored and for ACKs that cover several packets.
 */
static size_t pdc_dst_default_response(const struct pdc *pdc,
				       struct ses_ids ids, uint8_t *p)
{
	const struct ses_response h = {
		.opcode = SES_DEFAULT_RESPONSE,
		.return_code = pdc->env->conf.default_rc,
		.message_id = ids.message_id,
		.job_id = ids.job_id,
	};

	ses_response_put(&h, p);
	return ses_response_len;
}

/* Only the target requests clears and closes (table 3-44). */
static uint8_t req_flags(const struct pdc *pdc, bool stored)
{
	if (pdc->role != PDC_TARGET)
		return PDS_REQ_NONE;
	if (stored)
		return PDS_REQ_CLEAR;
	return pdc->close_asked ? PDS_REQ_CLOSE : PDS_REQ_NONE;
}

/*
 * Returns all fields of an ACK but the response, from the slot of the packet.
 */
static struct ack pdc_dst_ack_of(struct pdc *pdc, const struct dst_pkt *pkt,
				 uint32_t psn)
{
	return (struct ack){
		.psn = psn,
		.retx = pkt->retx,
		.m = pkt->m,
		.req = req_flags(pdc, pkt->state == DST_STORED),
		.sack_psn = cc_sack_base(pdc, psn),
		.arrived = pkt->arrived,
		.entropy = pkt->entropy,
		.native = pkt->native,
	};
}

static void ack_with(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn,
		     const struct ses_tx_rsp *rsp)
{
	struct ack ack = pdc_dst_ack_of(pdc, pkt, psn);

	ack.next_hdr = rsp->next_hdr;
	ack.rsp = rsp->rsp;
	ack.rsp_len = rsp->rsp_len;
	send_ack(pdc, &ack);
}

static void ack_default(struct pdc *pdc, const struct dst_pkt *pkt,
			uint32_t psn)
{
	struct ack ack = pdc_dst_ack_of(pdc, pkt, psn);
	uint8_t rsp[ses_response_len] = {0};

	ack.next_hdr = PDS_NEXT_RESPONSE;
	ack.rsp = rsp;
	ack.rsp_len = pdc_dst_default_response(pdc, pkt->ids, rsp);
	if (pkt->cp) {
		ack.next_hdr = PDS_NEXT_NONE;
		ack.rsp_len = 0;
	}
	send_ack(pdc, &ack);
}

static void ack_stored(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn)
{
	const struct ses_tx_rsp rsp = {
		.next_hdr = pkt->rsp_hdr,
		.rsp = pkt->rsp,
		.rsp_len = pkt->rsp_len,
	};

	ack_with(pdc, pkt, psn, &rsp);
}

/*
 * Returns true for a received control packet with a PSN, not for an ACK
 * Request.
 */
static bool takes_psn(const struct pds_rx *rx)
{
	return rx->type == PDS_CP && rx->ctl_type != PDS_CP_ACK_REQUEST;
}

/* The ACK of a control packet has no SES header, not even on request. */
static bool was_cp(const struct pdc_dst *dst, uint32_t psn)
{
	return dst->took_cp && psn == dst->cp_psn;
}

/* An ACK Request may carry the message_id in its payload (3.5.16.8). */
static struct ses_ids pdc_dst_ids_of(const struct pds_rx *rx)
{
	if (rx->type == PDS_CP)
		return (struct ses_ids){.message_id = (uint16_t)rx->payload};
	return ses_ids_of(rx->next_hdr, rx->ses, rx->ses_len);
}

/* Returns the data that the ACK of a packet needs when its response arrives. */
static struct dst_pkt pdc_dst_describe(const struct pdc *pdc,
				       const struct pds_rx *rx)
{
	return (struct dst_pkt){
		.arrived = pdc->env->now,
		.state = DST_WITH_SES,
		.cp = takes_psn(rx) || was_cp(&pdc->dst, rx->psn),
		.retx = rx->retx,
		.m = rx->ce,
		.at_once = rx->ar || rx->syn || rx->retx ||
			   (rx->ce && pdc->env->conf.ack_on_ecn),
		.native = rx->native,
		.entropy = rx->entropy,
		.len = (uint16_t)rx->ses_len,
		.nominal = rx->type == PDS_CP ? 0 : cc_nominal(pdc, rx->len),
		.ids = pdc_dst_ids_of(rx),
	};
}

static void pdc_dst_refuse(struct pdc *pdc, const struct pds_rx *rx,
			   uint8_t code, enum drop_reason why)
{
	pds_nack(pdc->pds, pdc, rx, code);
	env_drop(pdc->env, why);
}

void dst_rx_clear(struct pdc *pdc, uint32_t clear_psn)
{
	struct pdc_dst *dst = &pdc->dst;
	uint32_t psn = serial_max(dst->clear_psn, dst->rcvd.cack_psn);

	if (!serial_after(clear_psn, dst->clear_psn))
		return;
	if (serial_after(clear_psn, dst->rcvd.max_psn))
		return; /* it clears a PSN that was never received */
	dst->clear_psn = clear_psn;
	while (serial_before(psn, clear_psn)) {
		psn++;
		if (rcvd_has(&dst->rcvd, psn) &&
		    pdc_dst_slot(dst, psn)->state == DST_STORED) {
			pdc_dst_slot(dst, psn)->state = DST_SETTLED;
			dst->nstored--;
			rcvd_settle(&dst->rcvd, psn);
		}
	}
}

static void pass_up(struct pdc *pdc, const struct pds_rx *rx)
{
	const struct ses_rx up = {
		.rx_pkt_handle =
			(uint32_t)pdc->spdcid << 16 | (rx->psn & 0xffff),
		.next_hdr = rx->next_hdr,
		.pkt = rx->ses,
		.pkt_len = rx->ses_len,
		.orig_pdcid = pdc->spdcid,
		.orig_psn = rx->psn,
		.ordered = pdc->rod,
	};

	pdc->dst.nwith_ses++;
	if (pdc->role == PDC_TARGET)
		pds_ses_rx_req(pdc->pds->ses, &up);
	else
		pds_ses_rx_ret(pdc->pds->ses, &up);
}

/*
 * Executes a read again whose data an ACK carried and which was not kept: "it
 * need not be kept" (3.5.20.1-3b).  An ACK Request contains no read.
 */
static void pdc_dst_run_again(struct pdc *pdc, const struct pds_rx *rx,
			      struct dst_pkt *pkt)
{
	if (rx->type == PDS_CP) {
		pds_nack(pdc->pds, pdc, rx, NACK_ACK_WITH_DATA);
		return;
	}
	pkt->state = DST_WITH_SES;
	pkt->at_once = true;
	pdc->dst.nstored--;
	pass_up(pdc, rx);
}

/*
 * Handles a duplicate in the window by the state of its first copy (3.5.12.6).
 */
static void repeat_ack(struct pdc *pdc, const struct pds_rx *rx,
		       struct dst_pkt *pkt)
{
	pkt->arrived = pdc->env->now;
	pkt->retx = rx->retx;
	pkt->m = rx->ce;
	pkt->entropy = rx->entropy;
	if (pkt->state == DST_STORED && pkt->rsp_again) {
		pdc_dst_run_again(pdc, rx, pkt);
		return;
	}
	switch ((enum dst_state)pkt->state) {
	case DST_WITH_SES:
	case DST_IN_LINE:
		pds_nack(pdc->pds, pdc, rx, NACK_RCVD_SES_PROCG);
		break;
	case DST_STORED:
		ack_stored(pdc, pkt, rx->psn);
		break;
	case DST_SETTLED:
		ack_default(pdc, pkt, rx->psn);
		break;
	}
}

/*
 * No state is kept for PSNs up to CACK_PSN: their response need not be
 * guaranteed.
 */
static void repeat_ack_below(struct pdc *pdc, const struct pds_rx *rx)
{
	struct dst_pkt pkt = pdc_dst_describe(pdc, rx);

	pkt.state = DST_SETTLED;
	ack_default(pdc, &pkt, rx->psn);
}

static void acknowledge_again(struct pdc *pdc, const struct pds_rx *rx)
{
	struct pdc_dst *dst = &pdc->dst;

	if (serial_after(rx->psn, dst->rcvd.cack_psn))
		repeat_ack(pdc, rx, pdc_dst_slot(dst, rx->psn));
	else
		repeat_ack_below(pdc, rx);
}

/*
 * A PSN that was already received never reaches the SES.  A duplicate without
 * retx was made by the network and needs no answer (3.5.12.5).
 */
static void pdc_dst_duplicate(struct pdc *pdc, const struct pds_rx *rx)
{
	pdc->env->stats.rx_duplicate++;
	if (rx->retx)
		acknowledge_again(pdc, rx);
	env_drop(pdc->env, DROP_DUPLICATE);
}

/* Moves expected_psn behind the PSNs received in order. */
static void expect_next(struct pdc_dst *dst)
{
	if (!rcvd_has(&dst->rcvd, dst->expected_psn))
		return;
	while (!serial_after(dst->expected_psn, dst->rcvd.max_psn) &&
	       rcvd_has(&dst->rcvd, dst->expected_psn))
		dst->expected_psn++;
	dst->ooo_told = false;
}

/*
 * ROD: "drop + NACK ROD_OOO; one NACK per gap is enough" (uet.md 7.6).
 */
static void out_of_order(struct pdc *pdc, const struct pds_rx *rx)
{
	struct pdc_dst *dst = &pdc->dst;

	if (pdc->env->conf.rod_nack_each || !dst->ooo_told)
		pds_nack(pdc->pds, pdc, rx, NACK_ROD_OOO);
	dst->ooo_told = true;
	env_drop(pdc->env, DROP_OUT_OF_ORDER);
}

static bool admit(struct pdc *pdc, const struct pds_rx *rx)
{
	struct pdc_dst *dst = &pdc->dst;
	struct dst_pkt *pkt;
	struct dst_pkt fresh;

	if (!reach(pdc, rx->psn))
		return false;
	pkt = pdc_dst_slot(dst, rx->psn);
	fresh = pdc_dst_describe(pdc, rx);
	fresh.rsp = pkt->rsp;
	fresh.rsp_cap = pkt->rsp_cap;
	*pkt = fresh;
	if (pkt->cp) {
		dst->took_cp = true;
		dst->cp_psn = rx->psn;
	}
	rcvd_mark(&dst->rcvd, rx->psn);
	if (pdc->rod)
		expect_next(dst);
	return true;
}

static void hand_up(struct pdc *pdc, const struct pds_rx *rx)
{
	pdc->env->stats.delivered++;
	pass_up(pdc, rx);
}

/*
 * Infers the loss of the first missing PSN when enough later ones have arrived,
 * and sends one NACK without waiting for the source's RTO.
 */
static void infer_loss(struct pdc *pdc, const struct pds_rx *rx)
{
	struct pdc_dst *dst = &pdc->dst;
	const uint32_t behind = pdc->env->conf.infer_loss;
	uint32_t psn = dst->rcvd.cack_psn + 1;
	struct pds_rx lost = *rx;

	while (serial_before(psn, rx->psn) && rcvd_has(&dst->rcvd, psn))
		psn++;
	if (!behind || serial_diff(rx->psn, psn) < (int32_t)behind ||
	    !serial_after(psn, dst->inferred))
		return;
	dst->inferred = psn;
	lost.psn = psn;
	lost.retx = false;
	pds_nack(pdc->pds, pdc, &lost, NACK_RCVR_INFER_LOSS);
}

void dst_rx(struct pdc *pdc, const struct pds_rx *rx)
{
	struct rcvd *rcvd = &pdc->dst.rcvd;
	uint8_t lack;

	if (rx->has_target)
		cc_rx_target(pdc, rx->credit_target);
	if (rx->type != PDS_CP)
		dst_rx_clear(pdc, rx->clear_psn);
	if (rcvd_ahead(rcvd, rx->psn)) {
		pdc_dst_refuse(pdc, rx, NACK_PSN_OOR_WINDOW, DROP_WINDOW);
		return;
	}
	if (rcvd_behind(rcvd, rx->psn)) {
		env_drop(pdc->env, DROP_BEHIND);
		return;
	}
	if (rcvd_has(rcvd, rx->psn)) {
		pdc_dst_duplicate(pdc, rx);
		return;
	}
	if (pdc->rod && rx->psn != pdc->dst.expected_psn) {
		out_of_order(pdc, rx);
		return;
	}
	if (rx->trimmed) {
		pdc_dst_refuse(pdc, rx, rx->trimmed, DROP_TRIMMED);
		return;
	}
	lack = rx->type == PDS_CP ? 0 : pds_short_for_req(pdc->pds);
	if (lack) {
		pdc_dst_refuse(pdc, rx, lack, DROP_SHORTAGE);
		return;
	}
	if (!admit(pdc, rx)) {
		pdc_dst_refuse(pdc, rx, NACK_NO_RESOURCE, DROP_NO_MEMORY);
		return;
	}
	infer_loss(pdc, rx);
	if (rx->type == PDS_CP)
		pdc_rx_cp_delivered(pdc, rx);
	else
		hand_up(pdc, rx);
}

/* Allocates one byte more than needed, so that |rsp| is not NULL. */
static bool pdc_dst_store(struct pdc *pdc, struct dst_pkt *pkt,
			  const struct ses_tx_rsp *rsp)
{
	uint8_t *bytes = mem_grow(&pdc->env->mem, pkt->rsp, &pkt->rsp_cap,
				  rsp->rsp_len + 1u, 1);

	if (!bytes)
		return false;
	pkt->rsp = bytes;
	pkt->rsp_hdr = rsp->next_hdr;
	pkt->rsp_len = rsp->rsp_len;
	if (rsp->rsp_len)
		memcpy(bytes, rsp->rsp, rsp->rsp_len);
	return true;
}

/*
 * "ACK_GEN_COUNT += max(packet payload bytes, ACK_Gen_Min_Pkt_Add); ACK and
 * reset when >= ACK_Gen_Trigger" (uet.md 7.1)
 */
static bool count_triggers(struct pdc *pdc, const struct dst_pkt *pkt)
{
	const struct orc_conf *conf = &pdc->env->conf;
	struct pdc_dst *dst = &pdc->dst;
	const uint32_t least = conf->ack_gen_min_pkt_add;

	dst->ack_gen_count += pkt->len > least ? pkt->len : least;
	return dst->ack_gen_count >= conf->ack_gen_trigger;
}

/*
 * While a stored response holds CACK_PSN back, no later CACK_PSN would cover a
 * packet whose ACK is delayed: it would be retransmitted needlessly.
 */
static bool cannot_wait(const struct pdc_dst *dst, const struct dst_pkt *pkt)
{
	return pkt->at_once || dst->nstored;
}

/*
 * A guaranteed response has an ACK of its own.  A counted ACK that covers
 * several packets answers none of them in particular: it carries a default
 * response (figure 3-81, ACK 334).
 */
static void pdc_dst_acknowledge(struct pdc *pdc, const struct dst_pkt *pkt,
				uint32_t psn, const struct ses_tx_rsp *rsp)
{
	const bool at_once = cannot_wait(&pdc->dst, pkt);

	pdc->dst.unacked++;
	if (!at_once && !count_triggers(pdc, pkt))
		return;
	if (!rsp->rsp || (!at_once && pdc->dst.unacked > 1))
		ack_default(pdc, pkt, psn);
	else
		ack_with(pdc, pkt, psn, rsp);
}

/* The SES refuses the packet: undoes its reception (uet.md 4.6). */
static void take_back(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn,
		      uint8_t code)
{
	const struct pds_rx rx = {
		.src = &pdc->peer,
		.entropy = pkt->entropy,
		.native = pkt->native,
		.ce = pkt->m,
		.retx = pkt->retx,
		.psn = psn,
		.spdcid = pdc->dpdcid,
	};

	if (serial_before(psn, pdc->dst.expected_psn))
		pdc->dst.expected_psn = psn;
	rcvd_unmark(&pdc->dst.rcvd, psn);
	pdc_dst_refuse(pdc, &rx, code, DROP_REFUSED);
}

/* Returns the PSN near CACK_PSN that ends in these 16 bits. */
static uint32_t pdc_dst_psn_of(const struct pdc_dst *dst, uint16_t low)
{
	const uint32_t first = dst->rcvd.cack_psn + 1;

	return first + (uint16_t)(low - (uint16_t)first);
}

static int pdc_dst_settle(struct pdc *pdc, struct dst_pkt *pkt, uint32_t psn,
			  const struct ses_tx_rsp *rsp)
{
	if (rsp->gtd_del && rsp->rsp != pkt->rsp &&
	    !pdc_dst_store(pdc, pkt, rsp))
		return ERR_NOMEM;
	cc_took(pdc, pkt->nominal);
	pkt->rsp_again = rsp->again && !pdc->env->conf.keep_read_data;
	pkt->state = rsp->gtd_del ? DST_STORED : DST_SETTLED;
	if (rsp->gtd_del)
		pdc->dst.nstored++;
	else
		rcvd_settle(&pdc->dst.rcvd, psn);
	pdc_dst_acknowledge(pdc, pkt, psn, rsp);
	return 0;
}

/* Sends the answers that only waited for an earlier one. */
static void settle_line(struct pdc *pdc)
{
	struct pdc_dst *dst = &pdc->dst;

	while (serial_before(dst->answer_psn, dst->expected_psn)) {
		struct dst_pkt *pkt = pdc_dst_slot(dst, dst->answer_psn);
		const struct ses_tx_rsp rsp = {
			.gtd_del = pkt->rsp_gtd,
			.next_hdr = pkt->rsp_hdr,
			.rsp = pkt->rsp,
			.rsp_len = pkt->rsp_len,
		};

		if (pkt->state != DST_IN_LINE)
			return;
		pdc_dst_settle(pdc, pkt, dst->answer_psn++, &rsp);
	}
}

/*
 * The closing ACK is the last: a closing initiator waits for no other answer.
 */
static bool ends_line(const struct pdc *pdc, uint32_t psn)
{
	return pdc->state == PDC_CLOSING && psn == pdc->close_psn;
}

/*
 * "ROD ACKs are sent in the order of the packets that they acknowledge"
 * (3.5.7.2): an answer that comes early waits.
 */
static int pdc_dst_take_response(struct pdc *pdc, struct dst_pkt *pkt,
				 uint32_t psn, const struct ses_tx_rsp *rsp)
{
	int err;

	if (pdc->rod && psn != pdc->dst.answer_psn && !ends_line(pdc, psn)) {
		if (!pdc_dst_store(pdc, pkt, rsp))
			return ERR_NOMEM;
		pkt->rsp_gtd = rsp->gtd_del;
		pkt->state = DST_IN_LINE;
		return 0;
	}
	err = pdc_dst_settle(pdc, pkt, psn, rsp);
	if (err || !pdc->rod || psn != pdc->dst.answer_psn)
		return err;
	pdc->dst.answer_psn++;
	settle_line(pdc);
	return 0;
}

/* The SES has no response: the PDS makes one. */
static int take_default(struct pdc *pdc, struct dst_pkt *pkt, uint32_t psn,
			bool gtd_del)
{
	uint8_t bytes[ses_response_len] = {0};
	const struct ses_tx_rsp rsp = {
		.gtd_del = gtd_del,
		.next_hdr = PDS_NEXT_RESPONSE,
		.rsp = bytes,
		.rsp_len = (uint16_t)pdc_dst_default_response(pdc, pkt->ids,
							      bytes),
	};

	return pdc_dst_take_response(pdc, pkt, psn, &rsp);
}

int dst_respond(struct pdc *pdc, uint16_t psn_low, const struct ses_tx_rsp *rsp)
{
	struct pdc_dst *dst = &pdc->dst;
	const uint32_t psn = pdc_dst_psn_of(dst, psn_low);
	struct dst_pkt *pkt;

	if (rcvd_ahead(&dst->rcvd, psn) || !rcvd_has(&dst->rcvd, psn))
		return ERR_STATE;
	pkt = pdc_dst_slot(dst, psn);
	if (pkt->state != DST_WITH_SES)
		return ERR_STATE;
	if (!pkt->cp)
		dst->nwith_ses--;
	if (rsp->ses_nack) {
		take_back(pdc, pkt, psn, rsp->ses_nack);
		return 0;
	}
	if (rsp->rsp || pkt->cp)
		return pdc_dst_take_response(pdc, pkt, psn, rsp);
	return take_default(pdc, pkt, psn, rsp->gtd_del);
}

/*
 * Answers an ACK Request: repeats the stored response, or sends a default
 * response, or the reason why there is none (3.5.16.8; uet.md 7.4).
 */
void dst_rx_ack_request(struct pdc *pdc, const struct pds_rx *rx)
{
	const struct rcvd *rcvd = &pdc->dst.rcvd;

	if (rcvd_ahead(rcvd, rx->psn) || rcvd_behind(rcvd, rx->psn))
		env_drop(pdc->env, DROP_BEHIND);
	else if (!rcvd_has(rcvd, rx->psn))
		pds_nack(pdc->pds, pdc, rx, NACK_PKT_NOT_RCVD);
	else
		acknowledge_again(pdc, rx);
}

/*
 * Returns the bitmap base that the Probe wants, limited by the offset field and
 * by Start_PSN, below which nothing was received.
 */
static uint32_t probe_base(const struct pdc *pdc, uint32_t wanted)
{
	const uint32_t cack = pdc->dst.rcvd.cack_psn;
	const int32_t offset = serial_diff(wanted, cack);

	if (offset != (int16_t)offset)
		return cack + 1;
	return serial_before(wanted, pdc->start_psn) ? pdc->start_psn : wanted;
}

/* "ACK(_CC) with p=1 and probe_opaque echoed in place of ack_psn_offset" */
void dst_rx_probe(struct pdc *pdc, const struct pds_rx *rx)
{
	const struct ack ack = {
		.psn = pdc->dst.rcvd.cack_psn,
		.p = true,
		.m = rx->ce,
		.retx = rx->retx,
		.probe_opaque = rx->probe_opaque,
		.sack_psn = probe_base(pdc, rx->payload),
		.req = req_flags(pdc, false),
		.arrived = pdc->env->now,
		.entropy = rx->entropy,
		.native = rx->native,
		.next_hdr = PDS_NEXT_NONE,
	};

	send_ack(pdc, &ack);
}
