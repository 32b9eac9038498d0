/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pdc_src.c -- the half of a PDC that sends requests.
 *
 * States of a packet: added (it has its PSN), sent (it waits for its RTO), done
 * (the SES has its response; the PSN may be cleared).  A time-out or a NACK
 * leads to a retransmission.  A SACK bit leads to an ACK Request: the packet
 * itself is not retransmitted any more.
 *
 * Spec: UET 3.5.11, 3.5.15, 3.5.16.3 (uet.md 6.6, 7.2, 7.3, 8)
 */
#include "oracle/uet/pds/pdc_src.h"

#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/uet/pds/nack.h"
#include "oracle/uet/pds/pdc.h"
#include "oracle/uet/pds/pds.h"

/* psn_offset has 12 bits: no SYN is further from its Start_PSN (3.5.8.2). */
#define SYN_PSN_OFFSET_MAX 4095

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

uint32_t src_clear_psn(const struct pdc *pdc)
{
	return pdc->src.fl.base - 1;
}

/* "psn <= CACK_PSN + MP_RANGE", new and retransmitted alike (uet.md 6.6). */
static bool pdc_src_in_window(const struct pdc *pdc, uint32_t psn)
{
	const struct pdc_src *src = &pdc->src;

	return serial_diff(psn, src->cack_psn) <= (int32_t)src->mp_range;
}

static bool syn_reaches(const struct pdc *pdc, uint32_t psn)
{
	return pdc->state != PDC_CREATING ||
	       psn - pdc->start_psn <= SYN_PSN_OFFSET_MAX;
}

bool src_has_room(const struct pdc *pdc)
{
	const uint32_t psn = pdc->src.fl.next;

	return pdc_src_in_window(pdc, psn) && syn_reaches(pdc, psn);
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

/* ROD: a packet behind one that must wait would be out of order. */
static bool is_held_up(const struct pdc *pdc)
{
	uint32_t psn;

	return pdc->rod && inflight_first(&pdc->src.fl, INFLIGHT_NACK, &psn);
}

/*
 * Finds the next retransmission; those outside a reduced window do not block
 * the others.
 */
static bool next_to_repeat(const struct pdc *pdc, uint32_t *ret)
{
	const struct inflight *fl = &pdc->src.fl;
	bool any = inflight_first(fl, INFLIGHT_RETX, ret);

	while (any && !pdc_src_in_window(pdc, *ret))
		any = inflight_after(fl, *ret, ret);
	return any;
}

/* Finds the next packet: retransmissions first, then the first new one. */
static bool next_in_line(const struct pdc *pdc, uint32_t *ret)
{
	const struct pdc_src *src = &pdc->src;

	if (is_held_up(pdc))
		return false;
	if (next_to_repeat(pdc, ret))
		return true;
	*ret = src->tx_psn;
	return src->tx_psn != src->fl.next && pdc_src_in_window(pdc, *ret);
}

/*
 * Returns true for packets that need no credit: a control packet, since a PDC
 * must be closed without any, and a retransmitted SYN, since credit cannot be
 * requested yet.
 */
static bool is_free(const struct pdc *pdc, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);

	return pkt->cp || (pkt->sent && pdc->state == PDC_CREATING);
}

static bool next_to_send(const struct pdc *pdc, uint32_t *ret)
{
	return next_in_line(pdc, ret) &&
	       (is_free(pdc, *ret) || cc_can_send(pdc));
}

bool src_ready(const struct pdc *pdc)
{
	uint32_t psn;

	return next_to_send(pdc, &psn);
}

bool src_waits(const struct pdc *pdc)
{
	uint32_t psn;

	return next_in_line(pdc, &psn);
}

bool src_idle(const struct pdc *pdc)
{
	return pdc->src.fl.busy == 0;
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

	if (pdc_src_in_window(pdc, src->tx_psn) || next_to_repeat(pdc, &psn) ||
	    inflight_deadline(&src->fl) != VTIME_NEVER)
		return false;
	return src->paused || src->tx_psn != src->fl.next ||
	       inflight_first(&src->fl, INFLIGHT_RETX, &psn);
}

static void pdc_src_await(struct pdc *pdc, uint32_t psn, unsigned rto_count)
{
	const unsigned last = INFLIGHT_RTO_LEVELS - 1;
	const vspan span = env_rto(pdc->env, rto_count);

	inflight_wait(&pdc->src.fl, psn, rto_count < last ? rto_count : last,
		      pdc->env->now + span);
}

/*
 * A packet to send carries CLEAR_PSN, which may satisfy the destination's
 * request.
 */
static void clear_told(struct pdc_src *src, uint32_t clear_psn)
{
	if (!serial_before(clear_psn, src->clear_asked))
		src->clear_due = false;
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
	clear_told(&pdc->src, clear_psn);
	return at + pkt->len;
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

/* ROD: only the oldest packet waits for its RTO. */
static void watch_oldest(struct pdc *pdc)
{
	const struct inflight *fl = &pdc->src.fl;
	const struct inflight_pkt *pkt = inflight_at(fl, fl->base);

	if (pkt && pkt->sent && pkt->queue == INFLIGHT_NONE)
		pdc_src_await(pdc, fl->base, pkt->rto_count);
}

/* Starts the RTO of a packet that was sent. */
static void pdc_src_watch(struct pdc *pdc, uint32_t psn)
{
	if (!pdc->rod) {
		pdc_src_await(pdc, psn,
			      inflight_at(&pdc->src.fl, psn)->rto_count);
		return;
	}
	inflight_wait(&pdc->src.fl, psn, INFLIGHT_NONE, 0);
	watch_oldest(pdc);
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

bool src_poll(struct pdc *pdc, struct dgram *ret)
{
	struct pdc_src *src = &pdc->src;
	const struct orc_conf *conf = &pdc->env->conf;
	struct inflight_pkt *pkt;
	uint32_t psn;

	if (!next_to_send(pdc, &psn))
		return false;
	pkt = inflight_at(&src->fl, psn);
	pkt->ar |= cc_wants_ack(pdc);
	ret->dst = pdc->peer;
	ret->entropy = pdc->entropy;
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
	pdc_src_watch(pdc, psn);
	return true;
}

/* Handles the response to |psn|; rsp NULL means the default response. */
static void pdc_src_answered(struct pdc *pdc, uint32_t psn, uint8_t next_hdr,
			     const uint8_t *rsp, size_t rsp_len)
{
	struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);
	struct ses_rx_rsp rx;

	if (!pkt || pkt->done)
		return;
	cc_landed(pdc, pkt);
	rx = (struct ses_rx_rsp){
		.tx_pkt_handle = pkt->tx_pkt_handle,
		.next_hdr = next_hdr,
		.rsp = rsp,
		.rsp_len = rsp_len,
		.pdcid = pdc->spdcid,
		.psn = psn,
	};
	inflight_done(&pdc->src.fl, psn);
	if (!pkt->cp) /* the SES has no control packets */
		pds_ses_rx_rsp(pdc->pds->ses, &rx);
}

static void answered_own(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	pdc_src_answered(pdc, ack->ack_psn, ack->next_hdr, ack->rsp,
			 ack->rsp_len);
}

/*
 * "For each newly acknowledged request PDS hands SES a response: the carried
 * SES header for ACK_PSN; for others the default response" (uet.md 7.2).
 */
static void pdc_src_take_cack(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	struct pdc_src *src = &pdc->src;

	while (src->fl.base != src->fl.next &&
	       !serial_after(src->fl.base, ack->cack_psn)) {
		if (!ack->p && src->fl.base == ack->ack_psn)
			answered_own(pdc, ack);
		else
			pdc_src_answered(pdc, src->fl.base, PDS_NEXT_NONE, NULL,
					 0);
	}
}

/* Handles a SACK bit: the packet arrived; its response is not known yet. */
static void take_sack_bit(struct pdc *pdc, uint32_t psn)
{
	struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);

	if (!pkt || pkt->done || pkt->sacked || !pkt->sent)
		return;
	cc_landed(pdc, pkt);
	pkt->sacked = true;
	if (!pdc->rod && pkt->queue >= INFLIGHT_NACK)
		pdc_src_await(pdc, psn, pkt->rto_count);
}

static void pdc_src_take_sack(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	for (uint64_t left = ack->sack_bitmap; left; left &= left - 1) {
		const uint32_t i = (uint32_t)__builtin_ctzll(left);

		take_sack_bit(pdc, ack->sack_psn + i);
	}
}

/* "Take MPR only from an ACK whose cack_psn is not older than the newest". */
static void take_window(struct pdc_src *src, const struct pds_ack_rx *ack)
{
	if (serial_before(ack->cack_psn, src->cack_psn))
		return;
	if (ack->cack_psn != src->cack_psn) {
		src->stalls = 0;
		src->stalled_at = 0;
	}
	src->cack_psn = ack->cack_psn;
	if (ack->mpr)
		src->mp_range = ack->mpr * (uint32_t)MPR_UNIT;
}

/*
 * Returns the id for a default response, whose sender may have forgotten the
 * packet.
 */
static uint16_t message_id_of(const struct inflight_pkt *pkt)
{
	return ses_ids_of(pkt->next_hdr, pkt->bytes, pkt->len).message_id;
}

static void want_clear(struct pdc *pdc, uint32_t asked, vspan wait)
{
	struct pdc_src *src = &pdc->src;

	if (!src->clear_due || serial_after(asked, src->clear_asked))
		src->clear_asked = asked;
	src->clear_due = true;
	src->clear_at = pdc->env->now + wait;
}

void src_ask_ack(struct pdc *pdc, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);
	const bool req = pkt && !pkt->cp;

	pdc_send_cp(pdc, PDS_CP_ACK_REQUEST, psn, req ? message_id_of(pkt) : 0);
}

void src_want_clear(struct pdc *pdc)
{
	want_clear(pdc, src_clear_psn(pdc), 0);
}

static void take_req_none(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	(void)pdc;
	(void)ack;
}

static void take_req_clear(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	const uint32_t asked = ack->p ? src_clear_psn(pdc) : ack->ack_psn;

	want_clear(pdc, asked, pdc->env->conf.pds_clear_time);
}

static void take_req_close(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	(void)ack;
	pdc_want_close(pdc);
}

typedef void take_req_fn(struct pdc *pdc, const struct pds_ack_rx *ack);

static take_req_fn *const take_req[4] = {
	[PDS_REQ_NONE] = take_req_none,
	[PDS_REQ_CLEAR] = take_req_clear,
	[PDS_REQ_CLOSE] = take_req_close,
	[3] = take_req_none, /* reserved value */
};

/* Resumes the paused SES: the window is open again. */
static void pdc_src_resume(struct pdc *pdc)
{
	if (!pdc->src.paused || !src_has_room(pdc))
		return;
	pdc->src.paused = false;
	pds_pause(pdc->pds->ses, pdc->fep, pdc_mode(pdc), pdc->spdcid, false);
}

/* Returns true if the ACK covers only sent PSNs. */
static bool plausible(const struct pdc_src *src, const struct pds_ack_rx *ack)
{
	const uint32_t last = src->tx_psn - 1;

	if (serial_after(ack->cack_psn, last))
		return false;
	return ack->p || !serial_after(ack->ack_psn, last);
}

/* ROD: starts the RTO of the packet that is the oldest now. */
static void follow_oldest(struct pdc *pdc, uint32_t old_base)
{
	struct pdc_src *src = &pdc->src;

	if (!pdc->rod || src->fl.base == old_base)
		return;
	if (serial_after(src->fl.base, src->back_top))
		src->went_back = false;
	watch_oldest(pdc);
}

void src_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	struct pdc_src *src = &pdc->src;
	const uint32_t old_base = src->fl.base;

	if (!plausible(src, ack)) {
		env_drop(pdc->env, DROP_BAD_ACK);
		return;
	}
	src->cc.heard = true;
	cc_rx_ack(pdc, ack);
	take_window(src, ack);
	pdc_src_take_cack(pdc, ack);
	if (!ack->p)
		answered_own(pdc, ack);
	pdc_src_take_sack(pdc, ack);
	follow_oldest(pdc, old_base);
	cc_infer_loss(pdc, ack);
	take_req[ack->req](pdc, ack);
	pdc_src_resume(pdc);
}

/* The source's reaction to each action of nack.c. */
typedef void react_fn(struct pdc *pdc, struct inflight_pkt *pkt,
		      const struct pds_nack *nack);

static void react_ignore(struct pdc *pdc, struct inflight_pkt *pkt,
			 const struct pds_nack *nack)
{
	(void)pkt;
	(void)nack;
	env_drop(pdc->env, DROP_BAD_NACK);
}

/*
 * NACKs have a budget of their own, Max_NACK_Retx_Cnt (uet.md 4.5).  It counts
 * retransmissions: a second NACK before the retransmission, such as a network
 * duplicate, requests no other one.
 */
static bool nack_budget(struct pdc *pdc, struct inflight_pkt *pkt)
{
	const struct pds_error retries_exhausted = {.status = STATUS_RETRIES};

	if (pkt->nacked || pkt->nack_count < pdc->env->conf.max_nack_retx) {
		pkt->nack_count += !pkt->nacked;
		pkt->nacked = true;
		cc_landed(pdc, pkt);
		return true;
	}
	pdc_fail(pdc, retries_exhausted, true);
	return false;
}

/* Retransmits one packet: the others were received. */
static void send_again(struct pdc *pdc, uint32_t psn)
{
	cc_landed(pdc, inflight_at(&pdc->src.fl, psn));
	inflight_at(&pdc->src.fl, psn)->sacked = false;
	inflight_wait(&pdc->src.fl, psn, INFLIGHT_RETX, 0);
}

/* ROD: |psn| is missing, so all later packets were dropped. */
static void pdc_src_go_back(struct pdc *pdc, uint32_t psn)
{
	struct pdc_src *src = &pdc->src;

	src->went_back = true;
	src->back_psn = psn;
	src->back_top = src->tx_psn - 1;
	src->back_at = pdc->env->now;
	for (uint32_t i = src->fl.base; i != src->tx_psn; i++) {
		struct inflight_pkt *pkt = inflight_at(&src->fl, i);

		if (pkt->done)
			continue;
		if (!serial_before(i, psn))
			send_again(pdc, i);
		else if (pkt->queue == INFLIGHT_RETX)
			pdc_src_watch(pdc, i); /* it arrived after all */
	}
}

/* Repairs a missing packet, depending on the mode. */
static void pdc_src_repair(struct pdc *pdc, uint32_t psn)
{
	if (pdc->rod)
		pdc_src_go_back(pdc, psn);
	else
		send_again(pdc, psn);
}

static void react_retx(struct pdc *pdc, struct inflight_pkt *pkt,
		       const struct pds_nack *nack)
{
	if (nack_budget(pdc, pkt))
		pdc_src_repair(pdc, nack->nack_psn);
}

static void react_retx_one(struct pdc *pdc, struct inflight_pkt *pkt,
			   const struct pds_nack *nack)
{
	if (nack_budget(pdc, pkt))
		send_again(pdc, nack->nack_psn);
}

/*
 * Returns true for a ROD_OOO that requires a go-back.  ROD_OOO has Expected_PSN
 * in its payload, or 0: then the oldest packet is the first that can be missing
 * (uet.md 4.3).  Every packet behind a gap may cause one, and so may copies in
 * flight: after the first one the others change nothing. Without Expected_PSN a
 * new gap cannot be told from the old one until everything that had been sent
 * is retransmitted.  With Expected_PSN it can, but no two gaps are repaired
 * within NACK_Retx_Time, since a link that reorders packets would fill up with
 * retransmissions.
 */
static bool is_news(const struct pdc *pdc, const struct pds_nack *nack)
{
	const struct pdc_src *src = &pdc->src;

	if (!src->went_back)
		return true;
	return nack->payload && nack->payload != src->back_psn &&
	       pdc->env->now >= src->back_at + pdc->env->conf.nack_retx_time;
}

static void react_go_back(struct pdc *pdc, struct inflight_pkt *pkt,
			  const struct pds_nack *nack)
{
	struct pdc_src *src = &pdc->src;
	const uint32_t psn = nack->payload ? nack->payload : src->fl.base;
	struct inflight_pkt *missing = inflight_at(&src->fl, psn);

	if (!pdc->rod || !missing || serial_after(psn, nack->nack_psn)) {
		react_ignore(pdc, pkt, nack);
		return;
	}
	if (!is_news(pdc, nack) || is_held_up(pdc) || missing->done ||
	    !nack_budget(pdc, missing))
		return;
	pdc_src_go_back(pdc, psn);
}

static void react_retx_wait(struct pdc *pdc, struct inflight_pkt *pkt,
			    const struct pds_nack *nack)
{
	const vtime due = pdc->env->now + pdc->env->conf.nack_retx_time;

	if (!nack_budget(pdc, pkt))
		return;
	inflight_wait(&pdc->src.fl, nack->nack_psn, INFLIGHT_NACK, due);
}

static void react_retx_newer(struct pdc *pdc, struct inflight_pkt *pkt,
			     const struct pds_nack *nack)
{
	if (serial_after(nack->nack_psn, pdc->src.cack_psn))
		react_retx_wait(pdc, pkt, nack);
}

static void react_await(struct pdc *pdc, struct inflight_pkt *pkt,
			const struct pds_nack *nack)
{
	(void)pdc;
	(void)pkt;
	(void)nack;
}

static void react_close(struct pdc *pdc, struct inflight_pkt *pkt,
			const struct pds_nack *nack)
{
	const struct pds_error fatal = {.status = STATUS_FATAL,
					.nack_code = nack->nack_code};

	(void)pkt;
	pdc_fail(pdc, fatal, true);
}

static void react_free(struct pdc *pdc, struct inflight_pkt *pkt,
		       const struct pds_nack *nack)
{
	const struct pds_error fatal = {
		.retry = nack_may_retry(nack->nack_code),
		.status = STATUS_FATAL,
		.nack_code = nack->nack_code,
	};

	(void)pkt;
	pdc_fail(pdc, fatal, false);
}

static react_fn *const reactions[] = {
	[REACT_IGNORE] = react_ignore,
	[REACT_RETX] = react_retx,
	[REACT_RETX_WAIT] = react_retx_wait,
	[REACT_RETX_NEWER] = react_retx_newer,
	[REACT_AWAIT] = react_await,
	[REACT_RETX_ONE] = react_retx_one,
	[REACT_GO_BACK] = react_go_back,
	[REACT_RENUMBER] = react_ignore, /* see pdc_renumber */
	[REACT_CLOSE] = react_close,
	[REACT_FREE] = react_free,
};

/* Ignores a NACK of a packet that is not in flight (uet.md 4.4). */
void src_rx_nack(struct pdc *pdc, const struct pds_nack *nack)
{
	struct pdc_src *src = &pdc->src;
	struct inflight_pkt *pkt = inflight_at(&src->fl, nack->nack_psn);

	if (!pkt || pkt->done || !pkt->sent) {
		env_drop(pdc->env, DROP_BAD_NACK);
		return;
	}
	src->cc.heard = true;
	reactions[nack_rule_of(nack->nack_code)->react](pdc, pkt, nack);
}

/* Handles an expired RTO.  Return: false if it was the last retry. */
static bool pdc_src_timed_out(struct pdc *pdc, uint32_t psn)
{
	struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);
	const struct pds_error retries_exhausted = {.status = STATUS_RETRIES};

	if (pkt->rto_count >= pdc->env->conf.max_rto_retx) {
		pdc_fail(pdc, retries_exhausted, true);
		return false;
	}
	pkt->rto_count++;
	if (!pkt->sacked) {
		pdc_src_repair(pdc, psn);
		return true;
	}
	pdc_send_cp(pdc, PDS_CP_ACK_REQUEST, psn, message_id_of(pkt));
	pdc_src_await(pdc, psn, pkt->rto_count);
	return true;
}

static bool tick_packet(struct pdc *pdc, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);

	if (pkt->queue != INFLIGHT_NACK)
		return pdc_src_timed_out(pdc, psn);
	pdc_src_repair(pdc, psn);
	return true;
}

static void pdc_src_send_clear(struct pdc *pdc)
{
	const uint32_t clear_psn = src_clear_psn(pdc);

	clear_told(&pdc->src, clear_psn);
	pdc_send_cp(pdc, PDS_CP_CLEAR_COMMAND, 0, clear_psn);
}

static bool tick_stalled(struct pdc *pdc)
{
	struct pdc_src *src = &pdc->src;
	const struct pds_error retries_exhausted = {.status = STATUS_RETRIES};

	if (src->abandoned || src->stalls > pdc->env->conf.max_rto_retx) {
		pdc_fail(pdc, retries_exhausted, true);
		return false;
	}
	pdc_src_send_clear(pdc);
	pdc_send_cp(pdc, PDS_CP_ACK_REQUEST, src_clear_psn(pdc), 0);
	src->stalled_at = pdc->env->now + env_rto(pdc->env, src->stalls++);
	return true;
}

/*
 * Returns when to send a Clear Command: a clear is wanted, and no pending or
 * unacknowledged request could carry it (3.5.16.3.1).
 */
static vtime clear_deadline(const struct pdc *pdc)
{
	if (!pdc->src.clear_due || !src_idle(pdc) || !pdc->dpdcid)
		return VTIME_NEVER;
	return pdc->src.clear_at;
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
		if (!tick_packet(pdc, psn))
			return false;
	if (stalled_deadline(pdc) <= now)
		return tick_stalled(pdc);
	if (clear_deadline(pdc) <= now) {
		pdc_src_send_clear(pdc);
		pdc->src.clear_due = false; /* idle: everything is cleared */
	}
	return cc_tick(pdc);
}

vtime src_deadline(const struct pdc *pdc)
{
	const vtime packet = inflight_deadline(&pdc->src.fl);
	const vtime clear = vtime_min(clear_deadline(pdc), cc_deadline(pdc));

	return vtime_min(packet, vtime_min(clear, stalled_deadline(pdc)));
}

void src_abandon(struct pdc *pdc, struct pds_error err)
{
	struct inflight *fl = &pdc->src.fl;

	while (fl->base != fl->next) {
		const struct inflight_pkt *pkt = inflight_at(fl, fl->base);
		const uint32_t handle = pkt->tx_pkt_handle;
		const bool cp = pkt->cp;

		err.psn = fl->base;
		inflight_done(fl, fl->base);
		if (!cp)
			pds_ses_error(pdc->pds->ses, handle, err);
	}
	/* The close reuses the PSNs of packets that were never sent. */
	inflight_rewind(fl, pdc->src.tx_psn);
	pdc->src.cc.inflight = 0;
	pdc->src.clear_due = false;
	pdc->src.paused = false;
	pdc->src.abandoned = true;
}
