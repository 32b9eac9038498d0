/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_renumber.c -- another Start_PSN, on request of a secure
 * target.
 *
 * A target that keeps an Expected_PSN for its security association does not
 * accept every Start_PSN.  It answers the SYN with a NACK NEW_START_PSN that
 * carries the required Start_PSN; the PDC is pending there.  The initiator
 * renumbers all packets of the PDC from that PSN on and retransmits them, still
 * as SYNs.  No packet has been sent under its new PSN before.
 *
 * Spec: UET 3.5.8.2, 3.5.12.7 (uet.md 4.3, 6.4)
 */
#include "oracle/uet/pdc/pdc_renumber.h"

#include "oracle/uet/pdc/destination/pdc_dst.h"
#include "oracle/uet/pdc/pdc_fail.h"

/* Returns true if no packet of the PDC was answered. */
static bool can_move(const struct pdc *pdc, const struct pds_nack *nack)
{
	const struct inflight_pkt *pkt =
		inflight_at(&pdc->src.fl, nack->nack_psn);

	return pdc->state == PDC_CREATING && pkt && pkt->sent && !pkt->done &&
	       nack->payload != pdc->start_psn;
}

static void move(struct pdc *pdc, uint32_t start_psn)
{
	const uint32_t shift = start_psn - pdc->start_psn;
	struct pdc_src *src = &pdc->src;

	if (!inflight_renumber(&src->fl, &pdc->env->mem, start_psn))
		return; /* the RTO retransmits */
	src->tx_psn = start_psn;
	src->cack_psn = start_psn - 1;
	src->went_back = false;
	pdc->start_psn = start_psn;
	dst_init(pdc, start_psn);
	pds_ses_renumbered(pdc->ses, pdc->spdcid, shift);
}

void pdc_renumber(struct pdc *pdc, const struct pds_nack *nack)
{
	const struct pds_error retries_exhausted = {.status = STATUS_RETRIES};

	if (!can_move(pdc, nack))
		env_drop(pdc->env, DROP_BAD_NACK);
	else if (pdc->renumbered++ < pdc->env->conf.max_nack_retx)
		move(pdc, nack->payload);
	else
		pdc_fail(pdc, retries_exhausted, false);
}
