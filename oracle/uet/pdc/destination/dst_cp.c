/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_cp.c -- processes control packets with a PSN
 * at a destination.
 *
 * Spec: UET 3.5.16 (uet.md 3.10, 6.7)
 */
#include "oracle/uet/pdc/destination/dst_cp.h"

#include "oracle/uet/pdc/destination/dst_rsp.h"

/* The ACK of a control packet carries no SES header. */
void dst_ack_cp(struct pdc *pdc, uint32_t psn)
{
	const struct ses_tx_rsp none = {.next_hdr = PDS_NEXT_NONE};

	dst_respond(pdc, (uint16_t)psn, &none);
}

static void took_noop(struct pdc *pdc, const struct pds_rx *rx)
{
	dst_ack_cp(pdc, rx->psn);
}

/* "The Close Command implicitly clears every forward PSN" (uet.md 6.7). */
static void took_close_command(struct pdc *pdc, const struct pds_rx *rx)
{
	dst_rx_clear(pdc, rx->psn);
	pdc->close_psn = rx->psn;
	pdc_enter(pdc, PDC_CLOSING);
}

static void took_close_request(struct pdc *pdc, const struct pds_rx *rx)
{
	dst_ack_cp(pdc, rx->psn);
	pdc_want_close(pdc);
}

typedef void took_fn(struct pdc *pdc, const struct pds_rx *rx);

static took_fn *const cp_taken[16] = {
	[PDS_CP_NOOP] = took_noop,
	/* every offered feature is declined */
	[PDS_CP_NEGOTIATION] = took_noop,
	[PDS_CP_CLOSE_COMMAND] = took_close_command,
	[PDS_CP_CLOSE_REQUEST] = took_close_request,
};

void dst_take_cp(struct pdc *pdc, const struct pds_rx *rx)
{
	cp_taken[rx->ctl_type](pdc, rx);
}
