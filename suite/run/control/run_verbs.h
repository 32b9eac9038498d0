/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_verbs.h -- the verbs of queue pairs: their parameters,
 * answers and counters.
 */
#ifndef SUITE_RUN_CONTROL_RUN_VERBS_H
#define SUITE_RUN_CONTROL_RUN_VERBS_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/event.h"
#include "oracle/op.h"
#include "suite/lang/case.h"
#include "suite/run/run_state.h"

void verbs_defaults(struct runner *r, struct orc_op *op);

/*
 * verbs_has_handle returns whether posts of that kind are counted, for
 * "completed op=N".
 */
bool verbs_has_handle(enum op_kind kind);

/* verbs_answered handles the answer or the refusal of a verb. */
enum flow_control verbs_answered(struct runner *r, const struct step *step);

/*
 * verbs_digest compares the checksum of the device's memory: "post mem_digest".
 */
enum flow_control verbs_digest(struct runner *r, const struct step *step);

/* verbs_stats compares optional counters of the device: "post stats". */
enum flow_control verbs_stats(struct runner *r, const struct step *step);

/*
 * verbs_event_fits compares a key of a report.  Return: 1 equal; 0 different;
 * -1 no such key.
 */
int verbs_event_fits(const struct orc_event *ev, const char *key, uint64_t v);

#endif
