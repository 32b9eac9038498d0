/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_end_test.c -- tests findings about missing packets.
 */
#include "judge/core/lab_test.h"

static void end_rules_test_end(struct lab *lab, vspan later)
{
	size_t room = 64 - lab->n;

	lab->now += later;
	lab->n += judge_end(lab->j, lab->now, lab->found + lab->n, room);
}

static void no_answer_to_ar(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	end_rules_test_end(lab, RTO); /* the answer may still come */
	none(lab);
	for (unsigned i = 0; i < 5; i++) {
		lab->now += RTO << i;
		request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	}
	breaks(lab, RUD_SVC_3, DST, B);
	end_rules_test_end(lab, 3 * RTO); /* it is reported once */
	none(lab);
}

/*
 * With mpr = 0, a packet above a gap may be outside the window; the target
 * drops it without a NACK.  A capture does not show which version it has.
 */
static void no_answer_outside_a_hidden_window(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	for (unsigned v = UET_1_0_1; v <= UET_1_0_3; v++) {
		conf.version = (enum uet_version)v;
		lab_test_lab_open(&lab, &conf);
		established(&lab);
		request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
		answer(&lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC,
		       .mpr = 0);
		request(&lab, A, .psn = 336, .clear = 334, .ar = 1);
		lab.n = 0;
		end_rules_test_end(&lab, 3 * RTO);
		/* only the source is to blame */
		breaks(&lab, RUD_SEQ_83, SRC, A);
		lab_test_lab_close(&lab);
	}
}

static void no_answer_to_one_repeat(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, RUD_SEQ_84b, DST, B);
	end_rules_test_end(lab, 3 * RTO); /* it is reported once */
	none(lab);
}

/*
 * A late ACK, when the PDC is closed, does not prevent the finding, and neither
 * does the close.
 */
static void silent_until_the_close(void **state)
{
	struct lab *lab = *state;

	lab_test_lab_close(lab);
	lab_test_lab_open(
		lab, &(struct judge_conf){.complete = true, .mp_range = 1024});
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	for (unsigned i = 0; i < 2; i++) {
		lab->now += 100 * MS;
		request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	}
	none(lab);
	lab->now += 100 * MS;
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	breaks(lab, RUD_SVC_3, DST, B);
	request(lab, A, .psn = 335, .clear = 333, .ar = 1);
	lab->now += 100 * MS;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 336, .ar = 1);
	none(lab); /* no limit is declared: the source may have given up */
	end_rules_test_end(lab, MS);
	breaks(lab, UET_ACK_15, DST, B);
}

/* A target that is asked to close need not answer the copies behind it. */
static void repeated_behind_the_close(void **state)
{
	struct lab *lab = *state;

	lab_test_lab_close(lab);
	lab_test_lab_open(
		lab, &(struct judge_conf){.complete = true, .mp_range = 1024});
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	for (unsigned i = 0; i < 2; i++) {
		lab->now += 100 * MS;
		request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	}
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	lab->n = 0; /* ignores the finding that A closes too early */
	lab->now += 100 * MS;
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	none(lab);
}

/* A PSN that was sent once and not answered is overdue five times later. */
static void unanswered_before_close(void **state)
{
	static const vspan waits[] = {49 * MS, 55 * MS};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct lab lab;

		lab_test_lab_open(&lab, &(struct judge_conf){.complete = true,
							     .mp_range = 1024});
		established(&lab);
		request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
		lab.now += waits[i];
		control(&lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335,
			.ar = 1);
		lab.n = 0; /* ignores the finding that A closes too early */
		end_rules_test_end(&lab, MS);
		if (i)
			breaks(&lab, UET_ACK_15, DST, B);
		else
			none(&lab);
		lab_test_lab_close(&lab);
	}
}

/*
 * An ACK of the next ACK Request does not prevent the finding about the one
 * before.
 */
static void ack_request_is_passed_over(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334);
	lab->now += 3 * RTO;
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334);
	none(lab);
	answer(lab, B, .psn = 334, .cack = 334);
	breaks(lab, UET_CP_01, DST, B);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

static void no_answer_to_syn(void **state)
{
	struct lab *lab = *state;

	lab_test_lab_close(lab);
	lab->conf.rto_init = 0; /* no finding about A */
	lab_test_lab_open(
		lab, &(struct judge_conf){.complete = true, .mp_range = 1024});
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	end_rules_test_end(lab, 20 * MS);
	breaks(lab, UET_ACK_16, DST, B);
}

static void no_answer_to_a_duplicate(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, RUD_SVC_3c, DST, B);
}

static void no_answer_to_a_stored_duplicate(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .opcode = SES_RESPONSE, .rc = RC_OK,
	       .mid = (uint16_t)((334 - START + 1) | 0x8000));
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, RUD_SVC_3b, DST, B);
}

/* "with retx = 0 answer and silence are both right" */
static void silence_that_is_right(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 334, .clear = 333);
	lab->n = 0; /* ignores findings about the tester's copy */
	request(lab, A, .psn = 335, .clear = 334, .ar = 1);
	nack(lab, B, .psn = 335, .code = NACK_TRIMMED);
	request(lab, A, .psn = 335, .clear = 334, .ar = 1, .retx = 1);
	answer(lab, B, .psn = 335, .cack = 335, .retx = 1);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

static void no_answer_to_cps(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1);
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, UET_CP_01, DST, B);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, UET_CP_06, DST, B);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 4, .bare = 1);
	end_rules_test_end(lab, 3 * RTO);
	none(lab);
}

static void no_answer_to_noop(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_NOOP, .psn = 334, .ar = 1);
	for (unsigned i = 0; i < 5; i++) {
		lab->now += RTO << i;
		control(lab, A, .ctl = PDS_CP_NOOP, .psn = 334, .ar = 1,
			.retx = 1);
	}
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, UET_ACK_20, DST, B);
}

static void no_repair(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	end_rules_test_end(lab, 2 * RTO);
	none(lab);
	end_rules_test_end(lab, 2 * RTO);
	breaks(lab, RUD_SEQ_83, SRC, A);
}

/* No Close Command comes: after Close_REQ_Time the target need not repeat. */
static void close_asked_in_vain(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[B];
	judge_declare(lab->j, &lab->conf);
	established(lab);
	control(lab, B, .ctl = PDS_CP_NOOP, .psn = 333, .ar = 1);
	end_rules_test_end(lab, 2 * RTO);
	none(lab);
	control(lab, B, .ctl = PDS_CP_CLOSE_REQUEST, .psn = 334, .ar = 1);
	end_rules_test_end(lab, 2 * RTO);
	none(lab);
}

/* A Close Request does not excuse repeats that were overdue before it. */
static void close_asked_too_late(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[B];
	judge_declare(lab->j, &lab->conf);
	established(lab);
	control(lab, B, .ctl = PDS_CP_NOOP, .psn = 333, .ar = 1);
	lab->now += 4 * RTO;
	control(lab, B, .ctl = PDS_CP_CLOSE_REQUEST, .psn = 334, .ar = 1);
	none(lab);
	end_rules_test_end(lab, 2 * RTO);
	breaks(lab, RUD_SEQ_83, SRC, B);
}

/*
 * "RTO_Init_Time * 2^n after n retransmissions": both readings, with and
 * without retransmissions after a NACK.
 */
static void repair_waits_for_a_long_rto(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[A];
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	for (uint8_t i = 0; i < 2; i++) {
		nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER, .retx = i);
		lab->now += 2 * MS;
		request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	}
	lab->now += 4 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	end_rules_test_end(lab, 8 * RTO + MS);
	none(lab);
	end_rules_test_end(lab, 10 * RTO);
	breaks(lab, RUD_SEQ_83, SRC, A);
}

static void no_repair_after_nack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	end_rules_test_end(lab, 4 * RTO);
	breaks(lab, RUD_SEQ_82, SRC, A);
}

static void no_clear_for_a_clear_request(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 333);
	end_rules_test_end(lab, 3 * RTO);
	none(lab);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, RUD_SVC_6, SRC, A);
}

/* "A CLEAR_PSN that covers it": a lower CLEAR_PSN is no answer. */
static void clear_request_is_not_covered(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	answer(lab, B, .psn = 335, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 335);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 334);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 334);
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, RUD_SVC_6, SRC, A);
}

static void one_clear_for_several(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	answer(lab, B, .psn = 335, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 334);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 335);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 335);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

/*
 * The source cannot clear PSNs without a response: it sends the CLEAR_PSN that
 * it can.
 */
static void clear_request_that_is_early(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 334);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 333);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 350);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

/* The retransmission, when the RTO ends, carries the CLEAR_PSN. */
static void clear_request_may_wait(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 332);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	end_rules_test_end(lab, 2 * RTO + MS);
	none(lab);
	request(lab, A, .psn = 334, .clear = 332, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	lab->n = 0; /* a lagging CLEAR_PSN is not tested here */
	end_rules_test_end(lab, 3 * RTO);
	breaks(lab, RUD_SVC_6, SRC, A);
}

/* The first of two responses is cleared, the second never is. */
static void last_is_never_cleared(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	answer(lab, B, .psn = 335, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 334);
	end_rules_test_end(lab, 120 * MS);
	breaks(lab, RUD_SEQ_76, SRC, A);
}

/* The ACK of 335 requested a clear only for 334, as CACK_PSN shows. */
static void last_needs_no_clear(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	answer(lab, B, .psn = 335, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 334);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 335, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335);
	end_rules_test_end(lab, 120 * MS);
	none(lab);
}

static void stored_is_never_cleared(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	end_rules_test_end(lab, 50 * MS);
	none(lab);
	end_rules_test_end(lab, 60 * MS);
	breaks(lab, RUD_SEQ_76, SRC, A);
}

/* The time to clear begins with the latest ACK, also if it is of a lower PSN.
 */
static void cleared_after_the_latest_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	for (uint32_t psn = 334; psn < 337; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	answer(lab, B, .psn = 336, .cack = 333, .req = PDS_REQ_CLEAR);
	answer(lab, B, .psn = 335, .cack = 333);
	lab->now += 80 * MS;
	answer(lab, B, .psn = 334, .cack = 333);
	lab->n = 0; /* the ACK comes late */
	end_rules_test_end(lab, 90 * MS);
	none(lab);
	end_rules_test_end(lab, 20 * MS);
	breaks(lab, RUD_SEQ_76, SRC, A);
}

/* An incomplete capture proves nothing about missing packets. */
static void gappy(void **state)
{
	struct lab *lab = *state;
	struct judge_conf conf = lab_test_lab_conf();

	lab_test_lab_close(lab);
	conf.complete = false;
	lab_test_lab_open(lab, &conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

/* Declares times and choices that a declaration may omit. */
static void end_rules_test_declare(struct lab *lab)
{
	lab->conf.ack_time = 1 * MS;
	lab->conf.ack_on_ecn = true;
	lab->conf.ack_gen_trigger = 4096;
	lab->conf.ack_gen_min_pkt_add = 1024;
	judge_declare(lab->j, &lab->conf);
}

static void answer_only_when_asked_again(void **state)
{
	struct lab *lab = *state;

	end_rules_test_declare(lab);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	breaks(lab, UET_ACK_15, DST, B);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	request(lab, A, .psn = 335, .clear = 334, .ce = 1);
	lab->now += RTO;
	request(lab, A, .psn = 335, .clear = 334, .retx = 1);
	breaks(lab, UET_ACK_19, DST, B);
	answer(lab, B, .psn = 335, .cack = 335, .retx = 1, .m = 1);
	request(lab, A, .psn = 336, .clear = 335);
	lab->now += RTO;
	request(lab, A, .psn = 336, .clear = 335, .retx = 1);
	none(lab);
}

/* B has sent the data of A's read. */
static void data_on_its_way(struct lab *lab)
{
	end_rules_test_declare(lab);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
}

static void closing_ack_may_wait(void **state)
{
	struct lab *lab = *state;

	data_on_its_way(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	lab->now += RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1,
		.retx = 1);
	none(lab);
	lab->muted = true;
	answer(lab, A, .psn = 333, .cack = 333);
	lab->muted = false;
	lab->d.len--;
	lab_push(lab, A);
	lab->n = 0; /* B may refuse a truncated ACK */
	lab->now += 2 * RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1,
		.retx = 1);
	none(lab);
	answer(lab, A, .psn = 333, .cack = 333);
	lab->now += 4 * RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1,
		.retx = 1);
	breaks(lab, UET_ACK_20, DST, B);
}

static void trigger_is_passed(void **state)
{
	struct lab *lab = *state;

	end_rules_test_declare(lab);
	established(lab);
	for (uint32_t psn = 334; psn < 337; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	lab->now += 2 * MS;
	request(lab, A, .psn = 337, .clear = 333); /* now 4096 bytes */
	none(lab);
	lab->now += 2 * MS;
	request(lab, A, .psn = 338, .clear = 333);
	breaks(lab, UET_ACK_22, DST, B);
}

static void repair_comes_late(void **state)
{
	struct lab *lab = *state;

	lab->conf.rto_late = 1 * MS;
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	lab->now += 2 * RTO + RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, RUD_SEQ_83, SRC, A);
}

/* After so many NACKs the source may have ended the PDC silently. */
static void given_up_after_nacks(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	for (unsigned i = 0; i < lab->conf.max_nack_retx; i++)
		nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	lab->n = 0; /* one NACK for each copy is enough */
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

/*
 * A target whose return data was refused so often may no longer have the PDC.
 */
static void given_up_by_the_target(void **state)
{
	struct lab *lab = *state;

	data_on_its_way(lab);
	request(lab, A, .psn = 335, .clear = 334, .ar = 1);
	for (unsigned i = 0; i < lab->conf.max_nack_retx; i++)
		nack(lab, A, .psn = 333, .code = NACK_NO_PKT_BUFFER);
	lab->n = 0; /* one NACK for each copy is enough */
	lab->now += RTO;
	request(lab, A, .psn = 335, .clear = 334, .ar = 1, .retx = 1);
	none(lab);
}

/* PSNs 334 to 462 arrive, and no ACK shows how far CACK_PSN advanced. */
static void a_whole_window(struct lab *lab)
{
	lab->conf.mp_range = 128;
	lab->conf.rto_init = 0;
	end_rules_test_declare(lab);
	lab->conf.ack_gen_trigger = 0;
	judge_declare(lab->j, &lab->conf);
	established(lab);
	for (uint32_t psn = 334; psn < 463; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	lab->n = 0; /* beyond the window, according to the ACKs */
}

/*
 * The destination may be so far ahead that it drops the copy: if its CACK_PSN
 * is 462, the source has sent 462, and so had received the ACK of 334.
 */
static void too_old_to_be_answered(void **state)
{
	struct lab *lab = *state;

	a_whole_window(lab);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
}

static void not_too_old_to_be_answered(void **state)
{
	struct lab *lab = *state;

	a_whole_window(lab);
	request(lab, A, .psn = 335, .clear = 333, .retx = 1);
	lab->now += RTO;
	request(lab, A, .psn = 335, .clear = 333, .retx = 1);
	breaks(lab, RUD_SEQ_84b, DST, B);
}

/* "The Close Command implicitly clears every forward PSN." */
static void close_answers_a_clear_request(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

/* An answer that was late before a fatal NACK is still reported. */
static void late_before_the_end(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	lab->now += 3 * RTO;
	request(lab, A, .psn = 335, .clear = 333, .ar = 1);
	nack(lab, B, .psn = 335, .code = NACK_CLOSING_IN_ERR);
	end_rules_test_end(lab, 100 * RTO);
	assert_int_equal(lab->n, 2);
	assert_int_equal(lab->found[0].req, REQ_RUD_SVC_3);
	assert_int_equal(lab->found[1].req, REQ_UET_CP_06);
}

/* A target may forget a request that was not late together with the PDC. */
static void in_time_before_the_end(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	lab->now += 2 * RTO + MS;
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	request(lab, A, .psn = 335, .clear = 333, .ar = 1);
	nack(lab, B, .psn = 335, .code = NACK_CLOSING_IN_ERR);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 5);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334, .ar = 1);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

/* A NACK may answer the packet with the PDC's own PDCIDs. */
static void nack_of_a_twin_of_a_out_of_window(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .spdcid = 0x7777);
	lab->n = 0; /* ignores effects of the link */
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	lab->now += 2 * MS;
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	none(lab);
	looked(lab, RUD_SEQ_82, SRC, A);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	end_rules_test_end(lab, 100 * RTO);
	none(lab);
}

/*
 * PSN 334 comes by another path than the first packet, and is not answered; |n|
 * later PSNs come by the first path, and are.
 */
static void by_another_path(struct lab *lab, uint8_t type, uint32_t n,
			    uint16_t entropy)
{
	request(lab, A, .type = type, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	request(lab, A, .type = type, .psn = 334, .clear = 333, .ar = 1,
		.entropy = 7);
	for (uint32_t psn = 335; psn < 335 + n; psn++) {
		request(lab, A, .type = type, .psn = psn, .clear = 333, .ar = 1,
			.entropy = entropy);
		answer(lab, B, .psn = psn, .cack = 333, .entropy = entropy);
	}
	lab->n = 0;
	end_rules_test_end(lab, 3 * RTO);
}

/* The target seems to have bound the PDC to the path of its first packet. */
static void bound_to_a_path(void **state)
{
	struct lab *lab = *state;

	by_another_path(lab, PDS_RUD_REQ, 1, 0);
	assert_int_equal(lab_found(lab, REQ_UET_PDC_51), 1);
	assert_int_equal(lab_found(lab, REQ_UET_ACK_15), 0);
	lab->n = 0;
}

/* No later PSN was answered, or one that came by another path was. */
static void not_bound_to_a_path(void **state)
{
	struct lab *lab = *state;
	static const uint16_t entropies[] = {0, 8};
	const struct judge_conf conf = lab_test_lab_conf();

	for (uint32_t n = 0; n < 2; n++) {
		lab_test_lab_close(lab);
		lab_test_lab_open(lab, &conf);
		by_another_path(lab, PDS_RUD_REQ, n, entropies[n]);
		assert_int_equal(lab_found(lab, REQ_UET_PDC_51), 0);
		assert_int_equal(lab_found(lab, REQ_UET_ACK_15), 1);
	}
	lab->n = 0;
}

/* A ROD target drops what is out of order. */
static void rod_is_bound_to_no_path(void **state)
{
	struct lab *lab = *state;

	by_another_path(lab, PDS_ROD_REQ, 1, 0);
	assert_int_equal(lab_found(lab, REQ_UET_PDC_51), 0);
	lab->n = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(no_answer_to_ar),
		BOTH_WAYS(no_answer_to_one_repeat),
		cmocka_unit_test(no_answer_outside_a_hidden_window),
		BOTH_WAYS(silent_until_the_close),
		BOTH_WAYS(repeated_behind_the_close),
		cmocka_unit_test(unanswered_before_close),
		BOTH_WAYS(ack_request_is_passed_over),
		BOTH_WAYS(no_answer_to_syn),
		BOTH_WAYS(no_answer_to_a_duplicate),
		BOTH_WAYS(no_answer_to_a_stored_duplicate),
		BOTH_WAYS(silence_that_is_right),
		BOTH_WAYS(no_answer_to_cps),
		BOTH_WAYS(no_answer_to_noop),
		BOTH_WAYS(no_repair),
		BOTH_WAYS(close_asked_in_vain),
		BOTH_WAYS(close_asked_too_late),
		BOTH_WAYS(answer_only_when_asked_again),
		BOTH_WAYS(closing_ack_may_wait),
		BOTH_WAYS(trigger_is_passed),
		BOTH_WAYS(repair_comes_late),
		BOTH_WAYS(given_up_after_nacks),
		BOTH_WAYS(given_up_by_the_target),
		BOTH_WAYS(too_old_to_be_answered),
		BOTH_WAYS(not_too_old_to_be_answered),
		BOTH_WAYS(close_answers_a_clear_request),
		BOTH_WAYS(late_before_the_end),
		BOTH_WAYS(in_time_before_the_end),
		BOTH_WAYS(nack_of_a_twin_of_a_out_of_window),
		BOTH_WAYS(repair_waits_for_a_long_rto),
		BOTH_WAYS(no_repair_after_nack),
		BOTH_WAYS(no_clear_for_a_clear_request),
		BOTH_WAYS(clear_request_is_not_covered),
		BOTH_WAYS(one_clear_for_several),
		BOTH_WAYS(clear_request_that_is_early),
		BOTH_WAYS(clear_request_may_wait),
		BOTH_WAYS(last_is_never_cleared),
		BOTH_WAYS(last_needs_no_clear),
		BOTH_WAYS(stored_is_never_cleared),
		BOTH_WAYS(cleared_after_the_latest_ack),
		BOTH_WAYS(gappy),
		BOTH_WAYS(bound_to_a_path),
		BOTH_WAYS(not_bound_to_a_path),
		BOTH_WAYS(rod_is_bound_to_no_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
