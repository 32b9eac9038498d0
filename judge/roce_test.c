/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/roce_test.c -- the rules about connections of plain RoCEv2, and what is
 * told of their packets: PSNs begin just below the wrap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/serial.h"
#include "judge/judge.h"
#include "wire/family.h"
#include "wire/ib.h"

enum { A, B }; /* requester, responder */

#define MTU   256
#define QPN   0x21
#define OWN   0x43
#define START 0xfffffeu

struct lab {
	struct judge *j;
	struct finding found[16];
	size_t n;
	uint32_t frame;
	vtime at;
	struct ip_addr addr[2];
	uint32_t own_qpn;
};

static void lab_open(struct lab *lab)
{
	struct judge_conf conf;

	*lab = (struct lab){.addr = {ip_addr_v4(1), ip_addr_v4(2)},
			    .own_qpn = OWN};
	judge_conf_default(&conf);
	conf.whole = true;
	assert_int_equal(judge_new(&lab->j, &conf, 16), 0);
}

static void push(struct lab *lab, unsigned from, const uint8_t *p, size_t len)
{
	static struct dgram d;
	struct packet pkt;
	const struct judge_packet in = {.pkt = &pkt,
					.d = &d,
					.at = lab->at += VSPAN_US,
					.frame = ++lab->frame};

	d.src = lab->addr[from];
	d.dst = lab->addr[!from];
	d.family = FAMILY_ROCE;
	family_parse(FAMILY_ROCE, &pkt, p, len);
	assert_int_equal(pkt.fault, PACKET_OK);
	lab->n += judge_push(lab->j, &in, lab->found + lab->n, 16 - lab->n);
}

/* A packet of a connection; PSNs count from START. */
struct sent {
	uint8_t opcode;
	uint32_t psn, len;
	uint8_t fill;     /* of the payload */
	uint32_t qpn;     /* 0: QPN */
	uint32_t dmalen;  /* of a read */
	uint8_t syndrome; /* of an answer; */
	uint32_t msn;     /* likewise */
};

static size_t put_ext(const struct sent *s, uint8_t *p)
{
	const struct aeth aeth = {.syndrome = s->syndrome, .msn = s->msn};
	const struct reth reth = {.dmalen = s->dmalen};

	if (s->opcode == IB_RC_READ_REQ || s->opcode == IB_RC_WRITE_FIRST ||
	    s->opcode == IB_RC_WRITE_ONLY) {
		reth_put(&reth, p);
		return reth_len;
	}
	if (s->opcode < IB_RC_READ_RESP_FIRST || s->opcode > IB_RC_ATOMIC_ACK ||
	    s->opcode == IB_RC_READ_RESP_MIDDLE)
		return s->opcode == IB_RC_CMP_SWAP ? atomic_eth_len : 0;
	aeth_put(&aeth, p);
	return s->opcode == IB_RC_ATOMIC_ACK ? aeth_len + atomic_ack_eth_len
					     : aeth_len;
}

static void send_as(struct lab *lab, unsigned from, struct sent s)
{
	uint8_t p[bth_len + atomic_eth_len + 2 * MTU] = {0};
	const struct bth bth = {
		.opcode = s.opcode,
		.pkey = 0xffff,
		.dest_qp = s.qpn       ? s.qpn
			   : from == A ? QPN
				       : lab->own_qpn,
		.psn = (START + s.psn) & SERIAL24_MASK,
	};
	size_t n = bth_len;

	bth_put(&bth, p);
	n += put_ext(&s, p + n);
	memset(p + n, s.fill, s.len);
	push(lab, from, p, n + s.len);
}

#define request(lab, ...)  send_as(lab, A, (struct sent){__VA_ARGS__})
#define response(lab, ...) send_as(lab, B, (struct sent){__VA_ARGS__})

static void ack(struct lab *lab, uint32_t psn, uint32_t msn)
{
	response(lab, .opcode = IB_RC_ACK, .psn = psn,
		 .syndrome = IB_SYNDROME_ACK, .msn = msn);
}

static void nak(struct lab *lab, uint8_t syndrome, uint32_t psn)
{
	response(lab, .opcode = IB_RC_ACK, .psn = psn, .syndrome = syndrome);
}

/* Packet |i| of a send of three. */
static void part(struct lab *lab, uint32_t psn, uint32_t i)
{
	request(lab, .opcode = (uint8_t)(IB_RC_SEND_FIRST + i), .psn = psn,
		.len = i < 2 ? MTU : 9);
}

static void only(struct lab *lab, uint32_t psn)
{
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = psn, .len = 9);
}

static void three(struct lab *lab)
{
	for (uint32_t i = 0; i < 3; i++)
		part(lab, i, i);
}

static void none(struct lab *lab)
{
	if (lab->n)
		fail_msg("%s: %s", req_get(lab->found[0].req)->id,
			 lab->found[0].text);
}

/* Exactly one finding, of that requirement and role. */
static void one(struct lab *lab, enum req_id req, enum req_role role)
{
	if (lab->n != 1 || lab->found[0].req != req)
		fail_msg("%zu findings, %s", lab->n,
			 lab->n ? lab->found[0].text : "");
	assert_int_equal(lab->found[0].role, role);
	lab->n = 0;
}

static int begin(void **state)
{
	static struct lab lab;

	lab_open(&lab);
	*state = &lab;
	return 0;
}

static int end(void **state)
{
	struct lab *lab = *state;

	judge_free(lab->j);
	return 0;
}

static void good_traffic_is_good(void **state)
{
	struct lab *lab = *state;

	three(lab);
	ack(lab, 2, 1);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 3, .dmalen = 2 * MTU + 1);
	request(lab, .opcode = IB_RC_CMP_SWAP, .psn = 6);
	for (uint32_t i = 0; i < 3; i++)
		response(lab, .opcode = (uint8_t)(IB_RC_READ_RESP_FIRST + i),
			 .psn = 3 + i, .len = i < 2 ? MTU : 1,
			 .syndrome = IB_SYNDROME_ACK, .msn = 2);
	response(lab, .opcode = IB_RC_ATOMIC_ACK, .psn = 6,
		 .syndrome = IB_SYNDROME_ACK, .msn = 3);
	only(lab, 7);
	ack(lab, 7, 4);
	none(lab);
	assert_int_equal(judge_totals(lab->j)->flows, 1);
	assert_int_equal(judge_totals(lab->j)->nowhere, 0);
}

static void see_flow(void *arg, const struct judge_flow *f)
{
	*(struct judge_flow *)arg = *f;
}

/* Go-back-N: psn 1 is lost, and 2, which arrived, is sent again. */
static void a_gap_and_its_repair(void **state)
{
	struct lab *lab = *state;
	struct judge_flow f = {0};

	part(lab, 0, 0);
	part(lab, 2, 2);
	one(lab, REQ_ROCE_01, REQ_SRC); /* here it was never sent */
	assert_int_equal(judge_facts(lab->j)->skipped, 1);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	part(lab, 1, 1);
	assert_true(judge_facts(lab->j)->late);
	part(lab, 2, 2);
	assert_int_equal(judge_facts(lab->j)->cause, CAUSE_NACK);
	assert_int_equal(judge_facts(lab->j)->asked_frame, 3);
	assert_int_equal(judge_facts(lab->j)->frame, 2);
	ack(lab, 2, 1);
	assert_int_equal(
		judge_frame(lab->j, false, judge_facts(lab->j)->acks_to), 5);
	assert_true(judge_facts(lab->j)->acks);
	assert_int_equal(judge_facts(lab->j)->acks_to,
			 (START + 2) & SERIAL24_MASK);
	none(lab);
	judge_flows(lab->j, see_flow, &f);
	assert_int_equal(f.family, FAMILY_ROCE);
	assert_true(f.whole && f.closed);
	assert_int_equal(f.tally->side[0].again[CAUSE_NACK], 1);
	assert_int_equal(f.tally->side[1].nacks, 1);
	assert_int_equal(judge_totals(lab->j)->nacks[IB_SYNDROME_PSN_SEQ], 1);
}

static void a_duplicate_is_told(void **state)
{
	struct lab *lab = *state;
	struct judge_flow f = {0};

	three(lab);
	only(lab, 3);
	assert_int_equal(judge_facts(lab->j)->frame, 0);
	only(lab, 3);
	assert_int_equal(judge_facts(lab->j)->cause, CAUSE_TIMER);
	ack(lab, 3, 2);
	only(lab, 3); /* it was on its way when the ACK came */
	assert_true(judge_facts(lab->j)->acked);
	none(lab);
	judge_flows(lab->j, see_flow, &f);
	assert_int_equal(f.tally->side[0].again[CAUSE_TIMER], 1);
	assert_int_equal(f.tally->side[0].twins, 1);
}

static void psns_follow_each_other(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	only(lab, 1);
	none(lab);
	only(lab, 3);
	one(lab, REQ_ROCE_01, REQ_SRC);
}

static void a_read_takes_the_psns_of_its_answer(void **state)
{
	struct lab *lab = *state;

	three(lab);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 3, .dmalen = 4 * MTU);
	only(lab, 7);
	none(lab);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 8, .dmalen = 4 * MTU);
	only(lab, 9);
	assert_true(judge_facts(lab->j)->frame != 0);
}

/* The MTU is not known before there is an answer. */
static void an_unknown_read_is_not_judged(void **state)
{
	struct lab *lab = *state;

	request(lab, .opcode = IB_RC_READ_REQ, .psn = 0, .dmalen = 4 * MTU);
	only(lab, 2);
	ack(lab, 2, 2);
	only(lab, 3);
	none(lab);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 4, .dmalen = 2 * MTU);
	response(lab, .opcode = IB_RC_READ_RESP_FIRST, .psn = 4, .len = MTU,
		 .syndrome = IB_SYNDROME_ACK, .msn = 3);
	response(lab, .opcode = IB_RC_READ_RESP_LAST, .psn = 5, .len = MTU,
		 .syndrome = IB_SYNDROME_ACK, .msn = 3);
	none(lab);
	only(lab, 7);
	one(lab, REQ_ROCE_01, REQ_SRC);
}

/* Nobody knows yet how many PSNs it has: its data tell. */
static void data_names_a_read_of_unknown_length(void **state)
{
	struct lab *lab = *state;

	request(lab, .opcode = IB_RC_READ_REQ, .dmalen = 3 * MTU);
	response(lab, .opcode = IB_RC_READ_RESP_FIRST, .len = MTU);
	assert_int_equal(judge_facts(lab->j)->read_frame, 1);
	response(lab, .opcode = IB_RC_READ_RESP_MIDDLE, .psn = 1, .len = MTU);
	assert_int_equal(judge_facts(lab->j)->read_frame, 1);
	response(lab, .opcode = IB_RC_READ_RESP_LAST, .psn = 2, .len = MTU);
	assert_int_equal(judge_facts(lab->j)->read_frame, 1);
}

static void messages_are_not_mixed(void **state)
{
	struct lab *lab = *state;

	part(lab, 0, 0);
	part(lab, 1, 1);
	only(lab, 2);
	one(lab, REQ_ROCE_02, REQ_SRC);
	part(lab, 3, 2);
	one(lab, REQ_ROCE_02, REQ_SRC);
	part(lab, 4, 0);
	request(lab, .opcode = IB_RC_WRITE_LAST, .psn = 5, .len = 1);
	one(lab, REQ_ROCE_02, REQ_SRC);
	part(lab, 6, 0);
	request(lab, .opcode = IB_RC_SEND_LAST_INV, .psn = 7, .len = 9);
	none(lab);
}

static void the_path_mtu_is_one(void **state)
{
	struct lab *lab = *state;

	three(lab);
	none(lab);
	request(lab, .opcode = IB_RC_SEND_FIRST, .psn = 3, .len = MTU / 2);
	one(lab, REQ_ROCE_03, REQ_SRC);
	request(lab, .opcode = IB_RC_SEND_LAST, .psn = 4, .len = MTU + 4);
	one(lab, REQ_ROCE_03, REQ_SRC);
}

static void a_nak_sends_the_requester_back(void **state)
{
	struct lab *lab = *state;

	for (uint32_t psn = 0; psn < 4; psn++)
		only(lab, psn);
	ack(lab, 0, 1);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	lab->n = 0;   /* here 1 had arrived */
	only(lab, 4); /* on its way when the NAK came */
	none(lab);
	lab->at += 2 * VSPAN_MS;
	only(lab, 5);
	one(lab, REQ_ROCE_04, REQ_SRC);
	only(lab, 1);
	only(lab, 6);
	none(lab);
}

static void an_rnr_nak_makes_it_wait(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	nak(lab, IB_SYNDROME_RNR | 12, 0); /* 640 us */
	lab->at += 639 * VSPAN_US;
	only(lab, 0);
	none(lab);
	nak(lab, IB_SYNDROME_RNR | 13, 0); /* 960 us */
	lab->at += 900 * VSPAN_US;
	only(lab, 0);
	assert_true(lab->found[0].timing);
	one(lab, REQ_ROCE_05, REQ_SRC);
	nak(lab, IB_SYNDROME_RNR, 0); /* 655.36 ms */
	lab->at += 655360 * VSPAN_US;
	only(lab, 0);
	none(lab);
}

static void a_nak_names_what_is_missing(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	ack(lab, 0, 0);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1); /* nothing is behind it */
	one(lab, REQ_ROCE_06, REQ_DST);
	only(lab, 1);
	only(lab, 2);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	one(lab, REQ_ROCE_06, REQ_DST);
}

/* What was refused for want of a receive is expected once more. */
static void what_was_refused_is_missing(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	nak(lab, IB_SYNDROME_RNR | 1, 0);
	only(lab, 1);
	nak(lab, IB_SYNDROME_PSN_SEQ, 0);
	none(lab);
}

static void a_gap_has_one_nak(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	only(lab, 2);
	lab->n = 0;
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	none(lab);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	one(lab, REQ_ROCE_07, REQ_DST);
	only(lab, 1);
	only(lab, 2);
	ack(lab, 2, 3);
	none(lab);
}

static void the_msn_does_not_go_back(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	ack(lab, 0, 0xffffff);
	only(lab, 1);
	ack(lab, 1, 0);
	none(lab);
	only(lab, 2);
	ack(lab, 2, 0xffffff);
	one(lab, REQ_ROCE_09, REQ_DST);
}

static void data_answers_a_read(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	response(lab, .opcode = IB_RC_READ_RESP_ONLY, .psn = 0, .len = 4,
		 .syndrome = IB_SYNDROME_ACK, .msn = 1);
	one(lab, REQ_ROCE_10, REQ_DST);
	only(lab, 1);
	response(lab, .opcode = IB_RC_ATOMIC_ACK, .psn = 1,
		 .syndrome = IB_SYNDROME_ACK, .msn = 2);
	one(lab, REQ_ROCE_10, REQ_DST);
}

static void bytes_are_the_same(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = 0, .len = 9, .fill = 1);
	one(lab, REQ_I6, REQ_SRC);
}

static void nothing_is_sent_after_its_ack(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	ack(lab, 0, 1);
	lab->at += 2 * VSPAN_MS;
	only(lab, 0);
	one(lab, REQ_I7, REQ_SRC);
}

static void what_did_not_arrive_is_not_acknowledged(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	only(lab, 2);
	lab->n = 0;
	ack(lab, 2, 3);
	one(lab, REQ_I5, REQ_DST);
}

/* After an error another connection may have the same QP. */
static void an_error_ends_it(void **state)
{
	struct lab *lab = *state;
	struct judge_flow f = {0};

	only(lab, 0);
	only(lab, 1);
	nak(lab, IB_SYNDROME_INVALID_REQ, 1);
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = 1, .len = 9, .fill = 1);
	none(lab);
	judge_flows(lab->j, see_flow, &f);
	assert_false(f.whole);
	assert_int_equal(judge_totals(lab->j)->flows, 1);
}

static void psns_that_jump_begin_again(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	only(lab, 500000);
	none(lab);
	assert_int_equal(judge_facts(lab->j)->skipped, 0);
}

/* Two QPs between the same hosts: the PSN tells whose answer it is. */
static void answers_find_their_connection(void **state)
{
	struct lab *lab = *state;

	only(lab, 0);
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = 9000, .qpn = QPN + 1);
	lab->own_qpn = OWN + 1;
	ack(lab, 9000, 1);
	assert_true(judge_facts(lab->j)->acks);
	lab->own_qpn = OWN;
	ack(lab, 0, 1);
	assert_true(judge_facts(lab->j)->acks);
	none(lab);
	assert_int_equal(judge_totals(lab->j)->flows, 2);
	ack(lab, 5, 1);
	one(lab, REQ_I5, REQ_DST);
}

/* Datagrams and congestion notifications are of no connection. */
static void others_are_not_followed(void **state)
{
	uint8_t p[bth_len + deth_len + 4] = {IB_UD_SEND_ONLY};
	struct lab *lab = *state;

	push(lab, A, p, sizeof(p));
	none(lab);
	assert_int_equal(judge_facts(lab->j)->flow, JUDGE_NO_FLOW);
	assert_int_equal(judge_totals(lab->j)->flows, 0);
}

/* More than there is room for: the one silent longest gives way. */
static void room_is_bounded(void **state)
{
	struct lab *lab = *state;

	for (uint32_t i = 0; i < 300; i++)
		request(lab, .opcode = IB_RC_SEND_ONLY, .qpn = 1000 + i);
	none(lab);
	assert_int_equal(judge_totals(lab->j)->flows, 300);
	assert_int_equal(judge_totals(lab->j)->forgotten, 44);
}

#define test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(good_traffic_is_good),
		test(a_gap_and_its_repair),
		test(a_duplicate_is_told),
		test(psns_follow_each_other),
		test(a_read_takes_the_psns_of_its_answer),
		test(an_unknown_read_is_not_judged),
		test(data_names_a_read_of_unknown_length),
		test(messages_are_not_mixed),
		test(the_path_mtu_is_one),
		test(a_nak_sends_the_requester_back),
		test(an_rnr_nak_makes_it_wait),
		test(a_nak_names_what_is_missing),
		test(what_was_refused_is_missing),
		test(a_gap_has_one_nak),
		test(the_msn_does_not_go_back),
		test(data_answers_a_read),
		test(bytes_are_the_same),
		test(nothing_is_sent_after_its_ack),
		test(what_did_not_arrive_is_not_acknowledged),
		test(an_error_ends_it),
		test(psns_that_jump_begin_again),
		test(answers_find_their_connection),
		test(others_are_not_followed),
		test(room_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
