/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_state.h -- the state of the packet delivery sublayer of
 * one FEP.
 */
#ifndef ORACLE_UET_PDS_PDS_STATE_H
#define ORACLE_UET_PDS_PDS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/core/idmap.h"
#include "oracle/uet/fep.h"
#include "oracle/uet/pdc/pdc_state.h"
#include "oracle/uet/pds/pds_late.h"
#include "oracle/uet/rudi.h"

/* Default limit of PDCs at once; implementation specific (uet.md 6.1). */
#define PDS_MAX_PDC 1024

struct pdc_slab;

struct pds {
	struct env *env;
	const struct pds_ses *ses;
	const struct pdc_owner *owner; /* the calls of its PDCs */

	struct feps feps;
	/* PDCs on which this endpoint is the initiator, by peer; or NULL */
	struct pdc **first;
	size_t first_cap;

	struct pdc_slab **slabs; /* PDCs by index; see pds_at */
	size_t slab_cap;
	uint32_t npdcs; /* indexes in use since make or reset */
	uint32_t nmade; /* PDCs that have memory, in use or not */
	uint16_t pdcid_base;
	struct pdc *free_first, *free_last; /* closed longest ago first */
	struct idmap by_peer;    /* fep << 16 | the peer's PDCID -> index */
	struct idmap by_context; /* fep << 16 | rod_context -> PDCID */

	struct rudi rudi;
	bool rudi_turn; /* RUDI was polled before the PDCs last time */

	struct pds_late_list late;

	bool starved;      /* a packet of the SES is waiting for a PDC */
	struct pdc *ready; /* ring of PDCs that are ready to send */
	uint32_t victim;   /* the next PDC to be asked for a close */
};

#endif
