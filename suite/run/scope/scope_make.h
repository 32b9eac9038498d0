/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_make.h -- make flows with ids of their own, and find
 * them by name.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_MAKE_H
#define SUITE_RUN_SCOPE_SCOPE_MAKE_H

#include "suite/run/scope/scope_state.h"

/*
 * scope_avoid keeps the case, which has just begun, from PDCIDs that are taken,
 * and notes those that it takes; |taken| is lent until the case is over.  Once
 * half of them are taken all are free again: those cases were long ago.
 */
void scope_avoid(struct scope *s, struct scope_taken *taken);

/*
 * scope_named is the PDC of that name (NULL: of the line before); NULL: there
 * is none yet.
 */
const struct scope_pdc *scope_named(const struct scope *s, const char *pdc);

/* scope_make is one more flow with ids of its own; NULL: no room. */
struct scope_pdc *scope_make(struct scope *s);

/* scope_srd_make gives a flow the ids of SRD: a pair of contexts. */
void scope_srd_make(struct scope *s, struct scope_pdc *pdc);

/* scope_wqe_make gives a flow the PSNs of a connection of RoCEv2. */
void scope_wqe_make(struct scope *s, struct scope_pdc *pdc);

#endif
