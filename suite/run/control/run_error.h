/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_error.h -- judges the handles of pds_ses_error.
 */
#ifndef SUITE_RUN_CONTROL_RUN_ERROR_H
#define SUITE_RUN_CONTROL_RUN_ERROR_H

#include <stdint.h>

#include "suite/run/run_state.h"

/*
 * control_handed_up returns the newest event by which the device's PDS handed
 * up a packet under |rx_pkt_handle|, or NULL.
 */
const struct orc_event *control_handed_up(const struct runner *r,
					  uint32_t rx_pkt_handle);

/*
 * control_errors reports each pds_ses_error whose rx_pkt_handle names no packet
 * that was handed up, or one that had its error before (PDS-IF-10).  Call it
 * once, at the end of a case.
 */
void control_errors(struct runner *r);

#endif
