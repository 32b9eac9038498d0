/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_event.h -- checks events that no line names: messages must
 * be delivered in order.
 */
#ifndef SUITE_RUN_LINK_RUN_EVENT_H
#define SUITE_RUN_LINK_RUN_EVENT_H

#include "oracle/event.h"
#include "suite/run/run_state.h"

/* control_event checks the order of deliveries, which no line tests. */
void control_event(struct runner *r, const struct orc_event *ev);

#endif
