/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_rsp.c -- responses at a destination: taken
 * from the SES, sent in an ACK, stored if they are guaranteed, and cleared by
 * the source.
 *
 * Spec: UET 3.5.12, 3.5.20.1 (uet.md 7.1 to 7.4)
 */
#include "oracle/uet/pdc/destination/dst_rsp.h"

#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/uet/pdc/cc.h"
#include "oracle/uet/pdc/destination/dst_ack.h"
#include "oracle/uet/pdc/destination/dst_ring.h"
#include "oracle/uet/pdc/pdc_out.h"

/* Waits for a clear of the stored responses, unless it does already. */
static void await_clear(struct pdc *pdc)
{
	const vspan span = pdc->env->conf.ask_clear_time;
	struct pdc_dst *dst = &pdc->dst;

	if (!dst->nstored)
		dst->ask_clear_at = VTIME_NEVER;
	else if (span && dst->ask_clear_at == VTIME_NEVER)
		dst->ask_clear_at = pdc->env->now + span;
}

void dst_ask_clear(struct pdc *pdc)
{
	struct pdc_dst *dst = &pdc->dst;
	uint32_t psn = dst->rcvd.cack_psn + 1;

	if (dst->ask_clear_at > pdc->env->now)
		return;
	dst->ask_clear_at = VTIME_NEVER;
	if (!dst->nstored)
		return;
	while (!rcvd_has(&dst->rcvd, psn) ||
	       dst_slot(dst, psn)->state != DST_STORED)
		psn++;
	pdc_send_cp(pdc, PDS_CP_CLEAR_REQUEST, 0, psn);
	await_clear(pdc);
}

void dst_rx_clear(struct pdc *pdc, uint32_t clear_psn)
{
	struct pdc_dst *dst = &pdc->dst;
	uint32_t psn = serial_max(dst->clear_psn, dst->rcvd.cack_psn);

	if (!serial_after(clear_psn, dst->clear_psn))
		return;
	if (serial_after(clear_psn, dst->rcvd.max_psn))
		return; /* the CLEAR_PSN covers a PSN that was never received */
	dst->clear_psn = clear_psn;
	while (serial_before(psn, clear_psn)) {
		psn++;
		if (rcvd_has(&dst->rcvd, psn) &&
		    dst_slot(dst, psn)->state == DST_STORED) {
			dst_slot(dst, psn)->state = DST_SETTLED;
			dst->nstored--;
			rcvd_settle(&dst->rcvd, psn);
		}
	}
	await_clear(pdc);
}

/* Allocates one byte more than needed, so that |rsp| is not NULL. */
static bool pdc_dst_store(struct pdc *pdc, struct dst_pkt *pkt,
			  const struct ses_tx_rsp *rsp)
{
	uint8_t *bytes = mem_bytes(&pdc->env->mem, pkt->rsp, &pkt->rsp_cap,
				   rsp->rsp_len + 1u);

	if (!bytes)
		return false;
	pdc->dst.ring->heap |= pkt->rsp_cap > MEM_SMALL;
	pkt->rsp = bytes;
	pkt->rsp_hdr = rsp->next_hdr;
	pkt->rsp_len = rsp->rsp_len;
	if (rsp->rsp_len)
		memcpy(bytes, rsp->rsp, rsp->rsp_len);
	return true;
}

/*
 * "ACK_GEN_COUNT += max(packet payload bytes, ACK_Gen_Min_Pkt_Add); ACK and
 * reset when >= ACK_Gen_Trigger" (uet.md 7.1)
 */
static bool count_triggers(struct pdc *pdc, const struct dst_pkt *pkt)
{
	const struct orc_conf *conf = &pdc->env->conf;
	struct pdc_dst *dst = &pdc->dst;
	const uint32_t least = conf->ack_gen_min_pkt_add;

	dst->ack_gen_count += pkt->len > least ? pkt->len : least;
	return dst->ack_gen_count >= conf->ack_gen_trigger;
}

/*
 * Acknowledges each packet whose ACK waits although no CACK_PSN will cover it
 * soon: a stored response below holds CACK_PSN back.
 */
static void ack_waiting(struct pdc *pdc)
{
	struct pdc_dst *dst = &pdc->dst;
	uint32_t psn = dst->rcvd.cack_psn;

	if (!dst->waiting || !dst->nstored)
		return;
	dst->waiting = false;
	while (serial_before(psn++, dst->rcvd.max_psn)) {
		struct dst_pkt *pkt = dst_slot(dst, psn);

		if (!rcvd_has(&dst->rcvd, psn) || !pkt->waits)
			continue;
		pkt->waits = false;
		dst_ack_default(pdc, pkt, psn);
	}
}

/*
 * Returns true if an ACK that covers earlier packets, too, carries the response
 * to the packet at ACK_PSN: a guaranteed one, that to the last packet of a
 * message (figure 3-78, ACK 338) and that to return data (figure 3-81, ACK 49).
 * Otherwise it carries a default response (figure 3-81, ACK 334).
 */
static bool keeps_response(const struct pdc *pdc, const struct dst_pkt *pkt)
{
	if (pkt->state == DST_STORED)
		return true;
	return pkt->at_once && (pkt->eom || pdc->role == PDC_INITIATOR);
}

/* A guaranteed response has an ACK of its own. */
static void pdc_dst_acknowledge(struct pdc *pdc, struct dst_pkt *pkt,
				uint32_t psn, const struct ses_tx_rsp *rsp)
{
	struct pdc_dst *dst = &pdc->dst;
	const bool at_once = pkt->at_once || pkt->state == DST_STORED;

	if (!at_once && !count_triggers(pdc, pkt)) {
		pkt->waits = true;
		dst->waiting = true;
		dst->unacked++;
		return;
	}
	ack_waiting(pdc);
	if (!rsp->rsp || (dst->unacked && !keeps_response(pdc, pkt)))
		dst_ack_default(pdc, pkt, psn);
	else
		dst_ack_with(pdc, pkt, psn, rsp);
}

/* The SES refuses the packet: undoes its reception (uet.md 4.6). */
static void take_back(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn,
		      uint8_t code)
{
	const struct pds_rx rx = {
		.src = &pdc->peer,
		.entropy = pkt->entropy,
		.native = pkt->native,
		.ce = pkt->m,
		.retx = pkt->retx,
		.psn = psn,
		.spdcid = pdc->dpdcid,
	};

	if (serial_before(psn, pdc->dst.expected_psn))
		pdc->dst.expected_psn = psn;
	rcvd_unmark(&pdc->dst.rcvd, psn);
	pdc_refuse(pdc, &rx, code, DROP_REFUSED);
}

/* Returns the PSN near CACK_PSN that ends in these 16 bits. */
static uint32_t pdc_dst_psn_of(const struct pdc_dst *dst, uint16_t low)
{
	const uint32_t first = dst->rcvd.cack_psn + 1;

	return first + (uint16_t)(low - (uint16_t)first);
}

static int pdc_dst_settle(struct pdc *pdc, struct dst_pkt *pkt, uint32_t psn,
			  const struct ses_tx_rsp *rsp)
{
	if (rsp->gtd_del && rsp->rsp != pkt->rsp &&
	    !pdc_dst_store(pdc, pkt, rsp))
		return ERR_NOMEM;
	cc_took(pdc, pkt->nominal);
	pkt->rsp_again = rsp->again && !pdc->env->conf.keep_read_data;
	pkt->state = rsp->gtd_del ? DST_STORED : DST_SETTLED;
	if (rsp->gtd_del)
		pdc->dst.nstored++;
	else
		rcvd_settle(&pdc->dst.rcvd, psn);
	await_clear(pdc);
	pdc_dst_acknowledge(pdc, pkt, psn, rsp);
	return 0;
}

/* Sends the answers that waited for an earlier one. */
static void settle_line(struct pdc *pdc)
{
	struct pdc_dst *dst = &pdc->dst;

	while (serial_before(dst->answer_psn, dst->expected_psn)) {
		struct dst_pkt *pkt = dst_slot(dst, dst->answer_psn);
		const struct ses_tx_rsp rsp = {
			.gtd_del = pkt->rsp_gtd,
			.next_hdr = pkt->rsp_hdr,
			.rsp = pkt->rsp,
			.rsp_len = pkt->rsp_len,
		};

		if (pkt->state != DST_IN_LINE)
			return;
		pdc_dst_settle(pdc, pkt, dst->answer_psn++, &rsp);
	}
}

/*
 * The closing ACK is the last: a closing initiator waits for no other answer.
 */
static bool ends_line(const struct pdc *pdc, uint32_t psn)
{
	return pdc->state == PDC_CLOSING && psn == pdc->close_psn;
}

/*
 * "ROD ACKs are sent in the order of the packets that they acknowledge"
 * (3.5.7.2): an answer that comes early waits.  One that comes a second time,
 * because a read ran again, does not.
 */
static int pdc_dst_take_response(struct pdc *pdc, struct dst_pkt *pkt,
				 uint32_t psn, const struct ses_tx_rsp *rsp)
{
	int err;

	if (pdc->rod && serial_after(psn, pdc->dst.answer_psn) &&
	    !ends_line(pdc, psn)) {
		if (!pdc_dst_store(pdc, pkt, rsp))
			return ERR_NOMEM;
		pkt->rsp_gtd = rsp->gtd_del;
		pkt->state = DST_IN_LINE;
		return 0;
	}
	err = pdc_dst_settle(pdc, pkt, psn, rsp);
	if (err || !pdc->rod || psn != pdc->dst.answer_psn)
		return err;
	pdc->dst.answer_psn++;
	settle_line(pdc);
	return 0;
}

/* The SES has no response: the PDS makes one. */
static int take_default(struct pdc *pdc, struct dst_pkt *pkt, uint32_t psn,
			bool gtd_del)
{
	uint8_t bytes[ses_response_len] = {0};
	const struct ses_tx_rsp rsp = {
		.gtd_del = gtd_del,
		.next_hdr = PDS_NEXT_RESPONSE,
		.rsp = bytes,
		.rsp_len = (uint16_t)dst_default_response(pdc, pkt->ids, bytes),
	};

	return pdc_dst_take_response(pdc, pkt, psn, &rsp);
}

int dst_respond(struct pdc *pdc, uint16_t psn_low, const struct ses_tx_rsp *rsp)
{
	struct pdc_dst *dst = &pdc->dst;
	const uint32_t psn = pdc_dst_psn_of(dst, psn_low);
	struct dst_pkt *pkt;

	if (rcvd_ahead(&dst->rcvd, psn) || !rcvd_has(&dst->rcvd, psn))
		return ERR_STATE;
	pkt = dst_slot(dst, psn);
	if (pkt->state != DST_WITH_SES)
		return ERR_STATE;
	if (!pkt->cp)
		dst->nwith_ses--;
	if (rsp->ses_nack) {
		take_back(pdc, pkt, psn, rsp->ses_nack);
		return 0;
	}
	if (rsp->rsp || pkt->cp)
		return pdc_dst_take_response(pdc, pkt, psn, rsp);
	return take_default(pdc, pkt, psn, rsp->gtd_del);
}
