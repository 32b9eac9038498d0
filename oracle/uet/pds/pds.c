/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds.c -- the packet delivery sublayer: the PDC table, the
 * order of sending, and the calls of the SES.
 *
 * Spec: UET 3.5.4, 3.5.8 (uet.md 6.1, 6.2, 7.9)
 */
#include "oracle/uet/pds/pds.h"

#include <stdlib.h>

#include "base/err.h"
#include "oracle/uet/uud.h"

/* Least distance of Start_PSN from the last PSN of that PDCID (3.5.8.2). */
#define START_PSN_DISTANCE (1 << 16)

/* A PDCID is not reused while fewer than this many were ever used. */
#define REST_PDCS 64

#define SLAB_PDCS 16

struct pdc_slab {
	struct pdc pdc[SLAB_PDCS];
};

void pds_init(struct pds *pds, struct env *env, struct ses *ses)
{
	*pds = (struct pds){.env = env, .ses = ses};
	pds->pdcid_base = (uint16_t)rng_next(&env->rng);
	rudi_init(&pds->rudi, pds, env);
}

#define KEY_IS_HASH ((uint64_t)1 << 63)

/*
 * Returns the key of an address: an IPv4 address itself, or a hash of a longer
 * one.
 */
static uint64_t addr_key(const struct ip_addr *addr)
{
	uint64_t h = addr->len;

	if (addr->len == 4)
		return bits_get(addr->b, 0, 32);
	for (unsigned i = 0; i < addr->len; i++)
		h = (h ^ addr->b[i]) * 0x100000001b3u;
	return KEY_IS_HASH | h << 16;
}

static bool fep_room(struct pds *pds)
{
	struct mem *m = &pds->env->mem;
	const size_t n = pds->nfeps + (size_t)1;
	struct ip_addr *addrs =
		mem_grow(m, pds->addrs, &pds->addr_cap, n, sizeof(*addrs));
	struct pdc **first;

	if (!addrs)
		return false;
	pds->addrs = addrs;
	first = mem_grow(m, pds->first, &pds->first_cap, n,
			 sizeof(struct pdc *));
	if (!first)
		return false;
	pds->first = first;
	return true;
}

/* Adds a peer under |key|. */
static int new_fep(struct pds *pds, const struct ip_addr *addr, uint64_t key,
		   uint32_t *ret)
{
	const uint32_t fep = pds->nfeps;

	if (!fep_room(pds) ||
	    !idmap_put(&pds->fep_by_addr, &pds->env->mem, key, fep))
		return ERR_NOMEM;
	pds->addrs[fep] = *addr;
	pds->first[fep] = NULL;
	pds->nfeps++;
	*ret = fep;
	return 0;
}

struct pdc *pds_at(const struct pds *pds, uint32_t index)
{
	return &pds->slabs[index / SLAB_PDCS]->pdc[index % SLAB_PDCS];
}

/* Finds a peer.  Return: false if there is none; *key is where it would go. */
static bool find_fep(const struct pds *pds, const struct ip_addr *addr,
		     uint64_t *key, uint32_t *ret)
{
	for (*key = addr_key(addr); idmap_get(&pds->fep_by_addr, *key, ret);
	     ++*key)
		if (!(*key & KEY_IS_HASH) ||
		    ip_addr_equal(&pds->addrs[*ret], addr))
			return true;
	return false;
}

int pds_fep(struct pds *pds, const struct ip_addr *addr, uint32_t *ret)
{
	uint64_t key;

	if (find_fep(pds, addr, &key, ret))
		return 0;
	return new_fep(pds, addr, key, ret);
}

void pds_expect_peer(const struct pds *pds, const struct ip_addr *addr)
{
	idmap_expect(&pds->fep_by_addr, addr_key(addr));
}

bool pds_expect_fep(const struct pds *pds, const struct ip_addr *addr,
		    uint32_t *ret_fep)
{
	uint64_t key;

	if (!find_fep(pds, addr, &key, ret_fep))
		return false;
	__builtin_prefetch(&pds->first[*ret_fep]);
	return true;
}

void pds_expect_tx(const struct pds *pds, const struct ip_addr *addr)
{
	uint64_t key;
	uint32_t fep;

	if (find_fep(pds, addr, &key, &fep) && pds->first[fep])
		mem_expect(pds->first[fep], sizeof(struct pdc));
}

static uint16_t pds_pdcid_of(const struct pds *pds, uint32_t index)
{
	return (uint16_t)(1 + (pds->pdcid_base + index) % 0xffff);
}

/*
 * Returns the PDC with the PDCID, in use or not; NULL if there was never one.
 */
static struct pdc *with_pdcid(const struct pds *pds, uint16_t pdcid)
{
	const uint32_t base = pds->pdcid_base % 0xffff;
	const uint32_t index = (pdcid + (uint32_t)0xffff - 1 - base) % 0xffff;

	return pdcid && index < pds->npdcs ? pds_at(pds, index) : NULL;
}

struct pdc *pds_pdc(const struct pds *pds, uint16_t pdcid)
{
	struct pdc *pdc = with_pdcid(pds, pdcid);

	return pdc && pdc->state != PDC_CLOSED ? pdc : NULL;
}

/* All packets of a PDC have the dpdcid at the same offset. */
void pds_expect_rx(const struct pds *pds, const struct dgram *d)
{
	const struct pdc *pdc;

	if (d->len < pds_ack_len)
		return;
	pdc = with_pdcid(pds, (uint16_t)bits_get(d->data, 80, 16));
	if (pdc)
		mem_expect(pdc, sizeof(*pdc));
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

/* Allocates adjacent memory for more PDCs. */
static bool make_slab(struct pds *pds)
{
	struct mem *m = &pds->env->mem;
	const size_t n = pds->nmade / SLAB_PDCS;
	struct pdc_slab **slabs = mem_grow(m, pds->slabs, &pds->slab_cap, n + 1,
					   sizeof(struct pdc_slab *));

	if (!slabs)
		return false;
	pds->slabs = slabs;
	slabs[n] = mem_new(m, sizeof(*slabs[n]));
	return slabs[n];
}

/* Makes one more PDC with its timer. */
static bool make_pdc(struct pds *pds)
{
	struct env *env = pds->env;
	struct pdc *pdc;

	if (!timers_reserve(&env->timers, &env->mem))
		return false;
	if (pds->nmade % SLAB_PDCS == 0 && !make_slab(pds)) {
		timers_release(&env->timers);
		return false;
	}
	pdc = pds_at(pds, pds->nmade++);
	pdc->pds = pds;
	pdc->env = env;
	pdc->timer.kind = TIMER_PDC;
	return true;
}

/* Returns a PDC whose PDCID was never used. */
static struct pdc *fresh_pdc(struct pds *pds)
{
	struct pdc *pdc;

	if (pds->npdcs == pds->nmade && !make_pdc(pds))
		return NULL;
	pdc = pds_at(pds, pds->npdcs);
	pdc->spdcid = pds_pdcid_of(pds, pds->npdcs);
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

/* Returns the PDC that was closed longest ago. */
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
	if (pds->npdcs < REST_PDCS && pds->npdcs < pds->env->conf.max_pdcs)
		return fresh_pdc(pds);
	if (pds->free_first)
		return rested_pdc(pds);
	return pds->npdcs < pds->env->conf.max_pdcs ? fresh_pdc(pds) : NULL;
}

static struct pdc *open_pdc(struct pds *pds, enum pdc_role role, bool rod,
			    uint32_t fep)
{
	struct pdc *pdc = take_pdc(pds);

	if (!pdc)
		return NULL;
	pdc->fep = fep;
	pdc->peer = pds->addrs[fep];
	pdc->native = pds->env->conf.native;
	pdc->entropy = env_entropy(pds->env);
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
		rest(pds, pdc);
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

/* The SES waits for a PDC: pauses all existing ones. */
static void begin_starving(struct pds *pds)
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
	pds_ready(pds, pdc, false);
	timers_set(&pds->env->timers, &pdc->timer, VTIME_NEVER);
	if (pdc->dpdcid)
		idmap_del(&pds->by_peer, peer_key(pdc->fep, pdc->dpdcid));
	leave_fep(pds, pdc);
	pdc->last_psn = pdc->src.fl.next - 1;
	pds_late_note(pds, pdc);
	pdc_enter(pdc, PDC_CLOSED);
	rest(pds, pdc);
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
	idmap_clear(&pds->fep_by_addr);
	idmap_clear(&pds->by_peer);
	idmap_clear(&pds->by_context);
	pds->nfeps = 0;
	pds->npdcs = 0;
	pds->free_first = NULL;
	pds->free_last = NULL;
	pds->ready = NULL;
	pds->victim = 0;
	pds->starved = false;
	pds->late_first = 0;
	pds->late_n = 0;
	rudi_reset(&pds->rudi);
	pds->pdcid_base = (uint16_t)rng_next(&pds->env->rng);
}

void pds_free(struct pds *pds)
{
	for (uint32_t i = 0; i < pds->nmade; i++) {
		inflight_free(&pds_at(pds, i)->src.fl);
		dst_free(&pds_at(pds, i)->dst);
	}
	for (size_t i = 0; i < pds->slab_cap; i++)
		free(pds->slabs[i]);
	inflight_drain(&pds->env->mem);
	dst_drain(&pds->env->mem);
	free(pds->slabs);
	free(pds->late);
	rudi_free(&pds->rudi);
	free(pds->addrs);
	free(pds->first);
	idmap_free(&pds->fep_by_addr);
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

static bool poll_pdcs(struct pds *pds, struct dgram *ret)
{
	struct pdc *pdc;

	while ((pdc = pds->ready)) {
		const bool sent = src_poll(pdc, ret);

		if (sent)
			/* the turn of the next PDC */
			pds->ready = pdc->ready_next;
		pdc_update(pdc);
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

static bool same_context(const struct ses_context *a,
			 const struct ses_context *b)
{
	return a->tc == b->tc && a->rsv_pdc == b->rsv_pdc && a->tss == b->tss &&
	       a->rsv_pdc_context == b->rsv_pdc_context &&
	       a->rsv_ccc == b->rsv_ccc;
}

/*
 * "RUD and ROD never share a PDC.  Messages are not interleaved on a PDC"
 * (uet.md 6.1); all packets of one have the contexts of table 3-26 in common.
 */
static bool pds_suits(const struct pdc *pdc, const struct ses_tx *tx)
{
	if (pdc_mode(pdc) != tx->mode || (tx->som && pdc->msg_open))
		return false;
	if (!same_context(&pdc->context, &tx->context))
		return false;
	return pdc_takes(pdc, tx->som, tx->msg_id);
}

/*
 * Returns the PDC on which the message of a packet began, or one that is free
 * for it.
 */
static struct pdc *any_pdc(struct pds *pds, const struct ses_tx *tx)
{
	struct pdc *pdc = pds->first[tx->dst_fep];

	while (pdc && !pds_suits(pdc, tx))
		pdc = pdc->fep_next;
	if (pdc)
		return pdc;
	pdc = pds_open(pds, tx->mode == OP_ROD, tx->dst_fep);
	if (pdc) {
		pdc->context = tx->context;
		return pdc;
	}
	begin_starving(pds);
	pds_ask_for_room(pds);
	return NULL;
}

static int pds_pds_pause(struct pdc *pdc)
{
	if (!pdc->src.paused)
		pds_pause(pdc->pds->ses, pdc->fep, pdc_mode(pdc), pdc->spdcid,
			  true);
	pdc->src.paused = true;
	pdc_update(pdc);
	return ERR_SPACE;
}

static uint64_t context_key(const struct ses_tx *tx)
{
	return (uint64_t)tx->dst_fep << 16 | tx->rod_context;
}

/* Returns the PDC of earlier packets of a rod_context; NULL if it is gone. */
static struct pdc *context_pdc(const struct pds *pds, const struct ses_tx *tx)
{
	struct pdc *pdc;
	uint32_t pdcid;

	if (!idmap_get(&pds->by_context, context_key(tx), &pdcid))
		return NULL;
	pdc = pds_pdc(pds, (uint16_t)pdcid);
	if (!pdc || !pdc->rod || pdc->role != PDC_INITIATOR ||
	    pdc->fep != tx->dst_fep ||
	    !same_context(&pdc->context, &tx->context))
		return NULL;
	return pdc;
}

/*
 * "Packets of one rod_context stay on one PDC; several contexts may share it"
 * (table 3-26), in the order in which they were handed over, across messages.
 * While that PDC ends the next packet waits for those before it: on another PDC
 * it could overtake them.
 */
static struct pdc *rod_pdc(struct pds *pds, const struct ses_tx *tx)
{
	struct pdc *pdc = context_pdc(pds, tx);

	if (pdc && (pdc_takes(pdc, true, tx->msg_id) ||
		    pdc_takes(pdc, tx->som, tx->msg_id)))
		return pdc;
	if (pdc && !src_idle(pdc)) {
		pds_pds_pause(pdc);
		return NULL;
	}
	pdc = any_pdc(pds, tx);
	if (!pdc || !idmap_put(&pds->by_context, &pds->env->mem,
			       context_key(tx), pdc->spdcid))
		return NULL;
	return pdc;
}

static struct pdc *choose_pdc(struct pds *pds, const struct ses_tx *tx)
{
	return tx->mode == OP_ROD ? rod_pdc(pds, tx) : any_pdc(pds, tx);
}

static int pds_put(struct pdc *pdc, const struct ses_tx *tx,
		   struct ses_txd *ret)
{
	int err;

	if (!src_has_room(pdc))
		return pds_pds_pause(pdc);
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

static int tx_pdc(struct pds *pds, const struct ses_tx *tx, struct ses_txd *ret)
{
	struct pdc *pdc = choose_pdc(pds, tx);

	if (!pdc)
		return pds->env->mem.failed ? ERR_NOMEM : ERR_SPACE;
	return pds_put(pdc, tx, ret);
}

int ses_pds_tx_req(struct pds *pds, const struct ses_tx *tx,
		   struct ses_txd *ret)
{
	*ret = (struct ses_txd){0};
	switch (tx->mode) {
	case OP_RUD:
	case OP_ROD:
		return tx_pdc(pds, tx, ret);
	case OP_RUDI:
		return rudi_add(&pds->rudi, tx, &ret->psn);
	case OP_UUD:
		return uud_send(pds, tx);
	default:
		return ERR_SUPPORT;
	}
}

int ses_pds_tx_ret(struct pds *pds, const struct ses_tx *tx,
		   struct ses_txd *ret)
{
	struct pdc *pdc = pds_pdc(pds, tx->orig_pdcid);

	if (!pdc || pdc->role != PDC_TARGET || pdc->state == PDC_CLOSING)
		return ERR_STATE;
	return pds_put(pdc, tx, ret);
}

int ses_pds_tx_rsp(struct pds *pds, uint32_t rx_pkt_handle,
		   const struct ses_tx_rsp *rsp)
{
	struct pdc *pdc = pds_pdc(pds, (uint16_t)(rx_pkt_handle >> 16));
	int err;

	if (!(rx_pkt_handle >> 16))
		return rudi_respond(&pds->rudi, rx_pkt_handle, rsp);
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

/* Reports the window of a PDC to that peer, or the default window, in bytes. */
void ses_pds_eager_req(struct pds *pds, uint32_t dst_fep, uint16_t eager_id)
{
	const struct orc_conf *conf = &pds->env->conf;
	const struct pdc *pdc = pds->first[dst_fep];
	const uint32_t range = pdc ? pdc->src.mp_range
				   : conf->default_mpr * (uint32_t)MPR_UNIT;

	pds_ses_eager_size(pds->ses, eager_id, range * conf->mtu);
}
