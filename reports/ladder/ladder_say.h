/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_say.h -- the words beside the arrows of a ladder.
 */
#ifndef REPORTS_LADDER_LADDER_SAY_H
#define REPORTS_LADDER_LADDER_SAY_H

#include "reports/ladder/ladder_state.h"

/* say_is_packet returns true if an entry is drawn as an arrow. */
bool say_is_packet(const struct rec *e);

/* say_packet fills l->pds and l->ses, say_note fills l->note. */
void say_packet(struct ladder *l, const struct rec *e);
void say_note(struct ladder *l, const struct rec *e);

/* say_split cuts the rung in l->pds after its first part, into l->ses. */
void say_split(struct ladder *l);

/*
 * say_fold describes the folded packets; false: there are none. say_wait
 * describes a pause before |at|; false: it is too short.
 */
bool say_fold(const struct ladder *l, size_t from, size_t end, char buf[96]);
bool say_wait(struct ladder *l, vtime at, char buf[40]);

#endif
