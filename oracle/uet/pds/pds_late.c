/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_late.c -- drops SYNs that come after their PDC was closed.
 *
 * A duplicate of a SYN that the network delayed for long would create the
 * closed PDC again, and its packet would reach the SES twice.  For
 * Syn_Retx_Safety_Time, which 1.0.3 adds, the target remembers peer, PDCID and
 * Start_PSN of a closed PDC and drops such a SYN.  A SYN with another Start_PSN
 * is a new PDC of the same PDCID.
 *
 * All are kept equally long, so the oldest is removed first.
 *
 * Spec: UET 3.5.8.2 of 1.0.3 (uet.md 6.3)
 */
#include <string.h>

#include "oracle/uet/pds/pds.h"

struct pds_late {
	uint32_t fep, start_psn;
	uint16_t pdcid;
	vtime until;
};

static void forget_old(struct pds *pds)
{
	while (pds->late_n &&
	       pds->late[pds->late_first].until <= pds->env->now) {
		pds->late_first++;
		pds->late_n--;
	}
	if (!pds->late_n)
		pds->late_first = 0;
}

/* The entries move to the front before the array grows. */
static struct pds_late *pds_late_room(struct pds *pds)
{
	struct pds_late *late;

	if (pds->late_first) {
		memmove(pds->late, pds->late + pds->late_first,
			pds->late_n * sizeof(*pds->late));
		pds->late_first = 0;
	}
	late = mem_grow(&pds->env->mem, pds->late, &pds->late_cap,
			pds->late_n + 1, sizeof(*late));
	if (!late)
		return NULL;
	pds->late = late;
	return &late[pds->late_n++];
}

void pds_late_note(struct pds *pds, const struct pdc *pdc)
{
	const vspan span = pds->env->conf.syn_retx_safety;
	struct pds_late *late;

	if (!span || pdc->role != PDC_TARGET)
		return;
	forget_old(pds);
	late = pds_late_room(pds);
	if (late)
		*late = (struct pds_late){
			.fep = pdc->fep,
			.start_psn = pdc->start_psn,
			.pdcid = pdc->dpdcid,
			.until = pds->env->now + span,
		};
}

bool pds_is_late(struct pds *pds, uint32_t fep, const struct pds_rx *rx)
{
	const uint32_t start_psn = rx->psn - rx->psn_offset;

	forget_old(pds);
	for (size_t i = pds->late_n; i-- > 0;) {
		const struct pds_late *late = &pds->late[pds->late_first + i];

		if (late->fep == fep && late->pdcid == rx->spdcid &&
		    late->start_psn == start_psn)
			return true;
	}
	return false;
}
