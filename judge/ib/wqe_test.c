/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/wqe_test.c -- tests the rules about connections of the WQE extension
 * with traffic that obeys each rule and traffic that violates it, also at the
 * wrap of the PSNs.
 */
#include "judge/ib/ib_lab_test.h"

#define FAMILY FAMILY_WQE

#define MTU 64
#define QPN 0x21
#define OWN 0x43

/* Packet |i| of a send of |n|; PSNs count from lab->start. */
struct sent {
	uint32_t qpn; /* 0: QPN */
	uint32_t psn, sn, i, n;
	uint32_t off, len; /* 0: the right value */
};

static void judge_wqe_test_send_as(struct lab *lab, struct sent s)
{
	uint8_t p[bth_len + wqeth_len + MTU] = {0};
	const struct bth bth = {
		.opcode = s.n == 1         ? IB_WQE_SEND_ONLY
			  : s.i == 0       ? IB_WQE_SEND_FIRST
			  : s.i + 1 == s.n ? IB_WQE_SEND_LAST
					   : IB_WQE_SEND_MIDDLE,
		.pkey = 0xffff,
		.dest_qp = s.qpn ? s.qpn : QPN,
		.psn = ib_lab_test_psn_of(lab, s.psn),
	};
	const struct wqeth x = {
		.wqe_sn = s.sn,
		.wqe_offset = s.off ? s.off : s.i * MTU,
		.wqe_length = s.len ? s.len : s.n * MTU,
	};

	bth_put(&bth, p);
	wqeth_put(&x, p + bth_len);
	ib_lab_test_push(lab, A, p, sizeof(p));
}

#define request(lab, ...) \
	judge_wqe_test_send_as(lab, (struct sent){__VA_ARGS__})

static void ack_of_messages(struct lab *lab, uint8_t syndrome, uint32_t psn,
			    uint32_t msn)
{
	uint8_t p[bth_len + aeth_len];
	const struct bth bth = {.opcode = IB_WQE_ACK,
				.pkey = 0xffff,
				.dest_qp = OWN,
				.psn = ib_lab_test_psn_of(lab, psn)};
	const struct aeth aeth = {.syndrome = syndrome, .msn = msn};

	bth_put(&bth, p);
	aeth_put(&aeth, p + bth_len);
	ib_lab_test_push(lab, B, p, sizeof(p));
}

static void judge_wqe_test_ack(struct lab *lab, uint8_t syndrome, uint32_t psn)
{
	ack_of_messages(lab, syndrome, psn, 0);
}

/* Sends an indication with one entry; |rieth| may count others. */
static void indication_as(struct lab *lab, struct rieth rieth, uint32_t psn,
			  uint32_t missing)
{
	const bool d = rieth.d;
	uint8_t p[bth_len + aeth_len + rieth_len + rieth_entry_len] = {0};
	const struct bth bth = {.opcode = IB_WQE_RTX_IND,
				.pkey = 0xffff,
				.dest_qp = d ? QPN : OWN,
				.psn = ib_lab_test_psn_of(lab, psn)};
	const struct aeth aeth = {.syndrome = IB_SYNDROME_PSN_SEQ};
	const struct rieth_entry e = {.missing_psn =
					      ib_lab_test_psn_of(lab, missing)};

	bth_put(&bth, p);
	aeth_put(&aeth, p + bth_len);
	rieth_put(&rieth, p + bth_len + aeth_len);
	rieth_entry_put(&e, p + bth_len + aeth_len + rieth_len);
	ib_lab_test_push(lab, d ? A : B, p, sizeof(p));
}

static void indication(struct lab *lab, bool d, uint32_t psn, uint32_t missing)
{
	indication_as(lab, (struct rieth){.d = d, .count = 1}, psn, missing);
}

static void judge_wqe_test_indicate(struct lab *lab, uint32_t psn,
				    uint32_t missing)
{
	indication(lab, false, psn, missing);
}

static void judge_wqe_test_ask_for_data(struct lab *lab, uint32_t missing)
{
	indication(lab, true, missing, missing);
}

/* A correct WQE of three packets. */
static void judge_wqe_test_three(struct lab *lab)
{
	for (uint32_t i = 0; i < 3; i++)
		request(lab, .psn = i, .i = i, .n = 3);
	none(lab);
}

static void judge_wqe_test_good_traffic_is_good(struct lab *lab)
{
	judge_wqe_test_three(lab);
	request(lab, .psn = 3, .sn = 1, .n = 1);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 1, .i = 1, .n = 3);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 3);
	request(lab, .psn = 4, .sn = 2, .n = 1);
	request(lab, .psn = 4, .sn = 2, .n = 1); /* probe */
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 4);
	none(lab);
}

static void judge_wqe_test_see_flow(void *arg, const struct judge_flow *flow)
{
	unsigned *n = arg;

	++*n;
	assert_int_equal(flow->family, FAMILY_WQE);
	assert_true(flow->complete);
	assert_int_equal(flow->stats->side[0].requests, 4);
	assert_int_equal(flow->stats->side[0].again[CAUSE_GAP], 1);
	assert_int_equal(flow->stats->side[1].nacks, 1);
	assert_int_equal(flow->stats->side[1].acks, 1);
	assert_true(flow->stats->last_at > flow->first_at);
}

static void a_connection_is_a_flow(struct lab *lab)
{
	unsigned n = 0;

	judge_wqe_test_three(lab);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 1, .i = 1, .n = 3);
	assert_int_equal(judge_facts(lab->j)->frame, 2);
	assert_true(judge_facts(lab->j)->takes_psn);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 2);
	assert_int_equal(judge_facts(lab->j)->from, 1);
	judge_flows(lab->j, judge_wqe_test_see_flow, &n);
	assert_int_equal(n, 1);
}

static void facts_tell_what_was_known(struct lab *lab)
{
	const struct judge_facts *x = judge_facts(lab->j);

	request(lab, .psn = 0, .n = 3);
	assert_int_equal(x->frame, 0);
	request(lab, .psn = 2, .i = 2, .n = 3);
	assert_int_equal(x->skipped, 1);
	request(lab, .psn = 1, .i = 1, .n = 3); /* 3 */
	assert_true(x->late);
	judge_wqe_test_indicate(lab, 1, 1); /* 4 */
	assert_int_equal(x->frame, 3);
	assert_true(x->acks);
	assert_int_equal(judge_frame(lab->j, false, x->acks_to), 1);
	lab->n = 0;
	request(lab, .psn = 1, .i = 1, .n = 3); /* 5 */
	assert_int_equal(x->frame, 3);
	assert_int_equal(x->cause, CAUSE_GAP);
	assert_int_equal(x->asked_frame, 4);
	request(lab, .psn = 1, .i = 1, .n = 3);
	assert_int_equal(x->frame, 5);
	assert_int_equal(x->cause, CAUSE_TIMER);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 2);
	assert_int_equal(x->acks_to - x->acks_from, 2);
	assert_int_equal(judge_frame(lab->j, false, x->acks_to), 2);
	request(lab, .psn = 2, .i = 2, .n = 3);
	assert_true(x->acked);
}

/*
 * After a sequence error one PSN is missing; the others are retransmitted as
 * well.
 */
static void facts_tell_who_goes_back(struct lab *lab)
{
	const struct judge_facts *x = judge_facts(lab->j);

	judge_wqe_test_three(lab);
	judge_wqe_test_ack(lab, IB_SYNDROME_PSN_SEQ, 1); /* 4 */
	request(lab, .psn = 1, .i = 1, .n = 3);
	assert_int_equal(x->cause, CAUSE_GAP);
	assert_int_equal(x->asked_frame, 4);
	request(lab, .psn = 2, .i = 2, .n = 3);
	assert_int_equal(x->cause, CAUSE_NACK);
	assert_int_equal(x->asked_frame, 4);
	request(lab, .psn = 2, .i = 2, .n = 3);
	assert_int_equal(x->cause, CAUSE_TIMER);
}

/*
 * An indication that came twice, or crossed the retransmission that it
 * requests.
 */
static void what_was_just_repeated_is_not_due(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 1, .i = 1, .n = 3);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 3, .sn = 1, .n = 1);
	none(lab);
	judge_wqe_test_indicate(lab, 1, 2); /* this PSN was not retransmitted */
	request(lab, .psn = 4, .sn = 2, .n = 1);
	breaks(lab, REQ_WQE_14, REQ_SRC);
}

static void go_back_is_permitted_by_a_nak(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_ack(lab, IB_SYNDROME_PSN_SEQ, 1);
	request(lab, .psn = 1, .i = 1, .n = 3);
	request(lab, .psn = 2, .i = 2, .n = 3);
	none(lab);
}

static void new_packets_are_in_order(struct lab *lab)
{
	request(lab, .psn = 0, .n = 3);
	request(lab, .psn = 2, .i = 2, .n = 3);
	breaks(lab, REQ_WQE_01, REQ_SRC);
}

static void a_repeated_packet_is_the_same(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 1, .sn = 1, .i = 1, .n = 3);
	breaks(lab, REQ_WQE_02, REQ_SRC);
}

static void each_packet_has_its_own_psn(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 1, .i = 2, .n = 3);
	breaks(lab, REQ_WQE_13, REQ_SRC);
}

/*
 * A receiver drops a packet with a wrong ICRC, whose contents may be corrupted.
 */
static void a_wrong_icrc_counts_and_is_not_judged(struct lab *lab)
{
	judge_wqe_test_three(lab);
	lab->mangled = true;
	request(lab, .psn = 1, .sn = 1, .i = 1, .n = 3);
	assert_int_equal(judge_facts(lab->j)->frame, 2);
	request(lab, .psn = 3, .sn = 7, .n = 1, .off = 64);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 9);
	judge_wqe_test_indicate(lab, 2, 9);
	none(lab);
	lab->mangled = false;
	request(lab, .psn = 3, .sn = 1, .n = 1);
	none(lab);
	request(lab, .psn = 1, .sn = 1, .i = 1, .n = 3);
	breaks(lab, REQ_WQE_02, REQ_SRC);
}

static void a_wqe_has_one_number_length_and_row_of_offsets(struct lab *lab)
{
	request(lab, .psn = 0, .n = 9);
	request(lab, .psn = 1, .sn = 1, .i = 1, .n = 9);
	breaks(lab, REQ_WQE_04, REQ_SRC);
	request(lab, .psn = 2, .sn = 1, .i = 2, .n = 9, .len = 7);
	breaks(lab, REQ_WQE_06, REQ_SRC);
	request(lab, .psn = 3, .sn = 1, .i = 3, .n = 9, .off = 4, .len = 7);
	breaks(lab, REQ_WQE_11, REQ_SRC);
}

static void numbers_go_up_and_offsets_begin(struct lab *lab)
{
	request(lab, .psn = 0, .sn = 0xffffff, .n = 1);
	request(lab, .psn = 1, .sn = 0, .n = 1);
	none(lab);
	request(lab, .psn = 2, .sn = 2, .n = 1);
	breaks(lab, REQ_WQE_09, REQ_SRC);
	request(lab, .psn = 3, .sn = 3, .n = 1, .off = 64);
	breaks(lab, REQ_WQE_10, REQ_SRC);
}

static void nothing_new_before_what_is_listed(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 3, .sn = 1, .n = 1);
	breaks(lab, REQ_WQE_14, REQ_SRC);
}

static void only_what_is_listed_is_repeated(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 1, .i = 1, .n = 3);
	none(lab);
	request(lab, .psn = 2, .i = 2, .n = 3);
	breaks(lab, REQ_WQE_16, REQ_SRC);
	lab->at += 2 * VSPAN_MS;
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 2);
	request(lab, .psn = 2, .i = 2, .n = 3);
	none(lab); /* it may have been sent before the ACK came */
	lab->at += 2 * VSPAN_MS;
	request(lab, .psn = 2, .i = 2, .n = 3);
	breaks(lab, REQ_I7, REQ_SRC);
}

/* A starved sender may repeat what it has not seen acknowledged. */
static void repeats_soon_after_the_ack(struct lab *lab)
{
	struct judge_conf conf = ib_lab_test_lab_conf();

	conf.rto_init = 5 * VSPAN_MS;
	judge_declare(lab->j, &conf);
	judge_wqe_test_three(lab);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 2);
	lab->at += 4 * VSPAN_MS;
	request(lab, .psn = 2, .i = 2, .n = 3);
	assert_true(lab->found[0].timing);
	breaks(lab, REQ_I7, REQ_SRC);
	lab->at += 5 * VSPAN_MS;
	request(lab, .psn = 2, .i = 2, .n = 3);
	assert_false(lab->found[0].timing);
	breaks(lab, REQ_I7, REQ_SRC);
}

static void answers_speak_of_what_arrived(struct lab *lab)
{
	request(lab, .psn = 0, .n = 3);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 1);
	breaks(lab, REQ_I5, REQ_DST);
}

/* The connection begins with PSN 100, and the receiver repeats its last ACK. */
static void a_psn_before_the_first_is_a_duplicate(struct lab *lab)
{
	request(lab, .psn = 0, .n = 1);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 99);
	none(lab);
}

/* A NAK is no repeat: it speaks of a request that arrived. */
static void a_nak_speaks_of_what_arrived(struct lab *lab)
{
	request(lab, .psn = 0, .n = 1);
	judge_wqe_test_ack(lab, IB_SYNDROME_PSN_SEQ, 99);
	breaks(lab, REQ_I5, REQ_DST);
}

static void a_complete_message_has_arrived(struct lab *lab)
{
	request(lab, .psn = 0, .n = 1);
	ack_of_messages(lab, IB_SYNDROME_ACK, 1, 1);
	breaks(lab, REQ_I5, REQ_DST);
}

static void indications_speak_of_what_is_known_and_missing(struct lab *lab)
{
	request(lab, .psn = 0, .n = 3);
	request(lab, .psn = 1, .i = 1, .n = 3);
	/* PSN 2, the end of the WQE by LEN */
	judge_wqe_test_indicate(lab, 2, 2);
	none(lab);
	judge_wqe_test_indicate(lab, 2, 3);
	breaks(lab, REQ_WQE_34, REQ_DST);
	judge_wqe_test_indicate(lab, 2, 1);
	breaks(lab, REQ_WQE_35, REQ_DST);
}

/* A receiver cannot parse them: they list nothing. */
static void unreadable_indications_list_nothing(struct lab *lab)
{
	const struct rieth bad[] = {{.ver = 1, .count = 1},
				    {.fmt = RIETH_BITMAP + 1, .count = 1},
				    {.count = 0},
				    {.count = 2},
				    {.fmt = RIETH_BITMAP, .count = 1}};
	uint32_t i = 0;

	judge_wqe_test_three(lab);
	for (; i < sizeof(bad) / sizeof(bad[0]); i++) {
		indication_as(lab, bad[i], 1, 1);
		lab->n = 0; /* what its form violates is tested elsewhere */
		request(lab, .psn = 3 + i, .sn = 1 + i, .n = 1);
		none(lab);
	}
	judge_wqe_test_indicate(lab, 1, 1);
	request(lab, .psn = 3 + i, .sn = 1 + i, .n = 1);
	breaks(lab, REQ_WQE_14, REQ_SRC);
}

/* A read of |n| packets; with |i|, only the rest from packet |i| on. */
static void read_from(struct lab *lab, uint32_t psn, uint32_t sn, uint32_t i,
		      uint32_t n)
{
	uint8_t p[bth_len + reth_len + wqeth_len] = {0};
	const struct bth bth = {.opcode = IB_WQE_READ_REQ,
				.pkey = 0xffff,
				.dest_qp = QPN,
				.psn = ib_lab_test_psn_of(lab, psn)};
	const struct reth reth = {.dmalen = (n - i) * MTU};
	const struct wqeth x = {
		.wqe_sn = sn, .wqe_offset = i * MTU, .wqe_length = n * MTU};

	bth_put(&bth, p);
	reth_put(&reth, p + bth_len);
	wqeth_put(&x, p + bth_len + reth_len);
	ib_lab_test_push(lab, A, p, sizeof(p));
}

/* A middle packet of read data. */
static void judge_wqe_test_bring(struct lab *lab, uint32_t psn, struct wqeth x)
{
	uint8_t p[bth_len + wqeth_len + MTU] = {0};
	const struct bth bth = {.opcode = IB_WQE_READ_RESP_MIDDLE,
				.pkey = 0xffff,
				.dest_qp = OWN,
				.psn = ib_lab_test_psn_of(lab, psn)};

	bth_put(&bth, p);
	wqeth_put(&x, p + bth_len);
	ib_lab_test_push(lab, B, p, sizeof(p));
}

/* PSNs 0 to 2 are a send, 3 to 5 a read, 6 a send. */
static void with_a_read(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 2);
	read_from(lab, 3, 1, 0, 3);
	request(lab, .psn = 6, .sn = 2, .n = 1);
	none(lab);
}

static void a_read_takes_the_psns_of_what_it_brings(struct lab *lab)
{
	with_a_read(lab);
	judge_wqe_test_bring(
		lab, 3, (struct wqeth){.wqe_sn = 1, .wqe_length = 3 * MTU});
	judge_wqe_test_bring(lab, 5,
			     (struct wqeth){.wqe_sn = 1,
					    .wqe_offset = 2 * MTU,
					    .wqe_length = 3 * MTU});
	judge_wqe_test_ask_for_data(lab, 4);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 6);
	read_from(lab, 4, 1, 1, 3);
	request(lab, .psn = 7, .sn = 3, .n = 1);
	none(lab);
	request(lab, .psn = 9, .sn = 4, .n = 1);
	breaks(lab, REQ_WQE_01, REQ_SRC);
}

/* A read of one packet of any MTU takes one PSN. */
static void a_small_read_takes_one_psn(struct lab *lab)
{
	read_from(lab, 0, 0, 0, 1);
	request(lab, .psn = 1, .sn = 1, .n = 1);
	none(lab);
	request(lab, .psn = 3, .sn = 2, .n = 1);
	breaks(lab, REQ_WQE_01, REQ_SRC);
}

static void a_read_that_is_ahead_may_be_a_later_part(struct lab *lab)
{
	with_a_read(lab);
	read_from(lab, 8, 3, 1, 2);
	breaks(lab, REQ_WQE_01, REQ_SRC);
	read_from(lab, 9, 4, 1, 3);
	breaks(lab, REQ_WQE_10, REQ_SRC);
}

static void what_a_read_brings_is_of_the_read(struct lab *lab)
{
	with_a_read(lab);
	judge_wqe_test_bring(
		lab, 3, (struct wqeth){.wqe_sn = 2, .wqe_length = 3 * MTU});
	breaks_as(lab, REQ_WQE_04, REQ_SRC, B);
	judge_wqe_test_bring(
		lab, 3, (struct wqeth){.wqe_sn = 1, .wqe_length = 4 * MTU});
	breaks_as(lab, REQ_WQE_06, REQ_SRC, B);
	judge_wqe_test_bring(
		lab, 4, (struct wqeth){.wqe_sn = 1, .wqe_length = 3 * MTU});
	breaks_as(lab, REQ_WQE_42, REQ_SRC, B);
}

static void only_what_a_read_misses_is_asked_for(struct lab *lab)
{
	with_a_read(lab);
	judge_wqe_test_bring(
		lab, 3, (struct wqeth){.wqe_sn = 1, .wqe_length = 3 * MTU});
	judge_wqe_test_ask_for_data(lab, 6);
	breaks_as(lab, REQ_WQE_34, REQ_DST, A);
	judge_wqe_test_ask_for_data(lab, 3);
	breaks_as(lab, REQ_WQE_35, REQ_DST, A);
}

/* The last packet of a WQE may have a single byte. */
static void a_short_packet_takes_a_psn(struct lab *lab)
{
	request(lab, .psn = 0, .n = 3, .len = 2 * MTU + 1);
	judge_wqe_test_indicate(lab, 0, 2);
	none(lab);
	judge_wqe_test_indicate(lab, 0, 3);
	breaks(lab, REQ_WQE_34, REQ_DST);
}

/* Nothing is known of the PSN after a read, which is the last request. */
static void nothing_is_known_behind_a_read(struct lab *lab)
{
	judge_wqe_test_three(lab);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 2);
	read_from(lab, 3, 1, 0, 3);
	none(lab);
	judge_wqe_test_indicate(lab, 3, 6);
	breaks(lab, REQ_WQE_34, REQ_DST);
}

/* The length of a packet without payload does not tell where its WQE ends. */
static void a_packet_without_payload_tells_no_end(struct lab *lab)
{
	uint8_t p[bth_len + wqeth_len] = {0};
	const struct bth bth = {.opcode = IB_WQE_SEND_FIRST,
				.pkey = 0xffff,
				.dest_qp = QPN,
				.psn = ib_lab_test_psn_of(lab, 0)};
	const struct wqeth x = {.wqe_length = 3 * MTU};

	bth_put(&bth, p);
	wqeth_put(&x, p + bth_len);
	ib_lab_test_push(lab, A, p, sizeof(p));
	lab->n = 0; /* what the packet violates is tested elsewhere */
	judge_wqe_test_indicate(lab, 0, 1);
	breaks(lab, REQ_WQE_34, REQ_DST);
}

/* While the MTU is unknown, the PSNs after a read are unknown as well. */
static void a_read_of_unknown_length_acquits(struct lab *lab)
{
	read_from(lab, 0, 0, 0, 9);
	read_from(lab, 1, 0, 1, 9);
	request(lab, .psn = 9, .sn = 1, .n = 1);
	judge_wqe_test_ask_for_data(lab, 9);
	none(lab);
}

/* If packets may be missing, a packet that was not seen may have been sent. */
static void doubt_acquits(struct lab *lab)
{
	request(lab, .psn = 0, .n = 3);
	judge_mark_incomplete(lab->j);
	judge_wqe_test_ack(lab, IB_SYNDROME_ACK, 2);
	request(lab, .psn = 2, .i = 2, .n = 3);
	none(lab);
}

/* With more flows than room, the flow that was silent longest is replaced. */
static void judge_wqe_test_room_is_bounded(struct lab *lab)
{
	for (uint32_t i = 0; i < 70; i++)
		request(lab, .qpn = 1000 + i, .n = 1);
	gave_way(lab, 70, 6);
}

EACH(judge_wqe_test_good_traffic_is_good)
EACH(a_connection_is_a_flow)
EACH(facts_tell_what_was_known)
EACH(facts_tell_who_goes_back)
EACH(what_was_just_repeated_is_not_due)
EACH(go_back_is_permitted_by_a_nak)
EACH(new_packets_are_in_order)
EACH(a_repeated_packet_is_the_same)
EACH(each_packet_has_its_own_psn)
EACH(a_wrong_icrc_counts_and_is_not_judged)
EACH(a_wqe_has_one_number_length_and_row_of_offsets)
EACH(numbers_go_up_and_offsets_begin)
EACH(nothing_new_before_what_is_listed)
EACH(only_what_is_listed_is_repeated)
EACH(repeats_soon_after_the_ack)
EACH(answers_speak_of_what_arrived)
EACH(a_psn_before_the_first_is_a_duplicate)
EACH(a_nak_speaks_of_what_arrived)
EACH(a_complete_message_has_arrived)
EACH(indications_speak_of_what_is_known_and_missing)
EACH(unreadable_indications_list_nothing)
EACH(a_read_takes_the_psns_of_what_it_brings)
EACH(a_small_read_takes_one_psn)
EACH(a_read_that_is_ahead_may_be_a_later_part)
EACH(what_a_read_brings_is_of_the_read)
EACH(only_what_a_read_misses_is_asked_for)
EACH(a_short_packet_takes_a_psn)
EACH(nothing_is_known_behind_a_read)
EACH(a_packet_without_payload_tells_no_end)
EACH(a_read_of_unknown_length_acquits)
EACH(doubt_acquits)
EACH(judge_wqe_test_room_is_bounded)

/* A packet of a WQE, mostly the next one, or an answer to one of the last. */
static void judge_wqe_test_step(struct lab *lab, struct rng *rng,
				uint32_t *next)
{
	static const uint8_t syndromes[] = {
		IB_SYNDROME_ACK, IB_SYNDROME_ACK, IB_SYNDROME_RNR,
		IB_SYNDROME_PSN_SEQ, IB_SYNDROME_REMOTE_OP};
	const uint32_t kind = rng_below(rng, 10), back = rng_below(rng, 5);
	uint32_t psn = *next;

	if (kind > 3)
		psn -= 1 + back;
	else
		*next += 1 + (rng_below(rng, 25) ? 0 : rng_below(rng, 3));
	/* WQEs of three packets, and sometimes of one */
	if (kind < 6)
		request(lab, .psn = psn,
			.sn = psn / 3 + (rng_below(rng, 40) ? 0 : 1),
			.i = psn % 3, .n = rng_below(rng, 40) ? 3 : 1,
			.len = rng_below(rng, 40) ? 0 : 2 * MTU,
			.qpn = rng_below(rng, 40) ? 0 : 7);
	else if (kind < 9)
		judge_wqe_test_ack(lab, syndromes[rng_below(rng, 5)], psn);
	else
		indication(lab, !rng_below(rng, 3), *next - 1, psn);
}

static void judge_wqe_test_noise(void **state)
{
	(void)state;
	ib_lab_test_noise(FAMILY, judge_wqe_test_step);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_judge_wqe_test_good_traffic_is_good),
		cmocka_unit_test(test_a_connection_is_a_flow),
		cmocka_unit_test(test_facts_tell_what_was_known),
		cmocka_unit_test(test_facts_tell_who_goes_back),
		cmocka_unit_test(test_what_was_just_repeated_is_not_due),
		cmocka_unit_test(test_go_back_is_permitted_by_a_nak),
		cmocka_unit_test(test_new_packets_are_in_order),
		cmocka_unit_test(test_a_repeated_packet_is_the_same),
		cmocka_unit_test(test_each_packet_has_its_own_psn),
		cmocka_unit_test(test_a_wrong_icrc_counts_and_is_not_judged),
		cmocka_unit_test(
			test_a_wqe_has_one_number_length_and_row_of_offsets),
		cmocka_unit_test(test_numbers_go_up_and_offsets_begin),
		cmocka_unit_test(test_nothing_new_before_what_is_listed),
		cmocka_unit_test(test_only_what_is_listed_is_repeated),
		cmocka_unit_test(test_repeats_soon_after_the_ack),
		cmocka_unit_test(test_answers_speak_of_what_arrived),
		cmocka_unit_test(test_a_psn_before_the_first_is_a_duplicate),
		cmocka_unit_test(test_a_nak_speaks_of_what_arrived),
		cmocka_unit_test(test_a_complete_message_has_arrived),
		cmocka_unit_test(
			test_indications_speak_of_what_is_known_and_missing),
		cmocka_unit_test(test_unreadable_indications_list_nothing),
		cmocka_unit_test(test_a_read_takes_the_psns_of_what_it_brings),
		cmocka_unit_test(test_a_small_read_takes_one_psn),
		cmocka_unit_test(test_a_read_that_is_ahead_may_be_a_later_part),
		cmocka_unit_test(test_what_a_read_brings_is_of_the_read),
		cmocka_unit_test(test_only_what_a_read_misses_is_asked_for),
		cmocka_unit_test(test_a_short_packet_takes_a_psn),
		cmocka_unit_test(test_nothing_is_known_behind_a_read),
		cmocka_unit_test(test_a_packet_without_payload_tells_no_end),
		cmocka_unit_test(test_a_read_of_unknown_length_acquits),
		cmocka_unit_test(test_doubt_acquits),
		cmocka_unit_test(test_judge_wqe_test_room_is_bounded),
		cmocka_unit_test(judge_wqe_test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
