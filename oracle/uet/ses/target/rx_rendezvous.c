/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_rendezvous.c -- rendezvous sends of a target.
 *
 * The first packet has the length of the eager part, and the address of the
 * body.  The target reads the body by a message of its own, on a PDC that it
 * opens.
 *
 * Spec: UET 3.4.2 figure 3-15, 3.5.8.1 (uet.md 5.5, 6.1)
 */
#include "oracle/uet/ses/target/rx_rendezvous.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/uet/ses/initiator/tx_post.h"
#include "oracle/uet/ses/target/rx_msg.h"

static struct body *new_body(struct ses *ses, const struct job *job)
{
	const struct rx_msg *msg = job->msg;
	struct body *body = mem_new(&ses->env->mem, sizeof(*body));

	if (!body)
		return NULL;
	*body = (struct body){
		.fep = job->rx->src_fep,
		.mode = job->rx->mode,
		.from = msg->from,
		.recv =
			{
				.kind = EV_RECV,
				.handle = job->rx->rx_pkt_handle,
				.message_id = job->req.message_id,
				.orig_pdcid = job->rx->orig_pdcid,
				.orig_psn = job->rx->orig_psn,
				.next_hdr = job->rx->next_hdr,
				.opcode = job->req.opcode,
				.len = job->req.request_length,
				.return_code = RC_OK,
			},
		.bytes = mem_new(&ses->env->mem, msg->from.eager_length + 1),
	};
	if (!body->bytes) {
		memory_free(body);
		return NULL;
	}
	if (msg->from.eager_length)
		memcpy(body->bytes, msg->data.bytes, msg->from.eager_length);
	return body;
}

static void read_body(struct ses *ses, const struct job *job)
{
	struct body *body = new_body(ses, job);

	if (!body || !tx_read_body(ses, body))
		return;
	memory_free(body->bytes);
	memory_free(body);
}

bool rx_eager_came(struct ses *ses, const struct job *job, uint8_t rc)
{
	struct rx_msg *msg = job->msg;
	const uint32_t len = job->req.request_length;

	if (job->req.som) {
		msg->addressed = true;
		msg->from = job->from;
		if (msg->from.eager_length > len)
			msg->from.eager_length = len;
	}
	if (msg->addressed && msg->from.eager_length == len)
		return false;
	msg->got += job->len;
	if (!msg->addressed || msg->got < msg->from.eager_length)
		return true;
	if (rc == RC_OK && msg->data.len >= msg->from.eager_length)
		read_body(ses, job);
	rx_give_back(ses, msg);
	return true;
}
