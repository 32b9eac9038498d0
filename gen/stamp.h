/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/stamp.h -- whose clock stamps what arrives, and how a NIC's becomes ours.
 *
 * A NIC that stamps does so when the frame is on the wire, by a clock of its
 * own that runs from anywhere at about our speed.  The kernel's stamp is later,
 * by as much as an interrupt takes.  What the two have in common is found
 * without asking the NIC: no frame can be seen before it arrived, and the one
 * that was seen soonest tells the distance of the clocks best.
 *
 * There is no clock in here; instants of either are ns of that clock.
 */
#ifndef GEN_STAMP_H
#define GEN_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

/* Whose stamps a port takes. */
enum stamp_clock {
	STAMP_KERNEL,
	STAMP_NIC,
};

/* What an interface can and does, as the operating system tells it. */
struct stamp_able {
	bool software; /* the kernel stamps what arrives */
	bool hardware; /* the NIC can, with its own clock */
	bool all;      /* and is switched on for all frames */
};

/* stamp_choose: the NIC's, if all frames have them; nothing is switched on. */
enum stamp_clock stamp_choose(const struct stamp_able *able);

/* How far our clock is ahead of a NIC's; all 0 before the first frame. */
struct stamp_map {
	bool begun, twice;
	vspan least[2]; /* seen in the window that runs, and in the last one */
	int64_t since;  /* when the one that runs began, by the NIC */
};

#define STAMP_WINDOW                                            \
	(100 * VSPAN_MS) /* two clocks drift apart by less than \
			    10 us in it */

/*
 * stamp_ours says when a frame arrived, by our clock: |nic| is the NIC's stamp,
 * |seen| when we saw it.  It is never later than |seen|.
 */
int64_t stamp_ours(struct stamp_map *m, int64_t nic, int64_t seen);

#endif
