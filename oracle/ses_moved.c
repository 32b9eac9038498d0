/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/ses_moved.c -- messages that go on elsewhere.
 *
 * A PDC that its target renumbers keeps its packets, under other PSNs.  One
 * that a fatal NACK ends may have messages of which the target took nothing;
 * where the configuration allows it they are tried again, whole, on another
 * PDC, in the order in which they were posted.  The error of each packet has
 * been told before (pds_ses_error).
 *
 * Spec: UET 3.5.12.7 (uet.md 4, 4.3)
 */
#include "base/serial.h"
#include "oracle/pds.h"
#include "oracle/ses.h"

bool tx_may_retry(const struct ses *ses, const struct tx_msg *msg,
		  struct pds_error err)
{
	return err.retry && !msg->heard && !tx_is_raw(msg) &&
	       msg->tries < ses->env->conf.fatal_retries;
}

/* As if nothing of it had been handed over. */
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

/* It is the first of its flow again, unless it never left it. */
static void put_first(struct ses *ses, struct tx_msg *msg)
{
	struct flow *flow = &ses->flows[ses_flow(msg->fep, msg->mode)];
	const uint32_t index = (uint32_t)(msg - ses->msgs);

	if (flow->head == index)
		return;
	if (flow->head == SES_NONE)
		flow->tail = index;
	msg->next = flow->head;
	flow->head = index;
}

/* The last that was handed over; NULL: there is none any more. */
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

/* A read with a small or medium header, known by the PSN of its request. */
static bool by_psn(const struct tx_msg *msg, uint16_t pdcid)
{
	return msg->live && msg->handed && msg->pdcid == pdcid &&
	       msg->kind == OP_READ && !msg->req.message_id;
}

/* All leave their places before the first takes a new one. */
void pds_ses_renumbered(struct ses *ses, uint16_t pdcid, uint32_t shift)
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
