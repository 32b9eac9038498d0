/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_post.c -- operations of the driver that send:
 * checks each and makes its message.
 *
 * Spec: UET 3.4.4 (uet.md 5, 7.5)
 */
#include "oracle/uet/ses/initiator/tx_post.h"

#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "oracle/uet/pds/pds_table.h"
#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/amo.h"
#include "oracle/uet/ses/initiator/tx_defer.h"
#include "oracle/uet/ses/initiator/tx_flow.h"
#include "oracle/uet/ses/initiator/tx_msg.h"
#include "oracle/uet/ses/initiator/tx_rendezvous.h"
#include "oracle/uet/ses/ses_idem.h"

/* request_length of a small or medium header has 14 bits. */
#define SHORT_LENGTH_MAX 0x3fff

static const uint8_t next_hdrs[] = {
	[OP_HEADER_STD] = PDS_NEXT_REQUEST_STD,
	[OP_HEADER_MEDIUM] = PDS_NEXT_REQUEST_MEDIUM,
	[OP_HEADER_SMALL] = PDS_NEXT_REQUEST_SMALL,
};

static const uint8_t opcodes[] = {
	[OP_SEND] = SES_SEND,
	[OP_WRITE] = SES_WRITE,
	[OP_READ] = SES_READ,
};

static uint8_t ses_tx_opcode_of(const struct orc_op *op)
{
	if (op->kind == OP_ATOMIC)
		return op->amo.fetch ? SES_FETCHING_ATOMIC : SES_ATOMIC;
	if (op->mode == OP_UUD)
		return SES_DATAGRAM_SEND;
	if (op->kind == OP_SEND && op->rendezvous)
		return op->tagged ? SES_RENDEZVOUS_TSEND : SES_RENDEZVOUS_SEND;
	if (op->kind == OP_SEND && op->deferrable)
		return op->tagged ? SES_DEFERRABLE_TSEND : SES_DEFERRABLE_SEND;
	if (op->kind == OP_SEND && op->tagged)
		return SES_TAGGED_SEND;
	return opcodes[op->kind];
}

/* Returns the length of a message; an atomic has one element. */
static uint32_t length_of(const struct orc_op *op)
{
	if (op->kind == OP_ATOMIC)
		return (uint32_t)amo_size(op->amo.datatype);
	return op->len;
}

/* "A non-idempotent operation never uses RUDI"; a datagram is one packet. */
static int check_mode(const struct ses *ses, const struct orc_op *op)
{
	switch (op->mode) {
	case OP_RUD:
	case OP_ROD:
		return 0;
	case OP_RUDI:
		return ses_idempotent(ses_tx_opcode_of(op), op->amo.opcode)
			       ? 0
			       : ERR_VALUE;
	case OP_UUD:
		return op->kind == OP_SEND && op->len <= ses->env->conf.mtu
			       ? 0
			       : ERR_VALUE;
	default:
		return ERR_SUPPORT;
	}
}

/* Returns true if the request has a place for a tag. */
static bool takes_tag(const struct orc_op *op)
{
	return op->mode != OP_UUD && op->header != OP_HEADER_SMALL;
}

/* Restart tokens and read addresses are in a standard request on a PDC. */
static bool has_two_parts(const struct orc_op *op)
{
	return op->header == OP_HEADER_STD &&
	       (op->mode == OP_RUD || op->mode == OP_ROD);
}

static int check_message(const struct ses *ses, const struct orc_op *op)
{
	const uint32_t mtu = ses->env->conf.mtu;
	const int err = check_mode(ses, op);

	if (err)
		return err;
	if (op->tagged && !takes_tag(op))
		return ERR_VALUE;
	if ((op->deferrable || op->rendezvous) && !has_two_parts(op))
		return ERR_VALUE;
	if (op->kind == OP_READ && (!op->len || op->len > SES_BUF_MAX))
		return ERR_VALUE;
	if (op->kind == OP_ATOMIC && !length_of(op))
		return ERR_VALUE;
	if (op->header == OP_HEADER_STD)
		return tx_id_used(ses, op->message_id) ? ERR_STATE : 0;
	if (op->header > OP_HEADER_SMALL)
		return ERR_VALUE;
	return op->len <= mtu && op->len <= SHORT_LENGTH_MAX ? 0 : ERR_VALUE;
}

static struct ses_req request_of(struct ses *ses, const struct orc_op *op)
{
	const struct orc_conf *conf = &ses->env->conf;

	return (struct ses_req){
		.next_hdr = next_hdrs[op->header],
		.opcode = ses_tx_opcode_of(op),
		.ri_generation = conf->ri_generation,
		.job_id = conf->job_id,
		.pid_on_fep = conf->pid_on_fep,
		.resource_index = conf->resource_index,
		.buffer_offset = op->offset,
		.memory_key = op->key,
		.initiator = conf->initiator,
		.request_length = length_of(op),
	};
}

static void ses_tx_name(struct ses *ses, struct tx_msg *msg, uint16_t wanted)
{
	uint16_t id = wanted;

	if (msg->req.next_hdr != PDS_NEXT_REQUEST_STD || msg->mode == OP_UUD)
		return;
	if (!id)
		id = tx_free_id(ses);
	ses->ids[id / 64] |= (uint64_t)1 << id % 64;
	msg->req.message_id = id;
}

/* Fills the fields of a new message to a peer that has a flow. */
static int open_msg_to(struct ses *ses, const struct orc_op *op, uint32_t fep,
		       uint32_t *ret)
{
	const uint32_t index = tx_take_msg(ses);
	struct tx_msg *msg;
	struct ses_buf data;

	if (index == SES_NONE)
		return ERR_NOMEM;
	msg = &ses->msgs[index];
	data = msg->data;
	data.len = 0;
	memory_clear(msg, sizeof(*msg));
	msg->kind = op->kind;
	msg->live = true;
	msg->handle = op->handle;
	msg->fep = fep;
	msg->mode = op->mode;
	msg->npackets = 1;
	msg->data = data;
	*ret = index;
	return 0;
}

/* Fills the fields of a new message that are independent of its kind. */
static int ses_tx_open_msg(struct ses *ses, const struct orc_op *op,
			   uint32_t *ret)
{
	uint32_t fep;

	if (pds_fep(ses->pds, &op->peer, &fep) || !tx_flow_room(ses, fep))
		return ERR_NOMEM;
	return open_msg_to(ses, op, fep, ret);
}

int tx_message(struct ses *ses, const struct orc_op *op)
{
	const uint32_t mtu = ses->env->conf.mtu;
	const uint32_t len = length_of(op);
	const uint32_t npackets = len / mtu + (len % mtu != 0);
	struct tx_msg *msg;
	uint32_t index;
	int err = check_message(ses, op);

	if (!err)
		err = ses_tx_open_msg(ses, op, &index);
	if (err)
		return err;
	msg = &ses->msgs[index];
	msg->req = request_of(ses, op);
	msg->len = len;
	msg->amo = op->amo;
	if (op->amo.fetch && op->kind == OP_ATOMIC)
		/* a fetching atomic is a read that computes */
		msg->kind = OP_READ;
	msg->npackets = npackets ? npackets : 1;
	if (op->kind == OP_SEND && op->deferrable)
		tx_make_deferrable(ses, msg);
	ses_tx_name(ses, msg, op->message_id);
	if (op->kind == OP_SEND && op->rendezvous &&
	    !tx_make_rendezvous(ses, msg, op->eager)) {
		tx_give_back(ses, msg);
		return ERR_NOMEM;
	}
	if (msg->req.message_id && !tx_expect_data(ses, msg)) {
		tx_give_back(ses, msg);
		return ERR_NOMEM;
	}
	return tx_start(ses, index);
}

static bool has_pdc(enum op_mode mode)
{
	return mode == OP_RUD || mode == OP_ROD;
}

/* Keeps the bytes of a raw packet until the PDS takes it. */
static int open_raw(struct ses *ses, const struct orc_op *op, uint32_t *ret)
{
	const struct pds_op *p = &op->pds;
	struct tx_msg *msg;
	int err;

	if (op->mode >= OP_MODES)
		return ERR_SUPPORT;
	if (p->pkt_len > sizeof(ses->scratch) || p->next_hdr > 15)
		return ERR_VALUE;
	err = ses_tx_open_msg(ses, op, ret);
	if (err)
		return err;
	msg = &ses->msgs[*ret];
	if (!buf_room(&msg->data, &ses->env->mem, p->pkt_len)) {
		tx_give_back(ses, msg);
		return ERR_NOMEM;
	}
	if (p->pkt_len)
		memcpy(msg->data.bytes, p->pkt, p->pkt_len);
	msg->raw = (struct ses_tx){
		.dst_fep = msg->fep,
		.mode = op->mode,
		.rod_context = p->rod_context,
		.next_hdr = p->next_hdr,
		.context =
			{
				.tc = p->tc,
				.rsv_pdc = p->rsv_pdc,
				.tss = p->tss_context,
				.rsv_pdc_context = p->rsv_pdc_context,
				.rsv_ccc = p->rsv_ccc_context,
			},
		.som = p->som,
		.eom = p->eom,
		.lock_pdc = p->lock_pdc,
		.return_data = p->return_data,
		.orig_pdcid = p->orig_pdcid,
		.msg_id = op->message_id,
		.tx_pkt_handle = *ret,
		.pkt = msg->data.bytes,
		.pkt_len = p->pkt_len,
	};
	ses->raw_used = true;
	return 0;
}

int tx_raw(struct ses *ses, const struct orc_op *op)
{
	uint32_t index;
	int err = open_raw(ses, op, &index);

	return err ? err : tx_start(ses, index);
}

/* Opens a message that no operation has posted. */
static int open_silent(struct ses *ses, const struct orc_op *op, uint32_t fep,
		       uint32_t *ret)
{
	int err = tx_flow_room(ses, fep) ? 0 : ERR_NOMEM;

	if (!err)
		err = open_msg_to(ses, op, fep, ret);
	if (err)
		return err;
	ses->msgs[*ret].req = request_of(ses, op);
	ses->msgs[*ret].silent = true;
	return 0;
}

/* "RTR travels on a PDC opened by the original target" (3.5.8.1). */
int tx_ready_to_restart(struct ses *ses, const struct deferred *d)
{
	const struct orc_op op = {.kind = OP_SEND, .mode = d->mode};
	struct tx_msg *msg;
	uint32_t index;
	int err = open_silent(ses, &op, d->fep, &index);

	if (err)
		return err;
	msg = &ses->msgs[index];
	msg->req.opcode = SES_DEFERRABLE_RTR;
	msg->req.memory_key =
		(uint64_t)d->initiator_token << 32 | d->target_token;
	ses_tx_name(ses, msg, 0);
	return tx_start(ses, index);
}

int tx_read_body(struct ses *ses, struct body *body)
{
	const struct ses_rendezvous *from = &body->from;
	const struct orc_op op = {.kind = OP_READ, .mode = body->mode};
	const uint32_t len = body->recv.len - from->eager_length;
	const uint32_t mtu = ses->env->conf.mtu;
	struct tx_msg *msg;
	uint32_t index;
	int err = open_silent(ses, &op, body->fep, &index);

	if (err)
		return err;
	msg = &ses->msgs[index];
	msg->req.ri_generation = from->read_ri_generation;
	msg->req.pid_on_fep = from->read_pid_on_fep;
	msg->req.resource_index = from->read_resource_index;
	msg->req.memory_key = from->read_memory_key;
	msg->req.buffer_offset = from->read_offset;
	if (!ses->env->conf.read_offset_of_rest)
		msg->req.buffer_offset += from->eager_length;
	msg->req.request_length = len;
	msg->len = len;
	msg->npackets = len / mtu + (len % mtu != 0);
	msg->body = body;
	ses_tx_name(ses, msg, 0);
	if (!tx_expect_data(ses, msg)) {
		tx_give_back(ses, msg);
		return ERR_NOMEM;
	}
	return tx_start(ses, index);
}

/* Hands an opened message of one packet to the return direction. */
static int hand_back(struct ses *ses, uint32_t index, const struct ses_tx *tx)
{
	struct ses_txd txd;
	const int err = ses_pds_tx_ret(ses->pds, tx, &txd);

	if (err) {
		tx_give_back(ses, &ses->msgs[index]);
		return err;
	}
	ses->msgs[index].handed = 1;
	ses->msgs[index].pdcid = txd.pdcid;
	return 0;
}

int tx_return(struct ses *ses, struct ses_tx *tx, uint32_t handle)
{
	const uint32_t index = tx_take_msg(ses);

	if (index == SES_NONE)
		return ERR_NOMEM;
	ses->msgs[index] = (struct tx_msg){
		.kind = OP_SES_PDS_TX_RET,
		.live = true,
		.handle = handle,
		.npackets = 1,
		.data = ses->msgs[index].data,
	};
	tx->tx_pkt_handle = index;
	return hand_back(ses, index, tx);
}

int tx_raw_return(struct ses *ses, const struct orc_op *op)
{
	struct ses_tx tx;
	uint32_t index;
	int err = has_pdc(op->mode) ? open_raw(ses, op, &index) : ERR_SUPPORT;

	if (err)
		return err;
	tx = ses->msgs[index].raw;
	err = hand_back(ses, index, &tx);
	return err == ERR_SPACE ? ERR_STATE : err;
}

int tx_unlock(struct ses *ses, const struct orc_op *op)
{
	uint32_t pdcid;

	if (!idmap_get(&ses->locks, op->message_id, &pdcid))
		return ERR_STATE;
	idmap_del(&ses->locks, op->message_id);
	ses_pds_unlock(ses->pds, (uint16_t)pdcid);
	return 0;
}
