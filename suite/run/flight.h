/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/flight.h -- flights: the packets that a source sends before it
 * waits for an answer, their answers, and checks of their number.
 */
#ifndef SUITE_RUN_FLIGHT_H
#define SUITE_RUN_FLIGHT_H

#include "suite/run/run_state.h"

/* flight_begin begins a flight with the next packet of a "flight" line. */
void flight_begin(struct runner *r, const struct step *step);

/*
 * flight_end ends it, once the device is silent, and binds the number of its
 * PSNs without those that the case acknowledged before; $first and $last, the
 * first and last of these; and $on_path, the number on the path of the first
 * packet of the case's first flight.
 */
enum flow_control flight_end(struct runner *r, const struct step *step);

/*
 * flight_answer sends a ">" line once for each packet of the last flight that
 * the line selects, with $psn as its PSN, $message as its message id, and
 * $newest as the newest PSN that was answered so, in this flight and those
 * before.  Of a line that is an ACK, $gapless is the newest PSN up to which
 * such lines acknowledged every PSN of the flights.
 */
enum flow_control flight_answer(struct runner *r, const struct step *step);

/*
 * flight_cover notes that the ACK of a ">" line without "each", which was just
 * sent, acknowledges every PSN up to its cack_psn.  An ACK that is lost counts
 * as well, as with "each".
 */
void flight_cover(struct runner *r, const struct step *step);

/* flight_check executes a "check" line. */
enum flow_control flight_check(struct runner *r, const struct step *step);

#endif
