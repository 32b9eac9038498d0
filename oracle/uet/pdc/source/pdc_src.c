/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/pdc_src.c -- the half of a PDC that sends requests: it
 * takes packets of the SES, numbers, sends and times them.
 *
 * States of a packet: added (it has its PSN), sent (it waits for its RTO), done
 * (the SES has its response; the PSN may be cleared).  A time-out or a NACK
 * leads to a retransmission.  A SACK bit leads to an ACK Request: the packet
 * itself is not retransmitted any more.
 *
 * Spec: UET 3.5.11, 3.5.15, 3.5.16.3 (uet.md 6.6, 7.2, 7.3, 8)
 */
#include "oracle/uet/pdc/source/pdc_src.h"

#include <string.h>

#include "base/err.h"
#include "base/pattern.h"
#include "base/serial.h"
#include "oracle/uet/pdc/cc.h"
#include "oracle/uet/pdc/pdc_fail.h"
#include "oracle/uet/pdc/pdc_out.h"
#include "oracle/uet/pdc/source/src_clear.h"
#include "oracle/uet/pdc/source/src_repair.h"
#include "oracle/uet/pdc/source/src_window.h"

#define USE_RSV_PDC 0x8000 /* bit of the SYN overlay (uet.md 3.2) */

void src_init(struct pdc *pdc, uint32_t start_psn)
{
	struct pdc_src *src = &pdc->src;

	inflight_init(&src->fl, start_psn);
	src->tx_psn = start_psn;
	src->cack_psn = start_psn - 1;
	src->mp_range = pdc->env->conf.default_mpr * (uint32_t)MPR_UNIT;
	src->clear_due = false;
	src->paused = false;
	src->went_back = false;
	src->abandoned = false;
	src->stalled_at = 0; /* at once */
	src->stalls = 0;
}

int src_add(struct pdc *pdc, const struct ses_tx *tx, uint32_t *ret_psn)
{
	const struct orc_conf *conf = &pdc->env->conf;
	const uint32_t psn = pdc->src.fl.next;
	struct inflight_pkt *pkt =
		inflight_add(&pdc->src.fl, &pdc->env->mem, tx->pkt_len);

	if (!pkt)
		return ERR_NOMEM;
	memcpy(pkt->bytes, tx->pkt, tx->pkt_len);
	pkt->late_id = tx->late.id;
	pkt->late_at = tx->late.offset;
	pkt->late_len = tx->late.len;
	pkt->next_hdr = tx->next_hdr;
	pkt->tx_pkt_handle = tx->tx_pkt_handle;
	pkt->ar = conf->ack_per_pkt || (conf->ar_on_eom && tx->eom);
	*ret_psn = psn;
	return 0;
}

int src_add_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t *ret_psn)
{
	const uint32_t psn = pdc->src.fl.next;
	struct inflight_pkt *pkt =
		inflight_add(&pdc->src.fl, &pdc->env->mem, 0);

	if (!pkt)
		return ERR_NOMEM;
	pkt->cp = true;
	pkt->ctl_type = ctl_type;
	pkt->ar = true;
	*ret_psn = psn;
	return 0;
}

int src_add_negotiation(struct pdc *pdc, uint32_t features)
{
	const struct cp_negotiation h = {
		.neg_type = 1, .neg_length = 2, .feature_mask = features};
	const uint16_t len = features ? cp_negotiation_len : 0;
	struct inflight_pkt *pkt =
		inflight_add(&pdc->src.fl, &pdc->env->mem, len);

	if (!pkt)
		return ERR_NOMEM;
	pkt->cp = true;
	pkt->ctl_type = PDS_CP_NEGOTIATION;
	pkt->ar = true;
	if (len)
		cp_negotiation_put(&h, pkt->bytes);
	return 0;
}

/*
 * Returns true for packets that need neither credit nor room in the window: a
 * control packet, since a PDC must be closed without any, and a retransmitted
 * SYN that needs credit, since that cannot be requested yet.
 */
static bool is_free(const struct pdc *pdc, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);

	if (!cc_is_credit(pdc) || cc_is_waiting(pdc))
		return pkt->cp;
	return pkt->cp || (pkt->sent && pdc->state == PDC_CREATING);
}

static bool next_to_send(const struct pdc *pdc, uint32_t *ret)
{
	return src_next(pdc, ret) && (is_free(pdc, *ret) || cc_can_send(pdc));
}

bool src_ready(const struct pdc *pdc)
{
	uint32_t psn;

	return next_to_send(pdc, &psn);
}

/*
 * Returns true if the window is closed by stored responses although every
 * request inside it was answered.  They hold CACK_PSN back.  The Clear that
 * opens the window at the destination is not acknowledged, so the source must
 * request the new CACK_PSN.
 */
static bool src_stalled(const struct pdc *pdc)
{
	const struct pdc_src *src = &pdc->src;
	uint32_t psn;

	if (src_in_window(pdc, src->tx_psn) || src_next_retx(pdc, &psn) ||
	    inflight_deadline(&src->fl) != VTIME_NEVER)
		return false;
	return src->paused || src->tx_psn != src->fl.next ||
	       inflight_first(&src->fl, INFLIGHT_RETX, &psn);
}

/*
 * Returns the dpdcid field: before TPDCID is known, the SYN overlay {0,
 * psn_offset}.
 */
static uint16_t dpdcid_field(const struct pdc *pdc, uint32_t psn)
{
	if (pdc->state == PDC_CREATING && pdc->context.rsv_pdc)
		return (uint16_t)(USE_RSV_PDC | (psn - pdc->start_psn));
	if (pdc->state == PDC_CREATING)
		return (uint16_t)(psn - pdc->start_psn);
	return pdc->dpdcid;
}

static uint8_t req_type(const struct pdc *pdc)
{
	if (cc_is_credit(pdc))
		return pdc->rod ? PDS_ROD_CC_REQ : PDS_RUD_CC_REQ;
	return pdc->rod ? PDS_ROD_REQ : PDS_RUD_REQ;
}

/*
 * Writes the payload that the slot does not hold, or what conf.short_payload
 * permits of it, and returns its length.
 */
static size_t write_late(const struct pdc *pdc, const struct inflight_pkt *pkt,
			 uint8_t *p)
{
	if (pkt->late_len)
		pattern_fill(p, pdc->env->data_seed, pkt->late_id, pkt->late_at,
			     env_written(pdc->env, pkt->late_len));
	return pkt->late_len;
}

static size_t write_req(struct pdc *pdc, const struct inflight_pkt *pkt,
			uint32_t psn, uint8_t *p)
{
	const uint32_t clear_psn = src_clear_psn(pdc);
	const struct pds_req h = {
		.type = req_type(pdc),
		.next_hdr = pkt->next_hdr,
		.retx = pkt->sent,
		.ar = pkt->ar || pkt->sent,
		.syn = pdc->state == PDC_CREATING,
		.clear_psn_offset = (int16_t)serial_diff(clear_psn, psn),
		.psn = psn,
		.spdcid = pdc->spdcid,
		.dpdcid = dpdcid_field(pdc, psn),
	};
	size_t at = pds_req_len;

	pds_req_put(&h, p);
	if (cc_is_credit(pdc))
		at += cc_put_req(pdc, p + at);
	memcpy(p + at, pkt->bytes, pkt->len);
	src_told_clear(&pdc->src, clear_psn);
	at += pkt->len;
	return at + write_late(pdc, pkt, p + at);
}

static size_t write_cp(struct pdc *pdc, const struct inflight_pkt *pkt,
		       uint32_t psn, uint8_t *p)
{
	const struct pds_cp h = {
		.type = PDS_CP,
		.ctl_type = pkt->ctl_type,
		.isrod = pdc->rod && pdc_tells_mode(pkt->ctl_type),
		.retx = pkt->sent,
		.ar = pkt->ar,
		.syn = pdc->state == PDC_CREATING,
		.psn = psn,
		.spdcid = pdc->spdcid,
		.dpdcid = dpdcid_field(pdc, psn),
	};
	const struct cp_payload payload = {0};

	pds_cp_put(&h, p);
	cp_payload_put(&payload, p + pds_cp_len);
	if (!pkt->len)
		return pds_cp_len + cp_payload_len;
	memcpy(p + pds_cp_len, pkt->bytes, pkt->len);
	return pds_cp_len + (size_t)pkt->len;
}

/*
 * Returns the DSCP of the traffic class; class 0 uses that of the
 * configuration.
 */
static uint8_t dscp_of(const struct pdc *pdc)
{
	return pdc->context.tc ? pdc->context.tc & 0x3f
			       : pdc->env->conf.dscp_data;
}

/*
 * Returns the entropy value of the next packet.  "EV may change per packet" in
 * RUD, repeats included; ROD has "one EV".
 */
static uint16_t path_of(struct pdc *pdc, struct inflight_pkt *pkt)
{
	if (pdc->rod || pkt->cp)
		return pdc->entropy;
	if (pdc->env->conf.path_choice != ORC_PATHS_IN_TURN)
		return cc_path(pdc, pkt);
	return env_entropy_of_path(pdc->entropy,
				   pdc->path++ % pdc->env->conf.spray);
}

bool src_poll(struct pdc *pdc, struct dgram *ret)
{
	struct pdc_src *src = &pdc->src;
	const struct orc_conf *conf = &pdc->env->conf;
	struct inflight_pkt *pkt;
	uint32_t psn;

	if (!next_to_send(pdc, &psn))
		return false;
	pkt = inflight_at(&src->fl, psn);
	inflight_expect_bytes(&src->fl, psn);
	pkt->ar |= cc_wants_ack(pdc);
	ret->dst = pdc->peer;
	ret->entropy = path_of(pdc, pkt);
	ret->native = pdc->native;
	ret->dscp = pkt->cp ? conf->dscp_control : dscp_of(pdc);
	ret->ecn = ECN_ECT0;
	ret->len = pkt->cp ? write_cp(pdc, pkt, psn, ret->data)
			   : write_req(pdc, pkt, psn, ret->data);
	pdc->env->stats.tx_retx += pkt->sent;
	if (psn == src->tx_psn)
		src->tx_psn++;
	cc_sent(pdc, pkt, ret->len);
	pkt->sent = true;
	pkt->nacked = false;
	src_watch(pdc, psn);
	return true;
}

static bool tick_stalled(struct pdc *pdc)
{
	struct pdc_src *src = &pdc->src;
	const struct pds_error retries_exhausted = {.status = STATUS_RETRIES};

	if (src->abandoned || src->stalls > pdc->env->conf.max_rto_retx) {
		pdc_fail(pdc, retries_exhausted, true);
		return false;
	}
	src_send_clear(pdc);
	pdc_send_cp(pdc, PDS_CP_ACK_REQUEST, src_clear_psn(pdc), 0);
	src->stalled_at = pdc->env->now + env_rto(pdc->env, src->stalls++);
	return true;
}

static vtime stalled_deadline(const struct pdc *pdc)
{
	return src_stalled(pdc) ? pdc->src.stalled_at : VTIME_NEVER;
}

bool src_tick(struct pdc *pdc)
{
	const vtime now = pdc->env->now;
	uint32_t psn;

	while (inflight_due(&pdc->src.fl, now, &psn))
		if (!src_tick_packet(pdc, psn))
			return false;
	if (stalled_deadline(pdc) <= now)
		return tick_stalled(pdc);
	if (src_clear_deadline(pdc) <= now) {
		src_send_clear(pdc);
		pdc->src.clear_due = false; /* idle: everything is cleared */
	}
	return cc_tick(pdc);
}

vtime src_deadline(const struct pdc *pdc)
{
	const vtime packet = inflight_deadline(&pdc->src.fl);
	const vtime clear =
		vtime_min(src_clear_deadline(pdc), cc_deadline(pdc));

	return vtime_min(packet, vtime_min(clear, stalled_deadline(pdc)));
}
