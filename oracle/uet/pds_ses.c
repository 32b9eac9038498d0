/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds_ses.c -- the calls of the PDS to the SES above it.
 *
 * Spec: UET 3.5.4, table 3-27 (uet.md 7.9)
 */
#include "oracle/uet/pds_ses.h"

void pds_ses_rx_req(const struct pds_ses *up, const struct ses_rx *rx)
{
	up->calls->rx_req(up->ses, rx);
}

void pds_ses_rx_ret(const struct pds_ses *up, const struct ses_rx *rx)
{
	up->calls->rx_ret(up->ses, rx);
}

void pds_ses_rx_rsp(const struct pds_ses *up, const struct ses_rx_rsp *rx)
{
	up->calls->rx_rsp(up->ses, rx);
}

void pds_ses_eager_size(const struct pds_ses *up, uint16_t eager_id,
			uint32_t size)
{
	up->calls->eager_size(up->ses, eager_id, size);
}

void pds_pause(const struct pds_ses *up, uint32_t dst_fep, enum op_mode mode,
	       uint16_t pdcid, bool pause)
{
	up->calls->pause(up->ses, dst_fep, mode, pdcid, pause);
}

void pds_pause_rudi(const struct pds_ses *up, bool pause)
{
	up->calls->pause_rudi(up->ses, pause);
}

void pds_ses_renumbered(const struct pds_ses *up, uint16_t pdcid,
			uint32_t shift)
{
	up->calls->renumbered(up->ses, pdcid, shift);
}

void pds_ses_error(const struct pds_ses *up, uint32_t tx_pkt_handle,
		   struct pds_error err)
{
	up->calls->error(up->ses, tx_pkt_handle, err);
}

void pds_ses_error_rx(const struct pds_ses *up, uint32_t rx_pkt_handle,
		      uint16_t pdcid, struct pds_error err)
{
	up->calls->error_rx(up->ses, rx_pkt_handle, pdcid, err);
}

void pds_ses_closed(const struct pds_ses *up, uint32_t dst_fep, uint16_t pdcid,
		    struct pds_error err)
{
	up->calls->closed(up->ses, dst_fep, pdcid, err);
}
