/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/pdc_renumber.c -- another Start_PSN, as a secure target asks for.
 *
 * A target that keeps an Expected_PSN for its security association does not
 * accept every Start_PSN.  It answers the SYN by NACK NEW_START_PSN with the
 * one that it wants; the PDC is pending there.  The initiator gives all packets
 * of the PDC new PSNs from that one on and sends them again, as SYNs still.
 * None has been sent under its new PSN before.
 *
 * Spec: UET 3.5.8.2, 3.5.12.7 (uet.md 4.3, 6.4)
 */
#include "oracle/pdc.h"
#include "oracle/pds.h"

/* Only a PDC that nothing of was answered can move. */
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
		return; /* the RTO asks again */
	src->tx_psn = start_psn;
	src->cack_psn = start_psn - 1;
	pdc->start_psn = start_psn;
	dst_init(pdc, start_psn);
	pds_ses_renumbered(pdc->pds->ses, pdc->spdcid, shift);
}

void pdc_renumber(struct pdc *pdc, const struct pds_nack *nack)
{
	const struct pds_error spent = {.status = STATUS_RETRIES};

	if (!can_move(pdc, nack))
		env_drop(pdc->env, DROP_BAD_NACK);
	else if (pdc->renumbered++ < pdc->env->conf.max_nack_retx)
		move(pdc, nack->payload);
	else
		pdc_fail(pdc, spent, false);
}
