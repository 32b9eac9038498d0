/* SPDX-License-Identifier: BSD-2-Clause */
/* Which requests the device may still be working on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suite/run/scope/scope_work.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_pds.h"

#define PSN 10

struct work_lab {
	struct decl decl;
	struct record rec;
	struct scope scope;
};

static void lab_start(struct work_lab *lab)
{
	memset(lab, 0, sizeof(*lab));
	lab->decl.ack_time = (struct decl_time){2 * VSPAN_MS, VSPAN_MS};
	lab->scope.decl = &lab->decl;
	lab->scope.record = &lab->rec;
}

static size_t work_add(struct work_lab *lab, enum rec_kind kind,
		       const uint8_t *p, size_t len, vtime at)
{
	static struct dgram d;
	const struct rec rec = {.kind = kind, .at = at, .frame = 1};

	d.len = len;
	memcpy(d.data, p, len);
	return record_add(&lab->rec, &rec, &d, NULL, NULL);
}

static size_t sends_request(struct work_lab *lab, bool ar, vtime at)
{
	const struct pds_req req = {.type = PDS_RUD_REQ,
				    .next_hdr = PDS_NEXT_REQUEST_STD,
				    .ar = ar,
				    .psn = PSN,
				    .spdcid = 7,
				    .dpdcid = 8};
	uint8_t p[64] = {0};

	pds_req_put(&req, p);
	return work_add(lab, REC_TX, p, sizeof(p), at);
}

/* The PSN field of a Clear Command means nothing. */
static size_t sends_clear(struct work_lab *lab, vtime at)
{
	const struct pds_cp cp = {.type = PDS_CP,
				  .ctl_type = PDS_CP_CLEAR_COMMAND,
				  .psn = PSN,
				  .spdcid = 7,
				  .dpdcid = 8};
	uint8_t p[16] = {0};

	pds_cp_put(&cp, p);
	return work_add(lab, REC_TX, p, sizeof(p), at);
}

static size_t answers_ack(struct work_lab *lab, uint32_t ack_psn, vtime at)
{
	const struct pds_ack ack = {.type = PDS_ACK,
				    .ack_psn_offset =
					    (int16_t)(ack_psn - (PSN - 1)),
				    .cack_psn = PSN - 1,
				    .spdcid = 8,
				    .dpdcid = 7};
	uint8_t p[12] = {0};

	pds_ack_put(&ack, p);
	return work_add(lab, REC_RX, p, sizeof(p), at);
}

static size_t answers_nack(struct work_lab *lab, uint8_t code, vtime at)
{
	const struct pds_nack nack = {.type = PDS_NACK,
				      .nack_code = code,
				      .nack_psn = PSN,
				      .spdcid = 8,
				      .dpdcid = 7};
	uint8_t p[16] = {0};

	pds_nack_put(&nack, p);
	return work_add(lab, REC_RX, p, sizeof(p), at);
}

static void open_until_it_is_acknowledged(void **state)
{
	struct work_lab lab;
	struct scope_work work;

	(void)state;
	lab_start(&lab);
	sends_request(&lab, false, 0);
	work = scope_work_of(&lab.scope, PSN, sends_request(&lab, true, 1));
	assert_int_equal(work.copies, 2);
	assert_true(work.asked && work.open);
	work = scope_work_of(&lab.scope, PSN, answers_ack(&lab, PSN + 1, 2));
	assert_true(work.open);
	work = scope_work_of(&lab.scope, PSN, answers_ack(&lab, PSN, 3));
	assert_false(work.open);
	record_free(&lab.rec);
}

static void an_overdue_answer_is_no_work(void **state)
{
	struct work_lab lab;

	(void)state;
	lab_start(&lab);
	sends_request(&lab, true, 0);
	assert_true(scope_work_of(&lab.scope, PSN,
				  sends_request(&lab, true, 3 * VSPAN_MS))
			    .open);
	assert_false(scope_work_of(&lab.scope, PSN,
				   sends_request(&lab, true, 3 * VSPAN_MS + 1))
			     .open);
	record_free(&lab.rec);
}

static void lost_and_refused_copies_do_not_count(void **state)
{
	struct work_lab lab;
	struct scope_work work;
	size_t lost;

	(void)state;
	lab_start(&lab);
	lost = sends_request(&lab, true, 0);
	lab.rec.recs[lost].fate = FATE_DROPPED;
	assert_int_equal(scope_work_of(&lab.scope, PSN, lost).copies, 0);
	sends_request(&lab, true, 1);
	work = scope_work_of(&lab.scope, PSN,
			     answers_nack(&lab, NACK_RCVD_SES_PROCG, 2));
	assert_true(work.open && work.copies == 1);
	work = scope_work_of(&lab.scope, PSN,
			     answers_nack(&lab, NACK_NO_PKT_BUFFER, 3));
	assert_false(work.open || work.asked || work.copies);
	record_free(&lab.rec);
}

static void a_clear_command_is_no_copy(void **state)
{
	struct work_lab lab;
	struct scope_work work;

	(void)state;
	lab_start(&lab);
	sends_clear(&lab, 0);
	work = scope_work_of(&lab.scope, PSN,
			     sends_request(&lab, true, 9 * VSPAN_MS));
	assert_int_equal(work.copies, 1);
	assert_true(work.open);
	record_free(&lab.rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_until_it_is_acknowledged),
		cmocka_unit_test(an_overdue_answer_is_no_work),
		cmocka_unit_test(lost_and_refused_copies_do_not_count),
		cmocka_unit_test(a_clear_command_is_no_copy),
	};

	return cmocka_run_group_tests_name("scope_work", tests, NULL, NULL);
}
