/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_target.h -- the moves in which the tester requests on a
 * PDC, and what they share.
 */
#ifndef SUITE_EXPLORE_DRAFT_TARGET_H
#define SUITE_EXPLORE_DRAFT_TARGET_H

#include "suite/explore/draft.h"

/* target_rod returns true if the PDC of the draft is ordered. */
bool target_rod(const struct draft *d);

/* target_req returns the word of a request: "rud_req" or "rod_req". */
const char *target_req(const struct draft *d);

/* target_once returns the id of the row that a request is delivered once. */
const char *target_once(const struct draft *d);

/* target_delivered demands that a request is delivered once. */
void target_delivered(struct draft *d, uint32_t psn);

/*
 * target_sends sends a message of one packet; |flags| stand behind its PSN,
 * |how| at the end of the line.
 */
void target_sends(struct draft *d, uint32_t psn, unsigned mid,
		  const char *flags, const char *size, const char *how);

/*
 * target_clears clears the responses up to |psn|, by a Clear Command or by the
 * next request.
 */
void target_clears(struct draft *d, uint32_t psn);

/* Requests that are accepted: draft_target.c. */
void move_target_send(struct draft *d);

/* Guaranteed responses, refusals, control packets: draft_target_refuse.c. */
void move_target_gtd(struct draft *d);
void move_target_gtd_gap(struct draft *d);
void move_target_error(struct draft *d);
void move_target_refused(struct draft *d);
void move_target_trimmed(struct draft *d);
void move_target_marked(struct draft *d);
void move_target_slow(struct draft *d);
void move_target_noop(struct draft *d);
void move_target_ask(struct draft *d);
void move_target_probe(struct draft *d);
void move_target_unexpected(struct draft *d);
void move_target_gtd_many(struct draft *d);
void move_target_closes(struct draft *d);
void move_target_control(struct draft *d);

/* Reads and atomics: draft_target_data.c. */
void move_target_read_small(struct draft *d);
void move_target_read(struct draft *d);
void move_target_atomic(struct draft *d);

/* Packets that are wrong, and other PDCs: draft_target_wrong.c. */
void move_target_foreign(struct draft *d);
void move_target_mode(struct draft *d);
void move_target_outside(struct draft *d);
void move_target_reserved(struct draft *d);
void move_target_cut(struct draft *d);
void move_target_raw(struct draft *d);
void move_target_other(struct draft *d);
void move_target_idle(struct draft *d);

#endif
