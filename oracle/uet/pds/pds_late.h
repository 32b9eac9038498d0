/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_late.h -- SYNs that come after their PDC was closed.
 *
 * Spec: UET 3.5.8.2 of 1.0.3 (uet.md 6.3)
 */
#ifndef ORACLE_UET_PDS_PDS_LATE_H
#define ORACLE_UET_PDS_PDS_LATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

struct pds_late;

/* The PDCs of a target that were closed lately, the oldest first. */
struct pds_late_list {
	struct pds_late *v;
	size_t cap, first, n;
};

/* pds_late_note remembers a target's closed PDC for Syn_Retx_Safety_Time. */
void pds_late_note(struct pds_late_list *list, const struct pdc *pdc);

/* pds_is_late returns true for a SYN of a remembered PDC. */
bool pds_is_late(struct pds_late_list *list, const struct env *env,
		 uint32_t fep, const struct pds_rx *rx);

/* pds_late_clear forgets all and keeps memory; pds_late_free frees it. */
void pds_late_clear(struct pds_late_list *list);
void pds_late_free(struct pds_late_list *list);

#endif
