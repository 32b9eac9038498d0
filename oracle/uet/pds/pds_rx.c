/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_rx.c -- finds the PDC of a datagram, or the NACK for one
 * without a PDC.
 *
 * Spec: UET 3.5.8.2 for the order of the checks (uet.md 6.3), 3.5.12.7 for the
 * NACKs (uet.md 4)
 */
#include "oracle/uet/pds/pds_rx.h"

#include "base/err.h"
#include "base/serial.h"
#include "oracle/uet/pdc/destination/pdc_dst.h"
#include "oracle/uet/pdc/pdc.h"
#include "oracle/uet/pdc/pdc_out.h"
#include "oracle/uet/pdc/pdc_renumber.h"
#include "oracle/uet/pdc/source/src_ack.h"
#include "oracle/uet/pdc/source/src_repair.h"
#include "oracle/uet/pds/pds.h"
#include "oracle/uet/pds/pds_limit.h"
#include "oracle/uet/pds/pds_table.h"
#include "oracle/uet/ses/ses_hdr.h"
#include "oracle/uet/uud.h"

/* Refuses a packet that no PDC accepts. */
static struct pdc *pds_rx_refuse(struct pds *pds, const struct pdc *pdc,
				 const struct pds_rx *rx, uint8_t code,
				 enum drop_reason why)
{
	pdc_send_nack(pds->env, pdc, rx, code);
	env_drop(pds->env, why);
	return NULL;
}

/* Returns true for packets that may open a PDC. */
static bool may_open(const struct pds_rx *rx)
{
	if (rx->type == PDS_CP)
		return rx->ctl_type == PDS_CP_NOOP ||
		       rx->ctl_type == PDS_CP_NEGOTIATION;
	return ses_req_len(rx->next_hdr) != 0;
}

/*
 * "A trimmed packet is NACKed even if it is a SYN for an unknown PDC"
 * (3.5.8.2, step 1); the sources disagree, so it is a setting.
 */
static struct pdc *trimmed_syn(struct pds *pds, const struct pds_rx *rx)
{
	if (pds->env->conf.trim_syn)
		pdc_send_nack(pds->env, NULL, rx, rx->trimmed);
	env_drop(pds->env, DROP_TRIMMED);
	return NULL;
}

/* An unknown SYN creates a PDC (3.5.8.2, step 2a). */
static struct pdc *accept_syn(struct pds *pds, uint32_t fep,
			      const struct pds_rx *rx)
{
	struct pdc *pdc;
	uint8_t code;

	if (pds_is_late(&pds->late, pds->env, fep, rx)) {
		env_drop(pds->env, DROP_LATE);
		return NULL;
	}
	if (rx->trimmed)
		return trimmed_syn(pds, rx);
	if (!rx->spdcid) /* PDCID 0 is no PDC (3.5.8.1) */
		return pds_rx_refuse(pds, NULL, rx, NACK_INVALID_SYN,
				     DROP_INVALID_SYN);
	if (!may_open(rx))
		return pds_rx_refuse(pds, NULL, rx, NACK_PDC_HDR_MISMATCH,
				     DROP_MISMATCH);
	if (rx->rod && rx->psn_offset) /* it must have Start_PSN */
		return pds_rx_refuse(pds, NULL, rx, NACK_ROD_OOO,
				     DROP_OUT_OF_ORDER);
	code = pds_short_for_syn(pds, fep);
	if (code)
		return pds_rx_refuse(pds, NULL, rx, code, DROP_NO_PDC);
	pdc = pds_accept(pds, fep, rx);
	if (pdc)
		return pdc;
	pds_ask_for_room(pds);
	return pds_rx_refuse(pds, NULL, rx, NACK_NO_PDC_AVAIL, DROP_NO_PDC);
}

/*
 * A SYN of a known PDC is an ordinary packet, if it agrees with the first one
 * (step 2b); it never allocates twice.
 */
static struct pdc *check_syn(struct pds *pds, struct pdc *pdc,
			     const struct pds_rx *rx)
{
	const struct rcvd *rcvd = &pdc->dst.rcvd;
	const uint32_t start_psn = rx->psn - rx->psn_offset;

	if (pdc->role == PDC_INITIATOR)
		return pds_rx_refuse(pds, pdc, rx, NACK_INVALID_SYN,
				     DROP_INVALID_SYN);
	if (start_psn != pdc->start_psn)
		return pds_rx_refuse(pds, pdc, rx, NACK_INVALID_SYN,
				     DROP_INVALID_SYN);
	if (rcvd_ahead(rcvd, rx->psn) || rcvd_behind(rcvd, rx->psn))
		return pds_rx_refuse(pds, pdc, rx, NACK_INVALID_SYN,
				     DROP_INVALID_SYN);
	return pdc;
}

static struct pdc *pds_rx_find_syn(struct pds *pds, const struct pds_rx *rx)
{
	struct pdc *pdc;
	uint32_t fep;

	if (pds_fep(pds, rx->src, &fep)) {
		env_drop(pds->env, DROP_NO_MEMORY);
		return NULL;
	}
	pdc = pds_of_peer(pds, fep, rx->spdcid);
	return pdc ? check_syn(pds, pdc, rx) : accept_syn(pds, fep, rx);
}

/* Returns true if a packet of that sender belongs to the PDC. */
static bool from_peer(const struct pdc *pdc, const struct ip_addr *src,
		      uint16_t spdcid)
{
	if (!ip_addr_equal(&pdc->peer, src))
		return false;
	return pdc->dpdcid == spdcid || pdc->state == PDC_CREATING;
}

static struct pdc *find_known(struct pds *pds, const struct pds_rx *rx)
{
	struct pdc *pdc = pds_pdc(pds, rx->dpdcid);

	if (!pdc)
		return pds_rx_refuse(pds, NULL, rx, NACK_INV_DPDCID,
				     DROP_UNKNOWN_PDC);
	if (!from_peer(pdc, rx->src, rx->spdcid))
		return pds_rx_refuse(pds, pdc, rx, NACK_PDC_HDR_MISMATCH,
				     DROP_MISMATCH);
	pdc_learn(pdc, rx->spdcid);
	return pdc;
}

/* Forward requests carry SES requests, return data carries responses. */
static bool suits_direction(const struct pdc *pdc, const struct pds_rx *rx)
{
	if (pdc->role == PDC_TARGET)
		return ses_req_len(rx->next_hdr) != 0;
	return rx->next_hdr == PDS_NEXT_RESPONSE_DATA ||
	       rx->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL;
}

static bool after_close(const struct pdc *pdc, const struct pds_rx *rx)
{
	return pdc->state == PDC_CLOSING && !pdc->gave_up &&
	       serial_after(rx->psn, pdc->close_psn);
}

/* A target that gave up a close reports it once; then there is no PDC. */
static struct pdc *pds_rx_check_end(struct pds *pds, struct pdc *pdc,
				    const struct pds_rx *rx)
{
	if (!pdc->gave_up)
		return pdc;
	pds_rx_refuse(pds, pdc, rx, NACK_CLOSING_IN_ERR, DROP_CLOSING);
	pds_close(pds, pdc);
	return NULL;
}

/* Steps 4c and 4d; the window and duplicates are the destination half's. */
static struct pdc *check_request(struct pds *pds, struct pdc *pdc,
				 const struct pds_rx *rx)
{
	if (rx->rod != pdc->rod)
		return pds_rx_refuse(pds, pdc, rx, NACK_PDC_MODE_MISMATCH,
				     DROP_MODE);
	if (!suits_direction(pdc, rx))
		return pds_rx_refuse(pds, pdc, rx, NACK_PDC_HDR_MISMATCH,
				     DROP_MISMATCH);
	if (after_close(pdc, rx))
		return pds_rx_refuse(pds, pdc, rx, NACK_CLOSING, DROP_CLOSING);
	return pds_rx_check_end(pds, pdc, rx);
}

static struct pdc *find_pdc(struct pds *pds, const struct pds_rx *rx)
{
	return rx->syn ? pds_rx_find_syn(pds, rx) : find_known(pds, rx);
}

/* A received datagram before its headers are checked. */
struct pds_rx_arrival {
	const struct dgram *d;
	size_t len; /* length without the CRC */
	uint8_t type;
	uint8_t trimmed; /* NACK code of a trimmed packet; 0: not trimmed */
};

static uint32_t add_offset(uint32_t psn, int16_t offset)
{
	const uint32_t distance = (uint32_t)offset;

	return psn + distance;
}

static void decode_target(struct pds_rx *ret, const uint8_t *p)
{
	struct pds_req_cc h;

	pds_req_cc_get(&h, p);
	ret->has_target = true;
	ret->credit_target = h.credit_target;
}

static void decode_request(struct pds_rx *ret, const struct pds_rx_arrival *in)
{
	const size_t at = pds_req_ses_at((enum pds_type)in->type);
	struct pds_req h;

	pds_req_get(&h, in->d->data);
	*ret = (struct pds_rx){
		.src = &in->d->src,
		.entropy = in->d->entropy,
		.native = in->d->native,
		.ce = in->d->ecn == ECN_CE,
		.len = in->len,
		.type = in->type,
		.next_hdr = h.next_hdr,
		.rod = in->type == PDS_ROD_REQ || in->type == PDS_ROD_CC_REQ,
		.retx = h.retx,
		.ar = h.ar,
		.syn = h.syn,
		.psn = h.psn,
		.clear_psn = add_offset(h.psn, h.clear_psn_offset),
		.spdcid = h.spdcid,
		.dpdcid = h.dpdcid,
		.psn_offset = h.dpdcid & 0xfff,
		.ses = in->d->data + at,
		.ses_len = in->len - at,
		.trimmed = in->trimmed,
	};
	if (pds_req_has_cc((enum pds_type)in->type))
		decode_target(ret, in->d->data + pds_req_len);
}

static void pds_rx_request(struct pds *pds, const struct pds_rx_arrival *in)
{
	struct pds_rx rx;
	struct pdc *pdc;

	if (in->len < pds_req_ses_at((enum pds_type)in->type)) {
		env_drop(pds->env, DROP_SHORT);
		return;
	}
	decode_request(&rx, in);
	pdc = find_pdc(pds, &rx);
	if (!pdc || !check_request(pds, pdc, &rx))
		return;
	dst_rx(pdc, &rx);
	pdc_update(pdc);
}

static void decode_cp(struct pds_rx *ret, const struct pds_rx_arrival *in)
{
	const uint8_t *p = in->d->data;
	struct pds_cp h;
	struct cp_payload tail;

	pds_cp_get(&h, p);
	cp_payload_get(&tail, p + pds_cp_len);
	*ret = (struct pds_rx){
		.src = &in->d->src,
		.entropy = in->d->entropy,
		.native = in->d->native,
		.ce = in->d->ecn == ECN_CE,
		.len = in->len,
		.type = PDS_CP,
		.next_hdr = PDS_NEXT_NONE,
		.ctl_type = h.ctl_type,
		.rod = pdc_tells_mode(h.ctl_type) && h.isrod,
		.retx = h.retx,
		.ar = h.ar,
		.syn = h.syn,
		.psn = h.psn,
		.spdcid = h.spdcid,
		.dpdcid = h.dpdcid,
		.psn_offset = h.dpdcid & 0xfff,
		.probe_opaque = h.probe_opaque,
		.payload = tail.payload,
	};
}

/* Most control packets carry no mode, and need no PSN beyond the last. */
static struct pdc *check_cp(struct pds *pds, struct pdc *pdc,
			    const struct pds_rx *rx)
{
	if (pdc_tells_mode(rx->ctl_type) && rx->rod != pdc->rod)
		return pds_rx_refuse(pds, pdc, rx, NACK_PDC_MODE_MISMATCH,
				     DROP_MODE);
	if (pdc_tells_mode(rx->ctl_type) && after_close(pdc, rx))
		return pds_rx_refuse(pds, pdc, rx, NACK_CLOSING, DROP_CLOSING);
	return pds_rx_check_end(pds, pdc, rx);
}

static void rx_cp(struct pds *pds, const struct pds_rx_arrival *in)
{
	struct pds_rx rx;
	struct pdc *pdc;

	if (in->len < pds_cp_len + cp_payload_len) {
		env_drop(pds->env, DROP_SHORT);
		return;
	}
	decode_cp(&rx, in);
	pdc = find_pdc(pds, &rx);
	if (!pdc || !check_cp(pds, pdc, &rx))
		return;
	pdc_rx_cp(pdc, &rx);
	pdc_update(pdc);
}

/* Finds the PDC of an ACK or NACK by dpdcid; these are never answered. */
static struct pdc *pds_rx_find_answered(struct pds *pds,
					const struct pds_rx_arrival *in,
					uint16_t spdcid, uint16_t dpdcid)
{
	struct pdc *pdc = pds_pdc(pds, dpdcid);

	if (!pdc) {
		env_drop(pds->env, DROP_UNKNOWN_PDC);
		return NULL;
	}
	if (!ip_addr_equal(&pdc->peer, &in->d->src) ||
	    (spdcid && !from_peer(pdc, &in->d->src, spdcid))) {
		env_drop(pds->env, DROP_MISMATCH);
		return NULL;
	}
	pdc_learn(pdc, spdcid);
	return pdc;
}

static void get_cc(struct pds_ack_rx *ret, const uint8_t *p)
{
	struct pds_ack_cc cc;

	struct pds_credit credit;

	pds_ack_cc_get(&cc, p);
	ret->has_cc = true;
	ret->mpr = cc.mpr;
	ret->sack_psn = add_offset(ret->cack_psn, cc.sack_psn_offset);
	ret->sack_bitmap = cc.sack_bitmap;
	ret->has_nscc = cc.cc_type == PDS_CC_NSCC;
	ret->has_credit = cc.cc_type == PDS_CC_CREDIT;
	pds_nscc_get(&ret->nscc, p + pds_ack_cc_len);
	pds_credit_get(&credit, p + pds_ack_cc_len);
	ret->credit = credit.credit;
}

static void get_ccx(struct pds_ack_rx *ret, const uint8_t *p)
{
	struct pds_ack_ccx ccx;

	pds_ack_ccx_get(&ccx, p);
	ret->has_cc = true;
	ret->mpr = ccx.mpr;
	ret->sack_psn = add_offset(ret->cack_psn, ccx.sack_psn_offset);
	ret->sack_bitmap = ccx.sack_bitmap;
}

/* The sections behind the 12 bytes that all ACKs share. */
static const struct {
	size_t len;
	void (*get)(struct pds_ack_rx *ret, const uint8_t *p);
} ack_tails[] = {
	[PDS_ACK] = {0, NULL},
	[PDS_ACK_CC] = {pds_ack_cc_len + pds_nscc_len, get_cc},
	[PDS_ACK_CCX] = {pds_ack_ccx_len, get_ccx},
};

/*
 * Returns true if the ACK is whole but its response is truncated: to take it
 * for a success would lose an error that the target has stored.
 */
static bool rsp_is_cut(const struct pds_ack_rx *ack)
{
	struct ses_rsp rsp;

	return ack->next_hdr >= PDS_NEXT_RESPONSE &&
	       ack->next_hdr <= PDS_NEXT_RESPONSE_DATA_SMALL &&
	       ses_rsp_get(&rsp, ack->next_hdr, ack->rsp, ack->rsp_len) ==
		       ERR_SHORT;
}

static void rx_ack(struct pds *pds, const struct pds_rx_arrival *in)
{
	const uint8_t *p = in->d->data;
	const size_t at = pds_ack_len + ack_tails[in->type].len;
	struct pds_ack_rx ack;
	struct pds_ack h;
	struct pdc *pdc;

	if (in->len < at) {
		env_drop(pds->env, DROP_SHORT);
		return;
	}
	pds_ack_get(&h, p);
	pdc = pds_rx_find_answered(pds, in, h.spdcid, h.dpdcid);
	if (!pdc)
		return;
	ack = (struct pds_ack_rx){
		.cack_psn = h.cack_psn,
		.ack_psn = add_offset(h.cack_psn, h.ack_psn_offset),
		.p = h.p,
		.probe_opaque = (uint16_t)h.ack_psn_offset,
		.m = h.m,
		.retx = h.retx,
		.req = h.req,
		.next_hdr = h.next_hdr,
		.rsp = p + at,
		.rsp_len = in->len - at,
	};
	if (rsp_is_cut(&ack)) {
		env_drop(pds->env, DROP_SHORT);
		return;
	}
	if (ack_tails[in->type].get)
		ack_tails[in->type].get(&ack, p + pds_ack_len);
	pds->env->stats.rx_ack++;
	src_rx_ack(pdc, &ack);
	pdc_update(pdc);
}

static void rx_nack(struct pds *pds, const struct pds_rx_arrival *in)
{
	struct pds_nack h;
	struct pdc *pdc;
	bool renumber; /* the PDC continues with SYNs: its TPDCID is not used */

	if (in->len < pds_nack_len) {
		env_drop(pds->env, DROP_SHORT);
		return;
	}
	pds_nack_get(&h, in->d->data);
	if (h.nt) {
		rudi_rx_nack(&pds->rudi, &(struct rudi_rx){in->d, in->len});
		return;
	}
	renumber = h.nack_code == NACK_NEW_START_PSN;
	pdc = pds_rx_find_answered(pds, in, renumber ? 0 : h.spdcid, h.dpdcid);
	if (!pdc)
		return;
	pds->env->stats.rx_nack++;
	if (renumber)
		pdc_renumber(pdc, &h);
	else
		src_rx_nack(pdc, &h);
	pdc_update(pdc);
}

static void rx_rudi_req(struct pds *pds, const struct pds_rx_arrival *in)
{
	const struct rudi_rx rx = {in->d, in->len};

	if (in->trimmed)
		rudi_rx_trimmed(&pds->rudi, &rx, in->trimmed);
	else
		rudi_rx_req(&pds->rudi, &rx);
}

static void pds_rx_rudi_rsp(struct pds *pds, const struct pds_rx_arrival *in)
{
	rudi_rx_rsp(&pds->rudi, &(struct rudi_rx){in->d, in->len});
}

static void rx_uud(struct pds *pds, const struct pds_rx_arrival *in)
{
	uud_rx(pds->env, pds->ses, in->d, in->len);
}

static void rx_other_mode(struct pds *pds, const struct pds_rx_arrival *in)
{
	(void)in;
	env_drop(pds->env, DROP_MODE);
}

typedef void rx_fn(struct pds *pds, const struct pds_rx_arrival *in);

static rx_fn *const rx_types[32] = {
	[PDS_TSS] = rx_other_mode,
	[PDS_RUD_REQ] = pds_rx_request,
	[PDS_ROD_REQ] = pds_rx_request,
	[PDS_RUDI_REQ] = rx_rudi_req,
	[PDS_RUDI_RESP] = pds_rx_rudi_rsp,
	[PDS_UUD_REQ] = rx_uud,
	[PDS_ACK] = rx_ack,
	[PDS_ACK_CC] = rx_ack,
	[PDS_ACK_CCX] = rx_ack,
	[PDS_NACK] = rx_nack,
	[PDS_CP] = rx_cp,
	[PDS_NACK_CCX] = rx_nack,
	[PDS_RUD_CC_REQ] = pds_rx_request,
	[PDS_ROD_CC_REQ] = pds_rx_request,
};

/*
 * A trimmed packet is useful only if it is a request that has an answer.  ACKs,
 * NACKs, control packets and datagrams are dropped silently, and an RTO repairs
 * the loss if possible (table 3-61; TRIMMED_ACK is reserved since 1.0.3).
 */
static bool is_of_use(const struct pds_rx_arrival *in)
{
	return !in->trimmed || rx_types[in->type] == pds_rx_request ||
	       rx_types[in->type] == rx_rudi_req;
}

uint8_t pds_trimmed(const struct pds *pds, const struct dgram *d)
{
	const struct orc_conf *conf = &pds->env->conf;

	if (d->dscp == conf->dscp_trimmed_lasthop)
		return NACK_TRIMMED_LASTHOP;
	return d->dscp == conf->dscp_trimmed ? NACK_TRIMMED : 0;
}

void pds_rx(struct pds *pds, const struct dgram *d, size_t len)
{
	struct pds_rx_arrival in = {
		.d = d,
		.len = len,
		.trimmed = pds_trimmed(pds, d),
	};

	if (len < pds_prologue_len) {
		env_drop(pds->env, DROP_SHORT);
		return;
	}
	in.type = (uint8_t)pds_type_of(d->data);
	if (!rx_types[in.type])
		env_drop(pds->env, DROP_TYPE);
	else if (is_of_use(&in))
		rx_types[in.type](pds, &in);
	else
		env_drop(pds->env, DROP_TRIMMED);
}
