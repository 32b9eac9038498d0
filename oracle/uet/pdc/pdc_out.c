/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_out.c -- sends packets that need no PSN: control packets
 * and NACKs.
 *
 * Spec: UET 3.5.12.7, 3.5.16 (uet.md 3.10, 4)
 */
#include "oracle/uet/pdc/pdc_out.h"

#include "oracle/uet/pdc/nack.h"

#define NCCX_TYPE 14 /* 14 and 15 are proprietary, all others reserved */

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

/* "Expected_PSN = highest in-order received + 1", or nothing (uet.md 4.3). */
static uint32_t payload_of(const struct env *env, const struct pdc *pdc,
			   const struct pds_rx *rx, uint8_t code)
{
	if (code != NACK_ROD_OOO || !env->conf.rod_nack_payload)
		return 0;
	return pdc ? pdc->dst.expected_psn : rx->psn - rx->psn_offset;
}

void pdc_send_nack(struct env *env, const struct pdc *pdc,
		   const struct pds_rx *rx, uint8_t code)
{
	const bool known = pdc && nack_rule_of(code)->has_pdc;
	const bool ccx = env->conf.nack_ccx;
	const struct outq_head head = {
		.dst = *rx->src,
		.entropy = rx->entropy,
		.dscp = env->conf.dscp_control,
		.native = rx->native,
		.len = ccx ? pds_nack_len + pds_nack_ccx_len : pds_nack_len,
	};
	const struct pds_nack h = {
		.type = ccx ? PDS_NACK_CCX : PDS_NACK,
		.next_hdr = PDS_NEXT_NONE,
		.m = rx->ce,
		.retx = rx->retx,
		.nack_code = code,
		.nack_psn = rx->psn,
		.spdcid = known ? pdc->spdcid : 0,
		.dpdcid = rx->spdcid,
		.payload = payload_of(env, pdc, rx, code),
	};
	const struct pds_nack_ccx more = {.nccx_type = NCCX_TYPE};
	uint8_t *p = outq_add(&env->out, &env->mem, &head);

	if (!p)
		return;
	pds_nack_put(&h, p);
	if (ccx)
		pds_nack_ccx_put(&more, p + pds_nack_len);
	env->stats.tx_nack++;
}

void pdc_refuse(struct pdc *pdc, const struct pds_rx *rx, uint8_t code,
		enum drop_reason why)
{
	pdc_send_nack(pdc->env, pdc, rx, code);
	env_drop(pdc->env, why);
}
