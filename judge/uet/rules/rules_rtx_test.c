/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_rtx_test.c -- tests retransmissions, correct and not.
 */
#include "judge/core/lab_test.h"

static void repeat_is_marked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, RUD_SEQ_84b, SRC, A);
	looked(lab, RUD_SEQ_83, SRC, A);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333);
	breaks(lab, RUD_SEQ_84b, SRC, A);
}

/* PSN 334 is retransmitted by a timer, |late| after the latest time. */
static void rtx_rules_test_repeat_at(struct lab *lab, vspan late, bool rod)
{
	const uint8_t type = rod ? PDS_ROD_REQ : PDS_RUD_REQ;

	lab->conf.rto_late = MS;
	judge_declare(lab->j, &lab->conf);
	if (rod)
		established_rod(lab);
	else
		established(lab);
	request(lab, A, .psn = 334, .clear = 333, .type = type);
	lab->now += RTO + MS + late;
	request(lab, A, .psn = 334, .clear = 333, .type = type, .retx = 1);
}

static void repeat_is_late(void **state)
{
	rtx_rules_test_repeat_at(*state, US, false);
	breaks((struct lab *)*state, RUD_SEQ_83, SRC, A);
}

static void repeat_is_in_time(void **state)
{
	struct lab *lab = *state;

	rtx_rules_test_repeat_at(lab, -US, false);
	none(lab);
	looked(lab, RUD_SEQ_83, SRC, A);
}

/* The RTO of the oldest packet applies to all packets of a ROD PDC. */
static void repeat_on_rod_has_no_limit(void **state)
{
	rtx_rules_test_repeat_at(*state, MS, true);
	none((struct lab *)*state);
}

/* The RTO does not limit the time of a retransmission after a NACK. */
static void repeat_after_a_nack_has_no_rto(void **state)
{
	struct lab *lab = *state;

	lab->conf.rto_late = MS;
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
}

static void first_is_marked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, RUD_SEQ_84b, SRC, A);
}

static void bytes_change(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1, .data = 1);
	breaks(lab, UET_RTX_15, SRC, A);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1, .mid = 77);
	breaks(lab, UET_RTX_15, SRC, A);
}

static void acked_is_sent_again(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	/* sent before the ACK arrived */
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, MODE_RUD_3, SRC, A);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 334, .retx = 1);
	breaks(lab, MODE_RUD_3, SRC, A);
}

/* The source's own CLEAR_PSN is proof at any vantage point. */
static void cleared_is_sent_again(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 335, .clear = 334);
	none(lab);
	request(lab, A, .psn = 334, .clear = 334, .retx = 1);
	breaks(lab, MODE_RUD_3, SRC, A);
}

/* It was in another send queue when the ACK came. */
static void clear_overtakes_a_repeat(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 334);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, MODE_RUD_3, SRC, A);
}

/* The answer to a Probe does not cover the last PSN, so that PSN is lost. */
static void probe_shows_the_tail(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 4, .bare = 1);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
}

/* Two Probes are outstanding; their answers come in order. */
static void several_probes(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 5);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 4, .bare = 1);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 5, .bare = 1);
	none(lab);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 6, .bare = 1);
	breaks(lab, UET_CP_06, DST, B);
}

/* The judge assumes no limit and no window without a declaration. */
static void nothing_is_declared(void **state)
{
	struct judge_conf conf;
	struct lab lab;

	(void)state;
	judge_conf_default(&conf);
	conf.complete = true;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	for (unsigned i = 0; i < 9; i++) {
		lab.now += 100 * MS;
		request(&lab, A, .psn = 334, .clear = 333, .retx = 1);
		/* ignores findings about B, which does not answer */
		for (size_t k = 0; k < lab.n; k++)
			assert_int_equal(lab.found[k].role, REQ_DST);
		lab.n = 0;
	}
	for (uint32_t psn = 335; psn < 333 + 1100; psn++)
		request(&lab, A, .psn = psn, .clear = 333);
	none(&lab);
	lab_test_lab_close(&lab);
}

/* If no codepoint is known, a short packet may have been trimmed. */
static void cut_by_a_switch(void **state)
{
	struct lab *lab = *state;

	/* the missing answers of B are not tested here */
	lab->conf.here = lab->addr[A];
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .extra = 100,
		.cut = pds_req_len + ses_std_som_len + 20);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .extra = 100, .retx = 1);
	none(lab);
}

/*
 * The reverse: the first copy is trimmed.  Then a packet that really differs.
 */
static void cut_when_sent_again(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[A];
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .extra = 100);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .extra = 100, .retx = 1,
		.cut = pds_req_len + ses_std_som_len + 20);
	none(lab);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .extra = 50, .retx = 1);
	breaks(lab, UET_RTX_15, SRC, A);
}

/*
 * Only the first bytes are defined: the rest of a copy may differ, but neither
 * these nor the length.
 */
static void only_defined_bytes(void **state)
{
	const uint16_t headers = pds_req_len + ses_std_som_len;
	struct lab *lab = *state;

	lab->conf.here = lab->addr[A];
	judge_declare(lab->j, &lab->conf);
	established(lab);
	lab->defined = headers;
	request(lab, A, .psn = 334, .clear = 333, .extra = 100, .data = 1);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .extra = 100, .data = 2,
		.retx = 1);
	none(lab);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .extra = 50, .retx = 1);
	breaks(lab, UET_RTX_15, SRC, A);
	lab->defined = headers + 1;
	request(lab, A, .psn = 335, .clear = 333, .data = 1);
	lab->now += RTO;
	request(lab, A, .psn = 335, .clear = 333, .data = 2, .retx = 1);
	breaks(lab, UET_RTX_15, SRC, A);
}

static void nacked_after_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	nack(lab, B, .psn = 334, .code = NACK_ACK_WITH_DATA);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 334, .retx = 1);
	none(lab);
}

static void before_rto(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO / 2;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, UET_RTX_12, SRC, A);
}

/* Two NACKs permit two retransmissions at once, and not a third one. */
static void each_of_two_nacks(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED);
	nack(lab, B, .psn = 334, .code = NACK_RCVR_INFER_LOSS);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, UET_RTX_12, SRC, A);
}

static void no_back_off(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO - RTO / 20;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, UET_RTX_12, SRC, A);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, UET_RTX_12, SRC, A);
}

/* SACK and NACK are causes for a retransmission before the RTO. */
static void early_for_a_reason(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 1, .sack_psn = 335);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED, .retx = 1);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, RUD_SEQ_82, SRC, A);
}

static void too_often(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[A]; /* B may have received none of them */
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	for (unsigned i = 0; i < 5; i++) {
		lab->now += RTO << i;
		request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	}
	none(lab);
	looked(lab, RUD_SVC_1, SRC, A);
	lab->now += RTO << 5;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, RUD_SVC_1, SRC, A);
}

static void nack_wait(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	lab->now += 2 * MS;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, RUD_SEQ_82, SRC, A);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER, .retx = 1);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, RUD_SEQ_82, SRC, A);
}

static void nack_limit(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	for (unsigned i = 0; i < 5; i++) {
		nack(lab, B, .psn = 334, .code = NACK_NO_RESOURCE, .retx = !!i);
		lab->now += 2 * MS;
		request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	}
	none(lab);
	looked(lab, RUD_SEQ_82a, SRC, A);
	nack(lab, B, .psn = 334, .code = NACK_NO_RESOURCE, .retx = 1);
	lab->now += 2 * MS;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, RUD_SEQ_82a, SRC, A);
}

static void out_of_window_but_done(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	nack(lab, B, .psn = 334, .code = NACK_PSN_OOR_WINDOW);
	lab->n = 0; /* it is in the window; only A is tested here */
	request(lab, A, .psn = 334, .clear = 334, .retx = 1);
	breaks(lab, UET_NACK_0B, SRC, A);
}

/* In an incomplete capture an equal copy counts as a network duplicate. */
static void copy_by_the_network(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.remote_vantage = true;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	request(&lab, A, .psn = 334, .clear = 333);
	none(&lab);
	lab.now += RTO; /* a network duplicate may be late */
	request(&lab, A, .psn = 334, .clear = 333);
	none(&lab);
	lab_test_lab_close(&lab);
}

/* The source may refuse a truncated ACK, or use the rest of it. */
static void cut_ack_is_no_ack(void **state)
{
	struct lab *lab = *state;

	lab_trims(lab);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->muted = true;
	answer(lab, B, .psn = 334, .cack = 334);
	lab->muted = false;
	lab->d.len = pds_ack_len + ses_response_len - 1;
	lab_push(lab, B);
	breaks(lab, UET_ENC_01, DST, B);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	request(lab, A, .psn = 335, .clear = 334);
	none(lab);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 334, .retx = 1);
	breaks(lab, MODE_RUD_3, SRC, A);
}

/* An ACK that ends inside its response may carry a Clear Request. */
static void cut_ack_requests_a_clear(void **state)
{
	struct lab *lab = *state;

	lab_trims(lab);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->muted = true;
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	lab->muted = false;
	lab->d.len = pds_ack_len + ses_response_len - 1;
	lab_push(lab, B);
	breaks(lab, UET_ENC_01, DST, B);
}

static void lie_is_no_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 344);
	breaks(lab, UET_ACK_26, DST, B);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	request(lab, A, .psn = 335, .clear = 334);
	none(lab);
}

/* RCVD_SES_PROCG tells the source to wait and does not request the packet. */
static void patience_is_not_counted(void **state)
{
	struct lab *lab = *state;

	established(lab);
	lab->conf.max_nack_retx = 1;
	judge_declare(lab->j, &lab->conf);
	request(lab, A, .psn = 334, .clear = 333);
	for (unsigned i = 0; i < 2; i++) {
		lab->now += 4 * RTO;
		request(lab, A, .psn = 334, .clear = 333, .retx = 1);
		nack(lab, B, .psn = 334, .code = NACK_RCVD_SES_PROCG,
		     .retx = 1);
	}
	lab->now += 4 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
}

/* A later ACK that covers less cancels nothing of an earlier one. */
static void gap_of_an_earlier_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	for (uint32_t psn = 334; psn < 340; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	answer(lab, B, .psn = 338, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 1, .sack_psn = 338);
	answer(lab, B, .psn = 335, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 1, .sack_psn = 335);
	request(lab, A, .psn = 336, .clear = 333, .retx = 1);
	none(lab);
	request(lab, A, .psn = 339, .clear = 333, .retx = 1);
	breaks(lab, UET_RTX_12, SRC, A);
}

/* Neither the last ACK nor the highest one shows the gap, but one between. */
static void gap_of_an_ack_between(void **state)
{
	static const uint32_t received[] = {342, 340, 335};
	struct lab *lab = *state;

	established(lab);
	for (uint32_t psn = 334; psn < 344; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	for (size_t i = 0; i < sizeof(received) / sizeof(*received); i++) {
		lab->now += 10 * VSPAN_US;
		answer(lab, B, .psn = received[i], .cack = 333,
		       .type = PDS_ACK_CC, .mpr = 8, .sack = 1,
		       .sack_psn = received[i]);
		if (i > 0)
			continue;
		request(lab, A, .psn = 336, .clear = 333, .retx = 1);
		request(lab, A, .psn = 341, .clear = 333, .retx = 1);
	}
	request(lab, A, .psn = 336, .clear = 333, .retx = 1);
	none(lab);
	request(lab, A, .psn = 341, .clear = 333, .retx = 1);
	breaks(lab, UET_RTX_12, SRC, A);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(gap_of_an_earlier_ack),
		BOTH_WAYS(gap_of_an_ack_between),
		BOTH_WAYS(repeat_is_marked),
		BOTH_WAYS(repeat_is_late),
		BOTH_WAYS(repeat_is_in_time),
		BOTH_WAYS(repeat_on_rod_has_no_limit),
		BOTH_WAYS(repeat_after_a_nack_has_no_rto),
		BOTH_WAYS(first_is_marked),
		BOTH_WAYS(bytes_change),
		BOTH_WAYS(acked_is_sent_again),
		BOTH_WAYS(cut_ack_is_no_ack),
		BOTH_WAYS(cut_ack_requests_a_clear),
		BOTH_WAYS(lie_is_no_ack),
		BOTH_WAYS(cleared_is_sent_again),
		BOTH_WAYS(clear_overtakes_a_repeat),
		BOTH_WAYS(probe_shows_the_tail),
		BOTH_WAYS(several_probes),
		cmocka_unit_test(nothing_is_declared),
		BOTH_WAYS(cut_by_a_switch),
		BOTH_WAYS(cut_when_sent_again),
		BOTH_WAYS(only_defined_bytes),
		BOTH_WAYS(nacked_after_ack),
		BOTH_WAYS(before_rto),
		BOTH_WAYS(each_of_two_nacks),
		BOTH_WAYS(no_back_off),
		BOTH_WAYS(early_for_a_reason),
		BOTH_WAYS(too_often),
		BOTH_WAYS(nack_wait),
		BOTH_WAYS(nack_limit),
		BOTH_WAYS(patience_is_not_counted),
		BOTH_WAYS(out_of_window_but_done),
		cmocka_unit_test(copy_by_the_network),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
