/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_ack.c -- processes an ACK at a source: the packets
 * that arrived, their responses, the window, and the requests of the
 * destination.
 *
 * Spec: UET 3.5.11, 3.5.12 (uet.md 6.6, 7.2, 7.3)
 */
#include "oracle/uet/pdc/source/src_ack.h"

#include "base/serial.h"
#include "oracle/uet/pdc/cc.h"
#include "oracle/uet/pdc/source/src_clear.h"
#include "oracle/uet/pdc/source/src_repair.h"
#include "oracle/uet/pdc/source/src_window.h"

/* Handles the response to |psn|; rsp NULL means the default response. */
static void pdc_src_answered(struct pdc *pdc, uint32_t psn, uint8_t next_hdr,
			     const uint8_t *rsp, size_t rsp_len)
{
	struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);
	struct ses_rx_rsp rx;

	if (!pkt || pkt->done)
		return;
	cc_landed(pdc, pkt);
	rx = (struct ses_rx_rsp){
		.tx_pkt_handle = pkt->tx_pkt_handle,
		.next_hdr = next_hdr,
		.rsp = rsp,
		.rsp_len = rsp_len,
		.pdcid = pdc->spdcid,
		.psn = psn,
	};
	inflight_done(&pdc->src.fl, psn);
	if (!pkt->cp) /* the SES has no control packets */
		pds_ses_rx_rsp(pdc->ses, &rx);
}

static void answered_own(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	pdc_src_answered(pdc, ack->ack_psn, ack->next_hdr, ack->rsp,
			 ack->rsp_len);
}

/*
 * "For each newly acknowledged request PDS hands SES a response: the carried
 * SES header for ACK_PSN; for others the default response" (uet.md 7.2).
 */
static void pdc_src_take_cack(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	struct pdc_src *src = &pdc->src;

	while (src->fl.base != src->fl.next &&
	       !serial_after(src->fl.base, ack->cack_psn)) {
		if (!ack->p && src->fl.base == ack->ack_psn)
			answered_own(pdc, ack);
		else
			pdc_src_answered(pdc, src->fl.base, PDS_NEXT_NONE, NULL,
					 0);
	}
}

/* Handles a SACK bit: the packet arrived; its response is not known yet. */
static void take_sack_bit(struct pdc *pdc, uint32_t psn)
{
	struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);

	if (!pkt || pkt->done || pkt->sacked || !pkt->sent)
		return;
	cc_landed(pdc, pkt);
	pkt->sacked = true;
	if (!pdc->rod && pkt->queue >= INFLIGHT_NACK)
		src_await(pdc, psn, pkt->rto_count);
}

static void pdc_src_take_sack(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	for (uint64_t left = ack->sack_bitmap; left; left &= left - 1) {
		const uint32_t i = (uint32_t)__builtin_ctzll(left);

		take_sack_bit(pdc, ack->sack_psn + i);
	}
}

/* "Take MPR only from an ACK whose cack_psn is not older than the newest". */
static void take_window(struct pdc_src *src, const struct pds_ack_rx *ack)
{
	if (serial_before(ack->cack_psn, src->cack_psn))
		return;
	if (src->stalls && ack->cack_psn != src->cack_psn) {
		src->stalls = 0;
		src->stalled_at = 0;
	}
	src->cack_psn = ack->cack_psn;
	if (ack->mpr)
		src->mp_range = ack->mpr * (uint32_t)MPR_UNIT;
}

static void take_req_none(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	(void)pdc;
	(void)ack;
}

static void take_req_clear(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	const uint32_t asked = ack->p ? src_clear_psn(pdc) : ack->ack_psn;

	src_schedule_clear(pdc, asked, pdc->env->conf.pds_clear_time);
}

static void take_req_close(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	(void)ack;
	pdc_want_close(pdc);
}

typedef void take_req_fn(struct pdc *pdc, const struct pds_ack_rx *ack);

static take_req_fn *const take_req[4] = {
	[PDS_REQ_NONE] = take_req_none,
	[PDS_REQ_CLEAR] = take_req_clear,
	[PDS_REQ_CLOSE] = take_req_close,
	[3] = take_req_none, /* reserved value */
};

/* Resumes the paused SES: the window is open again. */
static void pdc_src_resume(struct pdc *pdc)
{
	if (!pdc->src.paused || !src_has_room(pdc))
		return;
	pdc->src.paused = false;
	pds_pause(pdc->ses, pdc->fep, pdc_mode(pdc), pdc->spdcid, false);
}

/* Returns true if the ACK covers only sent PSNs. */
static bool plausible(const struct pdc_src *src, const struct pds_ack_rx *ack)
{
	const uint32_t last = src->tx_psn - 1;

	if (serial_after(ack->cack_psn, last))
		return false;
	return ack->p || !serial_after(ack->ack_psn, last);
}

/* ROD: starts the RTO of the packet that is the oldest now. */
static void follow_oldest(struct pdc *pdc, uint32_t old_base)
{
	struct pdc_src *src = &pdc->src;

	if (!pdc->rod || src->fl.base == old_base)
		return;
	if (serial_after(src->fl.base, src->back_top))
		src->went_back = false;
	src_watch_oldest(pdc);
}

void src_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	struct pdc_src *src = &pdc->src;
	const uint32_t old_base = src->fl.base;
	const uint32_t inflight = src->cc.inflight;

	if (!plausible(src, ack)) {
		env_drop(pdc->env, DROP_BAD_ACK);
		return;
	}
	src->cc.heard = true;
	cc_rx_ack(pdc, ack);
	take_window(src, ack);
	pdc_src_take_cack(pdc, ack);
	if (!ack->p)
		answered_own(pdc, ack);
	pdc_src_take_sack(pdc, ack);
	cc_acked(pdc, ack, inflight - src->cc.inflight);
	follow_oldest(pdc, old_base);
	cc_infer_loss(pdc, ack);
	take_req[ack->req](pdc, ack);
	pdc_src_resume(pdc);
}
