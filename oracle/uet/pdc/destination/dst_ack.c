/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_ack.c -- the ACKs of a destination: their
 * three forms, and the response that each carries.
 *
 * Spec: UET 3.5.12, 3.5.16.8 (uet.md 7.1 to 7.4)
 */
#include "oracle/uet/pdc/destination/dst_ack.h"

#include <string.h>

#include "base/serial.h"
#include "oracle/uet/pdc/cc.h"

#define CCX_TYPE 14 /* 14 and 15 are proprietary, all others reserved */

/* The contents of one ACK. */
struct ack {
	uint32_t psn; /* ACK_PSN */
	bool retx, m, p;
	uint8_t req;
	uint16_t probe_opaque;
	uint32_t sack_psn;
	vtime arrived; /* arrival time of the packet that it answers */
	uint16_t entropy;
	uint8_t native;
	uint8_t next_hdr; /* next_hdr of |rsp| */
	const uint8_t *rsp;
	size_t rsp_len;
};

static size_t pdc_dst_write_ack(const struct pdc *pdc, const struct ack *ack,
				uint8_t type, uint8_t *p)
{
	const uint32_t cack_psn = pdc->dst.rcvd.cack_psn;
	const int32_t offset = serial_diff(ack->psn, cack_psn);
	const struct pds_ack h = {
		.type = type,
		.next_hdr = ack->next_hdr,
		.m = ack->m,
		.retx = ack->retx,
		.p = ack->p,
		.req = ack->req,
		.ack_psn_offset =
			(int16_t)(ack->p ? ack->probe_opaque : offset),
		.cack_psn = cack_psn,
		.spdcid = pdc->spdcid,
		.dpdcid = pdc->dpdcid,
	};

	pds_ack_put(&h, p);
	return pds_ack_len;
}

static size_t write_plain(const struct pdc *pdc, const struct ack *ack,
			  uint8_t *p)
{
	return pdc_dst_write_ack(pdc, ack, PDS_ACK, p);
}

static size_t write_cc(const struct pdc *pdc, const struct ack *ack, uint8_t *p)
{
	const struct pdc_dst *dst = &pdc->dst;
	const struct pds_ack_cc cc = {
		.cc_type = cc_type(pdc),
		.mpr = pdc->env->conf.mpr,
		.sack_psn_offset =
			(int16_t)serial_diff(ack->sack_psn, dst->rcvd.cack_psn),
		.sack_bitmap = rcvd_bitmap(&dst->rcvd, ack->sack_psn),
	};
	size_t at = pdc_dst_write_ack(pdc, ack, PDS_ACK_CC, p);

	pds_ack_cc_put(&cc, p + at);
	at += pds_ack_cc_len;
	cc_put_state(pdc, ack->arrived, p + at);
	return at + pds_nscc_len;
}

static size_t write_ccx(const struct pdc *pdc, const struct ack *ack,
			uint8_t *p)
{
	const struct rcvd *rcvd = &pdc->dst.rcvd;
	const struct pds_ack_ccx ccx = {
		.ccx_type = CCX_TYPE,
		.mpr = pdc->env->conf.mpr,
		.sack_psn_offset =
			(int16_t)serial_diff(ack->sack_psn, rcvd->cack_psn),
		.sack_bitmap = rcvd_bitmap(rcvd, ack->sack_psn),
	};
	const size_t at = pdc_dst_write_ack(pdc, ack, PDS_ACK_CCX, p);

	pds_ack_ccx_put(&ccx, p + at);
	return at + pds_ack_ccx_len;
}

struct ack_form {
	size_t len;
	size_t (*write)(const struct pdc *pdc, const struct ack *ack,
			uint8_t *p);
};

static const struct ack_form ack_forms[] = {
	[ORC_ACK] = {pds_ack_len, write_plain},
	[ORC_ACK_CC] = {pds_ack_len + pds_ack_cc_len + pds_nscc_len, write_cc},
	[ORC_ACK_CCX] = {pds_ack_len + pds_ack_ccx_len, write_ccx},
};

/*
 * "ACKs that carry more read data than Trimmable_ACK_Size use a trimmable
 * DSCP": the DSCP of data packets.
 */
static uint8_t ack_dscp(const struct orc_conf *conf, const struct ack *ack)
{
	const bool data = ack->next_hdr >= PDS_NEXT_RESPONSE_DATA &&
			  ack->rsp_len > conf->trimmable_ack;

	return data ? conf->dscp_data : conf->dscp_control;
}

static void send_ack(struct pdc *pdc, const struct ack *ack)
{
	struct env *env = pdc->env;
	const struct ack_form *form = &ack_forms[env->conf.ack_type];
	const struct outq_head head = {
		.dst = pdc->peer,
		.entropy = ack->entropy, /* that of the answered packet */
		.dscp = ack_dscp(&env->conf, ack),
		.native = ack->native,
		.len = (uint32_t)(form->len + ack->rsp_len),
	};
	uint8_t *p = outq_add(&env->out, &env->mem, &head);

	if (!p)
		return;
	p += form->write(pdc, ack, p);
	if (ack->rsp_len)
		memcpy(p, ack->rsp, ack->rsp_len);
	env->stats.tx_ack++;
	pdc->dst.ack_gen_count = 0;
	pdc->dst.unacked = 0;
}

/*
 * Writes the response that the PDS makes itself (table 3-43): for duplicates
 * whose response is not stored and for ACKs that cover several packets.
 */
size_t dst_default_response(const struct pdc *pdc, struct ses_ids ids,
			    uint8_t *p)
{
	const struct ses_response h = {
		.opcode = SES_DEFAULT_RESPONSE,
		.return_code = pdc->env->conf.default_rc,
		.message_id = ids.message_id,
		.job_id = ids.job_id,
	};

	ses_response_put(&h, p);
	return ses_response_len;
}

/* Only the target requests clears and closes (table 3-44). */
static uint8_t req_flags(const struct pdc *pdc, bool stored)
{
	if (pdc->role != PDC_TARGET)
		return PDS_REQ_NONE;
	if (stored)
		return PDS_REQ_CLEAR;
	return pdc->close_asked ? PDS_REQ_CLOSE : PDS_REQ_NONE;
}

/*
 * Returns all fields of an ACK but the response, from the slot of the packet.
 */
static struct ack pdc_dst_ack_of(struct pdc *pdc, const struct dst_pkt *pkt,
				 uint32_t psn)
{
	return (struct ack){
		.psn = psn,
		.retx = pkt->retx,
		.m = pkt->m,
		.req = req_flags(pdc, pkt->state == DST_STORED),
		.sack_psn = cc_sack_base(pdc, psn),
		.arrived = pkt->arrived,
		.entropy = pkt->entropy,
		.native = pkt->native,
	};
}

void dst_ack_with(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn,
		  const struct ses_tx_rsp *rsp)
{
	struct ack ack = pdc_dst_ack_of(pdc, pkt, psn);

	ack.next_hdr = rsp->next_hdr;
	ack.rsp = rsp->rsp;
	ack.rsp_len = rsp->rsp_len;
	send_ack(pdc, &ack);
}

void dst_ack_default(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn)
{
	struct ack ack = pdc_dst_ack_of(pdc, pkt, psn);
	uint8_t rsp[ses_response_len] = {0};

	ack.next_hdr = PDS_NEXT_RESPONSE;
	ack.rsp = rsp;
	ack.rsp_len = dst_default_response(pdc, pkt->ids, rsp);
	if (pkt->cp) {
		ack.next_hdr = PDS_NEXT_NONE;
		ack.rsp_len = 0;
	}
	send_ack(pdc, &ack);
}

void dst_ack_stored(struct pdc *pdc, const struct dst_pkt *pkt, uint32_t psn)
{
	const struct ses_tx_rsp rsp = {
		.next_hdr = pkt->rsp_hdr,
		.rsp = pkt->rsp,
		.rsp_len = pkt->rsp_len,
	};

	dst_ack_with(pdc, pkt, psn, &rsp);
}

/*
 * Returns the bitmap base that the Probe wants, limited by the offset field and
 * by Start_PSN, below which nothing was received.
 */
static uint32_t probe_base(const struct pdc *pdc, uint32_t wanted)
{
	const uint32_t cack = pdc->dst.rcvd.cack_psn;
	const int32_t offset = serial_diff(wanted, cack);

	if (offset != (int16_t)offset)
		return cack + 1;
	return serial_before(wanted, pdc->start_psn) ? pdc->start_psn : wanted;
}

/* "ACK(_CC) with p=1 and probe_opaque echoed in place of ack_psn_offset" */
void dst_rx_probe(struct pdc *pdc, const struct pds_rx *rx)
{
	const struct ack ack = {
		.psn = pdc->dst.rcvd.cack_psn,
		.p = true,
		.m = rx->ce,
		.retx = rx->retx,
		.probe_opaque = rx->probe_opaque,
		.sack_psn = probe_base(pdc, rx->payload),
		.req = req_flags(pdc, false),
		.arrived = pdc->env->now,
		.entropy = rx->entropy,
		.native = rx->native,
		.next_hdr = PDS_NEXT_NONE,
	};

	send_ack(pdc, &ack);
}
