/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/uet_record_test.c -- compares drawn runs of UET with the record.
 */
#include "oracle/record_test.h"
#include "oracle/uet/ses/ses_hdr.h"
#include "oracle/uet/uet_spoil_test.h"

#define CHOICE       RECORD_CHOICE
#define FLAG(member) CHOICE(member, 2, 0, 1)

static const struct record_choice uet_record_test_choices[] = {
	CHOICE(mtu, 4, 1024, 2048, 4096, 8192),
	CHOICE(version, 3, UET_1_0_1, UET_1_0_2, UET_1_0_3),
	FLAG(native),
	CHOICE(crc, 4, 0, 0, 0, 1),
	FLAG(crc_order),
	CHOICE(rto_init, 3, 100 * VSPAN_US, VSPAN_MS, 5 * VSPAN_MS),
	CHOICE(rto_max, 3, 8 * VSPAN_S, 5 * VSPAN_MS, 20 * VSPAN_MS),
	CHOICE(max_rto_retx, 5, 5, 15, 2, 1, 0),
	CHOICE(nack_retx_time, 3, VSPAN_MS, 100 * VSPAN_US, 0),
	CHOICE(max_nack_retx, 5, 5, 255, 2, 1, 0),
	CHOICE(ack_type, 3, ORC_ACK, ORC_ACK_CC, ORC_ACK_CCX),
	CHOICE(ack_gen_trigger, 5, 16384, 4096, 1024, 1, 0),
	CHOICE(ack_gen_min_pkt_add, 4, 1024, 4000, 1, 0),
	FLAG(ack_per_pkt),
	FLAG(ar_on_eom),
	FLAG(ack_on_ecn),
	CHOICE(max_ack_data, 5, 16, 0, 64, 1000, 8192),
	FLAG(keep_read_data),
	FLAG(late_payload),
	CHOICE(events, 3, 0, 1 << EV_COMPLETION, 0x3c7),
	CHOICE(read_time, 2, 0, 50 * VSPAN_US),
	CHOICE(slow_index, 3, 0, 1, 2),
	CHOICE(slow_time, 3, 0, VSPAN_MS, 7 * VSPAN_MS),
	CHOICE(infer_loss, 5, 0, 1, 2, 4, 40),
	CHOICE(default_rc, 3, RC_NULL, RC_OK, 63),
	FLAG(error_rx),
	CHOICE(defer_rc, 2, 0, 5),
	FLAG(read_offset_of_rest),
	FLAG(rod_nack_each),
	FLAG(rod_nack_payload),
	FLAG(nack_ccx),
	FLAG(cc),
	CHOICE(sack_base, 4, 0, 1, 2, 3),
	CHOICE(cwnd, 5, 0, 1024, 1025, 3000, 65536),
	CHOICE(sack_retx, 5, 0, 1, 2, 3, 40),
	CHOICE(spray, 5, 1, 2, 3, 16, 256),
	CHOICE(path_choice, 3, 0, 1, 2),
	CHOICE(path_rest, 2, 0, VSPAN_MS),
	CHOICE(cc_policy, 3, 0, 1, 2),
	CHOICE(link_rate, 4, 100000, 1000, 10000, 1),
	CHOICE(base_rtt, 3, 20 * VSPAN_US, 2 * VSPAN_US, 500 * VSPAN_US),
	CHOICE(nscc_max_window, 4, 150, 100, 1000, 0),
	CHOICE(nscc_target, 3, 75, 1, 1000),
	CHOICE(nscc_alpha, 3, 400, 0, 1),
	CHOICE(nscc_fair, 3, 25, 0, 1000),
	CHOICE(nscc_fast, 3, 25, 0, 100),
	CHOICE(nscc_fast_delay, 3, VSPAN_US, 100 * VSPAN_US, 10 * VSPAN_MS),
	CHOICE(nscc_eta, 3, 15, 0, 1000),
	CHOICE(nscc_gamma, 3, 80, 0, 100),
	CHOICE(nscc_max_decrease, 3, 50, 0, 100),
	CHOICE(nscc_qa_gate, 4, 3, 0, 1, 16),
	CHOICE(nscc_qa_delay, 3, 400, 0, 100),
	CHOICE(nscc_delay_gain, 4, 125, 0, 1, 10000),
	CHOICE(nscc_adjust, 3, 8, 0, 1),
	CHOICE(rccc_quantum, 4, 8, 1, 2, 256),
	FLAG(probe),
	CHOICE(rcv_cwnd_pend, 3, 0, 1, 127),
	FLAG(restore_cwnd),
	CHOICE(ccc_id, 3, 0, 1, 255),
	CHOICE(credit_unit, 4, 256, 1, 1024, 4096),
	CHOICE(credit_init, 5, 0, 1, 4, 64, 1000),
	CHOICE(mpr, 5, 8, 1, 2, 255, 0),
	CHOICE(default_mpr, 4, 8, 1, 2, 255),
	CHOICE(override_mpr_zero, 4, 0, 1, 100, 300),
	CHOICE(pds_clear_time, 3, VSPAN_MS, 100 * VSPAN_US, 0),
	CHOICE(close_idle, 4, 0, VSPAN_MS, 3 * VSPAN_MS, 10 * VSPAN_MS),
	CHOICE(close_req_time, 3, VSPAN_MS, 100 * VSPAN_US, 0),
	CHOICE(ask_close_idle, 3, 0, VSPAN_MS, 4 * VSPAN_MS),
	CHOICE(ask_clear_time, 3, 0, 100 * VSPAN_US, VSPAN_MS),
	CHOICE(syn_retx_safety, 3, 0, 100 * VSPAN_US, 3 * VSPAN_MS),
	CHOICE(psn_range, 5, 1u << 31, 16, 17, 20, 64),
	CHOICE(fatal_retries, 3, 0, 1, 2),
	CHOICE(max_pdcs, 4, 65535, 1, 2, 3),
	CHOICE(max_rudi, 4, 1024, 1, 2, 3),
	CHOICE(max_peer_pdcs, 3, 0, 1, 2),
	CHOICE(max_cccs, 3, 0, 1, 2),
	CHOICE(max_bitmaps, 3, 0, 1, 2),
	CHOICE(max_pkt_buffers, 4, 0, 1, 2, 5),
	CHOICE(max_stored, 4, 0, 1, 2, 5),
	CHOICE(max_ses_msgs, 4, 0, 1, 2, 3),
	FLAG(start_psn_fixed),
	CHOICE(start_psn, 5, 332, 0, 0xffffffe0, 0x7fffffe0, 0xffff),
	CHOICE(first_pdcid, 4, 0, 1, 0x7fff, 0xffff),
	CHOICE(job_id, 4, 1, 1, 1, 0xffffff),
	CHOICE(pid_on_fep, 4, 1, 1, 1, 0xfff),
	CHOICE(resource_index, 4, 1, 1, 1, 0xfff),
	CHOICE(ri_generation, 4, 0, 0, 0, 3),
	CHOICE(initiator, 2, 0, 0x12345678),
	CHOICE(dscp_data, 2, 0, 63),
	CHOICE(dscp_control, 2, 46, 1),
	CHOICE(dscp_bulk, 3, 0, 10, 63),
	FLAG(trim_syn),
	CHOICE(trimmable_ack, 4, 10240, 0, 50, 100),
};

/* A window of few packets, which stored responses shut. */
static void uet_record_test_narrow(struct record_run *r)
{
	struct orc_conf *conf = &r->conf[0];

	conf->version = UET_1_0_3;
	conf->ack_type = ORC_ACK_CC;
	conf->default_mpr = 1;
	conf->mpr = 0;
	conf->override_mpr_zero = 1 + record_below(r, 12);
}

/* The ends talk to each other only if these members are the same. */
static void uet_record_test_settle(struct record_run *r)
{
	if (!r->end[0] && record_chance(r, 200))
		uet_record_test_narrow(r);
	for (unsigned i = 1; i < RECORD_ENDS; i++) {
		r->conf[i].crc = r->conf[0].crc;
		r->conf[i].crc_order = r->conf[0].crc_order;
		r->conf[i].mtu = r->conf[0].mtu;
		r->conf[i].cc = r->conf[0].cc;
	}
}

/* ---- Messages ---- */

#define LONG_KEY 7 /* of a memory that more packets fill than a window has */
#define LONG_LEN (200 * 1024)

static uint32_t uet_record_test_length(struct record_run *r)
{
	const uint32_t mtu = r->conf[0].mtu;
	const uint32_t edges[] = {0,   1,       2,   8,       15,
				  16,  17,      64,  65,      mtu - 1,
				  mtu, mtu + 1, 256, 2 * mtu, 3 * mtu + 5};

	if (record_below(r, 10) == 0)
		return record_below(r, 12 * mtu);
	return RECORD_PICK(r, edges);
}

static struct ip_addr uet_record_test_peer(struct record_run *r, unsigned side)
{
	static const unsigned steps[] = {1, 1, 1, 1, 1, 2, 2, 0};
	const unsigned to = (side + RECORD_PICK(r, steps)) % RECORD_ENDS;

	if (record_below(r, 100) == 0)
		return ip_addr_v4(0x0a000009u); /* of no end */
	return r->conf[to].addr;
}

static enum op_mode uet_record_test_mode(struct record_run *r)
{
	static const enum op_mode modes[] = {OP_RUD, OP_RUD,  OP_RUD, OP_ROD,
					     OP_ROD, OP_RUDI, OP_UUD};

	return RECORD_PICK(r, modes);
}

/* Some values are no number in one of the floating-point types. */
static uint64_t uet_record_test_operand(struct record_run *r)
{
	static const uint64_t nans[] = {0x7ff8ULL << 48, 0x7fc0ULL << 16,
					0x7e00};

	return record_below(r, 6) ? record_value(r) : RECORD_PICK(r, nans);
}

static struct orc_op uet_record_test_draw(struct record_run *r, unsigned side)
{
	static const enum op_kind kinds[] = {OP_SEND, OP_SEND,   OP_WRITE,
					     OP_READ, OP_ATOMIC, OP_WRITE};
	static const uint64_t keys[] = {5, 5, 5, 5, 0, 6, 7};
	static const uint64_t offsets[] = {0, 0, 8, 16, 100, 4096, 8191, 8192};
	struct orc_op op = {
		.kind = RECORD_PICK(r, kinds),
		.handle = 1 + record_below(r, 1000),
		.peer = uet_record_test_peer(r, side),
		.mode = uet_record_test_mode(r),
		.header = (enum op_header)record_below(r, 3),
		.len = uet_record_test_length(r),
		.key = RECORD_PICK(r, keys),
		.offset = RECORD_PICK(r, offsets),
		.tagged = record_chance(r, 100),
		.rendezvous = record_chance(r, 100),
		.deferrable = record_chance(r, 100),
		.amo = {.opcode = (uint8_t)record_below(r, 20),
			.datatype = (uint8_t)record_below(r, 24),
			.fetch = record_below(r, 2),
			.operand = uet_record_test_operand(r),
			.compare = uet_record_test_operand(r)},
	};

	if (record_below(r, 4) == 0)
		op.message_id = (uint16_t)record_below(r, 20);
	if (op.key == LONG_KEY && record_below(r, 2))
		op.len = LONG_LEN - record_below(r, LONG_LEN / 3);
	if (op.rendezvous)
		op.eager = record_below(r, 2) ? op.len / 2
					      : uet_record_test_length(r);
	if (op.header != OP_HEADER_STD && op.len > r->conf[0].mtu)
		op.len %= r->conf[0].mtu + 1u;
	if (op.header == OP_HEADER_SMALL && record_below(r, 8))
		op.key = 0;
	return op;
}

static void uet_record_test_message(struct record_run *r, unsigned side)
{
	const struct orc_op op = uet_record_test_draw(r, side);

	record_post(r, side, &op);
}

/* Messages of one kind, one behind the other. */
static void uet_record_test_burst(struct record_run *r, unsigned side)
{
	struct orc_op op = uet_record_test_draw(r, side);
	const unsigned n = 2 + record_below(r, 8);

	if (op.kind == OP_SEND && record_below(r, 2))
		op.deferrable = true;
	if (op.len > 4u * r->conf[0].mtu)
		op.len %= 4u * r->conf[0].mtu;
	for (unsigned i = 0; i < n; i++, op.handle++) {
		op.message_id = 0;
		record_post(r, side, &op);
	}
}

static void uet_record_test_receive(struct record_run *r, unsigned any)
{
	const unsigned side = (any + record_below(r, 2)) % RECORD_ENDS;
	const struct orc_op op = {
		.kind = OP_POST_RECV,
		.handle = record_below(r, 100),
		.peer = uet_record_test_peer(r, side),
		.len = uet_record_test_length(r),
		.count = record_below(r, 4),
		.tagged = record_chance(r, 300),
		.key = 5 + record_below(r, 3),
	};

	record_post(r, side, &op);
}

static void uet_record_test_expose(struct record_run *r, unsigned side)
{
	const struct orc_op op = {
		.kind = OP_EXPOSE,
		.key = record_below(r, 8),
		.len = uet_record_test_length(r),
		.offset = record_below(r, 2) * 4096,
	};

	record_post(r, side, &op);
}

/* ---- The PDS profile ---- */

static void uet_record_test_policy(struct record_run *r, unsigned any)
{
	const unsigned side = (any + record_below(r, 2)) % RECORD_ENDS;
	static const uint8_t nacks[] = {0,
					0,
					NACK_NO_PKT_BUFFER,
					NACK_NO_RESOURCE,
					NACK_TRIMMED,
					NACK_NO_BITMAP,
					NACK_PKT_NOT_RCVD};
	const struct orc_op op = {
		.kind = OP_SES_POLICY,
		.policy = {.count = record_below(r, 4),
			   .gtd = (enum op_gtd)record_below(r, 3),
			   .return_code = (uint8_t)(record_chance(r, 200) *
						    record_below(r, 64)),
			   .nack_code = RECORD_PICK(r, nacks),
			   .delay = record_below(r, 2) *
				    (vspan)record_below(r, 8000000),
			   .manual = record_chance(r, 100)},
	};

	record_post(r, side, &op);
}

/* Posts a packet of one of the messages from |id| on. */
static void uet_record_test_packet(struct record_run *r, unsigned side,
				   const struct orc_op *like, uint16_t id)
{
	static const uint8_t opcodes[] = {SES_SEND, SES_SEND,  SES_WRITE,
					  SES_READ, SES_NO_OP, SES_MSG_ERROR};
	uint8_t bytes[SES_HDR_MAX + 64] = {0};
	const struct ses_req req = {
		.next_hdr = PDS_NEXT_REQUEST_STD,
		.opcode = RECORD_PICK(r, opcodes),
		.som = record_chance(r, 700),
		.eom = record_chance(r, 700),
		.message_id = (uint16_t)(id + record_below(r, 2)),
		.job_id = r->conf[0].job_id,
		.pid_on_fep = r->conf[0].pid_on_fep,
		.resource_index = r->conf[0].resource_index,
		.memory_key = 5,
		.request_length = record_below(r, 65),
	};
	const size_t len = ses_req_put(&req, bytes);
	struct orc_op op = *like;

	op.message_id = req.message_id;
	op.pds.som = req.som;
	op.pds.eom = req.eom;
	op.pds.lock_pdc = record_chance(r, 300);
	op.pds.return_data = record_chance(r, 100);
	op.pds.pkt = bytes;
	op.pds.pkt_len = (uint16_t)(len + req.request_length);
	record_post(r, side, &op);
}

/* Packets of one context, of messages that may alternate. */
static void uet_record_test_raw(struct record_run *r, unsigned side)
{
	const struct orc_op op = {
		.kind = OP_SES_PDS_TX_REQ,
		.handle = 2000 + record_below(r, 100),
		.peer = uet_record_test_peer(r, side),
		.mode = uet_record_test_mode(r),
		.pds = {.rod_context = (uint16_t)record_below(r, 3),
			.tss_context = (uint16_t)record_chance(r, 50),
			.rsv_pdc_context = (uint16_t)record_below(r, 2),
			.rsv_ccc_context = (uint16_t)record_below(r, 2),
			.tc = (uint8_t)record_below(r, 2),
			.next_hdr = PDS_NEXT_REQUEST_STD,
			.rsv_pdc = record_chance(r, 200)},
	};
	const uint16_t id = (uint16_t)record_below(r, 20);
	const unsigned n = record_below(r, 3) ? 1 : 2 + record_below(r, 5);

	for (unsigned i = 0; i < n; i++)
		uet_record_test_packet(r, side, &op, id);
}

/* An answer of the SES, as a response or as return data. */
static void uet_record_test_answer(struct record_run *r, unsigned any)
{
	const unsigned side = (any + record_below(r, 2)) % RECORD_ENDS;
	static const uint8_t nacks[] = {0, 0, 0, 0, NACK_NO_RESOURCE, 0x1f};
	static const unsigned others[] = {0, 0, 0, 0, 0, 1, 2, 300};
	const struct orc_event *asked = &r->asked[side];
	uint8_t bytes[SES_HDR_MAX + 64] = {0};
	const bool data = record_below(r, 2);
	const struct ses_rsp rsp = {
		.next_hdr = data ? PDS_NEXT_RESPONSE_DATA : PDS_NEXT_RESPONSE,
		.opcode = data ? SES_RESPONSE_W_DATA : SES_RESPONSE,
		.return_code = (uint8_t)(1 + record_below(r, 3)),
		.message_id = asked->message_id,
		.job_id = r->conf[0].job_id,
	};
	struct orc_op op = {
		.kind = data ? OP_SES_PDS_TX_RET : OP_SES_PDS_TX_RSP,
		.handle = 3000 + record_below(r, 100),
		.peer = uet_record_test_peer(r, side),
		.mode = uet_record_test_mode(r),
		.message_id = asked->message_id,
		.pds = {.next_hdr = rsp.next_hdr,
			.som = true,
			.eom = true,
			.return_data = data,
			.gtd_del = record_below(r, 2),
			.ses_nack = RECORD_PICK(r, nacks),
			.orig_pdcid = asked->orig_pdcid,
			.orig_psn = asked->orig_psn,
			.rx_pkt_handle = asked->handle + RECORD_PICK(r, others),
			.pkt = bytes,
			.pkt_len = (uint16_t)ses_rsp_put(&rsp, bytes)},
	};

	if (!data && record_below(r, 4) == 0) { /* a default response */
		op.pds.pkt = NULL;
		op.pds.pkt_len = 0;
	}
	record_post(r, side, &op);
}

static void uet_record_test_other(struct record_run *r, unsigned side)
{
	static const enum op_kind kinds[] = {OP_SES_PDS_UNLOCK,
					     OP_SES_PDS_EAGER_REQ, OP_ASK_CLOSE,
					     OP_ASK_CLOSE, OP_POST_SEND};
	const struct orc_op op = {
		.kind = RECORD_PICK(r, kinds),
		.handle = record_below(r, 100),
		.peer = uet_record_test_peer(r, side),
		.mode = uet_record_test_mode(r),
		.message_id = (uint16_t)record_below(r, 20),
		.len = uet_record_test_length(r),
		.close = (enum op_close)record_below(r, 3),
		.pds = {.eager_id = (uint16_t)record_below(r, 5),
			.lock_pdc = record_below(r, 2)},
	};

	record_post(r, side, &op);
}

static void uet_record_test_control(struct record_run *r, unsigned side)
{
	const struct orc_op op = {
		.kind = OP_SEND_CP,
		.peer = uet_record_test_peer(r, side),
		.mode = uet_record_test_mode(r),
		.cp = {.ctl_type = (uint8_t)record_below(r, 16),
		       .psn = r->conf[0].start_psn + record_below(r, 8),
		       .payload = record_below(r, 2)
					  ? (uint32_t)record_value(r)
					  : r->conf[0].start_psn +
						    record_below(r, 8)},
	};

	record_post(r, side, &op);
}

static void uet_record_test_forge_rudi(const struct dgram *of, uint8_t code,
				       struct dgram *ret)
{
	struct pds_nack_rudi nack = {.type = PDS_NACK, .nt = true};
	struct rudi_req req;

	rudi_req_get(&req, of->data);
	nack.nack_code = code;
	nack.nack_pkt_id = req.pkt_id;
	pds_nack_rudi_put(&nack, ret->data);
}

/* A NACK that no end sent: any code, for a packet of the past. */
static void uet_record_test_forge(struct record_run *r, unsigned side)
{
	static const uint8_t codes[] = {NACK_EXP_NACK_NORMAL, NACK_EXP_NACK_ERR,
					NACK_EXP_NACK_FATAL};
	const struct dgram *of = r->past[record_below(r, RECORD_PAST)];
	struct dgram *d = calloc(1, sizeof(*d));
	struct pds_nack nack = {.type = PDS_NACK};
	struct pds_req req = {0};

	(void)side;
	assert_non_null(d);
	if (of && of->len >= pds_req_len) {
		pds_req_get(&req, of->data);
		nack.nack_code = (uint8_t)record_below(r, 0x1c);
		if (record_below(r, 10) == 0)
			nack.nack_code = RECORD_PICK(r, codes);
		if (record_below(r, 5) == 0)
			nack.nack_code = NACK_NEW_START_PSN;
		nack.nack_psn = req.psn + record_below(r, 2) * 3;
		nack.spdcid = req.dpdcid;
		nack.dpdcid = req.spdcid;
		nack.payload = req.psn + record_below(r, 100) - 50;
		d->src = of->dst;
		d->dst = of->src;
		d->entropy = of->entropy;
		pds_nack_put(&nack, d->data);
		if (pds_type_of(of->data) == PDS_RUDI_REQ)
			uet_record_test_forge_rudi(of, nack.nack_code, d);
		d->len = pds_nack_len;
		record_fly(r, d, record_below(r, 2) * r->hop);
	}
	free(d);
}

/* ---- A run ---- */

static void uet_record_test_begin(struct record_run *r, unsigned side)
{
	const struct orc_op much = {
		.kind = OP_EXPOSE, .key = LONG_KEY, .len = LONG_LEN};

	if (record_below(r, 16) == 0) {
		record_post(r, side, &much);
		r->left += LONG_LEN / 1024;
	}
	for (uint64_t key = 0; key < 7; key++) {
		const struct orc_op op = {
			.kind = OP_EXPOSE, .key = key, .len = 8192};

		if (key == 0 || key == 5 || key == 6)
			record_post(r, side, &op);
	}
}

/* The next ids of messages and of responses, and tokens, are the last ones. */
static void uet_record_test_age(struct record_run *r, unsigned side)
{
	struct ses *ses = &r->end[side]->ses;

	ses->last_id = UINT16_MAX - 5;
	ses->last_response_id = UINT16_MAX - 2;
	ses->last_token = UINT32_MAX - 1;
}

static void uet_record_test_reset(struct record_run *r, unsigned side)
{
	record_renew(r, side);
	if (record_below(r, 4))
		uet_record_test_begin(r, side);
}

typedef void uet_record_test_step(struct record_run *r, unsigned side);

static uet_record_test_step *const uet_record_test_steps[] = {
	uet_record_test_message, uet_record_test_message,
	uet_record_test_message, uet_record_test_message,
	uet_record_test_message, uet_record_test_message,
	uet_record_test_burst,   uet_record_test_burst,
	uet_record_test_policy,  uet_record_test_receive,
	uet_record_test_raw,     uet_record_test_answer,
	uet_record_test_other,   uet_record_test_control,
	uet_record_test_expose,  record_configure,
	uet_record_test_forge,   uet_record_test_forge,
};

static void uet_record_test_play(struct record_run *r)
{
	static const vspan waits[] = {0,
				      0,
				      1,
				      5 * VSPAN_US,
				      40 * VSPAN_US,
				      300 * VSPAN_US,
				      2 * VSPAN_MS,
				      12 * VSPAN_MS};
	const unsigned plain = record_below(r, 2) * 10;
	const size_t steps = sizeof(uet_record_test_steps) /
			     sizeof(uet_record_test_steps[0]);

	for (unsigned side = 0; side < RECORD_ENDS; side++) {
		uet_record_test_begin(r, side);
		if (r->age)
			r->age(r, side);
	}
	for (unsigned n = 0; n < 50; n++) {
		const unsigned side = record_below(r, 8) < 6 ? 0 : 1;

		if (record_chance(r, 10))
			uet_record_test_reset(r, record_below(r, 3));
		uet_record_test_steps[record_below(
			r, (uint32_t)(steps - plain))](r, side);
		record_pass(r, RECORD_PICK(r, waits));
	}
	record_pass(r, 100 * VSPAN_MS);
	record_pass(r, 30 * VSPAN_S);
}

static void uet_runs_are_as_recorded(void **state)
{
	const struct record_family uet = {
		.file = "tests/golden/uet_record_golden.txt",
		.family = FAMILY_UET,
		.runs = 3000,
		.choices = uet_record_test_choices,
		.nchoices = sizeof(uet_record_test_choices) /
			    sizeof(uet_record_test_choices[0]),
		.settle = uet_record_test_settle,
		.play = uet_record_test_play,
		.age = uet_record_test_age,
		.spoil = uet_spoil,
	};

	(void)state;
	record_check(&uet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uet_runs_are_as_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
