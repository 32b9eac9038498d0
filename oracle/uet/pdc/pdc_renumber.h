/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_renumber.h -- another Start_PSN, on request of a secure
 * target.
 */
#ifndef ORACLE_UET_PDC_PDC_RENUMBER_H
#define ORACLE_UET_PDC_PDC_RENUMBER_H

#include "oracle/uet/pdc/pdc_state.h"

/* pdc_renumber processes a NACK NEW_START_PSN. */
void pdc_renumber(struct pdc *pdc, const struct pds_nack *nack);

#endif
