/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/limits_test.c -- the exact time at which each timed rule
 * begins or ceases to have a finding.
 *
 * A scene waits once.  The test searches for the shortest wait with a finding
 * of its row, or for the first without one, and compares that time with the
 * limit that follows from the declaration, to the nanosecond.
 */
#include "judge/core/lab_test.h"

#define TOLERANCE (RTO / 10)
#define OVERDUE   (2 * RTO)
#define GRACE     MS
#define MOST      (3 * VSPAN_S)

struct scene {
	const char *name;
	/* plays the scene; a packet or the end comes |wait| after the last */
	void (*play)(struct lab *lab, vspan wait);
	enum req_id req;
	vspan limit;
	bool within; /* findings up to the limit, instead of behind it */
	/* changes the declaration; or NULL */
	void (*declare)(struct judge_conf *conf);
	bool checked; /* counts a check instead of a finding */
};

/* The next packet comes |wait| after the last one. */
static void limits_pause(struct lab *lab, vspan wait)
{
	lab->now += wait - US;
}

static void limits_end(struct lab *lab, vspan wait)
{
	const size_t room = 64 - lab->n;

	lab->n += judge_end(lab->j, lab->now + wait, lab->found + lab->n, room);
}

static void send_334(struct lab *lab)
{
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
}

static void repeat_334(struct lab *lab)
{
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
}

static void ask_334(struct lab *lab)
{
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
}

static void refuse_334(struct lab *lab)
{
	send_334(lab);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
}

/* ---- Answers that are due ---- */

static void answer_at_the_end(struct lab *lab, vspan wait)
{
	ask_334(lab);
	limits_end(lab, wait);
}

static void answer_before_the_close(struct lab *lab, vspan wait)
{
	ask_334(lab);
	limits_pause(lab, wait);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	limits_end(lab, MS);
}

static void answer_to_the_fourth_copy(struct lab *lab, vspan wait)
{
	ask_334(lab);
	repeat_334(lab);
	repeat_334(lab);
	limits_pause(lab, wait - 2 * US);
	repeat_334(lab);
}

static void answer_to_slow_copies(struct lab *lab, vspan wait)
{
	ask_334(lab);
	for (unsigned i = 0; i < 4; i++) {
		limits_pause(lab, 20 * MS);
		repeat_334(lab);
	}
	limits_pause(lab, wait);
	repeat_334(lab);
}

static void answer_before_the_repeat(struct lab *lab, vspan wait)
{
	ask_334(lab);
	limits_pause(lab, wait);
	repeat_334(lab);
}

static void answer_to_ack_request(struct lab *lab, vspan wait)
{
	send_334(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334);
	limits_end(lab, wait);
}

static void answer_to_the_next_ack_request(struct lab *lab, vspan wait)
{
	send_334(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334);
	limits_pause(lab, wait);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334);
	answer(lab, B, .psn = 334, .cack = 334);
}

static void answer_to_probe(struct lab *lab, vspan wait)
{
	established(lab);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
	limits_end(lab, wait);
}

/* Four requests of 4,096 bytes in all, as each counts for 1,024. */
static void trigger_in_time(struct lab *lab, vspan wait)
{
	established(lab);
	for (uint32_t psn = 334; psn < 338; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	limits_pause(lab, wait);
	request(lab, A, .psn = 338, .clear = 333);
}

static void clear_for_a_request(struct lab *lab, vspan wait)
{
	established(lab);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	limits_end(lab, wait);
}

static void clear_of_a_stored_response(struct lab *lab, vspan wait)
{
	send_334(lab);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	limits_end(lab, wait);
}

/* ---- Retransmissions ---- */

static void repair_at_the_end(struct lab *lab, vspan wait)
{
	send_334(lab);
	limits_end(lab, wait);
}

static void second_repair_at_the_end(struct lab *lab, vspan wait)
{
	send_334(lab);
	limits_pause(lab, RTO);
	repeat_334(lab);
	limits_end(lab, wait);
}

static void repair_after_nack(struct lab *lab, vspan wait)
{
	refuse_334(lab);
	limits_end(lab, wait - US);
}

static void first_repeat(struct lab *lab, vspan wait)
{
	send_334(lab);
	limits_pause(lab, wait);
	repeat_334(lab);
}

static void second_repeat(struct lab *lab, vspan wait)
{
	send_334(lab);
	limits_pause(lab, RTO);
	repeat_334(lab);
	limits_pause(lab, wait);
	repeat_334(lab);
}

static void repeat_after_nack(struct lab *lab, vspan wait)
{
	refuse_334(lab);
	limits_pause(lab, wait);
	repeat_334(lab);
}

static void repeat_after_ack(struct lab *lab, vspan wait)
{
	send_334(lab);
	answer(lab, B, .psn = 334, .cack = 334);
	limits_pause(lab, wait);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
}

/* ---- Knowledge of the source ---- */

static void syn_after_ack(struct lab *lab, vspan wait)
{
	established(lab);
	limits_pause(lab, wait);
	request(lab, A, .psn = 334, .clear = 333, .syn = 1);
}

static void syn_after_nack(struct lab *lab, vspan wait)
{
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 333, .code = NACK_NO_PKT_BUFFER);
	limits_pause(lab, wait);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .retx = 1);
}

static void clear_after_ack(struct lab *lab, vspan wait)
{
	established(lab);
	limits_pause(lab, wait);
	request(lab, A, .psn = 334, .clear = 332);
}

static void close_after_ack(struct lab *lab, vspan wait)
{
	established(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	limits_pause(lab, wait);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1,
		.retx = 1);
}

static void fatal_then_request(struct lab *lab, vspan wait)
{
	send_334(lab);
	nack(lab, B, .psn = 334, .code = NACK_CLOSING_IN_ERR);
	limits_pause(lab, wait);
	request(lab, A, .psn = 335, .clear = 333);
}

static void fatal_then_silence(struct lab *lab, vspan wait)
{
	send_334(lab);
	nack(lab, B, .psn = 334, .code = NACK_CLOSING_IN_ERR);
	limits_end(lab, wait);
}

/* ---- ROD ---- */

static void gap_at_the_end(struct lab *lab, vspan wait)
{
	established_rod(lab);
	ordered(lab, A, .psn = 335, .clear = 333);
	limits_end(lab, wait);
}

static void tail_at_the_end(struct lab *lab, vspan wait)
{
	established_rod(lab);
	for (uint32_t psn = 334; psn < 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO);
	ordered_again(lab, 334);
	limits_end(lab, wait);
}

/* ---- Declarations ---- */

static void without_rto(struct judge_conf *conf)
{
	conf->rto_init = 0;
}

static void at_the_source(struct judge_conf *conf)
{
	conf->here = ip_addr_v4(0x0a000001);
}

static void with_ack_time(struct judge_conf *conf)
{
	conf->ack_time = 5 * MS;
	conf->ack_gen_trigger = 4096;
	conf->ack_gen_min_pkt_add = 1024;
}

static void with_long_ack_time(struct judge_conf *conf)
{
	conf->ack_time = 30 * MS;
}

static void with_rto_max(struct judge_conf *conf)
{
	conf->rto_max = 15 * MS;
}

static void with_rto_late(struct judge_conf *conf)
{
	conf->rto_late = 3 * MS;
}

static void with_nack_tolerance(struct judge_conf *conf)
{
	conf->nack_tolerance = MS / 2;
}

static void with_grace(struct judge_conf *conf)
{
	conf->grace = 7 * MS;
}

static const struct scene scenes[] = {
	{"answer_at_the_end", answer_at_the_end, REQ_UET_ACK_15,
	 .limit = OVERDUE},
	{"answer_before_the_close", answer_before_the_close, REQ_UET_ACK_15,
	 .limit = 5 * OVERDUE},
	{"the same without an RTO", answer_before_the_close, REQ_UET_ACK_15,
	 .limit = 50 * MS, .declare = without_rto},
	{"answer_to_the_fourth_copy", answer_to_the_fourth_copy, REQ_RUD_SVC_3,
	 .limit = 3 * OVERDUE},
	/* 80 ms have passed of three times ack_time */
	{"answer_to_slow_copies", answer_to_slow_copies, REQ_RUD_SVC_3,
	 .limit = 10 * MS, .declare = with_long_ack_time},
	{"answer_before_the_repeat", answer_before_the_repeat, REQ_UET_ACK_15,
	 .limit = 5 * MS, .declare = with_ack_time},
	{"answer_to_ack_request", answer_to_ack_request, REQ_UET_CP_01,
	 .limit = OVERDUE},
	{"answer_to_the_next_ack_request", answer_to_the_next_ack_request,
	 REQ_UET_CP_01, .limit = OVERDUE},
	{"answer_to_probe", answer_to_probe, REQ_UET_CP_06, .limit = OVERDUE},
	{"trigger_in_time", trigger_in_time, REQ_UET_ACK_22, .limit = 5 * MS,
	 .declare = with_ack_time},
	{"clear_for_a_request", clear_for_a_request, REQ_RUD_SVC_6,
	 .limit = OVERDUE},
	{"clear_of_a_stored_response", clear_of_a_stored_response,
	 REQ_RUD_SEQ_76, .limit = 100 * MS},
	/* twice the RTO, its tolerance, and NACK_Retx_Time */
	{"repair_at_the_end", repair_at_the_end, REQ_RUD_SEQ_83,
	 .limit = 2 * RTO + TOLERANCE + 2 * MS},
	{"second_repair_at_the_end", second_repair_at_the_end, REQ_RUD_SEQ_83,
	 .limit = 4 * RTO + TOLERANCE + 2 * MS, .declare = at_the_source},
	{"repair_after_nack", repair_after_nack, REQ_RUD_SEQ_82,
	 .limit = 2 * RTO + TOLERANCE + 2 * MS},
	{"first_repeat", first_repeat, REQ_UET_RTX_12, .limit = RTO - TOLERANCE,
	 .within = true},
	{"second_repeat", second_repeat, REQ_UET_RTX_12,
	 .limit = 2 * RTO - TOLERANCE, .within = true},
	{"second_repeat at RTO_Max", second_repeat, REQ_UET_RTX_12,
	 .limit = 15 * MS - TOLERANCE, .within = true, .declare = with_rto_max},
	{"first_repeat, late", first_repeat, REQ_RUD_SEQ_83,
	 .limit = RTO + 3 * MS, .declare = with_rto_late},
	{"second_repeat, late", second_repeat, REQ_RUD_SEQ_83,
	 .limit = 2 * RTO + 3 * MS, .declare = with_rto_late},
	{"repeat_after_nack", repeat_after_nack, REQ_RUD_SEQ_82,
	 .limit = 2 * MS, .within = true},
	{"repeat_after_nack with tolerance", repeat_after_nack, REQ_RUD_SEQ_82,
	 .limit = 2 * MS - MS / 2, .within = true,
	 .declare = with_nack_tolerance},
	{"repeat_after_ack", repeat_after_ack, REQ_MODE_RUD_3, .limit = GRACE},
	{"repeat_after_ack with grace", repeat_after_ack, REQ_MODE_RUD_3,
	 .limit = 7 * MS, .declare = with_grace},
	{"syn_after_ack", syn_after_ack, REQ_UET_PDC_25, .limit = GRACE},
	{"syn_after_nack", syn_after_nack, REQ_UET_PDC_06, .limit = GRACE},
	{"clear_after_ack", clear_after_ack, REQ_RUD_SEQ_77, .limit = GRACE},
	{"close_after_ack", close_after_ack, REQ_UET_PDC_46, .limit = GRACE},
	{"fatal_then_request", fatal_then_request, REQ_UET_PDC_48,
	 .limit = GRACE},
	{"fatal_then_silence", fatal_then_silence, REQ_UET_PDC_48,
	 .limit = GRACE, .checked = true},
	{"gap_at_the_end", gap_at_the_end, REQ_UET_NACK_0D, .limit = OVERDUE},
	{"tail_at_the_end", tail_at_the_end, REQ_MODE_ROD_3s, .limit = OVERDUE},
};

/* Returns true if the scene has a finding of its row, or a check. */
static bool limits_tells(const struct scene *s, vspan wait)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;
	bool found = false;

	if (s->declare)
		s->declare(&conf);
	lab_test_lab_open(&lab, &conf);
	s->play(&lab, wait);
	for (size_t i = 0; i < lab.n && i < 64; i++)
		found |= lab.found[i].req == s->req;
	if (s->checked)
		found = judge_seen(lab.j, &lab.addr[A], s->req, REQ_SRC) > 0;
	lab_test_lab_close(&lab);
	return found;
}

/* Returns the longest wait that is like the shortest one. */
static vspan limit_of(const struct scene *s, vspan least)
{
	vspan same = least, other = MOST;

	while (other - same > 1) {
		const vspan mid = same + (other - same) / 2;

		if (limits_tells(s, mid) == s->within)
			same = mid;
		else
			other = mid;
	}
	return same;
}

static void limits_are_exact(void **state)
{
	(void)state;
	told_skip(); /* the search depends on the limits */
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		const struct scene *s = &scenes[i];
		/* within: the first wait without a finding is allowed */
		const vspan limit = s->limit - (s->within ? 1 : 0);
		const vspan found = limit_of(s, 4 * US);

		if (limits_tells(s, 4 * US) != s->within ||
		    limits_tells(s, MOST) == s->within)
			fail_msg("%s: no limit up to %lld ns", s->name,
				 (long long)MOST);
		if (found != limit)
			fail_msg("%s: the limit is %lld ns, not %lld", s->name,
				 (long long)found, (long long)limit);
	}
	told_begin(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
