/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_cp.c -- sends control packets on request.
 *
 * Most control packets are sent when the state of a PDC requires it.  A driver
 * may want one without that: a NOOP to keep a PDC alive or to open one, a
 * Negotiation to offer a feature, an ACK Request to learn of a PSN.
 *
 * Spec: UET 3.5.16.8 (uet.md 3.10)
 */
#include "oracle/uet/pds/pds_cp.h"

#include "base/err.h"
#include "oracle/uet/pdc/pdc.h"
#include "oracle/uet/pdc/pdc_out.h"
#include "oracle/uet/pdc/source/pdc_src.h"
#include "oracle/uet/pdc/source/src_clear.h"
#include "oracle/uet/pdc/source/src_repair.h"
#include "oracle/uet/pdc/source/src_window.h"
#include "oracle/uet/pds/pds.h"
#include "oracle/uet/pds/pds_table.h"

/* The requested control packet, and its peer. */
struct pds_cp_asked {
	uint32_t fep;
	bool rod;
	const struct op_cp *cp;
};

static bool is_live(const struct pdc *pdc)
{
	return pdc->state == PDC_CREATING || pdc->state == PDC_ESTABLISHED;
}

/*
 * Returns a PDC to that peer in which this endpoint has the role; NULL if there
 * is none.
 */
static struct pdc *pds_cp_find(struct pds *pds, const struct pds_cp_asked *a,
			       enum pdc_role role)
{
	for (uint32_t i = pds->npdcs; i-- > 0;) {
		struct pdc *pdc = pds_at(pds, i);

		if (is_live(pdc) && pdc->fep == a->fep && pdc->rod == a->rod &&
		    pdc->role == role)
			return pdc;
	}
	return NULL;
}

static struct pdc *source_pdc(struct pds *pds, const struct pds_cp_asked *a)
{
	struct pdc *pdc = pds_cp_find(pds, a, PDC_INITIATOR);

	return pdc ? pdc : pds_cp_find(pds, a, PDC_TARGET);
}

/* A control packet with a PSN needs room in the window, and may open a PDC. */
static int pds_cp_send_new(struct pds *pds, const struct pds_cp_asked *a)
{
	struct pdc *pdc = source_pdc(pds, a);
	uint32_t psn;
	int err;

	if (!pdc)
		pdc = pds_open(pds, a->rod, a->fep);
	if (!pdc || !src_has_room(pdc))
		return ERR_SPACE;
	if (a->cp->ctl_type == PDS_CP_NEGOTIATION)
		err = src_add_negotiation(pdc, a->cp->payload);
	else
		err = src_add_cp(pdc, PDS_CP_NOOP, &psn);
	pdc_update(pdc);
	return err;
}

static int send_ack_request(struct pds *pds, const struct pds_cp_asked *a)
{
	struct pdc *pdc = source_pdc(pds, a);

	if (!pdc || !pdc->dpdcid)
		return ERR_STATE;
	src_ask_ack(pdc, a->cp->psn);
	return 0;
}

static int pds_cp_send_clear(struct pds *pds, const struct pds_cp_asked *a)
{
	struct pdc *pdc = source_pdc(pds, a);

	if (!pdc || !pdc->dpdcid)
		return ERR_STATE;
	pdc_send_cp(pdc, PDS_CP_CLEAR_COMMAND, 0, src_clear_psn(pdc));
	return 0;
}

/*
 * Sent by the destination: a target, or an initiator that receives return data.
 */
static int send_clear_request(struct pds *pds, const struct pds_cp_asked *a)
{
	struct pdc *pdc = pds_cp_find(pds, a, PDC_TARGET);

	if (!pdc)
		pdc = pds_cp_find(pds, a, PDC_INITIATOR);
	if (!pdc || !pdc->dpdcid)
		return ERR_STATE;
	pdc_send_cp(pdc, PDS_CP_CLEAR_REQUEST, 0, a->cp->payload);
	return 0;
}

static int send_close(struct pds *pds, const struct pds_cp_asked *a)
{
	struct pdc *pdc = pds_cp_find(pds, a, PDC_INITIATOR);

	if (!pdc)
		return ERR_STATE;
	pdc_want_close(pdc);
	pdc_update(pdc);
	return 0;
}

static int send_close_request(struct pds *pds, const struct pds_cp_asked *a)
{
	struct pdc *pdc = pds_cp_find(pds, a, PDC_TARGET);

	if (!pdc)
		return ERR_STATE;
	pdc_ask_close(pdc, OP_CLOSE_CP);
	pdc_update(pdc);
	return 0;
}

typedef int send_fn(struct pds *pds, const struct pds_cp_asked *a);

static send_fn *const sends[16] = {
	[PDS_CP_NOOP] = pds_cp_send_new,
	[PDS_CP_ACK_REQUEST] = send_ack_request,
	[PDS_CP_CLEAR_COMMAND] = pds_cp_send_clear,
	[PDS_CP_CLEAR_REQUEST] = send_clear_request,
	[PDS_CP_CLOSE_COMMAND] = send_close,
	[PDS_CP_CLOSE_REQUEST] = send_close_request,
	[PDS_CP_NEGOTIATION] = pds_cp_send_new,
};

int pds_send_cp(struct pds *pds, const struct ip_addr *peer, bool rod,
		const struct op_cp *cp)
{
	struct pds_cp_asked a = {.rod = rod, .cp = cp};

	if (cp->ctl_type >= sizeof(sends) / sizeof(sends[0]))
		return ERR_VALUE;
	if (!sends[cp->ctl_type])
		return ERR_SUPPORT;
	if (pds_fep(pds, peer, &a.fep))
		return ERR_NOMEM;
	return sends[cp->ctl_type](pds, &a);
}
