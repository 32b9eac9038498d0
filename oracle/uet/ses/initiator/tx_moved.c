/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_moved.c -- messages that continue on another PDC
 * or with other PSNs.
 *
 * A PDC that its target renumbers keeps its packets, with other PSNs.  A PDC
 * that a fatal NACK ends may have messages that the target did not accept
 * at all; if the configuration allows it they are retried as a whole on
 * another PDC, in the order in which they were posted.  The error of each
 * packet was reported before (tx_fail_packet).
 *
 * Spec: UET 3.5.12.7 (uet.md 4, 4.3)
 */
#include "oracle/uet/ses/initiator/tx_moved.h"

#include "base/serial.h"
#include "oracle/uet/ses/initiator/tx_msg.h"

bool tx_may_retry(const struct ses *ses, const struct tx_msg *msg,
		  struct pds_error err)
{
	return err.retry && !msg->heard && !tx_is_raw(msg) &&
	       msg->tries < ses->env->conf.fatal_retries;
}

/* Resets a message to the state before its first packet. */
static void rewind_msg(struct ses *ses, struct tx_msg *msg)
{
	if (msg->kind == OP_READ && !msg->req.message_id)
		idmap_del(&ses->reads, tx_read_key(msg));
	msg->retry = false;
	msg->locked = false;
	msg->handed = 0;
	msg->answered = 0;
	msg->tries++;
}

/* Moves a message to the head of its flow, unless it is there. */
static void put_first(struct ses *ses, struct tx_msg *msg)
{
	struct ses_flow *flow = &ses->flows[ses_flow(msg->fep, msg->mode)];
	const uint32_t index = (uint32_t)(msg - ses->msgs);

	if (flow->head == index)
		return;
	if (flow->head == SES_NONE)
		flow->tail = index;
	msg->next = flow->head;
	flow->head = index;
}

/* Returns the last message handed over; NULL if there is none. */
static struct tx_msg *last_of(struct ses *ses, uint16_t pdcid)
{
	struct tx_msg *last = NULL;

	for (uint32_t i = 0; i < ses->nmsgs; i++) {
		struct tx_msg *msg = &ses->msgs[i];

		if (msg->live && msg->retry && msg->pdcid == pdcid &&
		    (!last || serial_after(msg->psn, last->psn)))
			last = msg;
	}
	return last;
}

void tx_retry(struct ses *ses, uint16_t pdcid)
{
	struct tx_msg *msg;

	if (!ses->env->conf.fatal_retries)
		return;
	while ((msg = last_of(ses, pdcid))) {
		rewind_msg(ses, msg);
		put_first(ses, msg);
	}
}

/*
 * Returns true for a read with a small or medium header, which is found by the
 * PSN of its request.
 */
static bool by_psn(const struct tx_msg *msg, uint16_t pdcid)
{
	return msg->live && msg->handed && msg->pdcid == pdcid &&
	       msg->kind == OP_READ && !msg->req.message_id;
}

/* All are removed from the table before the first gets its new key. */
void tx_renumbered(struct ses *ses, uint16_t pdcid, uint32_t shift)
{
	for (uint32_t i = 0; i < ses->nmsgs; i++)
		if (by_psn(&ses->msgs[i], pdcid))
			idmap_del(&ses->reads, tx_read_key(&ses->msgs[i]));
	for (uint32_t i = 0; i < ses->nmsgs; i++) {
		struct tx_msg *msg = &ses->msgs[i];

		if (msg->live && msg->handed && msg->pdcid == pdcid)
			msg->psn += shift;
		if (by_psn(msg, pdcid))
			idmap_put(&ses->reads, &ses->env->mem, tx_read_key(msg),
				  i);
	}
}
