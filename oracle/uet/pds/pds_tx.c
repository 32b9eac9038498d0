/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_tx.c -- the calls of the SES: chooses the PDC of a packet
 * and hands the packet to it.
 *
 * Spec: UET 3.5.4, table 3-27 (uet.md 6.1, 7.9)
 */
#include "oracle/uet/pds/pds_tx.h"

#include "base/err.h"
#include "oracle/uet/pdc/destination/dst_rsp.h"
#include "oracle/uet/pdc/pdc.h"
#include "oracle/uet/pdc/source/pdc_src.h"
#include "oracle/uet/pdc/source/src_window.h"
#include "oracle/uet/pds/pds.h"
#include "oracle/uet/pds/pds_table.h"
#include "oracle/uet/uud.h"

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
	pds_starve(pds);
	pds_ask_for_room(pds);
	return NULL;
}

static int pds_hold(struct pdc *pdc)
{
	if (!pdc->src.paused)
		pds_pause(pdc->ses, pdc->fep, pdc_mode(pdc), pdc->spdcid, true);
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
		pds_hold(pdc);
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
		return pds_hold(pdc);
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
		return uud_send(pds->env, &pds->feps.addrs[tx->dst_fep], tx);
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

/*
 * "Whether there is a CCC for the given dst_fep, tc, mode" (table 3-27): the
 * CCC of a PDC that the initiator made for them.
 */
static const struct pdc *eager_pdc(const struct pds *pds, uint32_t dst_fep,
				   enum op_mode mode, uint8_t tc)
{
	const struct pdc *pdc = pds->first[dst_fep];

	while (pdc && (pdc->role != PDC_INITIATOR || pdc_mode(pdc) != mode ||
		       pdc->context.tc != tc))
		pdc = pdc->fep_next;
	return pdc;
}

/* Reports the window of such a PDC, or the default window, in bytes. */
void ses_pds_eager_req(struct pds *pds, uint32_t dst_fep, enum op_mode mode,
		       uint8_t tc, uint16_t eager_id)
{
	const struct orc_conf *conf = &pds->env->conf;
	const struct pdc *pdc = eager_pdc(pds, dst_fep, mode, tc);
	const uint32_t range = pdc ? pdc->src.mp_range
				   : conf->default_mpr * (uint32_t)MPR_UNIT;

	pds_ses_eager_size(pds->ses, eager_id, range * conf->mtu);
}
