/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_tx.h -- the functions of table 3-27 that the SES calls.
 *
 * Spec: UET 3.5.4, table 3-27 (uet.md 7.9)
 */
#ifndef ORACLE_UET_PDS_PDS_TX_H
#define ORACLE_UET_PDS_PDS_TX_H

#include <stdint.h>

#include "oracle/uet/pds/pds_state.h"

/*
 * ses_pds_tx_req hands a request packet to the PDS.
 *
 * Return: 0 and *ret.
 *
 * Errors:
 * - ERR_SPACE paused; pds_pause reports when to continue
 * - ERR_NOMEM
 * - ERR_SUPPORT the mode is not offered
 */
int ses_pds_tx_req(struct pds *pds, const struct ses_tx *tx,
		   struct ses_txd *ret);

/*
 * ses_pds_tx_ret hands return data to the PDS.
 *
 * Return: as ses_pds_tx_req; ERR_STATE: there is no PDC orig_pdcid.
 */
int ses_pds_tx_ret(struct pds *pds, const struct ses_tx *tx,
		   struct ses_txd *ret);

/*
 * ses_pds_tx_rsp answers the packet |rx_pkt_handle|.
 *
 * Return: 0; ERR_NOMEM; ERR_STATE: no such packet waits for a response.
 */
int ses_pds_tx_rsp(struct pds *pds, uint32_t rx_pkt_handle,
		   const struct ses_tx_rsp *rsp);

/* ses_pds_unlock releases one lock_pdc. */
void ses_pds_unlock(struct pds *pds, uint16_t pdcid);

/*
 * ses_pds_eager_req requests an eager size for a peer, a mode and a traffic
 * class; pds_ses_eager_size answers.
 */
void ses_pds_eager_req(struct pds *pds, uint32_t dst_fep, enum op_mode mode,
		       uint8_t tc, uint16_t eager_id);

#endif
