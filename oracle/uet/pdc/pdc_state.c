/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_state.c -- the state of a PDC, and its calls of the PDS
 * that owns it.
 *
 * Spec: UET 3.5.8 (uet.md 6)
 */
#include "oracle/uet/pdc/pdc_state.h"

static const char *const state_names[PDC_STATES] = {
	[PDC_CLOSED] = "closed",
	[PDC_CREATING] = "creating",
	[PDC_ESTABLISHED] = "established",
	[PDC_QUIESCE] = "quiesce",
	[PDC_ACK_WAIT] = "ack wait",
	[PDC_CLOSE_ACK_WAIT] = "close ack wait",
	[PDC_CLOSING] = "closing",
};

const char *pdc_state_name(enum pdc_state state)
{
	return state_names[state];
}

enum op_mode pdc_mode(const struct pdc *pdc)
{
	return pdc->rod ? OP_ROD : OP_RUD;
}

/*
 * Returns true for control packets that can open a PDC and so must carry its
 * mode.
 */
bool pdc_tells_mode(uint8_t ctl_type)
{
	return ctl_type == PDS_CP_NOOP || ctl_type == PDS_CP_NEGOTIATION;
}

void pdc_enter(struct pdc *pdc, enum pdc_state state)
{
	struct orc_event *ev = env_event(pdc->env, EV_PDC);

	pdc->state = state;
	ev->orig_pdcid = pdc->spdcid;
	ev->reason = state_names[state];
}

void pdc_want_close(struct pdc *pdc)
{
	if (pdc->role == PDC_INITIATOR)
		pdc->close_wanted = true;
}

bool pdc_bind(struct pdc *pdc)
{
	return pdc->owner->bind(pdc->pds, pdc);
}

void pdc_release(struct pdc *pdc)
{
	pdc->owner->release(pdc->pds, pdc);
}

uint8_t pdc_short_for_req(const struct pdc *pdc)
{
	return pdc->owner->short_for_req(pdc->pds);
}
