/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/roce_test.c -- tests the rules about connections of plain RoCEv2,
 * and the facts that the judge reports of their packets, also at the wrap of
 * the PSNs.
 */
#include "judge/ib/ib_lab_test.h"

#define FAMILY FAMILY_ROCE

#define MTU 256
#define QPN 0x21
#define OWN 0x43

/* A packet of a connection; PSNs count from lab->start. */
struct sent {
	uint8_t opcode;
	uint32_t psn, len;
	uint8_t fill;     /* value of the payload bytes */
	uint32_t qpn;     /* 0: QPN */
	uint32_t dmalen;  /* DMA length of a read */
	uint8_t syndrome; /* syndrome of an answer */
	uint32_t msn;     /* MSN of an answer */
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
	if (s->opcode == IB_RC_ATOMIC_ACK)
		return aeth_len + atomic_ack_eth_len;
	return aeth_len;
}

static void judge_roce_test_send_as(struct lab *lab, unsigned from,
				    struct sent s)
{
	uint8_t p[bth_len + atomic_eth_len + 2 * MTU] = {0};
	const struct bth bth = {
		.opcode = s.opcode,
		.pkey = 0xffff,
		.dest_qp = s.qpn       ? s.qpn
			   : from == A ? QPN
				       : OWN,
		.psn = ib_lab_test_psn_of(lab, s.psn),
	};
	size_t n = bth_len;

	bth_put(&bth, p);
	n += put_ext(&s, p + n);
	memset(p + n, s.fill, s.len);
	ib_lab_test_push(lab, from, p, n + s.len);
}

#define request(lab, ...) \
	judge_roce_test_send_as(lab, A, (struct sent){__VA_ARGS__})
#define response(lab, ...) \
	judge_roce_test_send_as(lab, B, (struct sent){__VA_ARGS__})

static void judge_roce_test_ack(struct lab *lab, uint32_t psn, uint32_t msn)
{
	response(lab, .opcode = IB_RC_ACK, .psn = psn,
		 .syndrome = IB_SYNDROME_ACK, .msn = msn);
}

static void nak(struct lab *lab, uint8_t syndrome, uint32_t psn)
{
	response(lab, .opcode = IB_RC_ACK, .psn = psn, .syndrome = syndrome);
}

/* Packet |i| of a send of three. */
static void judge_roce_test_part(struct lab *lab, uint32_t psn, uint32_t i)
{
	request(lab, .opcode = (uint8_t)(IB_RC_SEND_FIRST + i), .psn = psn,
		.len = i < 2 ? MTU : 9);
}

static void only(struct lab *lab, uint32_t psn)
{
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = psn, .len = 9);
}

static void judge_roce_test_three(struct lab *lab)
{
	for (uint32_t i = 0; i < 3; i++)
		judge_roce_test_part(lab, i, i);
}

static void judge_roce_test_good_traffic_is_good(struct lab *lab)
{
	judge_roce_test_three(lab);
	judge_roce_test_ack(lab, 2, 1);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 3, .dmalen = 2 * MTU + 1);
	request(lab, .opcode = IB_RC_CMP_SWAP, .psn = 6);
	for (uint32_t i = 0; i < 3; i++)
		response(lab, .opcode = (uint8_t)(IB_RC_READ_RESP_FIRST + i),
			 .psn = 3 + i, .len = i < 2 ? MTU : 1,
			 .syndrome = IB_SYNDROME_ACK, .msn = 2);
	response(lab, .opcode = IB_RC_ATOMIC_ACK, .psn = 6,
		 .syndrome = IB_SYNDROME_ACK, .msn = 3);
	only(lab, 7);
	judge_roce_test_ack(lab, 7, 4);
	none(lab);
	assert_int_equal(judge_totals(lab->j)->flows, 1);
	assert_int_equal(judge_totals(lab->j)->unmatched, 0);
}

static void judge_roce_test_see_flow(void *arg, const struct judge_flow *f)
{
	*(struct judge_flow *)arg = *f;
}

/* Go-back-N: psn 1 is lost, and 2, which arrived, is retransmitted. */
static void a_gap_and_its_repair(struct lab *lab)
{
	struct judge_flow f = {0};

	judge_roce_test_part(lab, 0, 0);
	judge_roce_test_part(lab, 2, 2);
	breaks(lab, REQ_ROCE_01, REQ_SRC); /* here it was never sent */
	assert_int_equal(judge_facts(lab->j)->skipped, 1);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	judge_roce_test_part(lab, 1, 1);
	assert_true(judge_facts(lab->j)->late);
	judge_roce_test_part(lab, 2, 2);
	assert_int_equal(judge_facts(lab->j)->cause, CAUSE_NACK);
	assert_int_equal(judge_facts(lab->j)->asked_frame, 3);
	assert_int_equal(judge_facts(lab->j)->frame, 2);
	judge_roce_test_ack(lab, 2, 1);
	assert_int_equal(
		judge_frame(lab->j, false, judge_facts(lab->j)->acks_to), 5);
	assert_true(judge_facts(lab->j)->acks);
	assert_int_equal(judge_facts(lab->j)->acks_to,
			 ib_lab_test_psn_of(lab, 2));
	none(lab);
	judge_flows(lab->j, judge_roce_test_see_flow, &f);
	assert_int_equal(f.family, FAMILY_ROCE);
	assert_true(f.complete && f.closed);
	assert_int_equal(f.stats->side[0].again[CAUSE_NACK], 1);
	assert_int_equal(f.stats->side[1].nacks, 1);
	assert_int_equal(judge_totals(lab->j)->nacks[IB_SYNDROME_PSN_SEQ], 1);
}

static void a_duplicate_is_told(struct lab *lab)
{
	struct judge_flow f = {0};

	judge_roce_test_three(lab);
	only(lab, 3);
	assert_int_equal(judge_facts(lab->j)->frame, 0);
	only(lab, 3);
	assert_int_equal(judge_facts(lab->j)->cause, CAUSE_TIMER);
	judge_roce_test_ack(lab, 3, 2);
	only(lab, 3); /* on its way when the ACK came */
	assert_true(judge_facts(lab->j)->acked);
	none(lab);
	judge_flows(lab->j, judge_roce_test_see_flow, &f);
	assert_int_equal(f.stats->side[0].again[CAUSE_TIMER], 1);
	assert_int_equal(f.stats->side[0].net_dups, 1);
}

static void psns_follow_each_other(struct lab *lab)
{
	only(lab, 0);
	only(lab, 1);
	none(lab);
	only(lab, 3);
	breaks(lab, REQ_ROCE_01, REQ_SRC);
}

static void a_read_takes_the_psns_of_its_answer(struct lab *lab)
{
	judge_roce_test_three(lab);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 3, .dmalen = 4 * MTU);
	only(lab, 7);
	none(lab);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 8, .dmalen = 4 * MTU);
	only(lab, 9);
	assert_true(judge_facts(lab->j)->frame != 0);
}

/* The MTU is unknown before the first answer. */
static void an_unknown_read_is_not_judged(struct lab *lab)
{
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 0, .dmalen = 4 * MTU);
	only(lab, 2);
	judge_roce_test_ack(lab, 2, 2);
	only(lab, 3);
	none(lab);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 4, .dmalen = 2 * MTU);
	response(lab, .opcode = IB_RC_READ_RESP_FIRST, .psn = 4, .len = MTU,
		 .syndrome = IB_SYNDROME_ACK, .msn = 3);
	response(lab, .opcode = IB_RC_READ_RESP_LAST, .psn = 5, .len = MTU,
		 .syndrome = IB_SYNDROME_ACK, .msn = 3);
	none(lab);
	only(lab, 7);
	breaks(lab, REQ_ROCE_01, REQ_SRC);
}

/* The number of PSNs is unknown until the data shows it. */
static void data_names_a_read_of_unknown_length(struct lab *lab)
{
	request(lab, .opcode = IB_RC_READ_REQ, .dmalen = 3 * MTU);
	response(lab, .opcode = IB_RC_READ_RESP_FIRST, .len = MTU);
	assert_int_equal(judge_facts(lab->j)->read_frame, 1);
	response(lab, .opcode = IB_RC_READ_RESP_MIDDLE, .psn = 1, .len = MTU);
	assert_int_equal(judge_facts(lab->j)->read_frame, 1);
	response(lab, .opcode = IB_RC_READ_RESP_LAST, .psn = 2, .len = MTU);
	assert_int_equal(judge_facts(lab->j)->read_frame, 1);
}

/* A read is as long as a part of it shows that is requested again. */
static void a_repeated_part_ends_a_read(struct lab *lab)
{
	request(lab, .opcode = IB_RC_READ_REQ, .dmalen = 4 * MTU);
	response(lab, .opcode = IB_RC_READ_RESP_FIRST, .len = MTU);
	response(lab, .opcode = IB_RC_READ_RESP_MIDDLE, .psn = 1, .len = MTU);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 1, .dmalen = 3 * MTU);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 3, .dmalen = MTU);
	assert_int_equal(judge_facts(lab->j)->frame, 1);
	only(lab, 4);
	assert_int_equal(judge_facts(lab->j)->frame, 0);
	none(lab);
	only(lab, 6); /* PSN 5 is missing, and cannot be of the read */
	breaks(lab, REQ_ROCE_01, REQ_SRC);
}

/* A later request shows where a read of unknown length ended: also a read. */
static void a_later_read_ends_a_read(struct lab *lab)
{
	request(lab, .opcode = IB_RC_READ_REQ, .dmalen = 4 * MTU);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 3, .dmalen = 4 * MTU);
	for (uint32_t psn = 0; psn < 4; psn++) {
		response(lab, .opcode = IB_RC_READ_RESP_FIRST, .psn = psn,
			 .len = MTU);
		assert_int_equal(judge_facts(lab->j)->read_frame,
				 psn < 3 ? 1 : 2);
	}
	only(lab, 5);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 4, .dmalen = MTU);
	assert_int_equal(judge_facts(lab->j)->frame, 2);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 2, .dmalen = MTU);
	assert_int_equal(judge_facts(lab->j)->frame, 1);
	lab->n = 0; /* the answers are no whole reads */
}

/* A short part, or a gap behind a read, does not change where it ends. */
static void a_known_read_keeps_its_end(struct lab *lab)
{
	judge_roce_test_three(lab);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 3, .dmalen = 4 * MTU);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 4, .dmalen = 2 * MTU);
	request(lab, .opcode = IB_RC_READ_REQ, .psn = 6, .dmalen = MTU);
	assert_int_equal(judge_facts(lab->j)->frame, 4);
	none(lab);
	only(lab, 9); /* PSNs 7 and 8 are missing */
	breaks(lab, REQ_ROCE_01, REQ_SRC);
	only(lab, 8);
	assert_int_equal(judge_facts(lab->j)->frame, 0);
}

static void messages_are_not_mixed(struct lab *lab)
{
	judge_roce_test_part(lab, 0, 0);
	judge_roce_test_part(lab, 1, 1);
	only(lab, 2);
	breaks(lab, REQ_ROCE_02, REQ_SRC);
	judge_roce_test_part(lab, 3, 2);
	breaks(lab, REQ_ROCE_02, REQ_SRC);
	judge_roce_test_part(lab, 4, 0);
	request(lab, .opcode = IB_RC_WRITE_LAST, .psn = 5, .len = 1);
	breaks(lab, REQ_ROCE_02, REQ_SRC);
	judge_roce_test_part(lab, 6, 0);
	request(lab, .opcode = IB_RC_SEND_LAST_INV, .psn = 7, .len = 9);
	none(lab);
}

static void the_path_mtu_is_one(struct lab *lab)
{
	judge_roce_test_three(lab);
	none(lab);
	request(lab, .opcode = IB_RC_SEND_FIRST, .psn = 3, .len = MTU / 2);
	breaks(lab, REQ_ROCE_03, REQ_SRC);
	request(lab, .opcode = IB_RC_SEND_LAST, .psn = 4, .len = MTU + 4);
	breaks(lab, REQ_ROCE_03, REQ_SRC);
}

static void a_nak_sends_the_requester_back(struct lab *lab)
{
	for (uint32_t psn = 0; psn < 4; psn++)
		only(lab, psn);
	judge_roce_test_ack(lab, 0, 1);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	lab->n = 0;   /* here PSN 1 had arrived */
	only(lab, 4); /* on its way when the NAK came */
	none(lab);
	lab->at += 2 * VSPAN_MS;
	only(lab, 5);
	breaks(lab, REQ_ROCE_04, REQ_SRC);
	only(lab, 1);
	only(lab, 6);
	none(lab);
}

static void an_rnr_nak_makes_it_wait(struct lab *lab)
{
	only(lab, 0);
	nak(lab, IB_SYNDROME_RNR | 12, 0); /* 640 us */
	lab->at += 639 * VSPAN_US;
	only(lab, 0);
	none(lab);
	nak(lab, IB_SYNDROME_RNR | 13, 0); /* 960 us */
	lab->at += 900 * VSPAN_US;
	only(lab, 0);
	assert_true(lab->found[0].timing);
	breaks(lab, REQ_ROCE_05, REQ_SRC);
	nak(lab, IB_SYNDROME_RNR, 0); /* 655.36 ms */
	lab->at += 655360 * VSPAN_US;
	only(lab, 0);
	none(lab);
}

static void a_nak_names_what_is_missing(struct lab *lab)
{
	only(lab, 0);
	judge_roce_test_ack(lab, 0, 0);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1); /* no later PSN was sent */
	breaks(lab, REQ_ROCE_06, REQ_DST);
	only(lab, 1);
	only(lab, 2);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	breaks(lab, REQ_ROCE_06, REQ_DST);
}

/* After an RNR NAK the responder expects the same request again. */
static void what_was_refused_is_missing(struct lab *lab)
{
	only(lab, 0);
	nak(lab, IB_SYNDROME_RNR | 1, 0);
	only(lab, 1);
	nak(lab, IB_SYNDROME_PSN_SEQ, 0);
	none(lab);
}

static void a_gap_has_one_nak(struct lab *lab)
{
	only(lab, 0);
	only(lab, 2);
	lab->n = 0;
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	none(lab);
	nak(lab, IB_SYNDROME_PSN_SEQ, 1);
	breaks(lab, REQ_ROCE_07, REQ_DST);
	only(lab, 1);
	only(lab, 2);
	judge_roce_test_ack(lab, 2, 3);
	none(lab);
}

static void the_msn_does_not_go_back(struct lab *lab)
{
	only(lab, 0);
	judge_roce_test_ack(lab, 0, 0xffffff);
	only(lab, 1);
	judge_roce_test_ack(lab, 1, 0);
	none(lab);
	only(lab, 2);
	judge_roce_test_ack(lab, 2, 0xffffff);
	breaks(lab, REQ_ROCE_09, REQ_DST);
}

static void data_answers_a_read(struct lab *lab)
{
	only(lab, 0);
	response(lab, .opcode = IB_RC_READ_RESP_ONLY, .psn = 0, .len = 4,
		 .syndrome = IB_SYNDROME_ACK, .msn = 1);
	breaks(lab, REQ_ROCE_10, REQ_DST);
	only(lab, 1);
	response(lab, .opcode = IB_RC_ATOMIC_ACK, .psn = 1,
		 .syndrome = IB_SYNDROME_ACK, .msn = 2);
	breaks(lab, REQ_ROCE_10, REQ_DST);
}

static void bytes_are_the_same(struct lab *lab)
{
	only(lab, 0);
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = 0, .len = 9, .fill = 1);
	breaks(lab, REQ_I6, REQ_SRC);
}

static void nothing_is_sent_after_its_ack(struct lab *lab)
{
	only(lab, 0);
	judge_roce_test_ack(lab, 0, 1);
	lab->at += 2 * VSPAN_MS;
	only(lab, 0);
	breaks(lab, REQ_I7, REQ_SRC);
}

static void what_did_not_arrive_is_not_acknowledged(struct lab *lab)
{
	only(lab, 0);
	only(lab, 2);
	lab->n = 0;
	judge_roce_test_ack(lab, 2, 3);
	breaks(lab, REQ_I5, REQ_DST);
}

/* After an error another connection may use the same QP. */
static void an_error_ends_it(struct lab *lab)
{
	struct judge_flow f = {0};

	only(lab, 0);
	only(lab, 1);
	nak(lab, IB_SYNDROME_INVALID_REQ, 1);
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = 1, .len = 9, .fill = 1);
	none(lab);
	judge_flows(lab->j, judge_roce_test_see_flow, &f);
	assert_false(f.complete);
	assert_int_equal(judge_totals(lab->j)->flows, 1);
}

static void psns_that_jump_begin_again(struct lab *lab)
{
	only(lab, 0);
	only(lab, 500000);
	none(lab);
	assert_int_equal(judge_facts(lab->j)->skipped, 0);
}

/*
 * Two QPs between the same hosts: the PSN shows to which of them an answer
 * belongs.
 */
static void answers_find_their_connection(struct lab *lab)
{
	only(lab, 0);
	request(lab, .opcode = IB_RC_SEND_ONLY, .psn = 9000, .qpn = QPN + 1);
	response(lab, .opcode = IB_RC_ACK, .psn = 9000, .qpn = OWN + 1,
		 .syndrome = IB_SYNDROME_ACK, .msn = 1);
	assert_true(judge_facts(lab->j)->acks);
	judge_roce_test_ack(lab, 0, 1);
	assert_true(judge_facts(lab->j)->acks);
	none(lab);
	assert_int_equal(judge_totals(lab->j)->flows, 2);
	judge_roce_test_ack(lab, 5, 1);
	breaks(lab, REQ_I5, REQ_DST);
}

/* An answer that its receiver drops may carry any QP number. */
static void a_wrong_icrc_names_no_qp(struct lab *lab)
{
	only(lab, 0);
	lab->mangled = true;
	response(lab, .opcode = IB_RC_ACK, .qpn = OWN + 1,
		 .syndrome = IB_SYNDROME_ACK, .msn = 1);
	assert_int_equal(judge_facts(lab->j)->flow, JUDGE_NO_FLOW);
	lab->mangled = false;
	judge_roce_test_ack(lab, 0, 1);
	assert_true(judge_facts(lab->j)->acks);
}

/* Datagrams and congestion notifications belong to no connection. */
static void others_are_not_followed(struct lab *lab)
{
	uint8_t p[bth_len + deth_len + 4] = {IB_UD_SEND_ONLY};

	ib_lab_test_push(lab, A, p, sizeof(p));
	none(lab);
	assert_int_equal(judge_facts(lab->j)->flow, JUDGE_NO_FLOW);
	assert_int_equal(judge_totals(lab->j)->flows, 0);
}

/* With more flows than room, the flow that was silent longest is replaced. */
static void judge_roce_test_room_is_bounded(struct lab *lab)
{
	for (uint32_t i = 0; i < 300; i++)
		request(lab, .opcode = IB_RC_SEND_ONLY, .qpn = 1000 + i);
	gave_way(lab, 300, 44);
}

static void judge_roce_test_count_complete(void *arg,
					   const struct judge_flow *f)
{
	*(unsigned *)arg += f->complete;
}

/* Packets of each flow may be missing, also if no more flows have room. */
static void each_flow_may_lack_packets(struct lab *lab)
{
	unsigned complete = 0;

	for (uint32_t i = 0; i < 256; i++)
		request(lab, .opcode = IB_RC_SEND_ONLY, .qpn = 1000 + i);
	judge_flows(lab->j, judge_roce_test_count_complete, &complete);
	assert_int_equal(complete, 256);
	judge_mark_incomplete(lab->j);
	complete = 0;
	judge_flows(lab->j, judge_roce_test_count_complete, &complete);
	assert_int_equal(complete, 0);
}

EACH(judge_roce_test_good_traffic_is_good)
EACH(a_gap_and_its_repair)
EACH(a_duplicate_is_told)
EACH(psns_follow_each_other)
EACH(a_read_takes_the_psns_of_its_answer)
EACH(an_unknown_read_is_not_judged)
EACH(data_names_a_read_of_unknown_length)
EACH(a_known_read_keeps_its_end)
EACH(a_later_read_ends_a_read)
EACH(a_repeated_part_ends_a_read)
EACH(messages_are_not_mixed)
EACH(the_path_mtu_is_one)
EACH(a_nak_sends_the_requester_back)
EACH(an_rnr_nak_makes_it_wait)
EACH(a_nak_names_what_is_missing)
EACH(what_was_refused_is_missing)
EACH(a_gap_has_one_nak)
EACH(the_msn_does_not_go_back)
EACH(data_answers_a_read)
EACH(bytes_are_the_same)
EACH(nothing_is_sent_after_its_ack)
EACH(what_did_not_arrive_is_not_acknowledged)
EACH(an_error_ends_it)
EACH(psns_that_jump_begin_again)
EACH(answers_find_their_connection)
EACH(a_wrong_icrc_names_no_qp)
EACH(others_are_not_followed)
EACH(judge_roce_test_room_is_bounded)
EACH(each_flow_may_lack_packets)

/* A request, mostly the next one, or an answer to one of the last. */
static void judge_roce_test_step(struct lab *lab, struct rng *rng,
				 uint32_t *next)
{
	static const uint8_t opcodes[] = {
		IB_RC_SEND_FIRST, IB_RC_SEND_MIDDLE, IB_RC_SEND_LAST,
		IB_RC_SEND_ONLY,  IB_RC_SEND_ONLY,   IB_RC_WRITE_FIRST,
		IB_RC_WRITE_ONLY, IB_RC_READ_REQ,    IB_RC_CMP_SWAP};
	static const uint8_t answers[] = {IB_RC_ACK,
					  IB_RC_ACK,
					  IB_RC_ACK,
					  IB_RC_READ_RESP_FIRST,
					  IB_RC_READ_RESP_LAST,
					  IB_RC_ATOMIC_ACK};
	static const uint8_t syndromes[] = {
		IB_SYNDROME_ACK, IB_SYNDROME_ACK,     IB_SYNDROME_ACK,
		IB_SYNDROME_RNR, IB_SYNDROME_PSN_SEQ, IB_SYNDROME_REMOTE_OP};
	const uint32_t kind = rng_below(rng, 10), back = rng_below(rng, 4);
	struct sent s = {.psn = *next, .len = 9};

	if (kind < 4) {
		s.opcode = opcodes[rng_below(rng, sizeof(opcodes))];
		s.dmalen = rng_below(rng, 3) * MTU + 1;
		if (s.opcode == IB_RC_SEND_FIRST ||
		    s.opcode == IB_RC_SEND_MIDDLE ||
		    s.opcode == IB_RC_WRITE_FIRST)
			s.len = MTU;
		*next += s.opcode == IB_RC_READ_REQ ? (s.dmalen + MTU - 1) / MTU
						    : 1;
		*next += rng_below(rng, 25) ? 0 : 1 + rng_below(rng, 3);
	} else if (kind < 6) {
		s.opcode = rng_below(rng, 3) ? IB_RC_SEND_ONLY : IB_RC_READ_REQ;
		s.dmalen = rng_below(rng, 3) * MTU + 1;
		s.psn -= 1 + back;
	} else {
		s.opcode = answers[rng_below(rng, sizeof(answers))];
		s.syndrome = syndromes[rng_below(rng, sizeof(syndromes))];
		s.psn -= 1 + back;
		s.msn = rng_below(rng, 8);
	}
	if (!rng_below(rng, 40))
		s.qpn = 1 + rng_below(rng, 3);
	s.fill = rng_below(rng, 30) ? 0 : 1;
	judge_roce_test_send_as(lab, kind < 6 ? A : B, s);
}

static void judge_roce_test_noise(void **state)
{
	(void)state;
	ib_lab_test_noise(FAMILY, judge_roce_test_step);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_judge_roce_test_good_traffic_is_good),
		cmocka_unit_test(test_a_gap_and_its_repair),
		cmocka_unit_test(test_a_duplicate_is_told),
		cmocka_unit_test(test_psns_follow_each_other),
		cmocka_unit_test(test_a_read_takes_the_psns_of_its_answer),
		cmocka_unit_test(test_an_unknown_read_is_not_judged),
		cmocka_unit_test(test_data_names_a_read_of_unknown_length),
		cmocka_unit_test(test_a_known_read_keeps_its_end),
		cmocka_unit_test(test_a_later_read_ends_a_read),
		cmocka_unit_test(test_a_repeated_part_ends_a_read),
		cmocka_unit_test(test_messages_are_not_mixed),
		cmocka_unit_test(test_the_path_mtu_is_one),
		cmocka_unit_test(test_a_nak_sends_the_requester_back),
		cmocka_unit_test(test_an_rnr_nak_makes_it_wait),
		cmocka_unit_test(test_a_nak_names_what_is_missing),
		cmocka_unit_test(test_what_was_refused_is_missing),
		cmocka_unit_test(test_a_gap_has_one_nak),
		cmocka_unit_test(test_the_msn_does_not_go_back),
		cmocka_unit_test(test_data_answers_a_read),
		cmocka_unit_test(test_bytes_are_the_same),
		cmocka_unit_test(test_nothing_is_sent_after_its_ack),
		cmocka_unit_test(test_what_did_not_arrive_is_not_acknowledged),
		cmocka_unit_test(test_an_error_ends_it),
		cmocka_unit_test(test_psns_that_jump_begin_again),
		cmocka_unit_test(test_answers_find_their_connection),
		cmocka_unit_test(test_a_wrong_icrc_names_no_qp),
		cmocka_unit_test(test_others_are_not_followed),
		cmocka_unit_test(test_judge_roce_test_room_is_bounded),
		cmocka_unit_test(test_each_flow_may_lack_packets),
		cmocka_unit_test(judge_roce_test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
