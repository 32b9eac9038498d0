/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_cp.h -- processes control packets with a PSN
 * at a destination.
 */
#ifndef ORACLE_UET_PDC_DESTINATION_DST_CP_H
#define ORACLE_UET_PDC_DESTINATION_DST_CP_H

#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* dst_take_cp carries out a control packet that the destination admitted. */
void dst_take_cp(struct pdc *pdc, const struct pds_rx *rx);

/* dst_ack_cp acknowledges a control packet; the ACK has no SES header. */
void dst_ack_cp(struct pdc *pdc, uint32_t psn);

#endif
