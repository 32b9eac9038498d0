/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_test.c -- tests messages, memory, refusals, policies, and
 * the raw interface of table 3-27.
 */
#include "base/pattern.h"
#include "oracle/core/pair_test.h"
#include "oracle/uet/pds/pds_table.h"

static int ses_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 5, .len = 8192};

	assert_non_null(p);
	pair_conf(p);
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_post(p, B, &expose);
	*state = p;
	return 0;
}

static int ses_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static int ses_test_try_post(struct pair *p, struct orc_op op)
{
	op.peer = p->conf[B].addr;
	return orc_reference.post(p->end[A], &op, p->now);
}

static const uint8_t *memory_of(const struct pair *p, unsigned side,
				uint64_t key, size_t *len)
{
	const uint8_t *bytes = NULL;

	assert_int_equal(orc_reference.memory(p->end[side], key, &bytes, len),
			 0);
	return bytes;
}

static void send_arrives_whole(void **state)
{
	struct pair *p = *state;
	const uint32_t lens[] = {0, 1, 64, 1024, 1025, 5000};
	const uint8_t *bytes;
	size_t n;

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		pair_send(p, (uint16_t)(i + 1), lens[i]);
		pair_run(p, VSPAN_MS);
		bytes = memory_of(p, B, 0, &n);
		assert_int_equal(n, lens[i]);
		for (uint32_t k = 0; k < n; k++)
			assert_int_equal(bytes[k], pattern_byte(0, i + 1, k));
	}
	assert_int_equal(pair_count(p, B, EV_RECV), 6);
	assert_int_equal(pair_event(p, B, EV_RECV, 5)->len, 5000);
}

static void write_lands_at_its_offset(void **state)
{
	struct pair *p = *state;
	const struct orc_op op = {.kind = OP_WRITE,
				  .handle = 3,
				  .message_id = 9,
				  .key = 5,
				  .offset = 100,
				  .len = 3000};
	const uint8_t *bytes;
	size_t n;

	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	bytes = memory_of(p, B, 5, &n);
	assert_int_equal(n, 8192);
	for (uint32_t k = 0; k < n; k++) {
		const bool hit = k >= 100 && k < 3100;

		assert_int_equal(bytes[k],
				 hit ? pattern_byte(0, 3, k - 100)
				     : pattern_byte(0, pattern_memory(5), k));
	}
}

/* The target stores the first bytes of each packet, one after the other. */
static void write_of_short_payloads(void **state)
{
	const struct orc_op op = {.kind = OP_WRITE,
				  .handle = 3,
				  .message_id = 9,
				  .key = 5,
				  .len = 3000};
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 5, .len = 8192};
	const uint8_t *bytes;
	uint32_t mtu;
	struct pair p;
	size_t n;

	(void)state;
	pair_conf(&p);
	for (unsigned i = 0; i < 2; i++) {
		p.conf[i].late_payload = true;
		p.conf[i].short_payload = 64;
	}
	core_pair_test_pair_open(&p);
	pair_post(&p, B, &expose);
	pair_post(&p, A, &op);
	pair_run(&p, VSPAN_MS);
	assert_int_equal(pair_count(&p, A, EV_COMPLETION), 1);
	bytes = memory_of(&p, B, 5, &n);
	mtu = p.conf[B].mtu;
	assert_int_equal(n, (8192 / mtu + 1) * 64);
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t at = k / 64 * mtu + k % 64;

		assert_int_equal(
			bytes[k],
			at < 3000 ? pattern_byte(0, 3, at)
				  : pattern_byte(0, pattern_memory(5), k));
	}
	core_pair_test_pair_close(&p);
}

struct refusal {
	struct orc_op op;
	uint8_t rc;
};

static void ses_test_refusals(void **state)
{
	struct orc_stats stats;
	static const struct refusal cases[] = {
		{{.kind = OP_WRITE, .key = 6, .len = 9}, RC_BAD_MKEY},
		{{.kind = OP_WRITE, .key = 5, .offset = 8190, .len = 9},
		 RC_BAD_ADDR},
		{{.kind = OP_WRITE, .key = 5, .offset = UINT64_MAX, .len = 9},
		 RC_BAD_ADDR},
		{{.kind = OP_READ, .key = 6, .len = 2000}, RC_BAD_MKEY},
		{{.kind = OP_READ, .key = 5, .len = 8193}, RC_BAD_ADDR},
		{{.kind = OP_READ,
		  .key = 6,
		  .len = 4,
		  .header = OP_HEADER_MEDIUM},
		 RC_BAD_MKEY},
	};
	struct pair *p = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct orc_event *ev;

		pair_forget(p);
		pair_post(p, A, &cases[i].op);
		pair_run(p, 100 * VSPAN_MS);
		assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
		ev = pair_event(p, A, EV_COMPLETION, 0);
		assert_int_equal(ev->status, STATUS_REFUSED);
		assert_int_equal(ev->return_code, cases[i].rc);
		assert_int_equal(pair_count(p, B, EV_RECV), 0);
		assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RET), 0);
		/* errors are guaranteed, so they end with a clear */
		rung(p, p->nseen - 1, A, PDS_CP);
		orc_reference.stats(p->end[A], &stats);
		assert_int_equal(stats.tx_retx, 0);
	}
	assert_true(pair_next(p) == VTIME_NEVER);
}

/* A policy that asks for RC_OK lets no request outside the exposed memory. */
static void ok_needs_a_right_request(void **state)
{
	pair_policy(*state, (struct ses_policy){.return_code = RC_OK});
	ses_test_refusals(state);
}

static void refuse_with(struct pair *p, uint8_t rc)
{
	pair_forget(p);
	pair_send(p, 0, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->return_code, rc);
	assert_int_equal(rung_ack(p, 1, B, 332, 331).req, PDS_REQ_CLEAR);
	assert_int_equal(rung_rsp(p, 1).return_code, rc);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
}

static void identities_must_match(void **state)
{
	struct pair fresh;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		static const uint8_t rcs[] = {RC_BAD_JOB_ID, RC_BAD_PID,
					      RC_BAD_INDEX};

		pair_conf(&fresh);
		fresh.conf[B].job_id += i == 0;
		fresh.conf[B].pid_on_fep = i == 1 ? 2 : 1;
		fresh.conf[B].resource_index = i == 2 ? 2 : 1;
		core_pair_test_pair_open(&fresh);
		refuse_with(&fresh, rcs[i]);
		core_pair_test_pair_close(&fresh);
	}
}

static void posted_receives_limit(void **state)
{
	struct pair *p = *state;
	const struct orc_op post = {
		.kind = OP_POST_RECV, .count = 2, .len = 2000};
	const uint8_t expected[] = {RC_NULL, RC_TOO_LONG, RC_NO_MATCH};
	const uint32_t lens[] = {2000, 2001, 5};

	pair_post(p, B, &post);
	for (unsigned i = 0; i < 3; i++) {
		pair_send(p, 0, lens[i]);
		pair_run(p, 10 * VSPAN_MS);
		assert_int_equal(
			pair_event(p, A, EV_COMPLETION, i)->return_code,
			expected[i]);
	}
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
}

/*
 * One packet fails, so the message fails, and only that response is guaranteed.
 */
static void one_error_is_enough(void **state)
{
	struct pair *p = *state;
	unsigned clears = 0;

	pair_policy(p, (struct ses_policy){.count = 1,
					   .return_code = RC_PERM_VIOLATION});
	pair_send(p, 1, 4 * 1024);
	pair_run(p, 100 * VSPAN_MS);
	for (size_t i = 0; i < p->nseen; i++) {
		struct pds_ack ack;

		pds_ack_get(&ack, p->seen[i].data);
		clears += ack.type == PDS_ACK && ack.req == PDS_REQ_CLEAR;
	}
	assert_int_equal(clears, 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_REFUSED);
	assert_int_equal(pair_count(p, B, EV_RECV), 0);
}

/* B's data never comes. */
static struct fate ses_test_only_acks_pass(struct pair *p, unsigned from,
					   const struct dgram *d)
{
	(void)p;
	return (struct fate){.copies = from == A ||
				       pds_type_of(d->data) == PDS_ACK};
}

/*
 * A read that waits for its data ends when its PDC fails, before the close, and
 * with the same status.
 */
static void a_read_ends_with_its_pdc(void **state)
{
	struct pair *p = *state;
	const struct orc_op read = {
		.kind = OP_READ, .handle = 1, .key = 5, .len = 4096};

	pair_post(p, A, &read);
	p->fate = ses_test_only_acks_pass;
	pair_run(p, VSPAN_MS);
	p->fate = pair_nothing_passes;
	pair_send(p, 2, 64);
	pair_await(p, A, EV_PDS_SES_ERROR, 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(pair_event(p, A, EV_COMPLETION, i)->status,
				 STATUS_RETRIES);
}

static void manual_response(void **state)
{
	struct pair *p = *state;
	const struct ses_rsp rsp = {
		.next_hdr = PDS_NEXT_RESPONSE,
		.opcode = SES_RESPONSE,
		.return_code = RC_DROPPED,
		.message_id = 1,
	};
	uint8_t bytes[ses_response_len] = {0};
	struct orc_op op = {.kind = OP_SES_PDS_TX_RSP};

	pair_policy(p, (struct ses_policy){.count = 1, .manual = true});
	pair_send(p, 1, 64);
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->nseen, 1);
	op.pds.rx_pkt_handle = pair_event(p, B, EV_PDS_SES_RX_REQ, 0)->handle;
	op.pds.gtd_del = true;
	op.pds.next_hdr = PDS_NEXT_RESPONSE;
	op.pds.pkt = bytes;
	op.pds.pkt_len = (uint16_t)ses_rsp_put(&rsp, bytes);
	pair_post(p, B, &op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(rung_ack(p, 1, B, 333, 332).req, PDS_REQ_CLEAR);
	assert_int_equal(rung_rsp(p, 1).return_code, RC_DROPPED);
	assert_int_equal(orc_reference.post(p->end[B], &op, p->now), ERR_STATE);
}

static void manual_refusal(void **state)
{
	struct pair *p = *state;
	struct orc_op op = {.kind = OP_SES_PDS_TX_RSP};

	pair_policy(p, (struct ses_policy){.count = 1, .manual = true});
	pair_send(p, 1, 64);
	pair_run(p, VSPAN_MS);
	op.pds.rx_pkt_handle = pair_event(p, B, EV_PDS_SES_RX_REQ, 0)->handle;
	op.pds.ses_nack = NACK_NO_SES_MSG_AVAIL;
	pair_post(p, B, &op);
	pair_run(p, 100 * VSPAN_MS);
	rung_nack(p, 1, B, NACK_NO_SES_MSG_AVAIL, 333);
	assert_int_equal(rung_req(p, 2, A, 333, 332).retx, 1);
	rung_ack(p, 3, B, 333, 333);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

static void delayed_response(void **state)
{
	struct pair *p = *state;

	pair_policy(p, (struct ses_policy){.count = 1, .delay = VSPAN_MS});
	pair_send(p, 1, 64);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 2);
	assert_int_equal(p->seen[1].at - p->seen[0].at, VSPAN_MS + p->hop);
}

/* Peers name the first byte of a region by the offset of "expose". */
static void exposed_memory_begins_at_its_offset(void **state)
{
	struct pair *p = *state;
	const uint64_t start = 0x100000040;
	const struct orc_op expose = {
		.kind = OP_EXPOSE, .key = 9, .len = 64, .offset = start};
	struct orc_op write = {.kind = OP_WRITE,
			       .peer = p->conf[B].addr,
			       .message_id = 77,
			       .key = 9,
			       .len = 8,
			       .offset = start + 56};
	const uint8_t *bytes;
	size_t n;

	pair_post(p, B, &expose);
	pair_post(p, A, &write);
	pair_run(p, VSPAN_MS);
	bytes = memory_of(p, B, 9, &n);
	assert_int_equal(n, 64);
	assert_int_equal(bytes[55], pattern_byte(0, pattern_memory(9), 55));
	assert_int_not_equal(bytes[56], pattern_byte(0, pattern_memory(9), 56));
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status, STATUS_OK);
	for (unsigned i = 1; i < 3; i++) {
		write.offset = i == 1 ? start - 1 : start + 57;
		pair_post(p, A, &write);
		pair_run(p, 20 * VSPAN_MS);
		assert_int_equal(pair_event(p, A, EV_COMPLETION, i)->status,
				 STATUS_REFUSED);
	}
}

static size_t raw_request(const struct pair *p, uint8_t opcode, uint8_t *bytes)
{
	const struct ses_req req = {
		.next_hdr = PDS_NEXT_REQUEST_STD,
		.opcode = opcode,
		.som = true,
		.eom = true,
		.message_id = 400,
		.job_id = p->conf[B].job_id,
		.pid_on_fep = p->conf[B].pid_on_fep,
		.resource_index = p->conf[B].resource_index,
		.memory_key = 5,
		.request_length = opcode == SES_READ ? 700 : 0,
	};

	return ses_req_put(&req, bytes);
}

static struct orc_op raw_op(const uint8_t *bytes, size_t len)
{
	return (struct orc_op){
		.kind = OP_SES_PDS_TX_REQ,
		.handle = 1234,
		.message_id = 400,
		.pds =
			{
				.next_hdr = PDS_NEXT_REQUEST_STD,
				.som = true,
				.eom = true,
				.pkt = bytes,
				.pkt_len = (uint16_t)len,
			},
	};
}

static void raw_request_and_response(void **state)
{
	struct pair *p = *state;
	uint8_t bytes[SES_HDR_MAX] = {0};
	const struct orc_op op = raw_op(bytes, raw_request(p, SES_SEND, bytes));

	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	rung_req(p, 0, A, 333, 332);
	assert_memory_equal(p->seen[0].data + pds_req_len, bytes, 44);
	assert_int_equal(pair_event(p, A, EV_PDS_SES_RX_RSP, 0)->handle, 1234);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 0);
}

/* The read locks its PDC; the data comes as EV_PDS_SES_RX_RET. */
static void raw_read(void **state)
{
	struct pair *p = *state;
	uint8_t bytes[SES_HDR_MAX] = {0};
	const struct orc_op unlock = {.kind = OP_SES_PDS_UNLOCK,
				      .message_id = 400};
	struct orc_op op = raw_op(bytes, raw_request(p, SES_READ, bytes));
	struct pdc *pdc = pds_at(&p->end[A]->pds, 0);

	op.pds.lock_pdc = true;
	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_event(p, A, EV_PDS_SES_RX_RET, 0)->len, 700);
	assert_int_equal(rung_rsp(p, p->nseen - 1).return_code, RC_OK);
	assert_int_equal(pdc->locks, 1);
	pair_post(p, A, &unlock);
	assert_int_equal(pdc->locks, 0);
	assert_int_equal(ses_test_try_post(p, unlock), ERR_STATE);
}

static void raw_return(void **state)
{
	struct pair *p = *state;
	uint8_t bytes[SES_HDR_MAX] = {0};
	struct orc_op op = raw_op(bytes, raw_request(p, SES_READ, bytes));
	const struct ses_rsp rsp = {
		.next_hdr = PDS_NEXT_RESPONSE_DATA,
		.opcode = SES_RESPONSE_W_DATA,
		.return_code = RC_OK,
		.message_id = 9,
		.read_request_message_id = 400,
	};

	pair_policy(p, (struct ses_policy){.count = 1, .manual = true});
	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	op.kind = OP_SES_PDS_TX_RET;
	op.handle = 4321;
	op.pds.next_hdr = PDS_NEXT_RESPONSE_DATA;
	op.pds.return_data = true;
	op.pds.orig_pdcid = pair_event(p, B, EV_PDS_SES_RX_REQ, 0)->orig_pdcid;
	op.pds.pkt_len = (uint16_t)ses_rsp_put(&rsp, bytes);
	pair_post(p, B, &op);
	pair_run(p, VSPAN_MS);
	rung_req(p, 1, B, 332, 331);
	rung_ack(p, 2, A, 332, 332);
	assert_int_equal(pair_event(p, B, EV_PDS_SES_RX_RSP, 0)->handle, 4321);
	assert_int_equal(pair_event(p, A, EV_PDS_SES_RX_RET, 0)->message_id, 9);
}

static void unsupported_opcode(void **state)
{
	struct pair *p = *state;
	uint8_t bytes[SES_HDR_MAX] = {0};
	const struct orc_op op =
		raw_op(bytes, raw_request(p, SES_ATOMIC, bytes));

	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(rung_rsp(p, 1).return_code, RC_UNSUPPORTED_OP);
}

/* payload_length has 14 bits, but a packet may request one MTU only. */
static void read_of_more_than_an_mtu(void **state)
{
	struct pair *p = *state;
	const struct orc_op expose = {
		.kind = OP_EXPOSE, .key = 5, .len = 65536};
	const struct ses_req req = {
		.next_hdr = PDS_NEXT_REQUEST_STD,
		.opcode = SES_READ,
		.message_id = 400,
		.job_id = p->conf[B].job_id,
		.pid_on_fep = p->conf[B].pid_on_fep,
		.resource_index = p->conf[B].resource_index,
		.memory_key = 5,
		.request_length = 65536,
		.message_offset = 1024,
		.slice = 0x3fff,
	};
	uint8_t bytes[SES_HDR_MAX] = {0};
	const struct orc_op op = raw_op(bytes, ses_req_put(&req, bytes));

	pair_post(p, B, &expose);
	pair_post(p, A, &op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(rung_rsp(p, 1).return_code, RC_UNSUPPORTED_SIZE);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RET), 0);
}

static void bad_operations(void **state)
{
	struct pair *p = *state;
	const struct orc_op wild = {.kind = OP_SES_PDS_TX_REQ,
				    .mode = OP_MODES};
	const struct orc_op empty_read = {.kind = OP_READ};
	const struct orc_op long_small = {
		.kind = OP_SEND, .header = OP_HEADER_SMALL, .len = 1025};
	const struct orc_op twice = {
		.kind = OP_SEND, .message_id = 3, .len = 1};

	assert_int_equal(ses_test_try_post(p, wild), ERR_SUPPORT);
	assert_int_equal(ses_test_try_post(p, empty_read), ERR_VALUE);
	assert_int_equal(ses_test_try_post(p, long_small), ERR_VALUE);
	assert_int_equal(ses_test_try_post(p, twice), 0);
	assert_int_equal(ses_test_try_post(p, twice),
			 ERR_STATE); /* the id is in use */
}

static void ids_in_use_are_passed_over(void **state)
{
	struct pair *p = *state;
	const struct orc_op auto_id = {.kind = OP_SEND, .len = 1};
	uint16_t expected[] = {3, 2, 4};

	p->end[A]->ses.last_id = 1;
	pair_send(p, 3, 1);
	pair_post(p, A, &auto_id);
	pair_post(p, A, &auto_id);
	pair_run(p, VSPAN_MS);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(pair_event(p, B, EV_RECV, i)->message_id,
				 expected[i]);
}

static void eager_size(void **state)
{
	struct pair *p = *state;
	const struct orc_op op = {.kind = OP_SES_PDS_EAGER_REQ,
				  .pds = {.eager_id = 6}};

	pair_post(p, A, &op);
	pair_drain(p);
	assert_int_equal(pair_event(p, A, EV_PDS_SES_EAGER_SIZE, 0)->eager_id,
			 6);
	assert_int_equal(pair_event(p, A, EV_PDS_SES_EAGER_SIZE, 0)->eager_size,
			 8 * 128 * 1024);
}

/* More return data than the window permits at once. */
static void returns_wait_for_room(void **state)
{
	struct pair fresh;
	const struct orc_op expose = {
		.kind = OP_EXPOSE, .key = 5, .len = 400 * 1024};
	const struct orc_op read = {
		.kind = OP_READ, .key = 5, .len = 400 * 1024};
	const uint8_t *bytes;
	size_t n;

	(void)state;
	pair_conf(&fresh);
	fresh.conf[B].default_mpr = 1;
	core_pair_test_pair_open(&fresh);
	pair_post(&fresh, B, &expose);
	pair_post(&fresh, A, &read);
	pair_run(&fresh, VSPAN_S);
	assert_int_equal(pair_count(&fresh, A, EV_COMPLETION), 1);
	bytes = memory_of(&fresh, A, 0, &n);
	assert_int_equal(n, 400 * 1024);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(bytes[i],
				 pattern_byte(0, pattern_memory(5), i));
	core_pair_test_pair_close(&fresh);
}

#define SES(f) \
	cmocka_unit_test_setup_teardown(f, ses_test_setup, ses_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SES(send_arrives_whole),
		SES(write_lands_at_its_offset),
		cmocka_unit_test(write_of_short_payloads),
		SES(exposed_memory_begins_at_its_offset),
		SES(ses_test_refusals),
		SES(ok_needs_a_right_request),
		cmocka_unit_test(identities_must_match),
		SES(posted_receives_limit),
		SES(one_error_is_enough),
		SES(a_read_ends_with_its_pdc),
		SES(manual_response),
		SES(manual_refusal),
		SES(delayed_response),
		SES(raw_request_and_response),
		SES(raw_read),
		SES(raw_return),
		SES(unsupported_opcode),
		SES(bad_operations),
		SES(read_of_more_than_an_mtu),
		SES(ids_in_use_are_passed_over),
		SES(eager_size),
		cmocka_unit_test(returns_wait_for_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
