/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/wqe_test.c -- the rules about connections of the WQE extension: what
 * obeys each and what breaks it, at the wrap of the PSNs and elsewhere.
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

enum { A, B }; /* sender, receiver */

#define MTU 64
#define QPN 0x21
#define OWN 0x43

struct lab {
	struct judge *j;
	struct finding found[16];
	size_t n;
	uint32_t frame, start;
	struct ip_addr addr[2];
};

static void lab_open(struct lab *lab, uint32_t start)
{
	struct judge_conf conf;

	*lab = (struct lab){.start = start,
			    .addr = {ip_addr_v4(1), ip_addr_v4(2)}};
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
					.at = lab->frame * VSPAN_US,
					.frame = ++lab->frame};

	d.src = lab->addr[from];
	d.dst = lab->addr[!from];
	d.family = FAMILY_WQE;
	family_parse(FAMILY_WQE, &pkt, p, len);
	assert_int_equal(pkt.fault, PACKET_OK);
	lab->n += judge_push(lab->j, &in, lab->found + lab->n, 16 - lab->n);
}

/* Packet |i| of a send of |n|; PSNs count from lab.start. */
struct sent {
	uint32_t psn, sn, i, n;
	uint32_t off, len; /* 0: what is right */
};

static void packet_of(struct lab *lab, struct sent s)
{
	uint8_t p[bth_len + wqeth_len + MTU] = {0};
	const struct bth bth = {
		.opcode = s.n == 1         ? IB_WQE_SEND_ONLY
			  : s.i == 0       ? IB_WQE_SEND_FIRST
			  : s.i + 1 == s.n ? IB_WQE_SEND_LAST
					   : IB_WQE_SEND_MIDDLE,
		.pkey = 0xffff,
		.dest_qp = QPN,
		.psn = (lab->start + s.psn) & SERIAL24_MASK,
	};
	const struct wqeth x = {
		.wqe_sn = s.sn,
		.wqe_offset = s.off ? s.off : s.i * MTU,
		.wqe_length = s.len ? s.len : s.n * MTU,
	};

	bth_put(&bth, p);
	wqeth_put(&x, p + bth_len);
	push(lab, A, p, sizeof(p));
}

static void ack(struct lab *lab, uint8_t syndrome, uint32_t psn)
{
	uint8_t p[bth_len + aeth_len];
	const struct bth bth = {.opcode = IB_WQE_ACK,
				.pkey = 0xffff,
				.dest_qp = OWN,
				.psn = (lab->start + psn) & SERIAL24_MASK};
	const struct aeth aeth = {.syndrome = syndrome};

	bth_put(&bth, p);
	aeth_put(&aeth, p + bth_len);
	push(lab, B, p, sizeof(p));
}

static void indicate(struct lab *lab, uint32_t psn, uint32_t missing)
{
	uint8_t p[bth_len + aeth_len + rieth_len + rieth_entry_len];
	const struct bth bth = {.opcode = IB_WQE_RTX_IND,
				.pkey = 0xffff,
				.dest_qp = OWN,
				.psn = (lab->start + psn) & SERIAL24_MASK};
	const struct aeth aeth = {.syndrome = IB_SYNDROME_PSN_SEQ};
	const struct rieth rieth = {.count = 1};
	const struct rieth_entry e = {.missing_psn = (lab->start + missing) &
						     SERIAL24_MASK};

	bth_put(&bth, p);
	aeth_put(&aeth, p + bth_len);
	rieth_put(&rieth, p + bth_len + aeth_len);
	rieth_entry_put(&e, p + bth_len + aeth_len + rieth_len);
	push(lab, B, p, sizeof(p));
}

static void none(struct lab *lab)
{
	assert_int_equal(lab->n, 0);
}

/* Exactly one finding, of that requirement and role. */
static void one(struct lab *lab, enum req_id req, enum req_role role)
{
	assert_int_equal(lab->n, 1);
	assert_int_equal(lab->found[0].req, req);
	assert_int_equal(lab->found[0].role, role);
	lab->n = 0;
}

static void close_lab(struct lab *lab)
{
	judge_free(lab->j);
}

/* Three packets, as they should be. */
static void three(struct lab *lab)
{
	for (uint32_t i = 0; i < 3; i++)
		packet_of(lab, (struct sent){.psn = i, .i = i, .n = 3});
	none(lab);
}

static void good_traffic_is_good(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xfffffe);
	three(&lab);
	packet_of(&lab, (struct sent){.psn = 3, .sn = 1, .n = 1});
	indicate(&lab, 1, 1);
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	ack(&lab, IB_SYNDROME_ACK, 3);
	packet_of(&lab, (struct sent){.psn = 4, .sn = 2, .n = 1});
	packet_of(&lab, (struct sent){.psn = 4, .sn = 2, .n = 1}); /* probe */
	ack(&lab, IB_SYNDROME_ACK, 4);
	none(&lab);
	close_lab(&lab);
}

static void see_flow(void *arg, const struct judge_flow *flow)
{
	unsigned *n = arg;

	++*n;
	assert_int_equal(flow->family, FAMILY_WQE);
	assert_true(flow->whole);
	assert_int_equal(flow->tally->side[0].requests, 4);
	assert_int_equal(flow->tally->side[0].again[CAUSE_GAP], 1);
	assert_int_equal(flow->tally->side[1].nacks, 1);
	assert_int_equal(flow->tally->side[1].acks, 1);
}

static void a_connection_is_a_flow(void **state)
{
	unsigned n = 0;
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xfffffe);
	three(&lab);
	indicate(&lab, 1, 1);
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	assert_int_equal(judge_facts(lab.j)->frame, 2);
	assert_true(judge_facts(lab.j)->takes_psn);
	ack(&lab, IB_SYNDROME_ACK, 2);
	assert_int_equal(judge_facts(lab.j)->from, 1);
	judge_flows(lab.j, see_flow, &n);
	assert_int_equal(n, 1);
	close_lab(&lab);
}

static void facts_tell_what_was_known(void **state)
{
	const struct judge_facts *x;
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xfffffe);
	x = judge_facts(lab.j);
	packet_of(&lab, (struct sent){.psn = 0, .n = 3});
	assert_int_equal(x->frame, 0);
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	assert_int_equal(x->skipped, 1);
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3}); /* 3 */
	assert_true(x->late);
	indicate(&lab, 1, 1); /* 4 */
	assert_int_equal(x->frame, 3);
	assert_true(x->acks);
	assert_int_equal(judge_frame(lab.j, false, x->acks_to), 1);
	lab.n = 0;
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3}); /* 5 */
	assert_int_equal(x->frame, 3);
	assert_int_equal(x->cause, CAUSE_GAP);
	assert_int_equal(x->asked_frame, 4);
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	assert_int_equal(x->frame, 5);
	assert_int_equal(x->cause, CAUSE_TIMER);
	ack(&lab, IB_SYNDROME_ACK, 2);
	assert_int_equal(x->acks_to - x->acks_from, 2);
	assert_int_equal(judge_frame(lab.j, false, x->acks_to), 2);
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	assert_true(x->acked);
	close_lab(&lab);
}

/* Behind a sequence error one PSN is missing; the others are sent again. */
static void facts_tell_who_goes_back(void **state)
{
	const struct judge_facts *x;
	struct lab lab;

	(void)state;
	lab_open(&lab, 5);
	x = judge_facts(lab.j);
	three(&lab);
	ack(&lab, IB_SYNDROME_PSN_SEQ, 1); /* 4 */
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	assert_int_equal(x->cause, CAUSE_GAP);
	assert_int_equal(x->asked_frame, 4);
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	assert_int_equal(x->cause, CAUSE_NACK);
	assert_int_equal(x->asked_frame, 4);
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	assert_int_equal(x->cause, CAUSE_TIMER);
	close_lab(&lab);
}

/* An indication that came twice, or crossed what it asks for. */
static void what_was_just_repeated_is_not_due(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xfffffe);
	three(&lab);
	indicate(&lab, 1, 1);
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	indicate(&lab, 1, 1);
	packet_of(&lab, (struct sent){.psn = 3, .sn = 1, .n = 1});
	none(&lab);
	indicate(&lab, 1, 2); /* this one was not */
	packet_of(&lab, (struct sent){.psn = 4, .sn = 2, .n = 1});
	one(&lab, REQ_WQE_14, REQ_SRC);
	close_lab(&lab);
}

static void go_back_is_permitted_by_a_nak(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 7);
	three(&lab);
	ack(&lab, IB_SYNDROME_PSN_SEQ, 1);
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	none(&lab);
	close_lab(&lab);
}

static void new_packets_are_in_order(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xfffffe);
	packet_of(&lab, (struct sent){.psn = 0, .n = 3});
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	one(&lab, REQ_WQE_01, REQ_SRC);
	close_lab(&lab);
}

static void a_repeated_packet_is_the_same(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0);
	three(&lab);
	indicate(&lab, 1, 1);
	packet_of(&lab, (struct sent){.psn = 1, .sn = 1, .i = 1, .n = 3});
	one(&lab, REQ_WQE_02, REQ_SRC);
	close_lab(&lab);
}

static void a_wqe_has_one_number_length_and_row_of_offsets(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xffffff);
	packet_of(&lab, (struct sent){.psn = 0, .n = 9});
	packet_of(&lab, (struct sent){.psn = 1, .sn = 1, .i = 1, .n = 9});
	one(&lab, REQ_WQE_04, REQ_SRC);
	packet_of(&lab,
		  (struct sent){.psn = 2, .sn = 1, .i = 2, .n = 9, .len = 7});
	one(&lab, REQ_WQE_06, REQ_SRC);
	packet_of(
		&lab,
		(struct sent){
			.psn = 3, .sn = 1, .i = 3, .n = 9, .off = 4, .len = 7});
	one(&lab, REQ_WQE_11, REQ_SRC);
	close_lab(&lab);
}

static void numbers_go_up_and_offsets_begin(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0);
	packet_of(&lab, (struct sent){.psn = 0, .sn = 0xffffff, .n = 1});
	packet_of(&lab, (struct sent){.psn = 1, .sn = 0, .n = 1});
	none(&lab);
	packet_of(&lab, (struct sent){.psn = 2, .sn = 2, .n = 1});
	one(&lab, REQ_WQE_09, REQ_SRC);
	packet_of(&lab, (struct sent){.psn = 3, .sn = 3, .n = 1, .off = 64});
	one(&lab, REQ_WQE_10, REQ_SRC);
	close_lab(&lab);
}

static void nothing_new_before_what_is_listed(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xfffffd);
	three(&lab);
	indicate(&lab, 1, 1);
	packet_of(&lab, (struct sent){.psn = 3, .sn = 1, .n = 1});
	one(&lab, REQ_WQE_14, REQ_SRC);
	close_lab(&lab);
}

static void only_what_is_listed_is_repeated(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xfffffd);
	three(&lab);
	indicate(&lab, 1, 1);
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	none(&lab);
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	one(&lab, REQ_WQE_16, REQ_SRC);
	ack(&lab, IB_SYNDROME_ACK, 2);
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	one(&lab, REQ_I7, REQ_SRC);
	close_lab(&lab);
}

static void answers_speak_of_what_arrived(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xffffff);
	packet_of(&lab, (struct sent){.psn = 0, .n = 3});
	ack(&lab, IB_SYNDROME_ACK, 1);
	one(&lab, REQ_I5, REQ_DST);
	close_lab(&lab);
}

static void indications_speak_of_what_is_known_and_missing(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 0xffffff);
	packet_of(&lab, (struct sent){.psn = 0, .n = 3});
	packet_of(&lab, (struct sent){.psn = 1, .i = 1, .n = 3});
	indicate(&lab, 2, 2); /* the tail, by LEN */
	none(&lab);
	indicate(&lab, 2, 3);
	one(&lab, REQ_WQE_34, REQ_DST);
	indicate(&lab, 2, 1);
	one(&lab, REQ_WQE_35, REQ_DST);
	close_lab(&lab);
}

/* Packets may be missing: what was not seen may have been there. */
static void doubt_acquits(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 5);
	packet_of(&lab, (struct sent){.psn = 0, .n = 3});
	judge_doubt(lab.j);
	ack(&lab, IB_SYNDROME_ACK, 2);
	packet_of(&lab, (struct sent){.psn = 2, .i = 2, .n = 3});
	none(&lab);
	close_lab(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_traffic_is_good),
		cmocka_unit_test(a_connection_is_a_flow),
		cmocka_unit_test(facts_tell_what_was_known),
		cmocka_unit_test(facts_tell_who_goes_back),
		cmocka_unit_test(what_was_just_repeated_is_not_due),
		cmocka_unit_test(go_back_is_permitted_by_a_nak),
		cmocka_unit_test(new_packets_are_in_order),
		cmocka_unit_test(a_repeated_packet_is_the_same),
		cmocka_unit_test(
			a_wqe_has_one_number_length_and_row_of_offsets),
		cmocka_unit_test(numbers_go_up_and_offsets_begin),
		cmocka_unit_test(nothing_new_before_what_is_listed),
		cmocka_unit_test(only_what_is_listed_is_repeated),
		cmocka_unit_test(answers_speak_of_what_arrived),
		cmocka_unit_test(
			indications_speak_of_what_is_known_and_missing),
		cmocka_unit_test(doubt_acquits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
