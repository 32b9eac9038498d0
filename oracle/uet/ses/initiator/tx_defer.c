/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_defer.c -- deferrable sends of an initiator.
 *
 * The pair of restart tokens stands where other requests have buffer_offset,
 * and in a DEFERRABLE_RTR where they have the memory key: first the initiator's
 * token, then the target's.
 *
 * Spec: UET 3.4.2.1 (uet.md 5.2)
 */
#include "oracle/uet/ses/initiator/tx_defer.h"

#include "oracle/uet/ses/initiator/tx_flow.h"

void tx_make_deferrable(struct ses *ses, struct tx_msg *msg)
{
	if (!++ses->last_token)
		ses->last_token = 1;
	msg->token = ses->last_token;
	msg->req.buffer_offset = (uint64_t)msg->token << 32;
}

static bool was_asked_for(const struct tx_msg *msg)
{
	return (uint32_t)msg->req.buffer_offset != 0;
}

bool tx_is_deferral(const struct tx_msg *msg, const struct ses_rsp *rsp)
{
	if (!msg->token || was_asked_for(msg))
		return false;
	if (rsp->return_code == RC_NO_MATCH || rsp->return_code == RC_DROPPED)
		return true;
	return rsp->list == SES_LIST_OVERFLOW && !rsp->modified_length;
}

/* Returns the message whose initiator's token a DEFERRABLE_RTR has, or NULL. */
static struct tx_msg *find_token(const struct ses *ses,
				 const struct ses_req *rtr)
{
	const uint32_t token = (uint32_t)(rtr->memory_key >> 32);

	for (uint32_t i = 0; i < ses->nmsgs; i++) {
		struct tx_msg *msg = &ses->msgs[i];

		if (msg->live && !msg->completed && msg->token &&
		    msg->token == token)
			return msg;
	}
	return NULL;
}

bool tx_knows_token(const struct ses *ses, const struct ses_req *rtr)
{
	return find_token(ses, rtr);
}

void tx_ask_restart(struct ses *ses, const struct ses_req *rtr)
{
	struct tx_msg *msg = find_token(ses, rtr);

	if (!msg || msg->restart || was_asked_for(msg))
		return;
	msg->restart = true;
	msg->target_token = (uint32_t)rtr->memory_key;
	if (tx_may_restart(msg))
		tx_restart(ses, msg);
}

bool tx_may_restart(const struct tx_msg *msg)
{
	return msg->live && msg->deferred && msg->restart && !msg->completed &&
	       msg->answered == msg->npackets;
}

void tx_restart(struct ses *ses, struct tx_msg *msg)
{
	msg->req.buffer_offset |= msg->target_token;
	msg->deferred = false;
	msg->restart = false;
	msg->handed = 0;
	msg->answered = 0;
	tx_start(ses, (uint32_t)(msg - ses->msgs));
}
