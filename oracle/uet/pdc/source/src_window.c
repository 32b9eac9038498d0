/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_window.c -- the window of a source: which packet
 * may be sent next.
 *
 * Spec: UET 3.5.8.2, 3.5.11 (uet.md 6.6)
 */
#include "oracle/uet/pdc/source/src_window.h"

#include "base/serial.h"

/* psn_offset has 12 bits: no SYN is further from its Start_PSN (3.5.8.2). */
#define SYN_PSN_OFFSET_MAX 4095

/* "psn <= CACK_PSN + MP_RANGE", new and retransmitted alike (uet.md 6.6). */
bool src_in_window(const struct pdc *pdc, uint32_t psn)
{
	const struct pdc_src *src = &pdc->src;

	return serial_diff(psn, src->cack_psn) <= (int32_t)src->mp_range;
}

static bool syn_reaches(const struct pdc *pdc, uint32_t psn)
{
	return pdc->state != PDC_CREATING ||
	       psn - pdc->start_psn <= SYN_PSN_OFFSET_MAX;
}

bool src_has_room(const struct pdc *pdc)
{
	const uint32_t psn = pdc->src.fl.next;

	return src_in_window(pdc, psn) && syn_reaches(pdc, psn);
}

/* ROD: a packet behind one that must wait would be out of order. */
bool src_is_held_up(const struct pdc *pdc)
{
	uint32_t psn;

	return pdc->rod && inflight_first(&pdc->src.fl, INFLIGHT_NACK, &psn);
}

/*
 * Finds the next retransmission; those outside a reduced window do not block
 * the others.
 */
bool src_next_retx(const struct pdc *pdc, uint32_t *ret)
{
	const struct inflight *fl = &pdc->src.fl;
	bool any = inflight_first(fl, INFLIGHT_RETX, ret);

	while (any && !src_in_window(pdc, *ret))
		any = inflight_after(fl, *ret, ret);
	return any;
}

/* Finds the next packet: retransmissions first, then the first new one. */
bool src_next(const struct pdc *pdc, uint32_t *ret)
{
	const struct pdc_src *src = &pdc->src;

	if (src_is_held_up(pdc))
		return false;
	if (src_next_retx(pdc, ret))
		return true;
	*ret = src->tx_psn;
	return src->tx_psn != src->fl.next && src_in_window(pdc, *ret);
}

bool src_waits(const struct pdc *pdc)
{
	uint32_t psn;

	return src_next(pdc, &psn);
}

bool src_idle(const struct pdc *pdc)
{
	return pdc->src.fl.busy == 0;
}
