/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_fail.c -- the end of a PDC in error.
 *
 * Spec: UET 3.5.8, 3.5.12.7 (uet.md 4, 6)
 */
#include "oracle/uet/pdc/pdc_fail.h"

#include "base/serial.h"
#include "oracle/uet/pdc/destination/dst_ring.h"
#include "oracle/uet/pdc/destination/pdc_dst.h"
#include "oracle/uet/pdc/source/src_window.h"

void src_abandon(struct pdc *pdc, struct pds_error err)
{
	struct inflight *fl = &pdc->src.fl;

	while (fl->base != fl->next) {
		const struct inflight_pkt *pkt = inflight_at(fl, fl->base);
		const uint32_t handle = pkt->tx_pkt_handle;
		const bool cp = pkt->cp;

		err.psn = fl->base;
		inflight_done(fl, fl->base);
		if (!cp)
			pds_ses_error(pdc->ses, handle, err);
	}
	/* The close reuses the PSNs of packets that were never sent. */
	inflight_rewind(fl, pdc->src.tx_psn);
	pdc->src.cc.inflight = 0;
	pdc->src.clear_due = false;
	pdc->src.paused = false;
	pdc->src.abandoned = true;
}

/*
 * Reports the received requests that the SES has not answered.  Table 3-27 lets
 * pds_ses_error name an rx_pkt_handle, and does not say when.
 */
static void dst_abandon(struct pdc *pdc, struct pds_error err)
{
	const struct rcvd *rcvd = &pdc->dst.rcvd;
	uint32_t psn = rcvd->cack_psn + 1;

	for (; !serial_after(psn, rcvd->max_psn); psn++) {
		if (!rcvd_has(rcvd, psn) ||
		    dst_slot(&pdc->dst, psn)->state != DST_WITH_SES)
			continue;
		err.psn = psn;
		pds_ses_error_rx(pdc->ses, dst_rx_pkt_handle(pdc, psn),
				 pdc->spdcid, err);
	}
}

void pdc_fail(struct pdc *pdc, struct pds_error err, bool tell)
{
	const bool closing = pdc->state == PDC_CLOSE_ACK_WAIT;
	const bool can = pdc->role == PDC_INITIATOR && pdc->dpdcid;

	/* the closing ACK was lost, or the peer is gone: closed */
	if (closing) {
		pdc_release(pdc);
		return;
	}
	pdc_enter(pdc, PDC_ACK_WAIT); /* accepts no more packets */
	pdc->msg_open = false;
	pdc->locks = 0;
	src_abandon(pdc, err);
	if (pdc->env->conf.error_rx)
		dst_abandon(pdc, err);
	pds_ses_closed(pdc->ses, pdc->fep, pdc->spdcid, err);
	if (!tell || !can || !src_has_room(pdc))
		pdc_release(pdc);
}
