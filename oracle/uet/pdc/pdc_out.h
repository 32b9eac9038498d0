/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_out.h -- sends packets that need no PSN: control packets
 * and NACKs.
 *
 * Spec: UET 3.5.12.7, 3.5.16 (uet.md 3.10, 4)
 */
#ifndef ORACLE_UET_PDC_PDC_OUT_H
#define ORACLE_UET_PDC_PDC_OUT_H

#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/*
 * pdc_put_cp sends a control packet without a PSN: |h| with type and PDCIDs
 * filled in, and a payload.
 */
void pdc_put_cp(struct pdc *pdc, const struct pds_cp *h, uint32_t payload);

/* pdc_send_cp sends a control packet without a PSN. */
void pdc_send_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t psn,
		 uint32_t payload);

/*
 * pdc_send_nack answers a packet with a NACK.  If |pdc| is NULL, the NACK has
 * spdcid 0.
 */
void pdc_send_nack(struct env *env, const struct pdc *pdc,
		   const struct pds_rx *rx, uint8_t code);

/* pdc_refuse answers a packet with a NACK and drops it. */
void pdc_refuse(struct pdc *pdc, const struct pds_rx *rx, uint8_t code,
		enum drop_reason why);

#endif
