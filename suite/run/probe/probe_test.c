/* SPDX-License-Identifier: BSD-2-Clause */
/* Drafts of declarations from records made by hand. */
#include "base/vtime.h"
#include "suite/run/probe/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/decl/capability.h"
#include "suite/decl/decl_parse.h"
#include "suite/run/probe/probe_compare.h"
#include "suite/run/probe/probe_draft.h"
#include "suite/run/probe/probe_packet.h"
#include "suite/run/probe/probe_state.h"
#include "wire/frame/crc.h"
#include "wire/packet.h"

struct fixture {
	struct decl *base;
	struct probe *probe;
	struct dut dut;
	struct record record;
	struct text draft;
	uint16_t entropy; /* entropy value of the packets that are added */
	uint8_t ecn;
};

static int probe_test_setup(void **state)
{
	static struct fixture f;
	static const char text[] = "name base\nclaims crc send noop ecn\n"
				   "id job_id 0x77\ncrc big\n"
				   "timer rto 30ms tolerance 5ms\n"
				   "limit max_rto_retx 2\n";
	struct diag diag;

	memset(&f, 0, sizeof(f));
	f.dut.peer = ip_addr_v4(0x0a000002);
	f.ecn = ECN_ECT0;
	if (decl_parse(&f.base, "base", text, strlen(text), &diag) ||
	    probe_new(&f.probe, f.base))
		return -1;
	*state = &f;
	return 0;
}

static int probe_test_teardown(void **state)
{
	struct fixture *f = *state;

	probe_free(f->probe);
	decl_free(f->base);
	record_free(&f->record);
	text_free(&f->draft);
	return 0;
}

static void probe_test_add(struct fixture *f, enum rec_kind kind, vtime at,
			   const char *type, const char *ses,
			   const struct field_value *set, size_t nset,
			   size_t payload)
{
	const struct packet_spec spec = {.type = type,
					 .ses = ses,
					 .set = set,
					 .nset = nset,
					 .payload_len = payload};
	const struct rec rec = {
		.kind = kind, .at = at, .frame = (uint32_t)f->record.nrecs + 1};
	struct dgram d = {.src = ip_addr_v4(0x0a000001),
			  .dst = ip_addr_v4(0x0a000002),
			  .entropy = f->entropy,
			  .ecn = f->ecn};
	int len = packet_build(d.data, sizeof(d.data), &spec, NULL);

	assert_true(len > 0);
	d.len = (uint16_t)len;
	record_add(&f->record, &rec, &d, NULL, NULL);
}

static enum probe_outcome probe_test_take(struct fixture *f, const char *id,
					  enum verdict verdict)
{
	enum probe_outcome outcome;

	snprintf(f->record.id, sizeof(f->record.id), "%s", id);
	f->record.verdict = verdict;
	outcome = probe_take(f->probe, &f->record);
	record_clear(&f->record);
	return outcome;
}

/* Returns the draft, parsed. */
static struct decl *drafted(struct fixture *f)
{
	struct decl *d = NULL;
	struct diag diag = {0};

	text_clear(&f->draft);
	probe_draft(f->probe, &f->dut, "ACME", &f->draft);
	if (decl_parse(&d, "draft", text_cstr(&f->draft), f->draft.len, &diag))
		fail_msg("%u: %s", diag.line, diag.text);
	return d;
}

static void everything_is_tried(void **state)
{
	struct fixture *f = *state;
	const struct decl *d = probe_decl(f->probe);

	for (const struct capability *c = decl_capabilities; c->word; c++)
		assert_true(decl_derived(c->word) || decl_claims(d, c->word));
	assert_int_equal(d->job_id, 0x77);
}

static void nothing_seen_is_nothing_claimed(void **state)
{
	struct fixture *f = *state;
	struct decl *d = drafted(f);

	assert_false(probe_answered(f->probe));
	assert_int_equal(d->nclaims, 0);
	assert_string_equal(d->name, "ACME");
	assert_int_equal(d->job_id, 0x77);
	decl_free(d);
}

/* A capability shown in one chair is claimed, with a remark on the other. */
static void claims_say_what_was_seen(void **state)
{
	struct fixture *f = *state;
	struct decl *d;

	assert_int_equal(probe_test_take(f, "probe/send@target", VERDICT_PASS),
			 PROBE_SHOWN);
	assert_int_equal(probe_test_take(f, "probe/send@initiator", VERDICT_NA),
			 PROBE_UNTRIED);
	assert_int_equal(probe_test_take(f, "probe/read@target", VERDICT_PASS),
			 PROBE_SHOWN);
	f->record.chair = CHAIR_INITIATOR;
	assert_int_equal(
		probe_test_take(f, "probe/read@initiator", VERDICT_FAIL),
		PROBE_NOT);
	assert_int_equal(
		probe_test_take(f, "probe/noop@target", VERDICT_INCONCLUSIVE),
		PROBE_NOT);
	d = drafted(f);
	assert_int_equal(d->nclaims, 2);
	assert_true(decl_claims(d, "send"));
	assert_true(decl_claims(d, "read"));
	assert_non_null(
		strstr(text_cstr(&f->draft), "Not shown as initiator.\n"));
	decl_free(d);
}

/* The only packet was the ACK of the opening, with another response. */
static void an_opening_shows_modes_and_acks(void **state)
{
	struct fixture *f = *state;
	const struct field_value req[] = {
		{"psn", 5, false}, {"ar", 1, false}, {"opcode", 5, true}};
	const struct field_value ack[] = {{"cack_psn", 5, false},
					  {"mpr", 8, false}};
	struct decl *d;

	probe_test_add(f, REC_TX, VSPAN_MS, "rud_req", "std", req, 3, 8);
	probe_test_add(f, REC_RX, 3 * VSPAN_MS, "ack_cc", "response", ack, 2,
		       0);
	f->record.recs[0].setup = f->record.recs[1].setup = true;
	assert_int_equal(probe_test_take(f, "probe/rud@target", VERDICT_FAIL),
			 PROBE_NOT);
	d = drafted(f);
	assert_true(decl_claims(d, "rud"));
	assert_true(decl_claims(d, "ack_cc"));
	assert_int_equal(d->ack_time.value, 4 * VSPAN_MS);
	assert_int_equal(d->mp_range, 1024);
	assert_null(strstr(text_cstr(&f->draft), "No ACK came"));
	decl_free(d);
}

/* The duties of every device come first in the draft. */
static void duties_come_first(void **state)
{
	struct fixture *f = *state;
	const struct field_value req[] = {
		{"psn", 5, false}, {"ar", 1, false}, {"opcode", 5, true}};
	const struct field_value ack[] = {{"cack_psn", 5, false}};
	const char *text;

	f->entropy = 50000;
	probe_test_add(f, REC_TX, VSPAN_MS, "rud_req", "std", req, 3, 8);
	f->entropy = 4793;
	probe_test_add(f, REC_RX, 2 * VSPAN_MS, "ack", "response", ack, 1, 0);
	f->ecn = ECN_NOT_ECT;
	probe_test_add(f, REC_RX, 3 * VSPAN_MS, "rud_req", "medium", req, 3, 8);
	probe_test_take(f, "probe/rud@target", VERDICT_FAIL);
	probe_strays(f->probe, 3);
	decl_free(drafted(f));
	text = text_cstr(&f->draft);
	assert_non_null(strstr(text, "3 datagrams came to the tester's source "
				     "port instead\n"));
	assert_non_null(strstr(text, "what they answer: 1 of 1 do not: 4793"));
	assert_non_null(strstr(text, "ECN-capable: 1 of 1 do not: 0, not 2"));
	assert_true(strstr(text, "ECN-capable") < strstr(text, "\nclaims"));
	text_clear(&f->draft);
	assert_true(probe_compare(f->probe, &f->dut, &f->draft) >= 3);
	assert_int_equal(strncmp(text_cstr(&f->draft), "answers ", 8), 0);
}

static void timers_from_the_gaps(void **state)
{
	struct fixture *f = *state;
	static const vtime at[] = {1000, 41130000, 121000000};
	const struct field_value set[] = {{"psn", 5, false},
					  {"opcode", 5, true}};
	struct decl *d;

	for (size_t i = 0; i < 3; i++)
		probe_test_add(f, REC_RX, at[i], "rud_req", "std", set, 2, 8);
	probe_test_take(f, "probe/measure/rto@initiator", VERDICT_PASS);
	d = drafted(f);
	assert_int_equal(d->rto.value, 41 * VSPAN_MS);
	assert_int_equal(d->rto.tolerance,
			 100 * VSPAN_MS); /* from a live device */
	assert_int_equal(d->max_rto_retx, 2);
	assert_true(d->crc &&
		    d->crc_be); /* as declared, because the device answered */
	assert_true(decl_claims(d, "crc"));
	decl_free(d);
}

/* Returns the differences from the base. */
static const char *differing(struct fixture *f, size_t n)
{
	text_clear(&f->draft);
	assert_int_equal(probe_compare(f->probe, &f->dut, &f->draft), n);
	return text_cstr(&f->draft);
}

static void both_ways(void **state)
{
	struct fixture *f = *state;
	static const vtime at[] = {1000, 41130000, 121000000, 281000000};
	const struct field_value set[] = {{"psn", 5, false},
					  {"opcode", 5, true}};

	assert_string_equal(differing(f, 0), "");
	probe_test_take(f, "probe/send@target", VERDICT_PASS);
	probe_test_take(f, "probe/send@initiator", VERDICT_NA);
	probe_test_take(f, "probe/noop@target", VERDICT_FAIL);
	probe_test_take(f, "probe/probe@target", VERDICT_PASS);
	probe_test_take(f, "probe/trim@target", VERDICT_FAIL);
	probe_test_take(f, "probe/ecn@target", VERDICT_NA);
	differing(f, 1);
	for (size_t i = 0; i < 4; i++)
		probe_test_add(f, REC_RX, at[i], "rud_req", "std", set, 2, 8);
	probe_test_take(f, "probe/measure/rto@initiator", VERDICT_PASS);
	differing(f, 3);
	assert_non_null(strstr(text_cstr(&f->draft),
			       "noop               claimed, not shown"));
	assert_non_null(strstr(text_cstr(&f->draft),
			       "max_rto_retx 3 measured, 2 declared\n"));
	assert_non_null(strstr(text_cstr(&f->draft),
			       "timer rto          41ms measured, 30ms "
			       "declared\n"));
	text_clear(&f->draft);
	probe_unclaimed(f->probe, &f->dut, &f->draft);
	assert_string_equal(text_cstr(&f->draft), "probe");
}

static void probe_test_data_in_the_ack(void **state)
{
	struct fixture *f = *state;
	struct decl *d;

	for (uint64_t n = 8; n <= 64; n *= 2) {
		const struct field_value req[] = {{"psn", n, false},
						  {"ar", 1, false},
						  {"opcode", 2, true},
						  {"request_length", n, true}};
		const struct field_value ack[] = {{"cack_psn", n, false}};

		probe_test_add(f, REC_TX, 0, "rud_req", "std", req, 4, 0);
		probe_test_add(f, REC_RX, 3 * VSPAN_MS, "ack",
			       n <= 32 ? "response_data" : "response", ack, 1,
			       n <= 32 ? n : 0);
	}
	probe_test_take(f, "probe/measure/max_ack_data@target", VERDICT_PASS);
	d = drafted(f);
	assert_int_equal(d->max_ack_data, 32);
	assert_int_equal(d->ack_time.value, 6 * VSPAN_MS);
	assert_int_equal(d->ack_time.tolerance, 100 * VSPAN_MS);
	decl_free(d);
	f->dut.virtual = true; /* in virtual time measurements are exact */
	d = drafted(f);
	assert_int_equal(d->ack_time.tolerance, 6 * VSPAN_MS);
	decl_free(d);
}

/* The device ignored the first copy: the ACK is timed from the last. */
static void an_ack_answers_the_last_copy(void **state)
{
	static const struct field_value req[] = {{"psn", 7, false},
						 {"ar", 1, false}};
	static const struct field_value ack[] = {{"cack_psn", 7, false}};
	struct fixture *f = *state;
	struct decl *d;

	probe_test_add(f, REC_TX, 0, "rud_req", "std", req, 2, 0);
	probe_test_add(f, REC_TX, 1500 * VSPAN_MS, "rud_req", "std", req, 2, 0);
	probe_test_add(f, REC_RX, 1503 * VSPAN_MS, "ack", "response", ack, 1,
		       0);
	probe_test_take(f, "probe/trim@target", VERDICT_FAIL);
	d = drafted(f);
	assert_int_equal(d->ack_time.value, 6 * VSPAN_MS);
	decl_free(d);
}

static void crc_of_either_order(void **state)
{
	struct fixture *f = *state;

	for (int be = 0; be < 2; be++) {
		struct dgram d = {.src = f->dut.peer, .entropy = 7, .len = 12};
		const struct rec rec = {.kind = REC_RX, .frame = 1};
		bool found_be = !be;

		memset(d.data, 0x38, d.len);
		record_add(&f->record, &rec, &d, NULL, NULL);
		assert_false(probe_crc(&f->record, &found_be));
		crc_append(&d, be ? CRC_BE : CRC_LE);
		record_add(&f->record, &rec, &d, NULL, NULL);
		assert_true(probe_crc(&f->record, &found_be));
		assert_int_equal(found_be, be);
		record_clear(&f->record);
	}
}

#define TEST(fn)                                              \
	cmocka_unit_test_setup_teardown(fn, probe_test_setup, \
					probe_test_teardown)

static void probe_test_find(struct fixture *f, enum rec_phase phase,
			    const char *what)
{
	struct record *r = &f->record;

	r->findings =
		realloc(r->findings, (r->nfindings + 1) * sizeof(*r->findings));
	assert_non_null(r->findings);
	r->findings[r->nfindings] = (struct rec_finding){
		.req = REQ_UET_SES_19,
		.role = REQ_DST,
		.line = 3,
		.phase = phase,
		.stepped = true,
		.actual = "ack | response message_id=2",
	};
	snprintf(r->findings[r->nfindings].what, sizeof(r->findings[0].what),
		 "%s", what);
	r->findings_size = ++r->nfindings;
}

/* One wrong field in every packet does not hide what the device can do. */
static void a_habit_ends_no_stimulus(void **state)
{
	struct fixture *f = *state;

	probe_test_find(f, PHASE_BODY, "ack.m");
	f->record.rungs_expected = f->record.rungs_stepped = 1;
	assert_int_equal(probe_test_take(f, "probe/ecn@target", VERDICT_FAIL),
			 PROBE_NOT);
	probe_test_find(f, PHASE_SETUP, "ses.message_id");
	probe_test_find(f, PHASE_BODY, "ses.message_id");
	f->record.rungs_expected = f->record.rungs_stepped = 2;
	assert_int_equal(probe_test_take(f, "probe/send@target", VERDICT_FAIL),
			 PROBE_SHOWN);
	probe_test_find(f, PHASE_BODY, "ses.message_id");
	f->record.rungs_expected = 2;
	f->record.rungs_stepped = f->record.rungs_matched = 1;
	assert_int_equal(probe_test_take(f, "probe/noop@target", VERDICT_FAIL),
			 PROBE_SHOWN);
	probe_draft(f->probe, &f->dut, "x", &f->draft);
	assert_non_null(strstr(text_cstr(&f->draft),
			       "on the way it broke UET-SES-19/dst"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(everything_is_tried),
		TEST(nothing_seen_is_nothing_claimed),
		TEST(claims_say_what_was_seen),
		TEST(duties_come_first),
		TEST(an_opening_shows_modes_and_acks),
		TEST(timers_from_the_gaps),
		TEST(both_ways),
		TEST(probe_test_data_in_the_ack),
		TEST(an_ack_answers_the_last_copy),
		TEST(crc_of_either_order),
		cmocka_unit_test_setup_teardown(a_habit_ends_no_stimulus,
						probe_test_setup,
						probe_test_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
