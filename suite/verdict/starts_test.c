/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/lang/case.h"
#include "suite/verdict/starts.h"
#include "wire/dgram.h"
#include "wire/packet.h"

static struct test_case none;

/* A case in which the device opens a PDC and sends |n| requests on it. */
static void opens(struct record *r, uint16_t pdcid, uint32_t start, uint32_t n)
{
	struct dgram *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	record_clear(r);
	r->test_case = &none;
	r->family = FAMILY_UET;
	r->chair = CHAIR_INITIATOR;
	r->verdict = VERDICT_PASS;
	for (uint32_t i = 0; i < n; i++) {
		const struct field_value set[] = {
			{"syn", 1, false},
			{"psn", start + i, false},
			{"psn_offset", i, false},
			{"spdcid", pdcid, false},
		};
		const struct packet_spec spec = {
			.type = "rud_req", .ses = "std", .set = set, .nset = 4};
		const struct rec rec = {.kind = REC_RX, .frame = i + 1};
		const int len = packet_build(d->data, DGRAM_MAX, &spec, NULL);

		assert_true(len > 0);
		d->len = (size_t)len;
		record_add(r, &rec, d, NULL, NULL);
	}
	free(d);
}

static bool starts_test_fails(struct starts *s, struct record *r)
{
	assert_int_equal(starts_take(s, r), 0);
	if (r->verdict == VERDICT_PASS) {
		assert_int_equal(r->nfindings, 0);
		return false;
	}
	assert_int_equal(r->verdict, VERDICT_FAIL);
	assert_int_equal(r->nfindings, 1);
	assert_int_equal(r->findings[0].req, REQ_UET_PDC_19);
	assert_true(r->reqs[0].failed);
	return true;
}

static void a_start_psn_that_never_changes(void **state)
{
	struct starts *s = calloc(1, sizeof(*s));
	struct record r = {0};

	(void)state;
	assert_non_null(s);
	for (unsigned i = 1; i < 3 * STARTS_ALIKE; i++) {
		opens(&r, (uint16_t)i, 125564, 2);
		assert_int_equal(starts_test_fails(s, &r), i == STARTS_ALIKE);
	}
	record_free(&r);
	free(s);
}

static void one_other_start_psn_is_enough(void **state)
{
	struct starts *s = calloc(1, sizeof(*s));
	struct record r = {0};

	(void)state;
	assert_non_null(s);
	opens(&r, 1, 77, 1);
	assert_false(starts_test_fails(s, &r));
	for (unsigned i = 0; i < 3 * STARTS_ALIKE; i++) {
		opens(&r, 1, 125564, 1);
		assert_false(starts_test_fails(s, &r));
	}
	record_free(&r);
	free(s);
}

/* Applies only to a device that remembers the PDCIDs of earlier cases. */
static void a_pdcid_serves_again_in_a_later_case(void **state)
{
	struct starts *s = calloc(1, sizeof(*s));
	struct record r = {0};

	(void)state;
	assert_non_null(s);
	for (unsigned lasting = 0; lasting < 2; lasting++) {
		memset(s, 0, sizeof(*s));
		s->lasting = lasting;
		opens(&r, 9, 1000, 3);
		assert_false(starts_test_fails(s, &r));
		opens(&r, 8, 1001, 1);
		assert_false(starts_test_fails(s, &r));
		opens(&r, 9, 1002 + 65535, 1);
		assert_int_equal(starts_test_fails(s, &r), lasting);
		opens(&r, 9, 1002 + 3 * 65536, 1);
		assert_false(starts_test_fails(s, &r));
	}
	record_free(&r);
	free(s);
}

/* Recalled cases count, but are not reported again. */
static void recalled_cases_count(void **state)
{
	struct starts *s = calloc(1, sizeof(*s));
	struct record r = {0};

	(void)state;
	assert_non_null(s);
	for (unsigned i = 1; i < STARTS_ALIKE; i++) {
		opens(&r, (uint16_t)i, 125564, 2);
		starts_recall(s, &r, r.test_case);
		assert_int_equal(r.nfindings, 0);
		assert_int_equal(r.verdict, VERDICT_PASS);
	}
	opens(&r, STARTS_ALIKE, 125564, 2);
	assert_true(starts_test_fails(s, &r));
	record_free(&r);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_psn_that_never_changes),
		cmocka_unit_test(one_other_start_psn_is_enough),
		cmocka_unit_test(a_pdcid_serves_again_in_a_later_case),
		cmocka_unit_test(recalled_cases_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
