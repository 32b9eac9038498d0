/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc.c -- a packet delivery context: how it opens and closes,
 * and its control packets.
 *
 * Spec: UET 3.5.8, 3.5.16 (uet.md 3.10, 6)
 */
#include "oracle/uet/pdc/pdc.h"

#include "oracle/uet/pdc/cc.h"
#include "oracle/uet/pdc/destination/dst_ack.h"
#include "oracle/uet/pdc/destination/dst_cp.h"
#include "oracle/uet/pdc/destination/dst_ring.h"
#include "oracle/uet/pdc/destination/dst_rsp.h"
#include "oracle/uet/pdc/destination/pdc_dst.h"
#include "oracle/uet/pdc/pdc_fail.h"
#include "oracle/uet/pdc/pdc_out.h"
#include "oracle/uet/pdc/pdc_ring.h"
#include "oracle/uet/pdc/source/pdc_src.h"
#include "oracle/uet/pdc/source/src_clear.h"
#include "oracle/uet/pdc/source/src_window.h"

void pdc_start(struct pdc *pdc, enum pdc_role role, uint32_t start_psn)
{
	pdc->role = role;
	pdc->start_psn = start_psn;
	pdc->dpdcid = 0;
	pdc->renumbered = 0;
	pdc->msg_open = false;
	pdc->locks = 0;
	pdc->close_wanted = false;
	pdc->close_asked = false;
	pdc->gave_up = false;
	pdc->idle_at = VTIME_NEVER;
	pdc->give_up_at = VTIME_NEVER;
	src_init(pdc, start_psn);
	dst_init(pdc, start_psn);
	cc_start(pdc, start_psn);
}

void pdc_learn(struct pdc *pdc, uint16_t dpdcid)
{
	if (pdc->state != PDC_CREATING || !dpdcid)
		return;
	pdc->dpdcid = dpdcid;
	if (!pdc_bind(pdc))
		return;
	pdc_enter(pdc, PDC_ESTABLISHED);
}

bool pdc_takes(const struct pdc *pdc, bool som, uint16_t msg_id)
{
	const bool open =
		pdc->state == PDC_CREATING || pdc->state == PDC_ESTABLISHED;

	if (som)
		return open && !pdc->close_wanted;
	if (!pdc->msg_open || pdc->open_msg_id != msg_id)
		return false;
	return open || pdc->state == PDC_QUIESCE;
}

/*
 * Close_REQ_Time runs from the Close Request, since an ACK may be sent much
 * later.
 */
void pdc_ask_close(struct pdc *pdc, enum op_close how)
{
	uint32_t psn;

	if (how != OP_CLOSE_ACK && pdc->give_up_at == VTIME_NEVER) {
		if (src_add_cp(pdc, PDS_CP_CLOSE_REQUEST, &psn))
			return;
		pdc->give_up_at = pdc->env->now + pdc->env->conf.close_req_time;
	}
	if (how != OP_CLOSE_CP)
		pdc->close_asked = true;
}

typedef void cp_fn(struct pdc *pdc, const struct pds_rx *rx);

static void cp_clear_command(struct pdc *pdc, const struct pds_rx *rx)
{
	dst_rx_clear(pdc, rx->payload);
}

static void cp_clear_request(struct pdc *pdc, const struct pds_rx *rx)
{
	(void)rx;
	src_want_clear(pdc);
}

static void cp_unexpected(struct pdc *pdc, const struct pds_rx *rx)
{
	pdc_send_nack(pdc->env, pdc, rx, NACK_UNEXP_EVENT);
	env_drop(pdc->env, DROP_UNEXPECTED);
}

static void cp_close_command(struct pdc *pdc, const struct pds_rx *rx)
{
	if (pdc->role == PDC_TARGET)
		dst_rx(pdc, rx);
	else
		cp_unexpected(pdc, rx);
}

static void cp_close_request(struct pdc *pdc, const struct pds_rx *rx)
{
	if (pdc->role == PDC_INITIATOR)
		dst_rx(pdc, rx);
	else
		cp_unexpected(pdc, rx);
}

static cp_fn *const cp_rx[16] = {
	[PDS_CP_NOOP] = dst_rx,
	[PDS_CP_ACK_REQUEST] = dst_rx_ack_request,
	[PDS_CP_CLEAR_COMMAND] = cp_clear_command,
	[PDS_CP_CLEAR_REQUEST] = cp_clear_request,
	[PDS_CP_CLOSE_COMMAND] = cp_close_command,
	[PDS_CP_CLOSE_REQUEST] = cp_close_request,
	[PDS_CP_PROBE] = dst_rx_probe,
	[PDS_CP_CREDIT] = cc_rx_credit,
	[PDS_CP_CREDIT_REQUEST] = cc_rx_credit_request,
	[PDS_CP_NEGOTIATION] = dst_rx,
};

void pdc_rx_cp(struct pdc *pdc, const struct pds_rx *rx)
{
	cp_fn *fn = cp_rx[rx->ctl_type % 16];

	if (fn)
		fn(pdc, rx);
	else
		cp_unexpected(pdc, rx);
}

/* The steps of a close; each returns true if it changed the state. */
typedef bool step_fn(struct pdc *pdc);

static bool step_established(struct pdc *pdc)
{
	if (!pdc->close_wanted)
		return false;
	pdc_enter(pdc, PDC_QUIESCE);
	if (pdc->src.paused) {
		pdc->src.paused = false;
		pds_pause(pdc->ses, pdc->fep, pdc_mode(pdc), pdc->spdcid,
			  false);
	}
	return true;
}

/* Finishes open messages; a lock waits for return data. */
static bool step_quiesce(struct pdc *pdc)
{
	if (pdc->msg_open || pdc->locks)
		return false;
	pdc_enter(pdc, PDC_ACK_WAIT);
	return true;
}

static bool step_ack_wait(struct pdc *pdc)
{
	if (!src_idle(pdc))
		return false;
	if (src_add_cp(pdc, PDS_CP_CLOSE_COMMAND, &pdc->close_psn))
		return false;
	pdc_enter(pdc, PDC_CLOSE_ACK_WAIT);
	return true;
}

/* The Close Command was the last packet; its ACK frees the PDC. */
static bool step_close_ack_wait(struct pdc *pdc)
{
	if (!src_idle(pdc))
		return false;
	pdc_release(pdc);
	return true;
}

/* The target ends its return direction first. */
static bool step_closing(struct pdc *pdc)
{
	if (pdc->gave_up || !src_idle(pdc))
		return false;
	dst_ack_cp(pdc, pdc->close_psn);
	pdc_release(pdc);
	return true;
}

static step_fn *const steps[PDC_STATES] = {
	[PDC_ESTABLISHED] = step_established,
	[PDC_QUIESCE] = step_quiesce,
	[PDC_ACK_WAIT] = step_ack_wait,
	[PDC_CLOSE_ACK_WAIT] = step_close_ack_wait,
	[PDC_CLOSING] = step_closing,
};

bool pdc_is_idle(const struct pdc *pdc)
{
	return pdc->role == PDC_INITIATOR && pdc->state == PDC_ESTABLISHED &&
	       src_idle(pdc) && !pdc->msg_open && !pdc->locks;
}

/* A target is idle until the next request, which sets |idle_at| back. */
static bool is_idle_target(const struct pdc *pdc)
{
	return pdc->role == PDC_TARGET && pdc->state == PDC_ESTABLISHED &&
	       src_idle(pdc) && !pdc->close_asked &&
	       pdc->give_up_at == VTIME_NEVER;
}

static void watch_idling(struct pdc *pdc)
{
	const struct orc_conf *conf = &pdc->env->conf;
	const bool target = pdc->role == PDC_TARGET;
	const vspan span = target ? conf->ask_close_idle : conf->close_idle;

	if (!span)
		return;
	if (!pdc_is_idle(pdc) && !is_idle_target(pdc))
		pdc->idle_at = VTIME_NEVER;
	else if (pdc->idle_at == VTIME_NEVER)
		pdc->idle_at = pdc->env->now + span;
}

static vtime pdc_deadline(const struct pdc *pdc)
{
	const vtime life = vtime_min(pdc->idle_at, pdc->give_up_at);
	const vtime ask = vtime_min(life, pdc->dst.ask_clear_at);

	return vtime_min(ask, src_deadline(pdc));
}

/*
 * "close the PDC before PSN reaches Start_PSN + 2^31" (uet.md 6.2), while there
 * is room for the longest message that may be open.
 */
static void watch_range(struct pdc *pdc)
{
	const uint32_t range = pdc->env->conf.psn_range;
	const uint32_t used = pdc->src.fl.next - pdc->start_psn;

	if (used < range - range / 4)
		return;
	if (pdc->role == PDC_INITIATOR)
		pdc->close_wanted = true;
	else if (!pdc->close_asked)
		pdc_ask_close(pdc, OP_CLOSE_BOTH);
}

void pdc_update(struct pdc *pdc)
{
	watch_range(pdc);
	while (steps[pdc->state] && steps[pdc->state](pdc))
		;
	if (pdc->state == PDC_CLOSED)
		return;
	inflight_rest(&pdc->src.fl, &pdc->env->mem);
	dst_rest(pdc);
	watch_idling(pdc);
	pdc_ring_set(pdc, src_ready(pdc));
	timers_set(&pdc->env->timers, &pdc->timer, pdc_deadline(pdc));
}

static void idle_ask_close(struct pdc *pdc)
{
	const bool in_acks = pdc->env->conf.ask_close_ack;

	pdc_ask_close(pdc, in_acks ? OP_CLOSE_BOTH : OP_CLOSE_CP);
}

/* The initiator did not react to a Close Request within Close_REQ_Time. */
static void pdc_give_up(struct pdc *pdc)
{
	const struct pds_error closed = {.status = STATUS_CLOSED};

	pdc->give_up_at = VTIME_NEVER;
	pdc->gave_up = true;
	pdc_enter(pdc, PDC_CLOSING);
	src_abandon(pdc, closed);
}

void pdc_tick(struct pdc *pdc)
{
	const vtime now = pdc->env->now;

	if (!src_tick(pdc)) {
		pdc_update(pdc);
		return;
	}
	if (pdc->idle_at <= now) {
		pdc->idle_at = VTIME_NEVER;
		if (pdc->role == PDC_INITIATOR)
			pdc_want_close(pdc);
		else
			idle_ask_close(pdc);
	}
	dst_ask_clear(pdc);
	if (pdc->give_up_at <= now)
		pdc_give_up(pdc);
	pdc_update(pdc);
}
