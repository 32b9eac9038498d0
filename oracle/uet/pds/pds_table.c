/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_table.c -- the PDCs of an endpoint and its peers, and how
 * each is found.
 *
 * Spec: UET 3.5.4, 3.5.8 (uet.md 6.1, 6.2)
 */
#include "oracle/uet/pds/pds_table.h"

#include "base/err.h"
#include "base/serial.h"

/* A PDCID is not reused while fewer than this many were ever used. */
#define REST_PDCS 64

#define SLAB_PDCS 4

struct pdc_slab {
	struct pdc pdc[SLAB_PDCS];
};

struct pdc *pds_at(const struct pds *pds, uint32_t index)
{
	return &pds->slabs[index / SLAB_PDCS]->pdc[index % SLAB_PDCS];
}

/* Makes room for the list of one more peer's PDCs. */
static bool first_room(struct pds *pds)
{
	struct pdc **first =
		mem_grow(&pds->env->mem, pds->first, &pds->first_cap,
			 pds->feps.n + (size_t)1, sizeof(struct pdc *));

	if (!first)
		return false;
	pds->first = first;
	pds->first[pds->feps.n] = NULL;
	return true;
}

int pds_fep(struct pds *pds, const struct ip_addr *addr, uint32_t *ret)
{
	if (feps_find(&pds->feps, addr, ret))
		return 0;
	if (!first_room(pds))
		return ERR_NOMEM;
	return feps_add(&pds->feps, &pds->env->mem, addr, ret);
}

bool pds_expect_fep(const struct pds *pds, const struct ip_addr *addr,
		    uint32_t *ret_fep)
{
	if (!feps_find(&pds->feps, addr, ret_fep))
		return false;
	__builtin_prefetch(&pds->first[*ret_fep]);
	return true;
}

void pds_expect_tx(const struct pds *pds, const struct ip_addr *addr)
{
	uint32_t fep;

	if (feps_find(&pds->feps, addr, &fep) && pds->first[fep])
		pdc_expect_tx(pds->first[fep]);
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

/*
 * Returns the PDC of a datagram, in use or not, or NULL.  All packets of a PDC
 * have the dpdcid where an ACK has it, and requests the PSN in the place of
 * cack_psn.  Inline, so that each caller reads the fields that it needs alone.
 */
static inline __attribute__((always_inline)) const struct pdc *
pds_table_peek(const struct pds *pds, const struct dgram *d,
	       struct pds_ack *ret)
{
	if (d->len < pds_ack_len)
		return NULL;
	pds_ack_get(ret, d->data);
	return with_pdcid(pds, ret->dpdcid);
}

bool pds_carries_ack(const struct dgram *d)
{
	return d->len >= pds_ack_len && pds_is_ack(pds_type_of(d->data));
}

void pds_expect_rx(const struct pds *pds, const struct dgram *d)
{
	struct pds_ack ack;
	const struct pdc *pdc = pds_table_peek(pds, d, &ack);

	if (!pdc)
		return;
	if (pds_carries_ack(d))
		pdc_expect_tx(pdc);
	else
		pdc_expect_rx(pdc);
}

void pds_expect_state(const struct pds *pds, const struct dgram *d)
{
	struct pds_ack ack;
	const struct pdc *pdc = pds_table_peek(pds, d, &ack);
	uint32_t psn;

	if (!pdc)
		return;
	psn = ack.cack_psn;
	if (pdc->src.fl.busy)
		inflight_expect_ack(&pdc->src.fl, pdc->src.tx_psn, psn,
				    (int32_t)ack.ack_psn_offset);
	if (pdc->dst.ring)
		mem_expect(&pdc->dst.ring->pkt[psn & (pdc->dst.ring->cap - 1)],
			   sizeof(struct dst_pkt));
	if (pdc->dst.rcvd.map)
		mem_expect(pdc->dst.rcvd.map, 2 * (size_t)CACHE_LINE);
}

bool pds_expect_answer(const struct pds *pds, const struct dgram *d,
		       uint32_t *ret_handle)
{
	const struct inflight_pkt *pkt;
	struct pds_ack ack;
	const struct pdc *pdc = pds_table_peek(pds, d, &ack);

	if (!pdc)
		return false;
	pkt = inflight_at(&pdc->src.fl,
			  serial_add(ack.cack_psn, ack.ack_psn_offset));
	if (pkt)
		*ret_handle = pkt->tx_pkt_handle;
	return pkt;
}

uint64_t pds_peer_key(uint32_t fep, uint16_t pdcid)
{
	return (uint64_t)fep << 16 | pdcid;
}

bool pds_bind(struct pds *pds, struct pdc *pdc)
{
	return idmap_put(&pds->by_peer, &pds->env->mem,
			 pds_peer_key(pdc->fep, pdc->dpdcid), pdc->spdcid);
}

struct pdc *pds_of_peer(const struct pds *pds, uint32_t fep, uint16_t pdcid)
{
	uint32_t own;

	if (!idmap_get(&pds->by_peer, pds_peer_key(fep, pdcid), &own))
		return NULL;
	return pds_pdc(pds, (uint16_t)own);
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
	slabs[n] = mem_lines(m, sizeof(*slabs[n]));
	return slabs[n];
}

/* Makes one more PDC with its timer. */
static bool pds_make(struct pds *pds)
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
	pdc->owner = pds->owner;
	pdc->ses = pds->ses;
	pdc->ring = &pds->ready;
	pdc->env = env;
	pdc->timer.kind = TIMER_PDC;
	return true;
}

/* Returns a PDC whose PDCID was never used. */
static struct pdc *fresh_pdc(struct pds *pds)
{
	const uint16_t first = pds->env->conf.first_pdcid;
	struct pdc *pdc;

	if (pds->npdcs == pds->nmade && !pds_make(pds))
		return NULL;
	if (pds->npdcs == 0 && first)
		pds->pdcid_base = first - 1;
	pdc = pds_at(pds, pds->npdcs);
	pdc->spdcid = pds_pdcid_of(pds, pds->npdcs);
	pdc->last_psn = 0;
	pds->npdcs++;
	return pdc;
}

void pds_rest(struct pds *pds, struct pdc *pdc)
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

struct pdc *pds_take(struct pds *pds)
{
	if (pds->npdcs < REST_PDCS && pds->npdcs < pds->env->conf.max_pdcs)
		return fresh_pdc(pds);
	if (pds->free_first)
		return rested_pdc(pds);
	return pds->npdcs < pds->env->conf.max_pdcs ? fresh_pdc(pds) : NULL;
}
