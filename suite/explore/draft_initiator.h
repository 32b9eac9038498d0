/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_initiator.h -- the moves in which the DUT requests on a
 * PDC, and what they share.
 */
#ifndef SUITE_EXPLORE_DRAFT_INITIATOR_H
#define SUITE_EXPLORE_DRAFT_INITIATOR_H

#include "suite/explore/draft.h"

/* initiator_rod returns true if the PDC of the draft is ordered. */
bool initiator_rod(const struct draft *d);

/* initiator_req returns the word of a request: "rud_req" or "rod_req". */
const char *initiator_req(const struct draft *d);

/* initiator_mode returns the end of a post line: "" or " mode=rod". */
const char *initiator_mode(const struct draft *d);

/*
 * initiator_posts posts an operation of one packet, and expects the packet with
 * |fields|.  Return: the number of its symbol $m.
 */
unsigned initiator_posts(struct draft *d, const char *size, const char *fields);

/* initiator_refused opens the PDC; a NACK refuses its first SYN. */
void initiator_refused(struct draft *d);

/* PDCs that end: draft_initiator_end.c. */
void move_initiator_fatal(struct draft *d);
void move_initiator_silence(struct draft *d);
void move_initiator_nack_limit(struct draft *d);
void move_initiator_asked_to_close(struct draft *d);
void move_initiator_asked_to_clear(struct draft *d);

#endif
