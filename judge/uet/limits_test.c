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
	/* sends the packets before the wait */
	void (*begin)(struct lab *lab);
	/* sends the packet after the wait; NULL: the capture ends then */
	void (*last)(struct lab *lab);
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

static void send_335(struct lab *lab)
{
	request(lab, A, .psn = 335, .clear = 333);
}

static void repeat_334(struct lab *lab)
{
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
}

static void repeat_334_at_rto(struct lab *lab)
{
	send_334(lab);
	limits_pause(lab, RTO);
	repeat_334(lab);
}

static void ask_334(struct lab *lab)
{
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
}

static void acknowledge_334(struct lab *lab)
{
	send_334(lab);
	answer(lab, B, .psn = 334, .cack = 334);
}

static void refuse_334(struct lab *lab)
{
	send_334(lab);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
}

static void end_in_error(struct lab *lab)
{
	send_334(lab);
	nack(lab, B, .psn = 334, .code = NACK_CLOSING_IN_ERR);
}

/* ---- Answers that are due ---- */

static void close_unanswered(struct lab *lab)
{
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	limits_end(lab, MS);
}

static void three_copies(struct lab *lab)
{
	ask_334(lab);
	repeat_334(lab);
	repeat_334(lab);
}

static void slow_copies(struct lab *lab)
{
	ask_334(lab);
	for (unsigned i = 0; i < 4; i++) {
		limits_pause(lab, 20 * MS);
		repeat_334(lab);
	}
}

static void request_ack(struct lab *lab)
{
	send_334(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334);
}

static void request_ack_again(struct lab *lab)
{
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334);
	answer(lab, B, .psn = 334, .cack = 334);
}

static void probe(struct lab *lab)
{
	established(lab);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 4);
}

/* Four requests of 4,096 bytes in all, as each counts for 1,024. */
static void reach_trigger(struct lab *lab)
{
	established(lab);
	for (uint32_t psn = 334; psn < 338; psn++)
		request(lab, A, .psn = psn, .clear = 333);
}

static void send_338(struct lab *lab)
{
	request(lab, A, .psn = 338, .clear = 333);
}

static void send_334_trimmed(struct lab *lab)
{
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dscp = 26, .cut = 16);
}

static void request_clear(struct lab *lab)
{
	established(lab);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
}

static void store_response(struct lab *lab)
{
	send_334(lab);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
}

/* ---- Knowledge of the source ---- */

static void send_syn(struct lab *lab)
{
	request(lab, A, .psn = 334, .clear = 333, .syn = 1);
}

static void refuse_syn(struct lab *lab)
{
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 333, .code = NACK_NO_PKT_BUFFER);
}

static void repeat_syn(struct lab *lab)
{
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .retx = 1);
}

static void send_old_clear(struct lab *lab)
{
	request(lab, A, .psn = 334, .clear = 332);
}

static void close_answered(struct lab *lab)
{
	established(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
}

static void repeat_close(struct lab *lab)
{
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1,
		.retx = 1);
}

/* ---- service_time, in units of 128 ns ---- */

static void claim_long_service(struct lab *lab)
{
	answer(lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC, .mpr = 8,
	       .service = 50000);
}

static void claim_short_service(struct lab *lab)
{
	answer(lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC, .mpr = 8,
	       .service = 39);
}

/* ---- ROD ---- */

static void leave_gap(struct lab *lab)
{
	established_rod(lab);
	ordered(lab, A, .psn = 335, .clear = 333);
}

static void repeat_without_tail(struct lab *lab)
{
	established_rod(lab);
	for (uint32_t psn = 334; psn < 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO);
	ordered_again(lab, 334);
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

static void with_trimming(struct judge_conf *conf)
{
	conf->dscp_trimmed = 26;
}

static void with_answer_time(struct judge_conf *conf)
{
	conf->answer_time = 2 * MS;
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
	{"an answer at the end", ask_334, NULL, REQ_UET_ACK_15,
	 .limit = OVERDUE},
	{"an answer before the close", ask_334, close_unanswered,
	 REQ_UET_ACK_15, .limit = 5 * OVERDUE},
	{"the same without an RTO", ask_334, close_unanswered, REQ_UET_ACK_15,
	 .limit = 50 * MS, .declare = without_rto},
	/* 2 us have passed */
	{"an answer to the fourth copy", three_copies, repeat_334,
	 REQ_RUD_SVC_3, .limit = 3 * OVERDUE - 2 * US},
	/* 80 ms have passed of three times ack_time */
	{"an answer to slow copies", slow_copies, repeat_334, REQ_RUD_SVC_3,
	 .limit = 10 * MS, .declare = with_long_ack_time},
	{"an answer before the repeat", ask_334, repeat_334, REQ_UET_ACK_15,
	 .limit = 5 * MS, .declare = with_ack_time},
	{"an answer to an ACK Request", request_ack, NULL, REQ_UET_CP_01,
	 .limit = OVERDUE},
	{"an answer before the next ACK Request", request_ack,
	 request_ack_again, REQ_UET_CP_01, .limit = OVERDUE},
	{"an answer to a Probe", probe, NULL, REQ_UET_CP_06, .limit = OVERDUE},
	{"the ACK of a trigger", reach_trigger, send_338, REQ_UET_ACK_22,
	 .limit = 5 * MS, .declare = with_ack_time},
	{"a NACK of a trimmed request", send_334_trimmed, NULL, REQ_UET_NACK_01,
	 .limit = OVERDUE, .declare = with_trimming},
	{"a clear for a Clear Request", request_clear, NULL, REQ_RUD_SVC_6,
	 .limit = OVERDUE},
	{"a clear of a stored response", store_response, NULL, REQ_RUD_SEQ_76,
	 .limit = 100 * MS},
	/* twice the RTO, its tolerance, and NACK_Retx_Time */
	{"a retransmission at the end", send_334, NULL, REQ_RUD_SEQ_83,
	 .limit = 2 * RTO + TOLERANCE + 2 * MS},
	{"a second retransmission at the end", repeat_334_at_rto, NULL,
	 REQ_RUD_SEQ_83, .limit = 4 * RTO + TOLERANCE + 2 * MS,
	 .declare = at_the_source},
	/* 1 us has passed */
	{"a retransmission after a NACK at the end", refuse_334, NULL,
	 REQ_RUD_SEQ_82, .limit = 2 * RTO + TOLERANCE + 2 * MS - US},
	{"an early retransmission", send_334, repeat_334, REQ_UET_RTX_12,
	 .limit = RTO - TOLERANCE, .within = true},
	{"an early second one", repeat_334_at_rto, repeat_334, REQ_UET_RTX_12,
	 .limit = 2 * RTO - TOLERANCE, .within = true},
	{"an early second one at RTO_Max", repeat_334_at_rto, repeat_334,
	 REQ_UET_RTX_12, .limit = 15 * MS - TOLERANCE, .within = true,
	 .declare = with_rto_max},
	{"a late retransmission", send_334, repeat_334, REQ_RUD_SEQ_83,
	 .limit = RTO + 3 * MS, .declare = with_rto_late},
	{"a late second one", repeat_334_at_rto, repeat_334, REQ_RUD_SEQ_83,
	 .limit = 2 * RTO + 3 * MS, .declare = with_rto_late},
	{"a retransmission after a NACK", refuse_334, repeat_334,
	 REQ_RUD_SEQ_82, .limit = 2 * MS, .within = true},
	{"the same with tolerance", refuse_334, repeat_334, REQ_RUD_SEQ_82,
	 .limit = 2 * MS - MS / 2, .within = true,
	 .declare = with_nack_tolerance},
	{"a retransmission after the ACK", acknowledge_334, repeat_334,
	 REQ_MODE_RUD_3, .limit = GRACE},
	{"the same with grace", acknowledge_334, repeat_334, REQ_MODE_RUD_3,
	 .limit = 7 * MS, .declare = with_grace},
	{"syn after the first ACK", established, send_syn, REQ_UET_PDC_25,
	 .limit = GRACE},
	{"syn after a NACK", refuse_syn, repeat_syn, REQ_UET_PDC_06,
	 .limit = GRACE},
	{"CLEAR_PSN after an ACK", established, send_old_clear, REQ_RUD_SEQ_77,
	 .limit = GRACE},
	{"a close after its ACK", close_answered, repeat_close, REQ_UET_PDC_46,
	 .limit = GRACE},
	{"a request after a fatal NACK", end_in_error, send_335, REQ_UET_PDC_48,
	 .limit = GRACE},
	{"silence after a fatal NACK", end_in_error, NULL, REQ_UET_PDC_48,
	 .limit = GRACE, .checked = true},
	/* a clock is right to a microsecond */
	{"a longer service_time than since the request", send_334,
	 claim_long_service, REQ_UET_ACK_08, .limit = 50000 * 128 - US,
	 .within = true},
	{"a shorter service_time than since the request", send_334,
	 claim_short_service, REQ_UET_ACK_08, .limit = 39 * 128 + 2 * MS,
	 .declare = with_answer_time},
	{"a gap of ROD at the end", leave_gap, NULL, REQ_UET_NACK_0D,
	 .limit = OVERDUE},
	{"the tail of ROD at the end", repeat_without_tail, NULL,
	 REQ_MODE_ROD_3s, .limit = OVERDUE},
};

/* Returns true if the scene has a finding of its row, or a check. */
static bool limits_tells(const struct scene *s, vspan wait)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;
	bool found;

	if (s->declare)
		s->declare(&conf);
	lab_test_lab_open(&lab, &conf);
	s->begin(&lab);
	if (s->last) {
		limits_pause(&lab, wait);
		s->last(&lab);
	} else {
		limits_end(&lab, wait);
	}
	found = s->checked ? judge_seen(lab.j, &lab.addr[A], s->req, REQ_SRC)
			   : lab_found(&lab, s->req);
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
