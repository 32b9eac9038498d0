/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_cp_test.c -- tests control packets, a correct and a
 * wrong one of each type.
 */
#include "judge/core/lab_test.h"

/* Sends a correct CP, then the same CP with each fault that its row forbids. */
static void each_ctl_type(void **state)
{
	static const struct {
		uint8_t ctl, ar, takes;
		enum req_id req;
		enum req_role role;
		unsigned by;
		bool psn_zero, payload_zero, isrod;
	} rows[] = {
		{PDS_CP_NOOP, 1, 1, REQ_UET_CP_00, REQ_SRC, A, false, true,
		 true},
		{PDS_CP_CLEAR_COMMAND, 0, 0, REQ_UET_CP_02, REQ_SRC, A, true,
		 false, false},
		{PDS_CP_CLEAR_REQUEST, 0, 0, REQ_UET_CP_03, REQ_DST, B, true,
		 false, false},
		{PDS_CP_CLOSE_REQUEST, 1, 1, REQ_UET_CP_05, REQ_DST, B, false,
		 true, false},
		{PDS_CP_PROBE, 1, 0, REQ_UET_CP_06, REQ_SRC, A, false, false,
		 false},
		{PDS_CP_CREDIT, 0, 0, REQ_UET_CP_07, REQ_DST, B, true, true,
		 false},
		{PDS_CP_CREDIT_REQUEST, 0, 0, REQ_UET_CP_08, REQ_SRC, A, true,
		 false, false},
		{PDS_CP_NEGOTIATION, 1, 1, REQ_UET_CP_09, REQ_SRC, A, false,
		 false, true},
		{PDS_CP_CLOSE_COMMAND, 1, 1, REQ_UET_CP_04, REQ_SRC, A, false,
		 true, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned fault = 0; fault < 5; fault++) {
			struct lab *lab = *state;
			struct sent s = {.ctl = rows[i].ctl, .ar = rows[i].ar};
			bool bad = true;

			judge_reset(lab->j);
			established(lab);
			if (rows[i].takes)
				s.psn = rows[i].by == A ? 334 : 333;
			else if (!rows[i].psn_zero)
				s.psn = 333;
			if (!rows[i].payload_zero)
				s.payload = 333;
			if (fault == 1)
				s.ar = !s.ar;
			else if (fault == 2 && rows[i].psn_zero)
				s.psn = 332;
			else if (fault == 3 && rows[i].payload_zero)
				s.payload = 9;
			else if (fault == 4 && rows[i].isrod)
				s.isrod = 1;
			else
				bad = false;
			lab_control(lab, rows[i].by, s);
			assert_int_equal(lab->n, bad);
			if (bad) {
				assert_int_equal(lab->found[0].req,
						 rows[i].req);
				assert_int_equal(lab->found[0].role,
						 rows[i].role);
			}
			assert_true(judge_seen(lab->j, &lab->addr[rows[i].by],
					       rows[i].req, rows[i].role) > 0);
			lab->n = 0;
		}
	}
}

static void opaque_outside_probe(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 334);
	none(lab);
	looked(lab, UET_ENC_49, SRC, A);
	control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 335, .opaque = 1);
	breaks(lab, UET_ENC_49, SRC, A);
}

/* Figure 3-76: "PSN = 333, Clear Control Packet [CLEAR = 333]" */
static void clear_psn_in_psn(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .psn = 333,
		.payload = 333);
	none(lab);
	looked(lab, UET_CP_02, SRC, A);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .psn = 333,
		.payload = 333);
	breaks(lab, UET_CP_03, DST, B);
}

static void close_by_the_wrong_side(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, B, .ctl = PDS_CP_CLOSE_COMMAND, .ar = 1, .psn = 333);
	breaks(lab, UET_CP_04, SRC, B);
	control(lab, A, .ctl = PDS_CP_CLOSE_REQUEST, .ar = 1, .psn = 334);
	breaks(lab, UET_CP_05, DST, A);
}

static void ack_request_of_nothing(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333);
	none(lab);
	looked(lab, UET_CP_01, SRC, A);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 340);
	breaks(lab, UET_CP_01, SRC, A);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(each_ctl_type),
		BOTH_WAYS(opaque_outside_probe),
		BOTH_WAYS(clear_psn_in_psn),
		BOTH_WAYS(close_by_the_wrong_side),
		BOTH_WAYS(ack_request_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
