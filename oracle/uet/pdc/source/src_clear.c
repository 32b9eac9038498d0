/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_clear.c -- CLEAR_PSN, and the Clear Commands that
 * carry it while no request does.
 *
 * Spec: UET 3.5.16.3 (uet.md 7.3)
 */
#include "oracle/uet/pdc/source/src_clear.h"

#include "base/serial.h"
#include "oracle/uet/pdc/pdc_out.h"
#include "oracle/uet/pdc/source/src_window.h"

uint32_t src_clear_psn(const struct pdc *pdc)
{
	return pdc->src.fl.base - 1;
}

/*
 * A packet to send carries CLEAR_PSN, which may satisfy the destination's
 * request.
 */
void src_told_clear(struct pdc_src *src, uint32_t clear_psn)
{
	if (src->clear_due && !serial_before(clear_psn, src->clear_asked))
		src->clear_due = false;
}

void src_schedule_clear(struct pdc *pdc, uint32_t asked, vspan wait)
{
	struct pdc_src *src = &pdc->src;

	if (!src->clear_due || serial_after(asked, src->clear_asked))
		src->clear_asked = asked;
	src->clear_due = true;
	src->clear_at = pdc->env->now + wait;
}

void src_want_clear(struct pdc *pdc)
{
	src_schedule_clear(pdc, src_clear_psn(pdc), 0);
}

void src_send_clear(struct pdc *pdc)
{
	const uint32_t clear_psn = src_clear_psn(pdc);

	src_told_clear(&pdc->src, clear_psn);
	pdc_send_cp(pdc, PDS_CP_CLEAR_COMMAND, 0, clear_psn);
}

/*
 * Returns when to send a Clear Command: a clear is wanted, and no pending or
 * unacknowledged request could carry it (3.5.16.3.1).
 */
vtime src_clear_deadline(const struct pdc *pdc)
{
	if (!pdc->src.clear_due || !src_idle(pdc) || !pdc->dpdcid)
		return VTIME_NEVER;
	return pdc->src.clear_at;
}
