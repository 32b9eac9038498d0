/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/rules_uet_end_test.c -- what never comes.
 */
#include "judge/lab_test.h"

static void end(struct lab *lab, vspan later)
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
	end(lab, RTO); /* may come yet */
	none(lab);
	for (unsigned i = 0; i < 5; i++) {
		lab->now += RTO << i;
		request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	}
	end(lab, 3 * RTO);
	breaks(lab, RUD_SEQ_84b, DST, B);
	end(lab, 3 * RTO); /* told once */
	none(lab);
}

static void no_answer_to_syn(void **state)
{
	struct lab *lab = *state;

	lab_close(lab);
	lab->conf.rto_init = 0; /* nothing is owed by A */
	lab_open(lab, &(struct judge_conf){.whole = true, .mp_range = 1024});
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	end(lab, 20 * MS);
	breaks(lab, UET_ACK_16, DST, B);
}

static void no_answer_to_a_duplicate(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	end(lab, 3 * RTO);
	breaks(lab, RUD_SVC_3c, DST, B);
}

static void no_answer_to_a_stored_duplicate(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	end(lab, 3 * RTO);
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
	lab->n = 0; /* the tester's copy */
	request(lab, A, .psn = 335, .clear = 334, .ar = 1);
	nack(lab, B, .psn = 335, .code = NACK_TRIMMED);
	request(lab, A, .psn = 335, .clear = 334, .ar = 1, .retx = 1);
	answer(lab, B, .psn = 335, .cack = 335, .retx = 1);
	end(lab, 100 * RTO);
	none(lab);
}

static void no_answer_to_cps(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1);
	end(lab, 3 * RTO);
	breaks(lab, UET_CP_01, DST, B);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	end(lab, 3 * RTO);
	breaks(lab, UET_CP_06, DST, B);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 4, .bare = 1);
	end(lab, 3 * RTO);
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
	end(lab, 3 * RTO);
	breaks(lab, UET_ACK_20, DST, B);
}

static void no_repair(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	end(lab, 2 * RTO);
	none(lab);
	end(lab, 2 * RTO);
	breaks(lab, RUD_SEQ_83, SRC, A);
}

static void no_repair_after_nack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	end(lab, 4 * RTO);
	breaks(lab, RUD_SEQ_82, SRC, A);
}

static void no_clear_for_a_clear_request(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 333);
	end(lab, 3 * RTO);
	none(lab);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	end(lab, 3 * RTO);
	breaks(lab, RUD_SVC_6, SRC, A);
}

static void stored_is_never_cleared(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	end(lab, 50 * MS);
	none(lab);
	end(lab, 60 * MS);
	breaks(lab, RUD_SEQ_76, SRC, A);
}

/* Who did not see everything says nothing of what is missing. */
static void gappy(void **state)
{
	struct lab *lab = *state;
	struct judge_conf conf = lab_conf();

	lab_close(lab);
	conf.whole = false;
	lab_open(lab, &conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	end(lab, 100 * RTO);
	none(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(no_answer_to_ar),
		BOTH_WAYS(no_answer_to_syn),
		BOTH_WAYS(no_answer_to_a_duplicate),
		BOTH_WAYS(no_answer_to_a_stored_duplicate),
		BOTH_WAYS(silence_that_is_right),
		BOTH_WAYS(no_answer_to_cps),
		BOTH_WAYS(no_answer_to_noop),
		BOTH_WAYS(no_repair),
		BOTH_WAYS(no_repair_after_nack),
		BOTH_WAYS(no_clear_for_a_clear_request),
		BOTH_WAYS(stored_is_never_cleared),
		BOTH_WAYS(gappy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
