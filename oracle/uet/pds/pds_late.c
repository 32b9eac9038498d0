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
#include "oracle/uet/pds/pds_late.h"

#include <string.h>

#include "base/memory.h"

struct pds_late {
	uint32_t fep, start_psn;
	uint16_t pdcid;
	vtime until;
};

static void forget_old(struct pds_late_list *list, vtime now)
{
	while (list->n && list->v[list->first].until <= now) {
		list->first++;
		list->n--;
	}
	if (!list->n)
		list->first = 0;
}

/* The entries move to the front before the array grows. */
static struct pds_late *pds_late_room(struct pds_late_list *list, struct mem *m)
{
	struct pds_late *v;

	if (list->first) {
		memmove(list->v, list->v + list->first, list->n * sizeof(*v));
		list->first = 0;
	}
	v = mem_grow(m, list->v, &list->cap, list->n + 1, sizeof(*v));
	if (!v)
		return NULL;
	list->v = v;
	return &v[list->n++];
}

void pds_late_note(struct pds_late_list *list, const struct pdc *pdc)
{
	const vspan span = pdc->env->conf.syn_retx_safety;
	struct pds_late *late;

	if (!span || pdc->role != PDC_TARGET)
		return;
	forget_old(list, pdc->env->now);
	late = pds_late_room(list, &pdc->env->mem);
	if (late)
		*late = (struct pds_late){
			.fep = pdc->fep,
			.start_psn = pdc->start_psn,
			.pdcid = pdc->dpdcid,
			.until = pdc->env->now + span,
		};
}

bool pds_is_late(struct pds_late_list *list, const struct env *env,
		 uint32_t fep, const struct pds_rx *rx)
{
	const uint32_t start_psn = rx->psn - rx->psn_offset;

	forget_old(list, env->now);
	for (size_t i = list->n; i-- > 0;) {
		const struct pds_late *late = &list->v[list->first + i];

		if (late->fep == fep && late->pdcid == rx->spdcid &&
		    late->start_psn == start_psn)
			return true;
	}
	return false;
}

void pds_late_clear(struct pds_late_list *list)
{
	list->first = 0;
	list->n = 0;
}

void pds_late_free(struct pds_late_list *list)
{
	memory_free(list->v);
}
