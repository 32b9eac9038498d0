/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_order.h -- notes the answers of the tester, until the
 * device shows that it has processed them.
 */
#ifndef SUITE_RUN_LINK_RUN_ORDER_H
#define SUITE_RUN_LINK_RUN_ORDER_H

#include <stddef.h>

#include "oracle/event.h"
#include "oracle/op.h"
#include "suite/run/run_state.h"

/* order_sent notes a packet (record entry) that left for the device. */
void order_sent(struct runner *r, size_t index, vtime at);

/*
 * order_acks_all returns whether the last answer is an ACK that left no request
 * of the DUT on its PDC unacknowledged, so that no retransmission timer of
 * these requests runs.
 */
bool order_acks_all(const struct runner *r);

/*
 * order_posted notes a posted operation, order_refused that the device refused
 * it.
 */
void order_posted(struct runner *r, const struct orc_op *op);
void order_refused(struct runner *r, const struct orc_op *op);

/* order_reported notes an event of the device, order_report_met that the case
 * has waited for a completion. */
void order_reported(struct runner *r, const struct orc_event *ev);
void order_report_met(struct runner *r);

#endif
