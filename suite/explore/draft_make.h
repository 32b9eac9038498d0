/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_make.h -- drafts a case from choices.
 */
#ifndef SUITE_EXPLORE_DRAFT_MAKE_H
#define SUITE_EXPLORE_DRAFT_MAKE_H

#include "suite/explore/draft.h"

/*
 * draft_make drafts the case that the choices of |d->c| say; the rules in
 * |d->violates| are kept.  |subjects| and |chairs| are masks of what may be
 * chosen, never 0.
 *
 * Owner:  the caller frees |d->body| with draft_free.
 */
void draft_make(struct draft *d, unsigned subjects, unsigned chairs);

#endif
