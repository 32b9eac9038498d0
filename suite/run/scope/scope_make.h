/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_make.h -- makes flows with new ids, and finds them by
 * name.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_MAKE_H
#define SUITE_RUN_SCOPE_SCOPE_MAKE_H

#include "suite/run/scope/scope_state.h"

/*
 * scope_avoid makes the new case avoid the PDCIDs in |taken|, and adds those
 * that it uses.  |taken| is lent until the case is over.  When half of all
 * PDCIDs are taken, the list is emptied: the first cases were long ago.
 */
void scope_avoid(struct scope *s, struct scope_taken *taken);

/*
 * scope_is_earlier returns true for a PDCID of the tester that only an earlier
 * case used, on a device that is never reset.
 */
bool scope_is_earlier(const struct scope *s, uint16_t spdcid);

/*
 * scope_note_syn records a SYN of the DUT.  Return: true if it repeats one that
 * the DUT sent in an earlier case.
 */
bool scope_note_syn(struct scope *s, uint16_t dpdcid, uint32_t start,
		    bool retx);

/*
 * scope_named returns the PDC of that name, or NULL if there is none yet;
 * without a name that of the previous line.
 */
const struct scope_pdc *scope_named(const struct scope *s, const char *pdc);

/* scope_make makes a flow with new ids; NULL if there is no room. */
struct scope_pdc *scope_make(struct scope *s);

/* scope_srd_make sets the ids of an SRD flow, a pair of contexts. */
void scope_srd_make(struct scope *s, struct scope_pdc *pdc);

/* scope_wqe_make sets the PSNs of a RoCEv2 connection. */
void scope_wqe_make(struct scope *s, struct scope_pdc *pdc);

#endif
