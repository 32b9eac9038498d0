/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/meter.h -- counts packets in the last line of the terminal.
 *
 *	rung send: 1234567 of 5000000 packets, 24 %, 612000/s
 *
 * Without a terminal it prints nothing.
 */
#ifndef CLI_RUN_METER_H
#define CLI_RUN_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

struct meter {
	bool on;
	const char *who;
	uint64_t total; /* UINT64_MAX: unlimited */
	vtime began, drawn;
	bool there;
};

void meter_begin(struct meter *m, const char *who, bool quiet, uint64_t total,
		 vtime now);

/* meter_show draws the line, a few times a second at most. */
void meter_show(struct meter *m, uint64_t done, vtime now);

/* meter_hide removes the line. */
void meter_hide(struct meter *m);

#endif
