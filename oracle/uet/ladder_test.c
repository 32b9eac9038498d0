/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ladder_test.c -- the ladder figures of 3.5.20, rung by rung.
 *
 * The figures begin at PSN 332 forward and 47 in the return direction.  Here
 * both directions begin at the same Start_PSN (uet.md 6.2), so the return PSN
 * 48 of a figure is RET below.
 */
#include "base/pattern.h"
#include "oracle/core/pair_test.h"

#define RET 332u

static int ladder_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	*state = p;
	return 0;
}

static int ladder_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static struct pair *ladder_test_idle(void **state)
{
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	pair_idle(p);
	return p;
}

static void assert_rsp(const struct pair *p, size_t i, uint8_t opcode,
		       uint8_t rc, uint16_t message_id)
{
	const struct ses_rsp rsp = rung_rsp(p, i);

	assert_int_equal(rsp.opcode, opcode);
	assert_int_equal(rsp.return_code, rc);
	assert_int_equal(rsp.message_id, message_id);
}

/* Zero-RTT: data in the first packet, SYN until an ACK carries TPDCID. */
static void establishment(void **state)
{
	struct pair *p = *state;
	struct pds_req req;
	struct pds_req_syn syn;
	struct pds_ack ack;
	uint16_t ipdcid, tpdcid;

	core_pair_test_pair_open(p);
	pair_send(p, 1, 64);
	pair_send(p, 2, 64);
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	req = rung_req(p, 0, A, 332, 331);
	pds_req_syn_get(&syn, p->seen[0].data);
	assert_int_equal(syn.syn, 1);
	assert_int_equal(syn.pdc_info, 0);
	assert_int_equal(syn.psn_offset, 0);
	ipdcid = req.spdcid;
	rung_req(p, 1, A, 333, 331);
	pds_req_syn_get(&syn, p->seen[1].data);
	assert_int_equal(syn.syn, 1);
	assert_int_equal(syn.psn_offset, 1);
	ack = rung_ack(p, 2, B, 332, 332);
	tpdcid = ack.spdcid;
	assert_int_equal(ack.dpdcid, ipdcid);
	assert_int_not_equal(tpdcid, 0);
	assert_int_equal(p->seen[2].entropy, p->seen[0].entropy);

	pair_send(p, 3, 64);
	pair_run(p, VSPAN_MS);
	req = rung_req(p, 4, A, 334, 333);
	assert_int_equal(req.syn, 0);
	assert_int_equal(req.dpdcid, tpdcid);
}

static void figure_3_75(void **state)
{
	struct pair *p = ladder_test_idle(state);
	struct pds_req req;
	struct pds_ack ack;

	pair_send(p, 1, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 2);
	req = rung_req(p, 0, A, 333, 332);
	assert_int_equal(req.next_hdr, PDS_NEXT_REQUEST_STD);
	assert_int_equal(req.ar, 1);
	assert_int_equal(req.retx, 0);
	ack = rung_ack(p, 1, B, 333, 333);
	assert_int_equal(ack.req, PDS_REQ_NONE);
	assert_int_equal(ack.retx, 0);
	assert_rsp(p, 1, SES_RESPONSE, RC_OK, 1);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 1);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RSP), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status, STATUS_OK);
}

static void guaranteed_once(struct pair *p)
{
	pair_policy(p, (struct ses_policy){.count = 1, .gtd = OP_GTD_YES});
}

static void figure_3_76_clear_command(void **state)
{
	struct pair *p = ladder_test_idle(state);
	struct pds_ack ack;
	struct pds_cp cp;

	guaranteed_once(p);
	pair_send(p, 1, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 3);
	rung_req(p, 0, A, 333, 332);
	ack = rung_ack(p, 1, B, 333, 332);
	assert_int_equal(ack.req, PDS_REQ_CLEAR);
	assert_rsp(p, 1, SES_RESPONSE, RC_OK, 1);
	cp = rung_cp(p, 2, A, PDS_CP_CLEAR_COMMAND, 333);
	assert_int_equal(cp.psn, 0);
	assert_int_equal(cp.ar, 0);

	pair_send(p, 2, 64);
	pair_run(p, VSPAN_MS);
	rung_req(p, 3, A, 334, 333);
	ack = rung_ack(p, 4, B, 334, 334);
	assert_int_equal(ack.req, PDS_REQ_NONE);
}

/* The clear rides in the next request; no Clear Command is sent. */
static void figure_3_76_clear_in_request(void **state)
{
	struct pair *p = ladder_test_idle(state);

	guaranteed_once(p);
	pair_send(p, 1, 64);
	pair_run(p, 2 * p->hop);
	pair_send(p, 2, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_ack(p, 1, B, 333, 332);
	rung_req(p, 2, A, 334, 333);
	rung_ack(p, 3, B, 334, 334);
}

/* A stored response answers each retransmission until the clear. */
static void figure_3_76_ack_lost(void **state)
{
	struct pair *p = ladder_test_idle(state);
	int lose[] = {1000, 1001, -1};
	struct pds_ack ack;

	p->fate = pair_lose;
	p->ctx = lose;
	guaranteed_once(p);
	pair_send(p, 1, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 7);
	for (size_t i = 0; i < 6; i += 2) {
		const struct pds_req req = rung_req(p, i, A, 333, 332);

		assert_int_equal(req.retx, i > 0);
		ack = rung_ack(p, i + 1, B, 333, 332);
		assert_int_equal(ack.req, PDS_REQ_CLEAR);
		assert_int_equal(ack.retx, i > 0);
		assert_rsp(p, i + 1, SES_RESPONSE, RC_OK, 1);
	}
	rung_cp(p, 6, A, PDS_CP_CLEAR_COMMAND, 333);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 1);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RSP), 1);
}

/* Figure 3-77: packets are reordered; an ACK covers several. */
static struct fate swap_pairs(struct pair *p, unsigned from,
			      const struct dgram *d)
{
	struct pds_req req;

	(void)p;
	if (from != A || pds_type_of(d->data) != PDS_RUD_REQ)
		return (struct fate){.copies = 1};
	pds_req_get(&req, d->data);
	if (req.psn == 333 || req.psn == 335) /* behind the next packet */
		return (struct fate){.copies = 1, .delay = 2 * VSPAN_US};
	return (struct fate){.copies = 1, .delay = (req.psn - 333) * VSPAN_US};
}

static void ladder_test_figure_3_77(void **state)
{
	struct pair *p = *state;
	unsigned responses;

	p->conf[B].ack_gen_trigger = 2048; /* ACK every second packet */
	ladder_test_idle(state);
	p->fate = swap_pairs;
	pair_send(p, 1, 4 * 1024);
	pair_run(p, 100 * VSPAN_MS);
	for (size_t i = 0; i < 4; i++)
		rung_req(p, i, A, 333 + (uint32_t)i, 332);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 4);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	responses = pair_count(p, A, EV_PDS_SES_RX_RSP);
	assert_int_equal(responses, 4);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	/* every ACK answers a pair or an eom, none a retransmission */
	for (size_t i = 4; i < p->nseen; i++)
		rung(p, i, B, PDS_ACK);
}

/* Figure 3-78: each guaranteed PSN has its own ACK; CACK_PSN waits. */
static void figure_3_78(void **state)
{
	struct pair *p = ladder_test_idle(state);

	pair_policy(p, (struct ses_policy){.count = 4, .gtd = OP_GTD_YES});
	pair_send(p, 1, 4 * 1024);
	pair_run(p, 2 * p->hop + VSPAN_US);
	assert_int_equal(p->nseen, 8);
	for (size_t i = 0; i < 4; i++) {
		const uint32_t psn = 333 + (uint32_t)i;

		rung_req(p, i, A, psn, 332);
		assert_int_equal(rung_ack(p, 4 + i, B, psn, 332).req,
				 PDS_REQ_CLEAR);
	}
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	pair_send(p, 2, 2 * 1024);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 11);
	rung_req(p, 8, A, 337, 336);
	rung_req(p, 9, A, 338, 336);
	assert_int_equal(rung_ack(p, 10, B, 338, 338).req, PDS_REQ_NONE);
}

/* The third and the fourth ACK arrive late. */
static struct fate late_acks(struct pair *p, unsigned from,
			     const struct dgram *d)
{
	struct fate fate = {.copies = 1};

	(void)d;
	if (from == B && (p->nseen == 6 || p->nseen == 7))
		fate.delay = 3 * p->hop;
	return fate;
}

/* Posts half a message of two bytes; its packets leave when they are posted. */
static void post_half(struct pair *p, bool first)
{
	static uint8_t bytes[SES_HDR_MAX + 1];
	struct orc_op op = {.kind = OP_SES_PDS_TX_REQ,
			    .handle = 2,
			    .message_id = 2,
			    .pds = {.som = first, .eom = !first}};
	const struct ses_req req = {.next_hdr = PDS_NEXT_REQUEST_STD,
				    .opcode = SES_SEND,
				    .som = first,
				    .eom = !first,
				    .job_id = 1,
				    .pid_on_fep = 1,
				    .resource_index = 1,
				    .message_offset = first ? 0 : 1,
				    .request_length = 2,
				    .message_id = 2};

	op.pds.next_hdr = PDS_NEXT_REQUEST_STD;
	op.pds.pkt_len = (uint16_t)(ses_req_put(&req, bytes) + 1);
	op.pds.pkt = bytes;
	pair_post(p, A, &op);
}

/*
 * As drawn: 337 clears 333 and 334, but 335 and 336 are stored.  Its ACK waits
 * all the same: that of 338, which clears them, covers both.
 */
static void figure_3_78_merges(void **state)
{
	struct pair *p = ladder_test_idle(state);

	p->fate = late_acks;
	pair_policy(p, (struct ses_policy){.count = 4, .gtd = OP_GTD_YES});
	pair_send(p, 1, 4 * 1024);
	pair_run(p, 2 * p->hop + VSPAN_US);
	post_half(p, true);
	pair_run(p, 3 * p->hop);
	assert_int_equal(p->nseen, 9);
	rung_req(p, 8, A, 337, 334);
	post_half(p, false);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 11);
	rung_req(p, 9, A, 338, 336);
	assert_int_equal(rung_ack(p, 10, B, 338, 338).req, PDS_REQ_NONE);
	assert_rsp(p, 10, SES_RESPONSE, RC_OK, 2);
}

/* No clear comes between them: ACKs are not coalesced behind a stored one. */
static void waiting_behind_stored(void **state)
{
	struct pair *p = ladder_test_idle(state);

	pair_policy(p, (struct ses_policy){.count = 1, .gtd = OP_GTD_YES});
	pair_send(p, 1, 64);
	pair_send(p, 2, 2 * 1024);
	pair_run(p, 2 * p->hop + VSPAN_US);
	assert_int_equal(p->nseen, 6);
	rung_ack(p, 3, B, 333, 332);
	rung_ack(p, 4, B, 334, 332);
	assert_rsp(p, 4, SES_DEFAULT_RESPONSE, RC_NULL, 2);
	rung_ack(p, 5, B, 335, 332);
	assert_rsp(p, 5, SES_RESPONSE, RC_OK, 2);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 7); /* nothing is repeated */
	rung_cp(p, 6, A, PDS_CP_CLEAR_COMMAND, 335);
}

static void ladder_test_expose(struct pair *p, uint64_t key, uint32_t len)
{
	const struct orc_op op = {.kind = OP_EXPOSE, .key = key, .len = len};

	pair_post(p, B, &op);
}

static void post_read(struct pair *p, enum op_header header, uint32_t len)
{
	const struct orc_op op = {
		.kind = OP_READ,
		.header = header,
		.handle = 70,
		.message_id = header == OP_HEADER_STD ? 1 : 0,
		.key = header == OP_HEADER_SMALL ? 0 : 5,
		.offset = 16,
		.len = len,
	};

	pair_post(p, A, &op);
}

static void ladder_test_assert_read(const struct pair *p, uint64_t key,
				    uint32_t len)
{
	const uint8_t *bytes;
	size_t n;

	assert_int_equal(orc_reference.memory(p->end[A], 0, &bytes, &n), 0);
	assert_int_equal(n, len);
	for (uint32_t i = 0; i < len; i++)
		assert_int_equal(bytes[i],
				 pattern_byte(0, pattern_memory(key), 16 + i));
}

static void figure_3_79(void **state)
{
	struct pair *p = ladder_test_idle(state);
	struct pds_req ret;
	struct ses_rsp data = {0};
	struct pds_ack ack;

	ladder_test_expose(p, 5, 4096);
	post_read(p, OP_HEADER_STD, 512);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_req(p, 0, A, 333, 332);
	ack = rung_ack(p, 1, B, 333, 333);
	assert_int_equal(ack.req, PDS_REQ_NONE);
	assert_rsp(p, 1, SES_RESPONSE, RC_OK, 1);
	ret = rung_req(p, 2, B, RET, RET - 1);
	assert_int_equal(ret.syn, 0);
	assert_int_equal(ret.spdcid, ack.spdcid);
	assert_int_equal(ret.dpdcid, ack.dpdcid);
	assert_int_equal(ret.next_hdr, PDS_NEXT_RESPONSE_DATA);
	assert_true(ses_rsp_get(&data, ret.next_hdr,
				p->seen[2].data + pds_req_len, 20) > 0);
	assert_int_equal(data.read_request_message_id, 1);
	assert_int_not_equal(data.message_id, 0);
	assert_int_equal(data.payload_length, 512);
	ack = rung_ack(p, 3, A, RET, RET);
	assert_int_equal(ack.req, PDS_REQ_NONE);
	assert_rsp(p, 3, SES_RESPONSE, RC_OK, data.message_id);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RET), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_RSP), 1);
	ladder_test_assert_read(p, 5, 512);
}

static void figure_3_80_with(void **state, enum op_header header)
{
	struct pair *p = ladder_test_idle(state);
	struct pds_req ret;
	struct ses_rsp data = {0};

	ladder_test_expose(p, header == OP_HEADER_SMALL ? 0 : 5, 4096);
	post_read(p, header, 512);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_req(p, 0, A, 333, 332);
	rung_ack(p, 1, B, 333, 333);
	ret = rung_req(p, 2, B, RET, RET - 1);
	assert_int_equal(ret.next_hdr, PDS_NEXT_RESPONSE_DATA_SMALL);
	assert_true(ses_rsp_get(&data, ret.next_hdr,
				p->seen[2].data + pds_req_len, 12) > 0);
	assert_int_equal(data.original_request_psn, 333);
	rung_ack(p, 3, A, RET, RET);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	ladder_test_assert_read(p, header == OP_HEADER_SMALL ? 0 : 5, 512);
}

static void figure_3_80_medium(void **state)
{
	figure_3_80_with(state, OP_HEADER_MEDIUM);
}

static void figure_3_80_small(void **state)
{
	figure_3_80_with(state, OP_HEADER_SMALL);
}

/* 3.5.20.2.7: small data rides in the ACK; the sequence is that of 3-76. */
static void read_in_ack(void **state)
{
	struct pair *p = ladder_test_idle(state);
	struct pds_ack ack;

	ladder_test_expose(p, 5, 4096);
	post_read(p, OP_HEADER_STD, 16);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 3);
	ack = rung_ack(p, 1, B, 333, 332);
	assert_int_equal(ack.req, PDS_REQ_CLEAR);
	assert_int_equal(ack.next_hdr, PDS_NEXT_RESPONSE_DATA);
	rung_cp(p, 2, A, PDS_CP_CLEAR_COMMAND, 333);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	ladder_test_assert_read(p, 5, 16);
}

/* Figure 3-81: three packets of one read; the third is small. */
static void ladder_test_figure_3_81(void **state)
{
	struct pair *p = *state;
	uint32_t psn = RET;

	p->conf[B].ack_gen_trigger = 2048;
	ladder_test_idle(state);
	ladder_test_expose(p, 5, 4096);
	post_read(p, OP_HEADER_STD, 2 * 1024 + 8);
	pair_run(p, 100 * VSPAN_MS);
	for (size_t i = 0; i < 3; i++)
		rung_req(p, i, A, 333 + (uint32_t)i, 332);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RET), 3);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	ladder_test_assert_read(p, 5, 2 * 1024 + 8);
	rung_ack(p, 4, B, 334, 334); /* covers 333 and 334 */
	assert_rsp(p, 4, SES_DEFAULT_RESPONSE, RC_NULL, 1);
	rung_ack(p, 6, B, 335, 335);
	assert_rsp(p, 6, SES_RESPONSE, RC_OK, 1);
	for (size_t i = 3; i < p->nseen; i++) {
		struct pds_req ret;

		if (p->seen[i].from == A)
			continue;
		if (pds_type_of(p->seen[i].data) == PDS_RUD_REQ) {
			pds_req_get(&ret, p->seen[i].data);
			assert_int_equal(ret.psn, psn++);
		}
	}
	assert_int_equal(psn, RET + 3);
}

static void ladder_test_figure_3_82(void **state)
{
	struct pair *p = ladder_test_idle(state);
	struct pds_req req;

	pair_policy(p, (struct ses_policy){.count = 1,
					   .nack_code = NACK_NO_PKT_BUFFER});
	pair_send(p, 14, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_req(p, 0, A, 333, 332);
	rung_nack(p, 1, B, NACK_NO_PKT_BUFFER, 333);
	req = rung_req(p, 2, A, 333, 332);
	assert_int_equal(req.retx, 1);
	assert_int_equal(p->seen[2].at - p->seen[1].at,
			 p->hop + p->conf[A].nack_retx_time);
	rung_ack(p, 3, B, 333, 333);
	assert_rsp(p, 3, SES_RESPONSE, RC_OK, 14);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

static void figure_3_83(void **state)
{
	struct pair *p = ladder_test_idle(state);
	int lose[] = {0, -1};
	struct pds_req req;

	p->fate = pair_lose;
	p->ctx = lose;
	pair_send(p, 24, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 3);
	rung_req(p, 0, A, 333, 332);
	req = rung_req(p, 1, A, 333, 332);
	assert_int_equal(req.retx, 1);
	assert_int_equal(req.ar, 1);
	assert_int_equal(p->seen[1].at - p->seen[0].at, p->conf[A].rto_init);
	assert_memory_equal(p->seen[0].data + pds_req_len,
			    p->seen[1].data + pds_req_len,
			    SEEN_BYTES - pds_req_len);
	assert_int_equal(rung_ack(p, 2, B, 333, 333).retx, 1);
	assert_rsp(p, 2, SES_RESPONSE, RC_OK, 24);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

static void ladder_test_figure_3_84(void **state)
{
	struct pair *p = ladder_test_idle(state);
	int lose[] = {1000, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	pair_send(p, 85, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_req(p, 0, A, 333, 332);
	rung_ack(p, 1, B, 333, 333);
	assert_int_equal(rung_req(p, 2, A, 333, 332).retx, 1);
	assert_int_equal(rung_ack(p, 3, B, 333, 333).retx, 1);
	assert_rsp(p, 3, SES_DEFAULT_RESPONSE, RC_NULL, 85);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 1);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

#define LADDER(f)                                             \
	cmocka_unit_test_setup_teardown(f, ladder_test_setup, \
					ladder_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LADDER(establishment),
		LADDER(figure_3_75),
		LADDER(figure_3_76_clear_command),
		LADDER(figure_3_76_clear_in_request),
		LADDER(figure_3_76_ack_lost),
		LADDER(ladder_test_figure_3_77),
		LADDER(figure_3_78),
		LADDER(figure_3_78_merges),
		LADDER(waiting_behind_stored),
		LADDER(figure_3_79),
		LADDER(figure_3_80_medium),
		LADDER(figure_3_80_small),
		LADDER(read_in_ack),
		LADDER(ladder_test_figure_3_81),
		LADDER(ladder_test_figure_3_82),
		LADDER(figure_3_83),
		LADDER(ladder_test_figure_3_84),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
