/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_done.c -- turns responses, read data and errors
 * into completions.
 *
 * Spec: UET 3.4.4, 3.5.12.1 (uet.md 7.5)
 */
#include "oracle/uet/ses/initiator/tx_done.h"

#include <string.h>

#include "base/err.h"
#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/initiator/tx_defer.h"
#include "oracle/uet/ses/initiator/tx_flow.h"
#include "oracle/uet/ses/initiator/tx_moved.h"
#include "oracle/uet/ses/initiator/tx_msg.h"

/* Stores read data at its offset in the message, each byte once. */
static void ses_tx_take_data(struct ses *ses, struct tx_msg *msg,
			     uint32_t offset, const uint8_t *p, size_t len)
{
	struct ses_buf last;

	if (offset > msg->len || len > msg->len - offset)
		return;
	if (!buf_room(&msg->data, &ses->env->mem, msg->len))
		return;
	memcpy(msg->data.bytes + offset, p, len);
	msg->got += (uint32_t)len;
	if (msg->got < msg->len)
		return;
	msg->data.len = msg->len;
	last = ses->bufs.last;
	ses->bufs.last = msg->data;
	msg->data = last;
}

/*
 * Returns the status that a response implies for its packet; success by
 * default.
 */
static void ses_tx_judge(struct tx_msg *msg, const struct ses_rsp *rsp)
{
	if (tx_is_deferral(msg, rsp)) {
		msg->deferred = true;
		return;
	}
	if (rsp->return_code == RC_NULL || rsp->return_code == RC_OK)
		return;
	msg->status = STATUS_REFUSED;
	msg->return_code = rsp->return_code;
}

/* Reads the response in an ACK; the default response if it carries none. */
static size_t read_response(const struct ses *ses, const struct tx_msg *msg,
			    const struct ses_rx_rsp *rx, struct ses_rsp *ret)
{
	int n = ERR_SHORT;

	if (rx->rsp)
		n = ses_rsp_get(ret, rx->next_hdr, rx->rsp, rx->rsp_len);
	if (n > 0)
		return (size_t)n;
	*ret = (struct ses_rsp){
		.next_hdr = PDS_NEXT_RESPONSE,
		.opcode = SES_DEFAULT_RESPONSE,
		.return_code = ses->env->conf.default_rc,
		.message_id = msg->req.message_id,
	};
	return rx->rsp_len;
}

void tx_take_response(struct ses *ses, const struct ses_rx_rsp *rx)
{
	struct tx_msg *msg = &ses->msgs[rx->tx_pkt_handle];
	struct orc_event *ev = env_event(ses->env, EV_PDS_SES_RX_RSP);
	struct ses_rsp rsp;
	const size_t at = read_response(ses, msg, rx, &rsp);

	ev->handle = msg->handle;
	ev->message_id = rsp.message_id;
	ev->orig_pdcid = rx->pdcid;
	ev->orig_psn = rx->psn;
	ev->next_hdr = rsp.next_hdr;
	ev->opcode = rsp.opcode;
	ev->return_code = rsp.return_code;
	ev->len = (uint32_t)(rx->rsp_len - at);
	msg->answered++;
	msg->heard = true;
	ses_tx_judge(msg, &rsp);
	if (msg->kind == OP_READ && rsp.opcode == SES_RESPONSE_W_DATA)
		ses_tx_take_data(ses, msg, rsp.message_offset, rx->rsp + at,
				 rx->rsp_len - at);
	tx_progress(ses, msg);
}

void tx_fail_packet(struct ses *ses, uint32_t tx_pkt_handle,
		    struct pds_error err)
{
	struct tx_msg *msg = &ses->msgs[tx_pkt_handle];
	struct orc_event *ev = env_event(ses->env, EV_PDS_SES_ERROR);

	ev->handle = msg->handle;
	ev->message_id = msg->req.message_id;
	ev->orig_pdcid = msg->pdcid;
	ev->orig_psn = err.psn;
	ev->status = err.status;
	ev->nack_code = err.nack_code;
	msg->answered++;
	msg->retry = tx_may_retry(ses, msg, err);
	if (msg->retry)
		return;
	tx_fail(msg, err);
	tx_progress(ses, msg);
}

/* Abandons the unsent rest of a message that had begun on the PDC. */
static void cut_short(struct ses *ses, uint32_t flow, uint16_t pdcid,
		      struct pds_error err)
{
	const uint32_t index = ses->flows[flow].head;
	struct tx_msg *msg = &ses->msgs[index];

	if (index == SES_NONE || !msg->handed || msg->pdcid != pdcid ||
	    msg->retry)
		return;
	ses->flows[flow].head = msg->next;
	msg->npackets = msg->handed;
	tx_fail(msg, err);
	tx_progress(ses, msg);
}

static void give_up_reads(struct ses *ses, uint16_t pdcid, struct pds_error err)
{
	for (uint32_t i = 0; i < ses->nmsgs; i++) {
		struct tx_msg *msg = &ses->msgs[i];

		if (!msg->live || msg->completed || msg->kind != OP_READ ||
		    msg->retry)
			continue;
		if (!msg->handed || msg->pdcid != pdcid)
			continue;
		msg->locked = false;
		tx_fail(msg, err);
		tx_progress(ses, msg);
	}
}

void tx_pdc_closed(struct ses *ses, uint32_t fep, uint16_t pdcid,
		   struct pds_error err)
{
	const uint32_t first = ses_flow(fep, OP_RUD);

	for (uint32_t i = first; i < first + OP_MODES; i++) {
		if (i >= ses->flow_cap)
			break;
		ses->flows[i].paused = false;
		cut_short(ses, i, pdcid, err);
	}
	give_up_reads(ses, pdcid, err);
	tx_retry(ses, pdcid);
	for (uint32_t i = 0; i < ses->flow_cap; i++)
		if (ses->flows[i].head != SES_NONE)
			tx_pump(ses, i);
}

/* Returns the read that the data belongs to; NULL if it is unknown. */
static struct tx_msg *find_read(struct ses *ses, const struct ses_rx *rx,
				const struct ses_rsp *rsp)
{
	const bool by_psn = rx->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL;
	const uint64_t key = by_psn ? tx_read_key_psn(rx->orig_pdcid,
						      rsp->original_request_psn)
				    : rsp->read_request_message_id;
	uint32_t index;

	return idmap_get(&ses->reads, key, &index) ? &ses->msgs[index] : NULL;
}

/* "A response_message_id that the target assigned is echoed" (fig. 3-79). */
static void answer_return(struct ses *ses, const struct ses_rx *rx,
			  const struct ses_rsp *data, uint8_t return_code)
{
	const struct ses_rsp rsp = {
		.next_hdr = PDS_NEXT_RESPONSE,
		.opcode = SES_RESPONSE,
		.return_code = return_code,
		.message_id = data->message_id,
		.ri_generation = ses->env->conf.ri_generation,
		.job_id = ses->env->conf.job_id,
		.modified_length = data->payload_length,
	};
	uint8_t bytes[ses_response_len] = {0};
	const struct ses_tx_rsp answer = {
		.gtd_del = return_code != RC_OK,
		.next_hdr = PDS_NEXT_RESPONSE,
		.rsp = bytes,
		.rsp_len = (uint16_t)ses_rsp_put(&rsp, bytes),
	};

	ses_pds_tx_rsp(ses->pds, rx->rx_pkt_handle, &answer);
}

void tx_take_return(struct ses *ses, const struct ses_rx *rx)
{
	struct orc_event *ev = env_event(ses->env, EV_PDS_SES_RX_RET);
	struct ses_rsp rsp = {0};
	const int n = ses_rsp_get(&rsp, rx->next_hdr, rx->pkt, rx->pkt_len);
	const size_t at = n > 0 ? (size_t)n : rx->pkt_len;
	struct tx_msg *msg = n > 0 ? find_read(ses, rx, &rsp) : NULL;
	const bool known = msg || ses->raw_used;

	ev->handle = msg ? msg->handle : rx->rx_pkt_handle;
	ev->message_id = rsp.message_id;
	ev->orig_pdcid = rx->orig_pdcid;
	ev->orig_psn = rx->orig_psn;
	ev->next_hdr = rx->next_hdr;
	ev->opcode = rsp.opcode;
	ev->return_code = rsp.return_code;
	ev->len = (uint32_t)(rx->pkt_len - at);
	answer_return(ses, rx, &rsp, known ? RC_OK : RC_NO_MATCH);
	if (!msg)
		return;
	ses_tx_take_data(ses, msg, rsp.message_offset, rx->pkt + at,
			 rx->pkt_len - at);
	tx_progress(ses, msg);
}
