/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/vtime.h -- time as a value.
 *
 * Nothing below the ports (gen/port/port_*.c) and cli/ reads a clock.  An
 * instant is the number of nanoseconds since an origin that the driver chooses
 * (the start of the run).  A span is the difference of two instants.
 */
#ifndef BASE_VTIME_H
#define BASE_VTIME_H

#include <stdint.h>

typedef int64_t vtime; /* instant, ns since the origin; never negative */
typedef int64_t vspan; /* duration, ns */

#define VTIME_NEVER INT64_MAX

#define VSPAN_US ((vspan)1000)
#define VSPAN_MS (1000 * VSPAN_US)
#define VSPAN_S  (1000 * VSPAN_MS)

static inline vtime vtime_min(vtime a, vtime b)
{
	return a < b ? a : b;
}

static inline vtime vtime_max(vtime a, vtime b)
{
	return a > b ? a : b;
}

/* vtime_add returns t + span; VTIME_NEVER stays VTIME_NEVER. */
static inline vtime vtime_add(vtime t, vspan span)
{
	return t == VTIME_NEVER ? VTIME_NEVER : t + span;
}

#endif
