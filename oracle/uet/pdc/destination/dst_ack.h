/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_ack.h -- the ACKs of a destination.
 *
 * Spec: UET 3.5.12, 3.5.16.8 (uet.md 7.1 to 7.4)
 */
#ifndef ORACLE_UET_PDC_DESTINATION_DST_ACK_H
#define ORACLE_UET_PDC_DESTINATION_DST_ACK_H

#include <stddef.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/*
 * These acknowledge |psn|, whose slot is |pkt|: dst_ack_with with a response of
 * the SES, dst_ack_stored with the stored response, and dst_ack_default with
 * the default response; a control packet gets none.
 */
void dst_ack_with(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn,
		  const struct ses_tx_rsp *rsp);
void dst_ack_stored(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn);
void dst_ack_default(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn);

/* dst_default_response writes a default response and returns its length. */
size_t dst_default_response(const struct pdc *pdc, struct ses_ids ids,
			    uint8_t *p);

/* dst_rx_probe answers a Probe. */
void dst_rx_probe(struct pdc *pdc, const struct pds_rx *rx);

#endif
