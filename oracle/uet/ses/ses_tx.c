/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_tx.c -- the SES of an initiator: turns messages into
 * packets, and responses and read data into completions.
 *
 * The messages to one peer wait in one flow for each mode and are handed over
 * in order: "every packet of message n is first-transmitted before the first of
 * message n+1". The PDS keeps the bytes; a message exists until each of its
 * packets has a response, and a read until its data has arrived.
 *
 * Spec: UET 3.4.4, 3.5.12.1 (uet.md 6.1, 7.5)
 */
#include <string.h>

#include "base/err.h"
#include "oracle/uet/pds/pds_table.h"
#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/ses.h"

/* request_length of a small or medium header has 14 bits. */
#define SHORT_LENGTH_MAX 0x3fff

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

static bool id_used(const struct ses *ses, uint16_t id)
{
	return ses->ids[id / 64] >> id % 64 & 1;
}

/* "Message ids are unique within a PDC and should be among all" (fig. 3-79). */
static uint16_t ses_tx_free_id(struct ses *ses)
{
	do
		ses->last_id++;
	while (!ses->last_id || id_used(ses, ses->last_id));
	return ses->last_id;
}

/* Makes room for the flows of a peer. */
static bool flow_room(struct ses *ses, uint32_t fep)
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

static uint32_t take_msg(struct ses *ses)
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
static uint64_t read_key_psn(uint16_t pdcid, uint32_t psn)
{
	return (uint64_t)1 << 63 | (uint64_t)pdcid << 32 | psn;
}

uint64_t tx_read_key(const struct tx_msg *msg)
{
	if (msg->req.message_id)
		return msg->req.message_id;
	return read_key_psn(msg->pdcid, msg->psn);
}

/*
 * Returns true if data comes in packets of its own; in RUDI it is in the
 * response.
 */
static bool awaits_data(const struct tx_msg *msg)
{
	return msg->kind == OP_READ && msg->mode != OP_RUDI;
}

static void ses_tx_give_back(struct ses *ses, struct tx_msg *msg)
{
	const uint16_t id = msg->req.message_id;

	if (awaits_data(msg))
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

static void ses_tx_complete(struct ses *ses, struct tx_msg *msg)
{
	struct orc_event *ev;

	msg->completed = true;
	if (msg->locked)
		ses_pds_unlock(ses->pds, msg->pdcid);
	msg->locked = false;
	if (tx_is_raw(msg))
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
}

/* Returns true if the data of a read, or all responses of another one, came. */
static bool ses_tx_is_over(const struct tx_msg *msg)
{
	const bool answered = msg->answered == msg->npackets;

	if (!awaits_data(msg) || msg->status != STATUS_OK)
		return answered;
	return msg->got >= msg->len && msg->len;
}

/* Returns true for a RUDI read that was answered without all of its data. */
static bool fell_short(const struct tx_msg *msg)
{
	return msg->kind == OP_READ && msg->mode == OP_RUDI &&
	       msg->answered == msg->npackets && msg->got < msg->len;
}

static void progress(struct ses *ses, struct tx_msg *msg)
{
	if (msg->status == STATUS_OK && fell_short(msg))
		msg->status = STATUS_REFUSED;
	if (!msg->completed && ses_tx_is_over(msg))
		ses_tx_complete(ses, msg);
	if (msg->completed && msg->answered == msg->npackets)
		ses_tx_give_back(ses, msg);
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

/* Writes packet |msg->handed| of a message to the scratch buffer. */
static uint16_t ses_tx_write_packet(struct ses *ses, const struct tx_msg *msg)
{
	const uint32_t mtu = ses->env->conf.mtu;
	const uint32_t offset = msg->handed * mtu;
	const uint32_t left = msg->len - offset;
	struct ses_req req = msg->req;
	size_t at;

	req.som = msg->handed == 0;
	req.eom = msg->handed + 1 == msg->npackets;
	req.message_offset = offset;
	req.slice = left < mtu ? left : mtu;
	at = ses_req_put(&req, ses->scratch);
	if (ses_tx_is_atomic(msg))
		return (uint16_t)(at + write_amo(msg, ses->scratch + at));
	if (msg->kind == OP_READ)
		return (uint16_t)at;
	buf_pattern(ses->scratch + at, req.message_id, offset, req.slice);
	return (uint16_t)(at + req.slice);
}

static struct ses_tx ses_tx_describe(struct ses *ses, const struct tx_msg *msg)
{
	return (struct ses_tx){
		.dst_fep = msg->fep,
		.mode = msg->mode,
		.next_hdr = msg->req.next_hdr,
		.som = msg->handed == 0,
		.eom = msg->handed + 1 == msg->npackets,
		.lock_pdc = msg->handed == 0 && awaits_data(msg),
		.msg_id = msg->req.message_id,
		.tx_pkt_handle = (uint32_t)(msg - ses->msgs),
		.pkt_len = ses_tx_write_packet(ses, msg),
		.pkt = ses->scratch,
	};
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

/* A read's data is found by message id, or by PDC and PSN of its request. */
static bool expect_data(struct ses *ses, const struct tx_msg *msg)
{
	const uint32_t index = (uint32_t)(msg - ses->msgs);

	if (!awaits_data(msg))
		return true;
	return idmap_put(&ses->reads, &ses->env->mem, tx_read_key(msg), index);
}

static bool ses_tx_hand_over(struct ses *ses, uint32_t index)
{
	while (ses->msgs[index].handed < ses->msgs[index].npackets)
		if (hand_over_packet(ses, &ses->msgs[index]))
			return false;
	if (!ses->msgs[index].req.message_id)
		expect_data(ses, &ses->msgs[index]);
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
		ses_tx_give_back(ses, msg);
		return err;
	}
	msg->answered = msg->npackets;
	progress(ses, msg);
	return 0;
}

/* Hands a message over when its turn has come. */
static int ses_tx_start(struct ses *ses, uint32_t index)
{
	if (ses->msgs[index].mode == OP_UUD)
		return send_datagram(ses, index);
	ses_tx_append(ses, index);
	return 0;
}

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

static int check_message(const struct ses *ses, const struct orc_op *op)
{
	const uint32_t mtu = ses->env->conf.mtu;
	const int err = check_mode(ses, op);

	if (err)
		return err;
	if (op->kind == OP_READ && (!op->len || op->len > SES_BUF_MAX))
		return ERR_VALUE;
	if (op->kind == OP_ATOMIC && !length_of(op))
		return ERR_VALUE;
	if (op->header == OP_HEADER_STD)
		return id_used(ses, op->message_id) ? ERR_STATE : 0;
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
		id = ses_tx_free_id(ses);
	ses->ids[id / 64] |= (uint64_t)1 << id % 64;
	msg->req.message_id = id;
}

/* Fills the fields of a new message that are independent of its kind. */
static int ses_tx_open_msg(struct ses *ses, const struct orc_op *op,
			   uint32_t *ret)
{
	uint32_t fep, index;
	struct ses_buf data;

	if (pds_fep(ses->pds, &op->peer, &fep) || !flow_room(ses, fep))
		return ERR_NOMEM;
	index = take_msg(ses);
	if (index == SES_NONE)
		return ERR_NOMEM;
	data = ses->msgs[index].data;
	data.len = 0;
	ses->msgs[index] = (struct tx_msg){
		.kind = op->kind,
		.live = true,
		.handle = op->handle,
		.fep = fep,
		.mode = op->mode,
		.npackets = 1,
		.data = data,
	};
	*ret = index;
	return 0;
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
	ses_tx_name(ses, msg, op->message_id);
	if (msg->req.message_id && !expect_data(ses, msg)) {
		ses_tx_give_back(ses, msg);
		return ERR_NOMEM;
	}
	return ses_tx_start(ses, index);
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
		ses_tx_give_back(ses, msg);
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

	return err ? err : ses_tx_start(ses, index);
}

/* Hands an opened message of one packet to the return direction. */
static int hand_back(struct ses *ses, uint32_t index, const struct ses_tx *tx)
{
	struct ses_txd txd;
	const int err = ses_pds_tx_ret(ses->pds, tx, &txd);

	if (err) {
		ses_tx_give_back(ses, &ses->msgs[index]);
		return err;
	}
	ses->msgs[index].handed = 1;
	ses->msgs[index].pdcid = txd.pdcid;
	return 0;
}

int tx_return(struct ses *ses, struct ses_tx *tx, uint32_t handle)
{
	const uint32_t index = take_msg(ses);

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
	progress(ses, msg);
}

static void ses_tx_fail(struct tx_msg *msg, struct pds_error err)
{
	msg->status = err.status;
	msg->nack_code = err.nack_code;
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
	ses_tx_fail(msg, err);
	progress(ses, msg);
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
	ses_tx_fail(msg, err);
	progress(ses, msg);
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
		ses_tx_fail(msg, err);
		progress(ses, msg);
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
	const uint64_t key =
		by_psn ? read_key_psn(rx->orig_pdcid, rsp->original_request_psn)
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
	progress(ses, msg);
}
