/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_msg.c -- messages that arrive in several packets.
 */
#include "oracle/uet/ses/target/rx_msg.h"

#include <string.h>

static uint64_t msg_key(const struct job *job)
{
	return (uint64_t)job->rx->orig_pdcid << 16 | job->req.message_id;
}

static struct rx_msg *take_rx_msg(struct ses *ses, uint32_t *ret_index)
{
	uint32_t i = ses->free_rx_msg;
	struct rx_msg *msgs;

	*ret_index = i;
	if (i != SES_NONE) {
		ses->free_rx_msg = ses->rx_msgs[i].next;
		return &ses->rx_msgs[i];
	}
	msgs = mem_grow(&ses->env->mem, ses->rx_msgs, &ses->rx_msg_cap,
			ses->nrx_msgs + (size_t)1, sizeof(*msgs));
	if (!msgs)
		return NULL;
	ses->rx_msgs = msgs;
	*ret_index = ses->nrx_msgs;
	return &msgs[ses->nrx_msgs++];
}

void rx_give_back(struct ses *ses, struct rx_msg *msg)
{
	idmap_del(&ses->rx_by_key, msg->key);
	msg->next = ses->free_rx_msg;
	ses->free_rx_msg = (uint32_t)(msg - ses->rx_msgs);
}

static bool ses_rx_has_room(const struct ses *ses)
{
	const uint32_t limit = ses->env->conf.max_ses_msgs;

	return !limit || ses->rx_by_key.n < limit;
}

static struct rx_msg *ses_rx_open_msg(struct ses *ses, uint64_t key)
{
	uint32_t index;
	struct rx_msg *msg =
		ses_rx_has_room(ses) ? take_rx_msg(ses, &index) : NULL;

	if (!msg)
		return NULL;
	*msg = (struct rx_msg){.key = key, .data = msg->data};
	msg->data.len = 0;
	if (idmap_put(&ses->rx_by_key, &ses->env->mem, key, index))
		return msg;
	msg->next = ses->free_rx_msg;
	ses->free_rx_msg = index;
	return NULL;
}

/*
 * Finds the message of a packet.  Return: false if there is no memory to track
 * it.
 */
bool rx_find_message(struct ses *ses, struct job *job)
{
	const struct ses_req *req = &job->req;
	uint32_t index;

	if (req->next_hdr != PDS_NEXT_REQUEST_STD || !rx_on_pdc(job))
		return true;
	if (req->opcode == SES_MSG_ERROR) {
		if (idmap_get(&ses->rx_by_key, msg_key(job), &index))
			job->msg = &ses->rx_msgs[index];
		return true;
	}
	if (req->som && req->eom && !rx_is_rendezvous(req))
		return true;
	if (idmap_get(&ses->rx_by_key, msg_key(job), &index))
		job->msg = &ses->rx_msgs[index];
	else
		job->msg = ses_rx_open_msg(ses, msg_key(job));
	return job->msg;
}

void rx_msgs_closed(struct ses *ses, uint16_t pdcid)
{
	for (uint32_t i = 0; i < ses->nrx_msgs; i++) {
		struct rx_msg *msg = &ses->rx_msgs[i];
		uint32_t index;

		if (msg->key >> 16 == pdcid &&
		    idmap_get(&ses->rx_by_key, msg->key, &index) && index == i)
			rx_give_back(ses, msg);
	}
}
