/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_flow.c -- cuts messages into packets and hands
 * them to the PDS.
 *
 * The messages to one peer wait in one flow for each mode and are handed over
 * in order: "every packet of message n is first-transmitted before the first of
 * message n+1".  The PDS keeps the bytes, or their place with late_payload; a
 * message exists until each of its packets has a response, and a read until its
 * data has arrived.
 *
 * Spec: UET 3.4.4 (uet.md 6.1, 7.5)
 */
#include "oracle/uet/ses/initiator/tx_flow.h"

#include <string.h>

#include "base/pattern.h"
#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/initiator/tx_msg.h"
#include "oracle/uet/ses/initiator/tx_rendezvous.h"

void tx_init(struct ses *ses)
{
	ses->nmsgs = 0;
	ses->free_msg = SES_NONE;
	for (size_t i = 0; i < ses->flow_cap; i++)
		ses->flows[i] = (struct ses_flow){.head = SES_NONE};
	ses->rudi = (struct ses_flow){.head = SES_NONE};
	idmap_clear(&ses->reads);
	idmap_clear(&ses->locks);
	memset(ses->ids, 0, sizeof(ses->ids));
	ses->last_id = 0;
	ses->raw_used = false;
}

/* Makes room for the flows of a peer. */
bool tx_flow_room(struct ses *ses, uint32_t fep)
{
	const size_t old = ses->flow_cap;
	struct ses_flow *flows =
		mem_grow(&ses->env->mem, ses->flows, &ses->flow_cap,
			 ses_flow(fep + 1, OP_RUD), sizeof(*flows));

	if (!flows)
		return false;
	for (size_t i = old; i < ses->flow_cap; i++)
		flows[i].head = SES_NONE;
	ses->flows = flows;
	return true;
}

static bool ses_tx_is_atomic(const struct tx_msg *msg)
{
	return msg->req.opcode == SES_ATOMIC ||
	       msg->req.opcode == SES_FETCHING_ATOMIC;
}

/*
 * Writes the extensions of an atomic and its operand, and returns their length.
 */
static size_t write_amo(const struct tx_msg *msg, uint8_t *p)
{
	const struct amo amo = {
		.opcode = msg->amo.opcode,
		.datatype = msg->amo.datatype,
		.compare = msg->amo.compare,
		.swap = msg->amo.operand,
	};
	const size_t at = amo_put(&amo, p);

	if (!amo_has_operand(amo.opcode))
		return at;
	amo_store(p + at, msg->amo.operand, msg->len);
	return at + msg->len;
}

/* The PDS of a PDC writes the payload itself if conf->late_payload is set. */
static bool ses_tx_is_late(const struct ses *ses, const struct tx_msg *msg)
{
	return ses->env->conf.late_payload &&
	       (msg->mode == OP_RUD || msg->mode == OP_ROD);
}

/*
 * Writes packet |msg->handed| of a message to the scratch buffer, or all but a
 * payload that goes to |late|.
 */
static uint16_t ses_tx_write_packet(struct ses *ses, const struct tx_msg *msg,
				    struct ses_late *late)
{
	const uint32_t mtu = ses->env->conf.mtu;
	const uint32_t offset = msg->handed * mtu;
	const uint32_t left = tx_pushed(msg) - offset;
	struct ses_req req = msg->req;
	size_t at;

	req.som = msg->handed == 0;
	req.eom = msg->handed + 1 == msg->npackets;
	req.message_offset = offset;
	req.slice = left < mtu ? left : mtu;
	at = ses_req_put(&req, ses->scratch);
	if (msg->rendezvous && req.som)
		at += tx_put_rendezvous(ses, msg, ses->scratch + at);
	if (ses_tx_is_atomic(msg))
		return (uint16_t)(at + write_amo(msg, ses->scratch + at));
	if (msg->kind == OP_READ)
		return (uint16_t)at;
	if (ses_tx_is_late(ses, msg)) {
		*late = (struct ses_late){msg->handle, offset,
					  (uint16_t)req.slice};
		return (uint16_t)at;
	}
	pattern_fill(ses->scratch + at, ses->env->data_seed, msg->handle,
		     offset, req.slice);
	return (uint16_t)(at + req.slice);
}

static struct ses_tx ses_tx_describe(struct ses *ses, const struct tx_msg *msg)
{
	struct ses_tx tx = {
		.dst_fep = msg->fep,
		.mode = msg->mode,
		.next_hdr = msg->req.next_hdr,
		.som = msg->handed == 0,
		.eom = msg->handed + 1 == msg->npackets,
		.lock_pdc = msg->handed == 0 && tx_awaits_data(msg),
		.msg_id = msg->req.message_id,
		.tx_pkt_handle = (uint32_t)(msg - ses->msgs),
		.pkt = ses->scratch,
	};

	tx.pkt_len = ses_tx_write_packet(ses, msg, &tx.late);
	return tx;
}

static int hand_over_packet(struct ses *ses, struct tx_msg *msg)
{
	const struct ses_tx tx =
		tx_is_raw(msg) ? msg->raw : ses_tx_describe(ses, msg);
	const uint32_t index = (uint32_t)(msg - ses->msgs);
	struct ses_txd txd;
	int err = ses_pds_tx_req(ses->pds, &tx, &txd);

	if (err)
		return err;
	msg = &ses->msgs[index]; /* the call may have moved the array */
	msg->handed++;
	msg->pdcid = txd.pdcid;
	msg->psn = txd.psn;
	msg->locked = msg->locked || (tx.lock_pdc && !tx_is_raw(msg));
	if (tx.lock_pdc && tx_is_raw(msg) && txd.pdcid)
		idmap_put(&ses->locks, &ses->env->mem, tx.msg_id, txd.pdcid);
	return 0;
}

static bool ses_tx_hand_over(struct ses *ses, uint32_t index)
{
	while (ses->msgs[index].handed < ses->msgs[index].npackets)
		if (hand_over_packet(ses, &ses->msgs[index]))
			return false;
	if (!ses->msgs[index].req.message_id)
		tx_expect_data(ses, &ses->msgs[index]);
	return true;
}

static void ses_tx_pump(struct ses *ses, struct ses_flow *flow)
{
	if (flow->pumping)
		return;
	flow->pumping = true;
	while (flow->head != SES_NONE && !flow->paused) {
		const uint32_t index = flow->head;

		if (!ses_tx_hand_over(ses, index))
			break;
		flow->head = ses->msgs[index].next;
	}
	flow->pumping = false;
}

void tx_pump(struct ses *ses, uint32_t flow)
{
	if (flow < ses->flow_cap)
		ses_tx_pump(ses, &ses->flows[flow]);
}

void tx_pump_rudi(struct ses *ses)
{
	ses_tx_pump(ses, &ses->rudi);
}

static void ses_tx_append(struct ses *ses, uint32_t index)
{
	struct tx_msg *msg = &ses->msgs[index];
	struct ses_flow *flow =
		msg->mode == OP_RUDI
			? &ses->rudi
			: &ses->flows[ses_flow(msg->fep, msg->mode)];

	msg->next = SES_NONE;
	if (flow->head == SES_NONE)
		flow->head = index;
	else
		ses->msgs[flow->tail].next = index;
	flow->tail = index;
	ses_tx_pump(ses, flow);
}

/* Completes a datagram at once, since it gets no response. */
static int send_datagram(struct ses *ses, uint32_t index)
{
	struct tx_msg *msg = &ses->msgs[index];
	const int err = hand_over_packet(ses, msg);

	if (err) {
		tx_give_back(ses, msg);
		return err;
	}
	msg->answered = msg->npackets;
	tx_progress(ses, msg);
	return 0;
}

/* Hands a message over when its turn has come. */
int tx_start(struct ses *ses, uint32_t index)
{
	if (ses->msgs[index].mode == OP_UUD)
		return send_datagram(ses, index);
	ses_tx_append(ses, index);
	return 0;
}
