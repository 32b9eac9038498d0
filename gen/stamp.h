/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/stamp.h -- selects the clock that stamps arrivals, and maps a NIC's clock
 * to ours.
 *
 * A NIC stamps a frame when it is on the wire, with its own clock, which has an
 * arbitrary origin and about the same speed as ours.  The kernel's stamp is
 * later, by the latency of an interrupt.  The offset of the two clocks is
 * estimated from the frames alone: a frame is never seen before it arrived, so
 * the frame with the least latency gives the best estimate.
 *
 * No clock is read here; instants of either clock are in its own ns.
 */
#ifndef GEN_STAMP_H
#define GEN_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

/* The clock whose stamps a port uses. */
enum stamp_clock {
	STAMP_KERNEL,
	STAMP_NIC,
};

/*
 * The time stamps that an interface supports, as the operating system reports
 * them.
 */
struct stamp_able {
	bool software; /* the kernel stamps arrivals */
	bool hardware; /* the NIC can stamp with its own clock */
	bool all;      /* the NIC is set to stamp all frames */
};

/*
 * stamp_choose returns the NIC's clock if it stamps all frames.  It changes no
 * settings.
 */
enum stamp_clock stamp_choose(const struct stamp_able *able);

/* The offset between our clock and a NIC's; all 0 before the first frame. */
struct stamp_map {
	bool begun, twice;
	/* least offset in the current window and in the last one */
	vspan least[2];
	int64_t since; /* start of the current window, NIC time */
};

#define STAMP_WINDOW \
	(100 * VSPAN_MS) /* two clocks drift apart by less than 10 us in it */

/*
 * stamp_ours returns when a frame arrived, by our clock.  |nic| is the NIC's
 * stamp, |seen| the time at which the kernel saw the frame.  The result is
 * never later than |seen|.
 */
int64_t stamp_ours(struct stamp_map *m, int64_t nic, int64_t seen);

#endif
