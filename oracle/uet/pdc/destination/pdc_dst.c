/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/pdc_dst.c -- the half of a PDC that receives
 * requests: it admits each packet once and hands it to the SES.
 *
 * States of a packet: admitted (marked received), with the SES, answered, and
 * then either settled at once or stored until CLEAR_PSN covers it.  Above
 * CACK_PSN each PSN has a slot with the fields that its ACK must echo; PSNs up
 * to CACK_PSN have no state.
 *
 * Spec: UET 3.5.12, 3.5.13, 3.5.16.8, 3.5.20.1 (uet.md 7.1 to 7.4)
 */
#include "oracle/uet/pdc/destination/pdc_dst.h"

#include <string.h>

#include "base/serial.h"
#include "oracle/uet/pdc/cc.h"
#include "oracle/uet/pdc/destination/dst_ack.h"
#include "oracle/uet/pdc/destination/dst_cp.h"
#include "oracle/uet/pdc/destination/dst_ring.h"
#include "oracle/uet/pdc/destination/dst_rsp.h"
#include "oracle/uet/pdc/pdc_out.h"

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
	dst->ask_clear_at = VTIME_NEVER;
	dst->inferred = start_psn - 1;
	dst->ack_gen_count = 0;
	dst->unacked = 0;
	dst->waiting = false;
	rcvd_init(&dst->rcvd, &pdc->env->mem, start_psn - 1, range);
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
		.eom = ses_ends_message(rx->next_hdr, rx->ses, rx->ses_len),
		.native = rx->native,
		.entropy = rx->entropy,
		.len = (uint16_t)rx->ses_len,
		.nominal = rx->type == PDS_CP ? 0 : cc_nominal(pdc, rx->len),
		.ids = pdc_dst_ids_of(rx),
	};
}

uint32_t dst_rx_pkt_handle(const struct pdc *pdc, uint32_t psn)
{
	return (uint32_t)pdc->spdcid << 16 | (psn & 0xffff);
}

static void pass_up(struct pdc *pdc, const struct pds_rx *rx)
{
	const struct ses_rx up = {
		.src_fep = pdc->fep,
		.rx_pkt_handle = dst_rx_pkt_handle(pdc, rx->psn),
		.next_hdr = rx->next_hdr,
		.pkt = rx->ses,
		.pkt_len = rx->ses_len,
		.orig_pdcid = pdc->spdcid,
		.orig_psn = rx->psn,
		.ordered = pdc->rod,
	};

	pdc->dst.nwith_ses++;
	if (pdc->role == PDC_TARGET)
		pds_ses_rx_req(pdc->ses, &up);
	else
		pds_ses_rx_ret(pdc->ses, &up);
}

/*
 * Executes a read again whose data an ACK carried and which was not kept: "it
 * need not be kept" (3.5.20.1-3b).  An ACK Request contains no read.
 */
static void pdc_dst_run_again(struct pdc *pdc, const struct pds_rx *rx,
			      struct dst_pkt *pkt)
{
	if (rx->type == PDS_CP) {
		pdc_send_nack(pdc->env, pdc, rx, NACK_ACK_WITH_DATA);
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
		pdc_send_nack(pdc->env, pdc, rx, NACK_RCVD_SES_PROCG);
		break;
	case DST_STORED:
		dst_ack_stored(pdc, pkt, rx->psn);
		break;
	case DST_SETTLED:
		dst_ack_default(pdc, pkt, rx->psn);
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
	dst_ack_default(pdc, &pkt, rx->psn);
}

static void acknowledge_again(struct pdc *pdc, const struct pds_rx *rx)
{
	struct pdc_dst *dst = &pdc->dst;

	if (serial_after(rx->psn, dst->rcvd.cack_psn))
		repeat_ack(pdc, rx, dst_slot(dst, rx->psn));
	else
		repeat_ack_below(pdc, rx);
}

/*
 * A PSN that was already received never reaches the SES.  Every valid duplicate
 * is answered (000 3.5.20.1-3c); 3.5.12.5 would let one with retx = 0 be
 * dropped.
 */
static void pdc_dst_duplicate(struct pdc *pdc, const struct pds_rx *rx)
{
	pdc->env->stats.rx_duplicate++;
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
		pdc_send_nack(pdc->env, pdc, rx, NACK_ROD_OOO);
	dst->ooo_told = true;
	env_drop(pdc->env, DROP_OUT_OF_ORDER);
}

static bool admit(struct pdc *pdc, const struct pds_rx *rx)
{
	struct pdc_dst *dst = &pdc->dst;
	struct dst_pkt *pkt;
	struct dst_pkt fresh;

	if (!dst_reach(pdc, rx->psn))
		return false;
	pkt = dst_slot(dst, rx->psn);
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
	pdc_send_nack(pdc->env, pdc, &lost, NACK_RCVR_INFER_LOSS);
}

void dst_rx(struct pdc *pdc, const struct pds_rx *rx)
{
	struct rcvd *rcvd = &pdc->dst.rcvd;
	uint8_t lack;

	if (pdc->role == PDC_TARGET)
		pdc->idle_at = VTIME_NEVER;
	if (rx->has_target)
		cc_rx_target(pdc, rx->credit_target);
	if (rx->type != PDS_CP)
		dst_rx_clear(pdc, rx->clear_psn);
	if (rcvd_ahead(rcvd, rx->psn)) {
		pdc_refuse(pdc, rx, NACK_PSN_OOR_WINDOW, DROP_WINDOW);
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
		pdc_refuse(pdc, rx, rx->trimmed, DROP_TRIMMED);
		return;
	}
	lack = rx->type == PDS_CP ? 0 : pdc_short_for_req(pdc);
	if (lack) {
		pdc_refuse(pdc, rx, lack, DROP_SHORTAGE);
		return;
	}
	if (!admit(pdc, rx)) {
		pdc_refuse(pdc, rx, NACK_NO_RESOURCE, DROP_NO_MEMORY);
		return;
	}
	infer_loss(pdc, rx);
	if (rx->type == PDS_CP)
		dst_take_cp(pdc, rx);
	else
		hand_up(pdc, rx);
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
		pdc_send_nack(pdc->env, pdc, rx, NACK_PKT_NOT_RCVD);
	else
		acknowledge_again(pdc, rx);
}
