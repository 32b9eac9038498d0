/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/rudi_test.c -- tests RUDI between two endpoints: the response
 * acknowledges, the initiator retransmits, the target keeps no state.
 */
#include "base/pattern.h"
#include "oracle/core/pair_test.h"
#include "oracle/uet/ses/amo.h"

#define KEY 5
#define RTO (5 * VSPAN_MS)

static int rudi_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));
	const struct orc_op expose = {
		.kind = OP_EXPOSE, .key = KEY, .len = 65536};

	assert_non_null(p);
	pair_conf(p);
	p->conf[A].max_rudi = 4;
	core_pair_test_pair_open(p);
	pair_post(p, B, &expose);
	*state = p;
	return 0;
}

static int rudi_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static struct orc_op rudi(enum op_kind kind, uint32_t len)
{
	return (struct orc_op){
		.kind = kind,
		.mode = OP_RUDI,
		.handle = 7,
		.message_id = 9,
		.key = KEY,
		.len = len,
	};
}

static int rudi_test_try_post(struct pair *p, struct orc_op op)
{
	op.peer = p->conf[B].addr;
	return orc_reference.post(p->end[A], &op, p->now);
}

static void rudi_test_post(struct pair *p, struct orc_op op)
{
	pair_post(p, A, &op);
}

static struct rudi_req rudi_test_request(const struct pair *p, size_t i)
{
	struct rudi_req h;

	rudi_req_get(&h, rung(p, i, A, PDS_RUDI_REQ)->data);
	assert_int_equal(h.rsvd_9 | h.rsvd_12 | h.rsvd_16, 0);
	return h;
}

static struct rudi_resp response(const struct pair *p, size_t i)
{
	struct rudi_resp h;

	rudi_resp_get(&h, rung(p, i, B, PDS_RUDI_RESP)->data);
	assert_int_equal(h.rsvd_9 | h.rsvd_12 | h.rsvd_16, 0);
	return h;
}

static uint8_t return_code(const struct pair *p, size_t i)
{
	const struct rudi_resp h = response(p, i);
	struct ses_rsp rsp;

	assert_true(ses_rsp_get(&rsp, h.next_hdr,
				p->seen[i].data + rudi_resp_len,
				p->seen[i].len - rudi_resp_len) > 0);
	return rsp.return_code;
}

static enum orc_status rudi_test_ended(const struct pair *p)
{
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	return pair_event(p, A, EV_COMPLETION, 0)->status;
}

static void write_is_answered(void **state)
{
	struct pair *p = *state;

	rudi_test_post(p, rudi(OP_WRITE, 64));
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->nseen, 2);
	assert_false(rudi_test_request(p, 0).retx);
	assert_int_equal(response(p, 1).pkt_id, rudi_test_request(p, 0).pkt_id);
	assert_int_equal(p->seen[1].entropy, p->seen[0].entropy);
	assert_int_equal(return_code(p, 1), RC_OK);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 1);
	assert_int_equal(pair_event(p, B, EV_PDS_SES_RX_REQ, 0)->orig_psn,
			 rudi_test_request(p, 0).pkt_id);
	assert_int_equal(orc_reference.deadline(p->end[A]), VTIME_NEVER);
}

static void write_of_many_packets(void **state)
{
	struct pair *p = *state;
	const uint8_t *bytes = NULL;
	size_t n;

	rudi_test_post(p, rudi(OP_WRITE, 5000));
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->nseen, 10);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RSP), 5);
	/* the target cannot detect the duplicate */
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
	assert_int_equal(orc_reference.memory(p->end[B], KEY, &bytes, &n), 0);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(bytes[i], pattern_byte(0, 7, i));
}

static void reads_come_whole(void **state)
{
	struct pair *p = *state;
	const enum op_header headers[] = {OP_HEADER_STD, OP_HEADER_MEDIUM};
	const uint32_t lens[] = {1, 16, 1024};

	for (size_t h = 0; h < 2; h++)
		for (size_t i = 0; i < 3; i++) {
			struct orc_op op = rudi(OP_READ, lens[i]);
			const uint8_t *bytes = NULL;
			size_t n;

			op.header = headers[h];
			pair_forget(p);
			rudi_test_post(p, op);
			pair_run(p, VSPAN_MS);
			assert_int_equal(p->nseen, 2);
			assert_int_equal(rudi_test_ended(p), STATUS_OK);
			assert_int_equal(
				orc_reference.memory(p->end[A], 0, &bytes, &n),
				0);
			assert_int_equal(n, lens[i]);
			for (uint32_t k = 0; k < n; k++)
				assert_int_equal(
					bytes[k],
					pattern_byte(0, pattern_memory(KEY),
						     k));
		}
}

static void read_of_many_packets(void **state)
{
	struct pair *p = *state;
	const uint8_t *bytes = NULL;
	size_t n;

	rudi_test_post(p, rudi(OP_READ, 3000));
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->nseen, 6);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
	assert_int_equal(orc_reference.memory(p->end[A], 0, &bytes, &n), 0);
	assert_int_equal(n, 3000);
	for (uint32_t k = 0; k < n; k++)
		assert_int_equal(bytes[k],
				 pattern_byte(0, pattern_memory(KEY), k));
}

static void lost_request_is_repeated(void **state)
{
	struct pair *p = *state;
	int lost[] = {0, 1, -1};

	p->fate = pair_lose;
	p->ctx = lost;
	rudi_test_post(p, rudi(OP_WRITE, 8));
	pair_run(p, 10 * RTO);
	assert_int_equal(p->nseen, 4);
	for (size_t i = 1; i < 3; i++) {
		assert_true(rudi_test_request(p, i).retx);
		assert_int_equal(rudi_test_request(p, i).pkt_id,
				 rudi_test_request(p, 0).pkt_id);
		assert_memory_equal(p->seen[i].data + rudi_req_len,
				    p->seen[0].data + rudi_req_len, 44 + 8);
	}
	assert_int_equal(p->seen[1].at - p->seen[0].at, RTO);
	assert_int_equal(p->seen[2].at - p->seen[1].at, 2 * RTO);
	assert_true(response(p, 3).retx);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
}

/* Each copy is delivered and answered; the second response is ignored. */
static void lost_response(void **state)
{
	struct pair *p = *state;
	int lost[] = {1000, -1};
	struct orc_stats stats;

	p->fate = pair_lose;
	p->ctx = lost;
	rudi_test_post(p, rudi(OP_WRITE, 8));
	pair_run(p, 10 * RTO);
	assert_int_equal(p->nseen, 4);
	assert_false(response(p, 1).retx);
	assert_true(response(p, 3).retx);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 2);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
	orc_reference.stats(p->end[B], &stats);
	assert_int_equal(stats.rx_duplicate, 0);
}

static struct fate twice(struct pair *p, unsigned from, const struct dgram *d)
{
	(void)p;
	(void)d;
	return (struct fate){.copies = from == A ? 2 : 1};
}

static void doubled_request(void **state)
{
	struct pair *p = *state;
	struct orc_stats stats;

	p->fate = twice;
	rudi_test_post(p, rudi(OP_WRITE, 8));
	pair_run(p, 10 * RTO);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 2);
	assert_int_equal(p->sent[B], 2);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
	orc_reference.stats(p->end[A], &stats);
	assert_int_equal(stats.rx_dropped, 1);
	assert_string_equal(pair_event(p, A, EV_DROP, 0)->reason,
			    "answers no outstanding request");
}

static struct fate none_arrive(struct pair *p, unsigned from,
			       const struct dgram *d)
{
	(void)p;
	(void)d;
	return (struct fate){.copies = from == B};
}

static void retries_end(void **state)
{
	struct pair *p = *state;

	p->fate = none_arrive;
	rudi_test_post(p, rudi(OP_WRITE, 8));
	pair_run(p, 10 * VSPAN_S);
	assert_int_equal(p->nseen, 6);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_ERROR), 1);
	assert_int_equal(pair_event(p, A, EV_PDS_SES_ERROR, 0)->orig_psn,
			 rudi_test_request(p, 0).pkt_id);
	assert_int_equal(rudi_test_ended(p), STATUS_RETRIES);
	assert_int_equal(orc_reference.deadline(p->end[A]), VTIME_NEVER);
}

/* A restarted target answers as before. */
static void target_restarts(void **state)
{
	struct pair *p = *state;
	const struct orc_op expose = {
		.kind = OP_EXPOSE, .key = KEY, .len = 65536};
	int lost[] = {1000, -1};

	p->fate = pair_lose;
	p->ctx = lost;
	rudi_test_post(p, rudi(OP_WRITE, 8));
	pair_run(p, RTO / 2);
	orc_reference.reset(p->end[B], 99);
	pair_post(p, B, &expose);
	pair_run(p, RTO);
	assert_int_equal(p->nseen, 4);
	assert_int_equal(response(p, 3).pkt_id, rudi_test_request(p, 0).pkt_id);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
}

static void rudi_test_nacked(struct pair *p, uint8_t code, uint32_t count)
{
	pair_policy(p, (struct ses_policy){.nack_code = code, .count = count});
	rudi_test_post(p, rudi(OP_WRITE, 8));
	pair_run(p, 2 * VSPAN_S);
}

static void nack_names_the_packet(void **state)
{
	struct pair *p = *state;
	struct pds_nack_rudi h;

	rudi_test_nacked(p, NACK_NO_PKT_BUFFER, 1);
	assert_int_equal(p->nseen, 4);
	pds_nack_rudi_get(&h, rung(p, 1, B, PDS_NACK)->data);
	assert_true(h.nt);
	assert_int_equal(h.nack_code, NACK_NO_PKT_BUFFER);
	assert_int_equal(h.nack_pkt_id, rudi_test_request(p, 0).pkt_id);
	assert_int_equal(h.spdcid | h.dpdcid, 0);
	assert_int_equal(p->seen[1].entropy, p->seen[0].entropy);
	assert_true(rudi_test_request(p, 2).retx);
	assert_int_equal(p->seen[2].at - p->seen[1].at, VSPAN_MS + p->hop);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
}

static void trimmed_is_repeated_at_once(void **state)
{
	struct pair *p = *state;

	rudi_test_nacked(p, NACK_TRIMMED, 1);
	assert_int_equal(p->nseen, 4);
	assert_int_equal(p->seen[2].at - p->seen[1].at, p->hop);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
}

static void nack_budget_ends(void **state)
{
	struct pair *p = *state;

	rudi_test_nacked(p, NACK_NO_RESOURCE, 0);
	assert_int_equal(p->nseen, 12);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_ERROR), 1);
	assert_int_equal(rudi_test_ended(p), STATUS_RETRIES);
}

static void fatal_nack_ends(void **state)
{
	struct pair *p = *state;

	rudi_test_nacked(p, NACK_EXP_NACK_FATAL, 1);
	assert_int_equal(p->nseen, 2);
	assert_int_equal(rudi_test_ended(p), STATUS_FATAL);
}

/* "The response is on its way": the RTO keeps running. */
static void nack_to_wait(void **state)
{
	struct pair *p = *state;

	rudi_test_nacked(p, NACK_RCVD_SES_PROCG, 1);
	assert_int_equal(p->nseen, 4);
	assert_int_equal(p->seen[2].at - p->seen[0].at, RTO);
}

/* A code about PSNs has no meaning here. */
static void nack_without_sense(void **state)
{
	struct pair *p = *state;

	rudi_test_nacked(p, NACK_ROD_OOO, 1);
	assert_int_equal(p->nseen, 4);
	assert_int_equal(p->seen[2].at - p->seen[0].at, RTO);
	assert_int_equal(pair_count(p, A, EV_DROP), 1);
}

/* Answers from or for another address, and truncated ones, change nothing. */
static void strange_answers(void **state)
{
	struct pair *p = *state;
	static struct dgram d;
	int lost[] = {1000, -1};

	p->fate = pair_lose;
	p->ctx = lost;
	rudi_test_post(p, rudi(OP_WRITE, 8));
	pair_run(p, RTO / 2);
	d.src = p->conf[B].addr;
	d.dst = p->conf[A].addr;
	d.len = p->seen[1].len;
	memcpy(d.data, p->seen[1].data, d.len);
	d.data[7]++; /* changes pkt_id */
	pair_inject(p, A, &d, 0);
	d.data[7]--;
	d.len--;
	pair_inject(p, A, &d, 0);
	d.len = rudi_resp_len - 1;
	pair_inject(p, A, &d, 0);
	d.len = p->seen[1].len;
	d.src = ip_addr_v4(0x7f000009);
	pair_inject(p, A, &d, 0);
	pair_run(p, VSPAN_US);
	assert_int_equal(pair_count(p, A, EV_DROP), 4);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 0);
	d.src = p->conf[B].addr;
	pair_inject(p, A, &d, 0);
	pair_run(p, VSPAN_US);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
}

static void refusals_are_responses(void **state)
{
	struct pair *p = *state;
	struct orc_op op = rudi(OP_WRITE, 8);

	op.key = KEY + 1;
	rudi_test_post(p, op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(return_code(p, 1), RC_BAD_MKEY);
	assert_int_equal(rudi_test_ended(p), STATUS_REFUSED);
}

static void only_idempotent_operations(void **state)
{
	struct pair *p = *state;
	const struct {
		uint8_t amo;
		bool fetch;
		int err;
	} amos[] = {
		{AMO_OP_MAX, false, 0},         {AMO_OP_BOR, false, 0},
		{AMO_OP_READ, true, 0},         {AMO_OP_MAX, true, ERR_VALUE},
		{AMO_OP_SUM, false, ERR_VALUE}, {AMO_OP_BXOR, false, ERR_VALUE},
		{AMO_CSWAP, false, ERR_VALUE},
	};

	assert_int_equal(rudi_test_try_post(p, rudi(OP_SEND, 8)), ERR_VALUE);
	for (size_t i = 0; i < sizeof(amos) / sizeof(amos[0]); i++) {
		struct orc_op op = rudi(OP_ATOMIC, 8);

		op.amo.opcode = amos[i].amo;
		op.amo.fetch = amos[i].fetch;
		op.amo.datatype = AMO_UINT64;
		pair_forget(p);
		assert_int_equal(rudi_test_try_post(p, op), amos[i].err);
		pair_run(p, VSPAN_MS);
		assert_int_equal(p->nseen, amos[i].err ? 0 : 2);
	}
}

/* A send over RUDI is refused: it would be executed twice. */
static void send_is_refused(void **state)
{
	struct pair *p = *state;
	static struct dgram d;
	const struct rudi_req h = {.type = PDS_RUDI_REQ,
				   .next_hdr = PDS_NEXT_REQUEST_STD,
				   .pkt_id = 0x12345678};
	const struct ses_req req = {
		.next_hdr = PDS_NEXT_REQUEST_STD,
		.opcode = SES_SEND,
		.som = true,
		.eom = true,
		.message_id = 1,
		.job_id = 1,
		.pid_on_fep = 1,
		.resource_index = 1,
	};

	d.src = p->conf[A].addr;
	d.dst = p->conf[B].addr;
	rudi_req_put(&h, d.data);
	d.len = rudi_req_len + ses_req_put(&req, d.data + rudi_req_len);
	pair_inject(p, B, &d, 0);
	pair_run(p, VSPAN_MS);
	assert_int_equal(return_code(p, 0), RC_UNSUPPORTED_OP);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
}

/* Packets that no SES can parse are dropped. */
static void hopeless_requests(void **state)
{
	struct pair *p = *state;
	static struct dgram d;
	struct rudi_req h = {.type = PDS_RUDI_REQ,
			     .next_hdr = PDS_NEXT_RESPONSE};

	d.src = p->conf[A].addr;
	d.dst = p->conf[B].addr;
	rudi_req_put(&h, d.data);
	d.len = 60;
	pair_inject(p, B, &d, 0);
	d.len = rudi_req_len - 1;
	pair_inject(p, B, &d, 0);
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->nseen, 0);
	assert_int_equal(pair_count(p, B, EV_DROP), 2);
}

/* Half a request header still has a pkt_id, so it gets its response. */
static void half_a_header(void **state)
{
	struct pair *p = *state;
	static struct dgram d;
	struct rudi_req h = {.type = PDS_RUDI_REQ,
			     .next_hdr = PDS_NEXT_REQUEST_STD,
			     .pkt_id = 5};

	d.src = p->conf[A].addr;
	d.dst = p->conf[B].addr;
	rudi_req_put(&h, d.data);
	d.len = rudi_req_len + 20;
	pair_inject(p, B, &d, 0);
	pair_run(p, VSPAN_MS);
	assert_int_equal(response(p, 0).pkt_id, 5);
	assert_int_not_equal(return_code(p, 0), RC_OK);
}

/* At most max_rudi requests are outstanding; the others wait. */
static void the_rest_waits(void **state)
{
	struct pair *p = *state;

	rudi_test_post(p, rudi(OP_WRITE, 10 * 1024));
	pair_drain(p);
	assert_int_equal(p->sent[A], 4);
	assert_int_equal(pair_count(p, A, EV_PDS_PAUSE), 1);
	assert_true(pair_event(p, A, EV_PDS_PAUSE, 0)->rudi_pause);
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->sent[A], 10);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
}

static void rudi_test_ids_are_unique(void **state)
{
	struct pair *p = *state;
	struct orc_op op = rudi(OP_WRITE, 4 * 1024);

	p->fate = none_arrive;
	rudi_test_post(p, op);
	pair_drain(p);
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(rudi_test_request(p, i).pkt_id,
					     rudi_test_request(p, k).pkt_id);
}

/* Neither mode waits for the other. */
static void rudi_test_beside_a_pdc(void **state)
{
	struct pair *p = *state;

	pair_send(p, 100, 3000);
	rudi_test_post(p, rudi(OP_WRITE, 3000));
	pair_run(p, VSPAN_MS);
	assert_int_equal(pds_type_of(p->seen[0].data), PDS_RUDI_REQ);
	assert_int_equal(pds_type_of(p->seen[1].data), PDS_RUD_REQ);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(pair_event(p, A, EV_COMPLETION, i)->status,
				 STATUS_OK);
}

/* A delayed response is sent when its time has come; a reset forgets it. */
static void late_response(void **state)
{
	struct pair *p = *state;

	pair_policy(p, (struct ses_policy){.delay = 3 * VSPAN_MS});
	rudi_test_post(p, rudi(OP_READ, 100));
	pair_run(p, 4 * VSPAN_MS);
	assert_int_equal(rudi_test_ended(p), STATUS_OK);
	pair_forget(p);
	rudi_test_post(p, rudi(OP_READ, 100));
	pair_run(p, VSPAN_MS);
	orc_reference.reset(p->end[B], 3);
	pair_run(p, 3 * VSPAN_MS);
	assert_int_equal(p->sent[B], 0);
}

/* Runs both ends, with any allocation failing. */
static void rudi_test_talk(struct pair *p)
{
	static struct dgram d;
	vtime now = 0;

	for (unsigned round = 0; round < 8; round++, now += 8 * RTO)
		for (unsigned i = 0; i < 2; i++) {
			orc_reference.tick(p->end[i], now);
			while (orc_reference.poll_tx(p->end[i], &d))
				orc_reference.feed(p->end[!i], &d, now);
		}
}

/* Fails each allocation in turn; afterwards there is memory again. */
static void memory_runs_out(void **state)
{
	struct orc_op op = rudi(OP_READ, 8);
	struct orc_event ev;

	(void)state;
	for (unsigned side = A; side <= B; side++)
		for (uint64_t at = 1; at < 30; at++) {
			struct pair *p = malloc(sizeof(*p));
			unsigned ended = 0;
			struct mem *m;

			assert_non_null(p);
			pair_conf(p);
			core_pair_test_pair_open(p);
			m = &p->end[side]->env.mem;
			m->fail_at = m->calls + at;
			op.peer = p->conf[B].addr;
			op.message_id = 1;
			orc_reference.post(p->end[A], &op, p->now);
			rudi_test_talk(p);
			op.message_id = 2;
			assert_int_equal(
				orc_reference.post(p->end[A], &op, p->now), 0);
			rudi_test_talk(p);
			while (orc_reference.poll_event(p->end[A], &ev))
				ended += ev.kind == EV_COMPLETION;
			assert_in_range(ended, 1, 2);
			core_pair_test_pair_close(p);
			free(p);
		}
}

int main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, rudi_test_setup, rudi_test_teardown)
	const struct CMUnitTest tests[] = {
		TEST(write_is_answered),
		TEST(write_of_many_packets),
		TEST(reads_come_whole),
		TEST(read_of_many_packets),
		TEST(lost_request_is_repeated),
		TEST(lost_response),
		TEST(doubled_request),
		TEST(retries_end),
		TEST(target_restarts),
		TEST(nack_names_the_packet),
		TEST(trimmed_is_repeated_at_once),
		TEST(nack_budget_ends),
		TEST(fatal_nack_ends),
		TEST(nack_to_wait),
		TEST(nack_without_sense),
		TEST(strange_answers),
		TEST(refusals_are_responses),
		TEST(only_idempotent_operations),
		TEST(send_is_refused),
		TEST(hopeless_requests),
		TEST(half_a_header),
		TEST(the_rest_waits),
		TEST(rudi_test_ids_are_unique),
		TEST(rudi_test_beside_a_pdc),
		TEST(late_response),
		cmocka_unit_test(memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
