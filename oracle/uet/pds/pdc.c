/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pdc.c -- a packet delivery context: identity, states, control
 * packets.
 *
 * Spec: UET 3.5.8, 3.5.16 (uet.md 3.10, 6)
 */
#include "oracle/uet/pds/pdc.h"

#include "base/err.h"
#include "oracle/uet/pds/pds.h"

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
	if (!pds_bind(pdc->pds, pdc))
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

void pdc_want_close(struct pdc *pdc)
{
	if (pdc->role == PDC_INITIATOR)
		pdc->close_wanted = true;
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

/* Control packets without a PSN (uet.md 3.10). */
static const bool cp_asks[16] = {
	[PDS_CP_ACK_REQUEST] = true,
	[PDS_CP_PROBE] = true,
};

void pdc_put_cp(struct pdc *pdc, const struct pds_cp *h, uint32_t payload)
{
	struct env *env = pdc->env;
	const struct outq_head head = {
		.dst = pdc->peer,
		.entropy = pdc->entropy,
		.dscp = env->conf.dscp_control,
		.native = pdc->native,
		.len = pds_cp_len + cp_payload_len,
	};
	const struct cp_payload tail = {.payload = payload};
	struct pds_cp whole = *h;
	uint8_t *p = outq_add(&env->out, &env->mem, &head);

	if (!p)
		return;
	whole.type = PDS_CP;
	whole.spdcid = pdc->spdcid;
	whole.dpdcid = pdc->dpdcid;
	pds_cp_put(&whole, p);
	cp_payload_put(&tail, p + pds_cp_len);
}

void pdc_send_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t psn,
		 uint32_t payload)
{
	const struct pds_cp h = {
		.ctl_type = ctl_type,
		.ar = cp_asks[ctl_type],
		.psn = psn,
	};

	pdc_put_cp(pdc, &h, payload);
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
	pds_nack(pdc->pds, pdc, rx, NACK_UNEXP_EVENT);
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

/* The ACK of a control packet carries no SES header. */
static void ack_cp(struct pdc *pdc, uint32_t psn)
{
	const struct ses_tx_rsp none = {.next_hdr = PDS_NEXT_NONE};

	dst_respond(pdc, (uint16_t)psn, &none);
}

static void took_noop(struct pdc *pdc, const struct pds_rx *rx)
{
	ack_cp(pdc, rx->psn);
}

/* "The Close Command implicitly clears every forward PSN" (uet.md 6.7). */
static void took_close_command(struct pdc *pdc, const struct pds_rx *rx)
{
	dst_rx_clear(pdc, rx->psn);
	pdc->close_psn = rx->psn;
	pdc_enter(pdc, PDC_CLOSING);
}

static void took_close_request(struct pdc *pdc, const struct pds_rx *rx)
{
	ack_cp(pdc, rx->psn);
	pdc_want_close(pdc);
}

static cp_fn *const cp_taken[16] = {
	[PDS_CP_NOOP] = took_noop,
	/* every offered feature is declined */
	[PDS_CP_NEGOTIATION] = took_noop,
	[PDS_CP_CLOSE_COMMAND] = took_close_command,
	[PDS_CP_CLOSE_REQUEST] = took_close_request,
};

void pdc_rx_cp_delivered(struct pdc *pdc, const struct pds_rx *rx)
{
	cp_taken[rx->ctl_type](pdc, rx);
}

void pdc_fail(struct pdc *pdc, struct pds_error err, bool tell)
{
	const bool closing = pdc->state == PDC_CLOSE_ACK_WAIT;
	const bool can = pdc->role == PDC_INITIATOR && pdc->dpdcid;

	/* the closing ACK was lost, or the peer is gone: closed */
	if (closing) {
		pds_close(pdc->pds, pdc);
		return;
	}
	pdc_enter(pdc, PDC_ACK_WAIT); /* accepts no more packets */
	pdc->msg_open = false;
	pdc->locks = 0;
	src_abandon(pdc, err);
	pds_ses_closed(pdc->pds->ses, pdc->fep, pdc->spdcid, err);
	if (!tell || !can || !src_has_room(pdc))
		pds_close(pdc->pds, pdc);
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
		pds_pause(pdc->pds->ses, pdc->fep, pdc_mode(pdc), pdc->spdcid,
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
	pds_close(pdc->pds, pdc);
	return true;
}

/* The target ends its return direction first. */
static bool step_closing(struct pdc *pdc)
{
	if (pdc->gave_up || !src_idle(pdc))
		return false;
	ack_cp(pdc, pdc->close_psn);
	pds_close(pdc->pds, pdc);
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

static void watch_idling(struct pdc *pdc)
{
	const vspan span = pdc->env->conf.close_idle;

	if (!span)
		return;
	if (!pdc_is_idle(pdc))
		pdc->idle_at = VTIME_NEVER;
	else if (pdc->idle_at == VTIME_NEVER)
		pdc->idle_at = pdc->env->now + span;
}

static vtime pdc_deadline(const struct pdc *pdc)
{
	const vtime life = vtime_min(pdc->idle_at, pdc->give_up_at);

	return vtime_min(life, src_deadline(pdc));
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
	pds_ready(pdc->pds, pdc, src_ready(pdc));
	timers_set(&pdc->env->timers, &pdc->timer, pdc_deadline(pdc));
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
		pdc_want_close(pdc);
	}
	if (pdc->give_up_at <= now)
		pdc_give_up(pdc);
	pdc_update(pdc);
}
