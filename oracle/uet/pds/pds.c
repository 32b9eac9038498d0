/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds.c -- the packet delivery sublayer: its PDCs are opened and
 * closed, and take turns to send.
 *
 * Spec: UET 3.5.4, 3.5.8 (uet.md 6.1, 6.2)
 */
#include "oracle/uet/pds/pds.h"

#include "base/err.h"
#include "base/memory.h"
#include "oracle/uet/pdc/destination/dst_ring.h"
#include "oracle/uet/pdc/pdc.h"
#include "oracle/uet/pdc/pdc_ring.h"
#include "oracle/uet/pdc/source/pdc_src.h"
#include "oracle/uet/pds/pds_limit.h"
#include "oracle/uet/pds/pds_table.h"

/* Least distance of Start_PSN from the last PSN of that PDCID (3.5.8.2). */
#define START_PSN_DISTANCE (1 << 16)

static const struct pdc_owner pds_owner = {
	.bind = pds_bind,
	.release = pds_close,
	.short_for_req = pds_short_for_req,
};

void pds_init(struct pds *pds, struct env *env, const struct pds_ses *ses)
{
	*pds = (struct pds){.env = env, .ses = ses, .owner = &pds_owner};
	pds->pdcid_base = (uint16_t)rng_next(&env->rng);
	rudi_init(&pds->rudi, env, ses, &pds->feps);
}

static struct pdc *open_pdc(struct pds *pds, enum pdc_role role, bool rod,
			    uint32_t fep)
{
	struct pdc *pdc = pds_take(pds);

	if (!pdc)
		return NULL;
	pdc->fep = fep;
	pdc->peer = pds->feps.addrs[fep];
	pdc->native = pds->env->conf.native;
	pdc->entropy = env_entropy(pds->env);
	pdc->path = 0;
	pdc->context = (struct ses_context){0};
	pdc->role = role;
	pdc->rod = rod;
	pds->env->stats.pdcs++;
	return pdc;
}

static uint32_t pds_choose_start_psn(struct pds *pds, const struct pdc *pdc)
{
	const struct orc_conf *conf = &pds->env->conf;
	uint32_t psn;

	if (conf->start_psn_fixed)
		return conf->start_psn;
	psn = (uint32_t)rng_next(&pds->env->rng);
	if (psn - pdc->last_psn < START_PSN_DISTANCE)
		psn += START_PSN_DISTANCE;
	if (pdc->last_psn - psn < START_PSN_DISTANCE)
		psn -= START_PSN_DISTANCE;
	return psn;
}

struct pdc *pds_open(struct pds *pds, bool rod, uint32_t fep)
{
	struct pdc *pdc;

	if (pds_short_of_ccc(pds))
		return NULL;
	pdc = open_pdc(pds, PDC_INITIATOR, rod, fep);
	if (!pdc)
		return NULL;
	pdc_start(pdc, PDC_INITIATOR, pds_choose_start_psn(pds, pdc));
	pdc->fep_next = pds->first[fep];
	pds->first[fep] = pdc;
	pdc_enter(pdc, PDC_CREATING);
	return pdc;
}

/* The return direction starts at the same Start_PSN (uet.md 6.2). */
struct pdc *pds_accept(struct pds *pds, uint32_t fep, const struct pds_rx *rx)
{
	struct pdc *pdc = open_pdc(pds, PDC_TARGET, rx->rod, fep);

	if (!pdc)
		return NULL;
	pdc_start(pdc, PDC_TARGET, rx->psn - rx->psn_offset);
	pdc->native = rx->native;
	pdc->dpdcid = rx->spdcid;
	if (!pds_bind(pds, pdc)) {
		pds_rest(pds, pdc);
		return NULL;
	}
	pdc_enter(pdc, PDC_ESTABLISHED);
	return pdc;
}

static void leave_fep(struct pds *pds, const struct pdc *pdc)
{
	struct pdc **p = &pds->first[pdc->fep];

	while (*p && *p != pdc)
		p = &(*p)->fep_next;
	if (*p)
		*p = pdc->fep_next;
}

void pds_starve(struct pds *pds)
{
	if (!pds->starved)
		pds_pause(pds->ses, PDS_ALL, OP_RUD, 0, true);
	pds->starved = true;
}

static void end_starving(struct pds *pds)
{
	if (pds->starved)
		pds_pause(pds->ses, PDS_ALL, OP_RUD, 0, false);
	pds->starved = false;
}

void pds_close(struct pds *pds, struct pdc *pdc)
{
	const struct pds_error closed = {.status = STATUS_CLOSED};

	if (pdc->state == PDC_CLOSED)
		return;
	pdc_ring_set(pdc, false);
	timers_set(&pds->env->timers, &pdc->timer, VTIME_NEVER);
	if (pdc->dpdcid)
		idmap_del(&pds->by_peer, pds_peer_key(pdc->fep, pdc->dpdcid));
	leave_fep(pds, pdc);
	pdc->last_psn = pdc->src.fl.next - 1;
	pds_late_note(&pds->late, pdc);
	pdc_enter(pdc, PDC_CLOSED);
	pds_rest(pds, pdc);
	end_starving(pds);
	pds_ses_closed(pds->ses, pdc->fep, pdc->spdcid, closed);
}

void pds_reset(struct pds *pds)
{
	for (uint32_t i = 0; i < pds->npdcs; i++) {
		struct pdc *pdc = pds_at(pds, i);

		timers_set(&pds->env->timers, &pdc->timer, VTIME_NEVER);
		pdc->state = PDC_CLOSED;
		pdc->is_ready = false;
	}
	feps_clear(&pds->feps);
	idmap_clear(&pds->by_peer);
	idmap_clear(&pds->by_context);
	pds->npdcs = 0;
	pds->free_first = NULL;
	pds->free_last = NULL;
	pds->ready = NULL;
	pds->victim = 0;
	pds->starved = false;
	pds_late_clear(&pds->late);
	rudi_reset(&pds->rudi);
	pds->pdcid_base = (uint16_t)rng_next(&pds->env->rng);
}

void pds_free(struct pds *pds)
{
	for (uint32_t i = 0; i < pds->nmade; i++) {
		inflight_free(&pds_at(pds, i)->src.fl, &pds->env->mem);
		dst_free(&pds_at(pds, i)->dst);
	}
	for (size_t i = 0; i < pds->slab_cap; i++)
		memory_free(pds->slabs[i]);
	inflight_drain(&pds->env->mem);
	dst_drain(&pds->env->mem);
	memory_free(pds->slabs);
	pds_late_free(&pds->late);
	rudi_free(&pds->rudi);
	feps_free(&pds->feps);
	memory_free(pds->first);
	idmap_free(&pds->by_peer);
	idmap_free(&pds->by_context);
}

static bool is_idle(const struct pdc *pdc)
{
	return pdc_is_idle(pdc) && !pdc->close_wanted;
}

static bool pds_may_end(const struct pdc *pdc)
{
	return pdc->state == PDC_ESTABLISHED;
}

static bool is_abandoned(const struct pdc *pdc)
{
	return pdc->state == PDC_CLOSING && pdc->gave_up;
}

/* Returns the next PDC of that kind in turn; NULL if there is none. */
static struct pdc *next_victim(struct pds *pds,
			       bool (*is)(const struct pdc *pdc))
{
	for (uint32_t i = 0; i < pds->npdcs; i++) {
		struct pdc *pdc = pds_at(pds, pds->victim++ % pds->npdcs);

		if (is(pdc))
			return pdc;
	}
	return NULL;
}

/* "pick an (idle first) PDC to close" (uet.md 6.1) */
void pds_ask_for_room(struct pds *pds)
{
	struct pdc *pdc = next_victim(pds, is_abandoned);

	if (pdc) {
		pds_close(pds, pdc);
		return;
	}
	pdc = next_victim(pds, is_idle);
	if (!pdc)
		pdc = next_victim(pds, pds_may_end);
	if (!pdc)
		return;
	if (pdc->role == PDC_TARGET)
		pdc_ask_close(pdc, OP_CLOSE_BOTH);
	else
		pdc_want_close(pdc);
	pdc_update(pdc);
}

int pds_ask_close(struct pds *pds, const struct ip_addr *peer,
		  enum op_close how)
{
	int err = ERR_STATE;

	for (uint32_t i = 0; i < pds->npdcs; i++) {
		struct pdc *pdc = pds_at(pds, i);

		if (pdc->state != PDC_ESTABLISHED || pdc->role != PDC_TARGET ||
		    !ip_addr_equal(&pdc->peer, peer))
			continue;
		pdc_ask_close(pdc, how);
		pdc_update(pdc);
		err = 0;
	}
	return err;
}

void pds_expect_turn(const struct pds *pds)
{
	if (pds->ready)
		pdc_expect_tx(pds->ready);
}

void pds_expect_next_turn(const struct pds *pds)
{
	const struct pdc *first = pds->ready;

	if (!first)
		return;
	inflight_expect_next(&first->src.fl, first->src.tx_psn);
	if (first->ready_next != first)
		pdc_expect_tx(first->ready_next);
}

/*
 * Prefetches for three turns, since each step reads what the step before has
 * prefetched.  Many PDCs that are ready to send are not in the cache.
 */
FETCHES expect_turns(const struct pdc *first)
{
	const struct pdc *second = first->ready_next;

	if (second == first)
		return;
	inflight_expect_bytes_of(&first->src.fl, first->src.tx_psn);
	inflight_expect_next(&second->src.fl, second->src.tx_psn);
	pdc_expect_tx(second->ready_next);
}

static bool poll_pdcs(struct pds *pds, struct dgram *ret)
{
	struct pdc *pdc;

	while ((pdc = pds->ready)) {
		const bool sent = src_poll(pdc, ret);

		if (sent)
			/* the turn of the next PDC */
			pds->ready = pdc->ready_next;
		pdc_update(pdc);
		if (sent && pds->ready)
			expect_turns(pds->ready);
		if (sent)
			return true;
	}
	return false;
}

/* PDCs and PDC-less requests take turns. */
bool pds_poll(struct pds *pds, struct dgram *ret)
{
	pds->rudi_turn = !pds->rudi_turn;
	if (pds->rudi_turn && rudi_poll(&pds->rudi, ret))
		return true;
	return poll_pdcs(pds, ret) || rudi_poll(&pds->rudi, ret);
}
