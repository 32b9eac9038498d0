/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/pds.c -- the packet delivery sublayer: the PDC table, whose turn it is
 * to send, and what the SES asks for.
 *
 * Spec: UET 3.5.4, 3.5.8 (uet.md 6.1, 6.2, 7.9)
 */
#include "oracle/pds.h"

#include <stdlib.h>

#include "base/err.h"

/* Start_PSN keeps this far from the last PSN of that PDCID (3.5.8.2). */
#define START_PSN_DISTANCE (1 << 16)

/* A PDCID rests while fewer than this many were ever used. */
#define REST_PDCS 64

#define FIRST_DYNAMIC_PORT 0xc000 /* entropy values of our own choice */

void pds_init(struct pds *pds, struct env *env, struct ses *ses)
{
	*pds = (struct pds){.env = env, .ses = ses};
	pds->pdcid_base = (uint16_t)rng_next(&env->rng);
}

static uint64_t addr_hash(const struct ip_addr *addr)
{
	uint64_t h = addr->len;

	for (unsigned i = 0; i < addr->len; i++)
		h = (h ^ addr->b[i]) * 0x100000001b3u;
	return h << 16;
}

/* Adds a peer under |key|. */
static int new_fep(struct pds *pds, const struct ip_addr *addr, uint64_t key,
		   uint32_t *ret)
{
	struct mem *m = &pds->env->mem;
	struct fep *feps = mem_grow(m, pds->feps, &pds->fep_cap,
				    pds->nfeps + (size_t)1, sizeof(*feps));

	if (!feps)
		return ERR_NOMEM;
	pds->feps = feps;
	if (!idmap_put(&pds->fep_by_addr, m, key, pds->nfeps))
		return ERR_NOMEM;
	feps[pds->nfeps] = (struct fep){.addr = *addr};
	*ret = pds->nfeps++;
	return 0;
}

int pds_fep(struct pds *pds, const struct ip_addr *addr, uint32_t *ret)
{
	uint64_t key = addr_hash(addr);

	while (idmap_get(&pds->fep_by_addr, key, ret)) {
		if (ip_addr_equal(&pds->feps[*ret].addr, addr))
			return 0;
		key++;
	}
	return new_fep(pds, addr, key, ret);
}

static uint16_t pdcid_of(const struct pds *pds, uint32_t index)
{
	return (uint16_t)(1 + (pds->pdcid_base + index) % 0xffff);
}

struct pdc *pds_pdc(const struct pds *pds, uint16_t pdcid)
{
	const uint32_t base = pds->pdcid_base % 0xffff;
	const uint32_t index = (pdcid + (uint32_t)0xffff - 1 - base) % 0xffff;

	if (!pdcid || index >= pds->npdcs)
		return NULL;
	return pds->pdcs[index]->state == PDC_CLOSED ? NULL : pds->pdcs[index];
}

static uint64_t peer_key(uint32_t fep, uint16_t pdcid)
{
	return (uint64_t)fep << 16 | pdcid;
}

bool pds_bind(struct pds *pds, struct pdc *pdc)
{
	return idmap_put(&pds->by_peer, &pds->env->mem,
			 peer_key(pdc->fep, pdc->dpdcid), pdc->spdcid);
}

struct pdc *pds_of_peer(const struct pds *pds, uint32_t fep, uint16_t pdcid)
{
	uint32_t own;

	if (!idmap_get(&pds->by_peer, peer_key(fep, pdcid), &own))
		return NULL;
	return pds_pdc(pds, (uint16_t)own);
}

void pds_ready(struct pds *pds, struct pdc *pdc, bool ready)
{
	if (pdc->is_ready == ready)
		return;
	pdc->is_ready = ready;
	if (ready && !pds->ready) {
		pdc->ready_prev = pdc;
		pdc->ready_next = pdc;
		pds->ready = pdc;
	} else if (ready) {
		pdc->ready_next = pds->ready;
		pdc->ready_prev = pds->ready->ready_prev;
		pdc->ready_prev->ready_next = pdc;
		pdc->ready_next->ready_prev = pdc;
	} else {
		pdc->ready_prev->ready_next = pdc->ready_next;
		pdc->ready_next->ready_prev = pdc->ready_prev;
		if (pds->ready == pdc)
			pds->ready =
				pdc->ready_next == pdc ? NULL : pdc->ready_next;
	}
}

/* The memory of one more PDC, with its timer. */
static bool make_pdc(struct pds *pds)
{
	struct env *env = pds->env;
	struct pdc **pdcs = mem_grow(&env->mem, pds->pdcs, &pds->pdc_cap,
				     pds->nmade + (size_t)1, sizeof(*pdcs));
	struct pdc *pdc;

	if (!pdcs)
		return false;
	pds->pdcs = pdcs;
	if (!timers_reserve(&env->timers, &env->mem))
		return false;
	pdc = mem_new(&env->mem, sizeof(*pdc));
	if (!pdc) {
		timers_release(&env->timers);
		return false;
	}
	pdc->pds = pds;
	pdc->env = env;
	pdc->timer.kind = TIMER_PDC;
	pdcs[pds->nmade++] = pdc;
	return true;
}

/* A PDCID that was never used. */
static struct pdc *fresh_pdc(struct pds *pds)
{
	struct pdc *pdc;

	if (pds->npdcs == pds->nmade && !make_pdc(pds))
		return NULL;
	pdc = pds->pdcs[pds->npdcs];
	pdc->spdcid = pdcid_of(pds, pds->npdcs);
	pdc->last_psn = 0;
	pds->npdcs++;
	return pdc;
}

static void rest(struct pds *pds, struct pdc *pdc)
{
	pdc->fep_next = NULL;
	if (pds->free_last)
		pds->free_last->fep_next = pdc;
	else
		pds->free_first = pdc;
	pds->free_last = pdc;
}

/* The PDC that has rested longest. */
static struct pdc *rested_pdc(struct pds *pds)
{
	struct pdc *pdc = pds->free_first;

	if (!pdc)
		return NULL;
	pds->free_first = pdc->fep_next;
	if (!pds->free_first)
		pds->free_last = NULL;
	return pdc;
}

static struct pdc *take_pdc(struct pds *pds)
{
	if (pds->npdcs < REST_PDCS)
		return fresh_pdc(pds);
	if (pds->free_first)
		return rested_pdc(pds);
	return pds->npdcs < PDS_MAX_PDC ? fresh_pdc(pds) : NULL;
}

static struct pdc *open_pdc(struct pds *pds, enum pdc_role role, uint32_t fep)
{
	struct pdc *pdc = take_pdc(pds);

	if (!pdc)
		return NULL;
	pdc->fep = fep;
	pdc->peer = pds->feps[fep].addr;
	pdc->native = 0;
	pdc->entropy = (uint16_t)(FIRST_DYNAMIC_PORT |
				  rng_next(&pds->env->rng) % 0x4000);
	pdc->role = role;
	pds->env->stats.pdcs++;
	return pdc;
}

static uint32_t choose_start_psn(struct pds *pds, const struct pdc *pdc)
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

static struct pdc *open_initiator(struct pds *pds, uint32_t fep)
{
	struct pdc *pdc = open_pdc(pds, PDC_INITIATOR, fep);

	if (!pdc)
		return NULL;
	if (!pdc_start(pdc, PDC_INITIATOR, choose_start_psn(pds, pdc))) {
		rest(pds, pdc);
		return NULL;
	}
	pdc->fep_next = pds->feps[fep].pdcs;
	pds->feps[fep].pdcs = pdc;
	pdc_enter(pdc, PDC_CREATING);
	return pdc;
}

/* The return direction starts at the same Start_PSN (uet.md 6.2). */
struct pdc *pds_accept(struct pds *pds, uint32_t fep, const struct pds_rx *rx)
{
	struct pdc *pdc = open_pdc(pds, PDC_TARGET, fep);

	if (!pdc)
		return NULL;
	if (!pdc_start(pdc, PDC_TARGET, rx->psn - rx->psn_offset)) {
		rest(pds, pdc);
		return NULL;
	}
	pdc->native = rx->native;
	pdc->dpdcid = rx->spdcid;
	if (!pds_bind(pds, pdc)) {
		rest(pds, pdc);
		return NULL;
	}
	pdc_enter(pdc, PDC_ESTABLISHED);
	return pdc;
}

static void leave_fep(struct pds *pds, const struct pdc *pdc)
{
	struct pdc **p = &pds->feps[pdc->fep].pdcs;

	while (*p && *p != pdc)
		p = &(*p)->fep_next;
	if (*p)
		*p = pdc->fep_next;
}

void pds_close(struct pds *pds, struct pdc *pdc)
{
	const struct pds_error closed = {.status = STATUS_CLOSED};

	if (pdc->state == PDC_CLOSED)
		return;
	pds_ready(pds, pdc, false);
	timers_set(&pds->env->timers, &pdc->timer, VTIME_NEVER);
	if (pdc->dpdcid)
		idmap_del(&pds->by_peer, peer_key(pdc->fep, pdc->dpdcid));
	leave_fep(pds, pdc);
	pdc->last_psn = pdc->src.fl.next;
	pdc_enter(pdc, PDC_CLOSED);
	rest(pds, pdc);
	pds_ses_closed(pds->ses, pdc->fep, pdc->spdcid, closed);
}

void pds_reset(struct pds *pds)
{
	for (uint32_t i = 0; i < pds->npdcs; i++) {
		struct pdc *pdc = pds->pdcs[i];

		timers_set(&pds->env->timers, &pdc->timer, VTIME_NEVER);
		pdc->state = PDC_CLOSED;
		pdc->is_ready = false;
	}
	idmap_clear(&pds->fep_by_addr);
	idmap_clear(&pds->by_peer);
	pds->nfeps = 0;
	pds->npdcs = 0;
	pds->free_first = NULL;
	pds->free_last = NULL;
	pds->ready = NULL;
	pds->victim = 0;
	pds->pdcid_base = (uint16_t)rng_next(&pds->env->rng);
}

void pds_free(struct pds *pds)
{
	for (uint32_t i = 0; i < pds->nmade; i++) {
		inflight_free(&pds->pdcs[i]->src.fl);
		dst_free(&pds->pdcs[i]->dst);
		free(pds->pdcs[i]);
	}
	free(pds->pdcs);
	free(pds->feps);
	idmap_free(&pds->fep_by_addr);
	idmap_free(&pds->by_peer);
}

void pds_ask_for_room(struct pds *pds)
{
	for (uint32_t i = 0; i < pds->npdcs; i++) {
		struct pdc *pdc = pds->pdcs[pds->victim++ % pds->npdcs];

		if (pdc->state != PDC_ESTABLISHED)
			continue;
		if (pdc->role == PDC_TARGET)
			pdc_ask_close(pdc);
		else
			pdc_want_close(pdc);
		pdc_update(pdc);
		return;
	}
}

bool pds_poll(struct pds *pds, struct dgram *ret)
{
	struct pdc *pdc;

	while ((pdc = pds->ready)) {
		const bool sent = src_poll(pdc, ret);

		if (sent)
			pds->ready = pdc->ready_next; /* the next one's turn */
		pdc_update(pdc);
		if (sent)
			return true;
	}
	return false;
}

/* The PDC for a packet: where its message began, or one that is free to. */
static struct pdc *choose_pdc(struct pds *pds, const struct ses_tx *tx)
{
	struct pdc *pdc = pds->feps[tx->dst_fep].pdcs;

	while (pdc && !pdc_takes(pdc, tx->som, tx->msg_id))
		pdc = pdc->fep_next;
	if (pdc)
		return pdc;
	pdc = open_initiator(pds, tx->dst_fep);
	if (!pdc)
		pds_ask_for_room(pds);
	return pdc;
}

static int pause(struct pdc *pdc)
{
	if (!pdc->src.paused)
		pds_pause(pdc->pds->ses, pdc->fep, pdc->spdcid, true);
	pdc->src.paused = true;
	pdc_update(pdc);
	return ERR_SPACE;
}

static int put(struct pdc *pdc, const struct ses_tx *tx, struct ses_txd *ret)
{
	int err;

	if (!src_has_room(pdc))
		return pause(pdc);
	err = src_add(pdc, tx, &ret->psn);
	if (err)
		return err;
	ret->pdcid = pdc->spdcid;
	pdc->msg_open = !tx->eom;
	pdc->open_msg_id = tx->msg_id;
	pdc->locks += tx->lock_pdc;
	pdc_update(pdc);
	return 0;
}

int ses_pds_tx_req(struct pds *pds, const struct ses_tx *tx,
		   struct ses_txd *ret)
{
	struct pdc *pdc;

	if (tx->mode != OP_RUD)
		return ERR_SUPPORT;
	pdc = choose_pdc(pds, tx);
	if (!pdc)
		return pds->env->mem.failed ? ERR_NOMEM : ERR_SPACE;
	return put(pdc, tx, ret);
}

int ses_pds_tx_ret(struct pds *pds, const struct ses_tx *tx,
		   struct ses_txd *ret)
{
	struct pdc *pdc = pds_pdc(pds, tx->orig_pdcid);

	if (!pdc || pdc->role != PDC_TARGET || pdc->state == PDC_CLOSING)
		return ERR_STATE;
	return put(pdc, tx, ret);
}

int ses_pds_tx_rsp(struct pds *pds, uint32_t rx_pkt_handle,
		   const struct ses_tx_rsp *rsp)
{
	struct pdc *pdc = pds_pdc(pds, (uint16_t)(rx_pkt_handle >> 16));
	int err;

	if (!pdc)
		return ERR_STATE;
	err = dst_respond(pdc, (uint16_t)rx_pkt_handle, rsp);
	pdc_update(pdc);
	return err;
}

void ses_pds_unlock(struct pds *pds, uint16_t pdcid)
{
	struct pdc *pdc = pds_pdc(pds, pdcid);

	if (!pdc || !pdc->locks)
		return;
	pdc->locks--;
	pdc_update(pdc);
}

/* The window of a PDC to that peer, or the default window, in bytes. */
void ses_pds_eager_req(struct pds *pds, uint32_t dst_fep, uint16_t eager_id)
{
	const struct orc_conf *conf = &pds->env->conf;
	const struct pdc *pdc = pds->feps[dst_fep].pdcs;
	const uint32_t range = pdc ? pdc->src.mp_range
				   : conf->default_mpr * (uint32_t)MPR_UNIT;

	pds_ses_eager_size(pds->ses, eager_id, range * conf->mtu);
}
