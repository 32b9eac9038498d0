/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_link.h -- waits, receives and sends packets, answers and
 * events.
 */
#ifndef SUITE_RUN_LINK_RUN_LINK_H
#define SUITE_RUN_LINK_RUN_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/*
 * link_pump waits until something arrives or |until| is reached.
 * Return: true if something may have arrived, false at |until| or if the run
 * must stop.
 */
bool link_pump(struct runner *r, vtime until);

/*
 * link_measure notes how late the tester was in three steps: to wake up, to
 * read its input, and to continue.  Every limit includes this delay.  If it
 * exceeds the earliness of a device timer, or |most|, the device may have acted
 * on it.
 */
void link_measure(struct runner *r, vtime due, vspan most);

/* link_send sends r->out to the DUT, for the current step. */
enum flow_control link_send(struct runner *r, const struct step *step);

/*
 * link_build_own builds in r->out a packet for the DUT that no line of the case
 * sends, with the DSCP of control packets.  Return: false if it cannot.
 */
bool link_build_own(struct runner *r, const char *type,
		    const struct field_value *set, size_t n, uint16_t entropy);

/* link_is_close_command returns true for the CP of this type. */
bool link_is_close_command(const struct packet *pkt);

/*
 * link_send_own sends what link_build_own built, past the impairments; |note|
 * says why.
 */
void link_send_own(struct runner *r, const char *note);

/* link_send_aside does the same for a packet that the monitors do not see. */
void link_send_aside(struct runner *r, const char *note);

/* link_judge_own shows a packet that no line sees to the monitors. */
void link_judge_own(struct runner *r, size_t index, const struct dgram *d);

/*
 * link_judged adds those findings of r->found that concern the DUT to the case.
 */
void link_judged(struct runner *r, size_t n);

/*
 * link_mirror passes a packet, as sent or received by the tester, to the
 * tester's own judge.  A rule that the tester violates without a "violates"
 * line is an error of the case.
 */
void link_mirror(struct runner *r, size_t index);

/* link_doubts copies the device's counts of link problems to the record. */
void link_doubts(struct runner *r);

/* link_left_out notes that there were more findings than the record keeps. */
void link_left_out(struct runner *r);

/*
 * link_peek returns the oldest unread packet; it waits for one until |until|.
 */
struct inbox *link_peek(struct runner *r, vtime until);
void link_take(struct runner *r);

#endif
