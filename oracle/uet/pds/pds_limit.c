/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_limit.c -- resource limits, and their NACKs.
 *
 * Each limit is a choice of the configuration and 0, no limit, by default.  So
 * counting may cost a walk over the PDCs, which is done only if a limit is set.
 *
 * Only the SES knows whether the response to a request will be guaranteed, and
 * it is asked once.  So a request is refused while there is no room for one
 * more guaranteed response.
 *
 * Spec: UET 3.5.8.2, 3.5.12.7 (uet.md 4, 6.3)
 */
#include "oracle/uet/pds/pds_limit.h"

#include "oracle/uet/pds/pds_table.h"

/* The resources that the PDCs of an endpoint hold. */
struct pds_limit_held {
	uint32_t pdcs, targets, of_peer;
	uint32_t with_ses, stored;
};

static struct pds_limit_held pds_limit_count(const struct pds *pds,
					     uint32_t fep)
{
	struct pds_limit_held h = {0};

	for (uint32_t i = 0; i < pds->npdcs; i++) {
		const struct pdc *pdc = pds_at(pds, i);
		const bool target = pdc->role == PDC_TARGET;

		if (pdc->state == PDC_CLOSED)
			continue;
		h.pdcs++;
		h.targets += target;
		h.of_peer += target && pdc->fep == fep;
		h.with_ses += pdc->dst.nwith_ses;
		h.stored += pdc->dst.nstored;
	}
	return h;
}

static bool pds_limit_is_short(uint32_t used, uint32_t limit)
{
	return limit && used >= limit;
}

uint8_t pds_short_for_syn(const struct pds *pds, uint32_t fep)
{
	const struct orc_conf *conf = &pds->env->conf;
	struct pds_limit_held h;

	if (!conf->max_cccs && !conf->max_bitmaps && !conf->max_peer_pdcs)
		return 0;
	h = pds_limit_count(pds, fep);
	if (pds_limit_is_short(h.pdcs, conf->max_cccs))
		return NACK_NO_CCC_AVAIL;
	if (pds_limit_is_short(h.targets, conf->max_bitmaps))
		return NACK_NO_BITMAP;
	if (pds_limit_is_short(h.of_peer, conf->max_peer_pdcs))
		return NACK_NO_RESOURCE;
	return 0;
}

uint8_t pds_short_for_req(const struct pds *pds)
{
	const struct orc_conf *conf = &pds->env->conf;
	struct pds_limit_held h;

	if (!conf->max_pkt_buffers && !conf->max_stored)
		return 0;
	h = pds_limit_count(pds, 0);
	if (pds_limit_is_short(h.with_ses, conf->max_pkt_buffers))
		return NACK_NO_PKT_BUFFER;
	if (pds_limit_is_short(h.stored, conf->max_stored))
		return NACK_NO_GTD_DEL_AVAIL;
	return 0;
}

bool pds_short_of_ccc(const struct pds *pds)
{
	const uint32_t limit = pds->env->conf.max_cccs;

	return limit && pds_limit_is_short(pds_limit_count(pds, 0).pdcs, limit);
}
