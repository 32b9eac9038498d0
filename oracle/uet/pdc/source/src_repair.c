/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_repair.c -- how a source repairs a loss: its RTO
 * expires, or a NACK requests a packet.
 *
 * In RUD a packet is retransmitted alone, in ROD with all later ones
 * (Go-Back-N).
 *
 * Spec: UET 3.5.12.7, 3.5.15 (uet.md 4, 7.6, 8)
 */
#include "oracle/uet/pdc/source/src_repair.h"

#include "base/serial.h"
#include "oracle/uet/pdc/cc.h"
#include "oracle/uet/pdc/nack.h"
#include "oracle/uet/pdc/pdc_fail.h"
#include "oracle/uet/pdc/pdc_out.h"
#include "oracle/uet/pdc/source/src_window.h"
#include "oracle/uet/ses/ses_hdr.h"

void src_await(struct pdc *pdc, uint32_t psn, unsigned rto_count)
{
	const unsigned last = INFLIGHT_RTO_LEVELS - 1;
	const vspan span = env_rto(pdc->env, rto_count);

	inflight_wait(&pdc->src.fl, psn, rto_count < last ? rto_count : last,
		      pdc->env->now + span);
}

/* ROD: only the oldest packet waits for its RTO. */
void src_watch_oldest(struct pdc *pdc)
{
	const struct inflight *fl = &pdc->src.fl;
	const struct inflight_pkt *pkt = inflight_at(fl, fl->base);

	if (pkt && pkt->sent && pkt->queue == INFLIGHT_NONE)
		src_await(pdc, fl->base, pkt->rto_count);
}

/* Starts the RTO of a packet that was sent. */
void src_watch(struct pdc *pdc, uint32_t psn)
{
	if (!pdc->rod) {
		src_await(pdc, psn, inflight_at(&pdc->src.fl, psn)->rto_count);
		return;
	}
	inflight_wait(&pdc->src.fl, psn, INFLIGHT_NONE, 0);
	src_watch_oldest(pdc);
}

/*
 * Returns the id for a default response, whose sender may have forgotten the
 * packet.
 */
static uint16_t message_id_of(const struct inflight_pkt *pkt)
{
	return ses_ids_of(pkt->next_hdr, pkt->bytes, pkt->len).message_id;
}

void src_ask_ack(struct pdc *pdc, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);
	const bool req = pkt && !pkt->cp;

	pdc_send_cp(pdc, PDS_CP_ACK_REQUEST, psn, req ? message_id_of(pkt) : 0);
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

/* ROD: |psn| is the first that is missing: all later packets were dropped. */
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
			src_watch(pdc, i); /* it arrived after all */
	}
}

/*
 * Returns the first PSN before |psn| that waits for its retransmission, or
 * |psn|.
 */
static uint32_t first_queued(const struct pdc_src *src, uint32_t psn)
{
	uint32_t i = src->fl.base;

	while (serial_before(i, psn) &&
	       inflight_at(&src->fl, i)->queue != INFLIGHT_RETX)
		i++;
	return i;
}

/*
 * Repairs a missing packet, depending on the mode.  Only ROD_OOO reports that
 * earlier packets arrived: without it, those that wait for their
 * retransmission are still missing.
 */
static void pdc_src_repair(struct pdc *pdc, uint32_t psn)
{
	if (pdc->rod)
		pdc_src_go_back(pdc, first_queued(&pdc->src, psn));
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
	if (!is_news(pdc, nack) || src_is_held_up(pdc) || missing->done ||
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

	if (pkt && (nack->nack_code == NACK_TRIMMED ||
		    nack->nack_code == NACK_TRIMMED_LASTHOP))
		cc_lost(pdc, pkt, true);
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
		cc_lost(pdc, pkt, true);
		pdc_src_repair(pdc, psn);
		return true;
	}
	pdc_send_cp(pdc, PDS_CP_ACK_REQUEST, psn, message_id_of(pkt));
	src_await(pdc, psn, pkt->rto_count);
	return true;
}

bool src_tick_packet(struct pdc *pdc, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(&pdc->src.fl, psn);

	if (pkt->queue != INFLIGHT_NACK)
		return pdc_src_timed_out(pdc, psn);
	pdc_src_repair(pdc, psn);
	return true;
}
