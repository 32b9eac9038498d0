/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/uud.c -- sends and receives unreliable datagrams.
 *
 * Spec: UET 3.5.7.4, 3.5.10.12 (uet.md 3.12, 7.8)
 */
#include "oracle/uet/uud.h"

#include <string.h>

#include "base/err.h"
#include "oracle/uet/ses/ses_hdr.h"

int uud_send(struct env *env, const struct ip_addr *dst,
	     const struct ses_tx *tx)
{
	const struct outq_head head = {
		.dst = *dst,
		.entropy = env_entropy(env),
		.dscp = env_dscp_bulk(env),
		.ecn = ECN_ECT0,
		.len = (uint32_t)(uud_req_len + tx->pkt_len),
	};
	const struct uud_req h = {
		.type = PDS_UUD_REQ,
		.next_hdr = tx->next_hdr,
	};
	uint8_t *p = outq_add(&env->out, &env->mem, &head);

	if (!p)
		return ERR_NOMEM;
	uud_req_put(&h, p);
	memcpy(p + uud_req_len, tx->pkt, tx->pkt_len);
	return 0;
}

/* Drops packets that are no datagrams: there is no PDC to answer on. */
void uud_rx(struct env *env, const struct pds_ses *ses, const struct dgram *d,
	    size_t len)
{
	struct uud_req h;
	struct ses_rx rx;

	if (len < uud_req_len) {
		env_drop(env, DROP_SHORT);
		return;
	}
	uud_req_get(&h, d->data);
	if (!ses_req_len(h.next_hdr)) {
		env_drop(env, DROP_MISMATCH);
		return;
	}
	rx = (struct ses_rx){
		.mode = OP_UUD,
		.next_hdr = h.next_hdr,
		.pkt = d->data + uud_req_len,
		.pkt_len = len - uud_req_len,
	};
	pds_ses_rx_req(ses, &rx);
}
