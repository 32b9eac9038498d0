/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_entry.h -- the entries of a record that a ladder draws.
 */
#ifndef REPORTS_LADDER_LADDER_ENTRY_H
#define REPORTS_LADDER_LADDER_ENTRY_H

#include "reports/ladder/ladder_state.h"

/* ladder_init and ladder_done bracket the work on a ladder. */
void ladder_init(struct ladder *l, struct text *t, const struct record *r,
		 const struct ladder_opts *opts);
void ladder_done(struct ladder *l);

/*
 * ladder_folds returns true if the entry |i| is folded: set-up is, unless it is
 * requested or something is wrong in it.  ladder_fold_end returns one past the
 * last entry of the opening or closing that starts at |i|.
 */
bool ladder_folds(struct ladder *l, size_t i);
size_t ladder_fold_end(struct ladder *l, size_t i);

/* ladder_host returns the name over a lifeline. */
const char *ladder_host(const struct ladder *l, bool dut);

/* ladder_origin returns the time of the first rung: the 0 of the picture. */
vtime ladder_origin(const struct record *r);

/* ladder_when returns the time at which an entry is drawn. */
vtime ladder_when(const struct rec *e);

#endif
