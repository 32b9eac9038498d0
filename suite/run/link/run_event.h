/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_event.h -- check events that no line asks for: messages
 * must be delivered in order.
 */
#ifndef SUITE_RUN_LINK_RUN_EVENT_H
#define SUITE_RUN_LINK_RUN_EVENT_H

#include "oracle/event.h"
#include "suite/run/run_state.h"

/* control_event looks at what no line asks for: the order of deliveries. */
void control_event(struct runner *r, const struct orc_event *ev);

#endif
