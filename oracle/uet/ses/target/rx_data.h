/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_data.h -- return data: the data of reads that no ACK
 * carries, in packets of its own.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_DATA_H
#define ORACLE_UET_SES_TARGET_RX_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/*
 * rx_write_data writes the header and the data of a packet; |p| has room for
 * SES_HDR_MAX and the data.  Return: false if the data is gone.
 */
bool rx_write_data(const struct ses *ses, const struct ret *ret, uint8_t *p,
		   uint16_t *ret_len);

/* rx_return_data sends a packet of return data, behind those that wait. */
void rx_return_data(struct ses *ses, const struct ret *ret);

/* rx_pump sends the waiting return data of a PDC until the PDS pauses it. */
void rx_pump(struct ses *ses, uint16_t pdcid);

/* rx_data_closed drops the waiting return data of a PDC that has ended. */
void rx_data_closed(struct ses *ses, uint16_t pdcid);

#endif
