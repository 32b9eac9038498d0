/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_msg.c -- the messages of an initiator: their
 * memory, their ids, and when each is complete.
 *
 * Spec: UET 3.4.4, 3.5.12.1 (uet.md 7.5)
 */
#include "oracle/uet/ses/initiator/tx_msg.h"

#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/initiator/tx_defer.h"
#include "oracle/uet/ses/initiator/tx_rendezvous.h"
#include "wire/frame/crc.h"

bool tx_id_used(const struct ses *ses, uint16_t id)
{
	return ses->ids[id / 64] >> id % 64 & 1;
}

/* "Message ids are unique within a PDC and should be among all" (fig. 3-79). */
uint16_t tx_free_id(struct ses *ses)
{
	do
		ses->last_id++;
	while (!ses->last_id || tx_id_used(ses, ses->last_id));
	return ses->last_id;
}

uint32_t tx_take_msg(struct ses *ses)
{
	uint32_t i = ses->free_msg;
	struct tx_msg *msgs;

	if (i != SES_NONE) {
		ses->free_msg = ses->msgs[i].next;
		return i;
	}
	msgs = mem_grow(&ses->env->mem, ses->msgs, &ses->msg_cap,
			ses->nmsgs + (size_t)1, sizeof(*msgs));
	if (!msgs)
		return SES_NONE;
	ses->msgs = msgs;
	return ses->nmsgs++;
}

/* A read with a small or medium header is matched by the PSN of its request. */
uint64_t tx_read_key_psn(uint16_t pdcid, uint32_t psn)
{
	return (uint64_t)1 << 63 | (uint64_t)pdcid << 32 | psn;
}

uint64_t tx_read_key(const struct tx_msg *msg)
{
	if (msg->req.message_id)
		return msg->req.message_id;
	return tx_read_key_psn(msg->pdcid, msg->psn);
}

/*
 * Returns true if data comes in packets of its own; in RUDI it is in the
 * response.
 */
bool tx_awaits_data(const struct tx_msg *msg)
{
	return msg->kind == OP_READ && msg->mode != OP_RUDI;
}

/* A read's data is found by message id, or by PDC and PSN of its request. */
bool tx_expect_data(struct ses *ses, const struct tx_msg *msg)
{
	const uint32_t index = (uint32_t)(msg - ses->msgs);

	if (!tx_awaits_data(msg))
		return true;
	return idmap_put(&ses->reads, &ses->env->mem, tx_read_key(msg), index);
}

void tx_give_back(struct ses *ses, struct tx_msg *msg)
{
	const uint16_t id = msg->req.message_id;

	if (tx_awaits_data(msg))
		idmap_del(&ses->reads, tx_read_key(msg));
	ses->ids[id / 64] &= ~((uint64_t)1 << id % 64);
	msg->live = false;
	msg->next = ses->free_msg;
	ses->free_msg = (uint32_t)(msg - ses->msgs);
}

bool tx_is_raw(const struct tx_msg *msg)
{
	return msg->kind == OP_SES_PDS_TX_REQ || msg->kind == OP_SES_PDS_TX_RET;
}

/*
 * Returns the digest of the data that a read returned, which is shorter than
 * |len| if an endpoint errs.
 */
static uint32_t ses_tx_digest(const struct ses_buf *came, size_t len)
{
	if (came->len < len)
		len = came->len;
	return crc32c(0, came->bytes, len);
}

static void ses_tx_complete(struct ses *ses, struct tx_msg *msg)
{
	struct orc_event *ev;

	msg->completed = true;
	if (msg->locked)
		ses_pds_unlock(ses->pds, msg->pdcid);
	msg->locked = false;
	if (msg->body)
		tx_end_body(ses, msg);
	if (tx_is_raw(msg) || msg->silent)
		return;
	ev = env_event(ses->env, EV_COMPLETION);
	ev->handle = msg->handle;
	ev->message_id = msg->req.message_id;
	ev->orig_pdcid = msg->pdcid;
	ev->opcode = msg->req.opcode;
	ev->len = msg->len;
	ev->status = msg->status;
	ev->return_code = msg->return_code;
	ev->nack_code = msg->nack_code;
	if (msg->kind == OP_READ && msg->status == STATUS_OK)
		ev->digest = ses_tx_digest(&ses->bufs.last, msg->len);
}

/*
 * Returns true if the data of a read has arrived, or all responses of another
 * message.
 */
static bool ses_tx_is_over(const struct tx_msg *msg)
{
	const bool answered = msg->answered == msg->npackets;

	if (!tx_awaits_data(msg) || msg->status != STATUS_OK)
		return answered;
	return msg->got >= msg->len && msg->len;
}

/* Returns true for a RUDI read that was answered without all of its data. */
static bool fell_short(const struct tx_msg *msg)
{
	return msg->kind == OP_READ && msg->mode == OP_RUDI &&
	       msg->answered == msg->npackets && msg->got < msg->len;
}

void tx_progress(struct ses *ses, struct tx_msg *msg)
{
	if (msg->deferred && msg->status == STATUS_OK) {
		if (tx_may_restart(msg))
			tx_restart(ses, msg);
		return;
	}
	if (msg->rendezvous && msg->status == STATUS_OK &&
	    msg->served < msg->len - msg->eager)
		return;
	if (msg->status == STATUS_OK && fell_short(msg))
		msg->status = STATUS_REFUSED;
	if (!msg->completed && ses_tx_is_over(msg))
		ses_tx_complete(ses, msg);
	if (msg->completed && msg->answered == msg->npackets)
		tx_give_back(ses, msg);
}

void tx_fail(struct tx_msg *msg, struct pds_error err)
{
	msg->status = err.status;
	msg->nack_code = err.nack_code;
}
