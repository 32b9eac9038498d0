/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/meter.h -- a line at the foot of the terminal that counts packets.
 *
 *	rung send: 1234567 of 5000000 packets, 24 %, 612000/s
 *
 * Where there is no terminal nothing is written.
 */
#ifndef CLI_RUN_METER_H
#define CLI_RUN_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

struct meter {
	bool on;
	const char *who;
	uint64_t total; /* UINT64_MAX: no end */
	vtime began, drawn;
	bool there;
};

void meter_begin(struct meter *m, const char *who, bool quiet, uint64_t total,
		 vtime now);

/* meter_show draws the line, a few times a second at most. */
void meter_show(struct meter *m, uint64_t done, vtime now);

/* meter_hide takes it away. */
void meter_hide(struct meter *m);

#endif
