/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_link.h -- let time pass: packets, answers and events
 * arrive and leave.
 */
#ifndef SUITE_RUN_LINK_RUN_LINK_H
#define SUITE_RUN_LINK_RUN_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/*
 * link_pump lets time pass until something new came in or |until| is reached.
 * Return: true if there may be something new, false if time is up or the run
 *         has to stop.
 */
bool link_pump(struct runner *r, vtime until);

/*
 * link_measure notes how late the tester was for itself: to wake up, to look at
 * what had come, to go on when it was awake.  That counts into every limit.  If
 * it was later than a timer of the device may be early, or than |most|, the
 * device may have acted on that.
 */
void link_measure(struct runner *r, vtime due, vspan most);

/* link_send pushes r->out towards the DUT, for the step in hand. */
enum flow_control link_send(struct runner *r, const struct step *step);

/* link_judged makes findings of the case of r->found, if they are the DUT's. */
void link_judged(struct runner *r, size_t n);

/*
 * link_mirror shows the tester's own judge a packet, as the tester sent or took
 * it.  A rule that the tester breaks without a "violates" is the case's fault.
 */
void link_mirror(struct runner *r, size_t index);

/* link_doubts takes over what the device has counted of its link. */
void link_doubts(struct runner *r);

/* link_left_out notes that there were more findings than are kept. */
void link_left_out(struct runner *r);

/* link_peek is the oldest packet not looked at, waiting until |until|. */
struct inbox *link_peek(struct runner *r, vtime until);
void link_take(struct runner *r);

#endif
