/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_fail.h -- the end of a PDC in error.
 */
#ifndef ORACLE_UET_PDC_PDC_FAIL_H
#define ORACLE_UET_PDC_PDC_FAIL_H

#include <stdbool.h>

#include "oracle/uet/pdc/pdc_state.h"

/*
 * pdc_fail ends a PDC in error: every packet without a response fails.  If
 * |tell|, and the peer is known, it sends a Close Command last.
 */
void pdc_fail(struct pdc *pdc, struct pds_error err, bool tell);

/* src_abandon ends all packets with an error to the SES. */
void src_abandon(struct pdc *pdc, struct pds_error err);

#endif
