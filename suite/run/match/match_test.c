/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares one packet with many rungs, and tests the text of the difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suite/lang/case_parse.h"
#include "suite/run/match/match.h"
#include "suite/run/match/match_text.h"
#include "suite/run/scope/scope.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

struct setting {
	struct decl decl;
	struct record rec;
	struct scope scope;
	struct arena arena;
	struct dgram d;
};

/*
 * A target's ACK: ack_psn 333 (live 0x0000000a), cack_psn 332, REQ_CLEAR, with
 * a response.  The base crosses the wrap: figure 323 is live 0.
 */
static void match_test_set_up(struct setting *s)
{
	const struct rec rec = {.kind = REC_RX, .frame = 1};
	const struct pds_ack ack = {
		.type = PDS_ACK,
		.next_hdr = PDS_NEXT_RESPONSE,
		.req = PDS_REQ_CLEAR,
		.ack_psn_offset = 1,
		.cack_psn = 9,
		.spdcid = 0x21,
		.dpdcid = 0x7,
	};
	const struct ses_response rsp = {.opcode = SES_RESPONSE,
					 .return_code = RC_OK,
					 .message_id = 1,
					 .job_id = 0x51c2e7,
					 .modified_length = 64};

	memset(s, 0, sizeof(*s));
	s->decl.mtu = 1024;
	scope_start(&s->scope, &s->decl, &s->rec, CHAIR_TARGET, 1);
	s->rec.base[0] = (struct psn_base){
		.fwd_set = true, .fwd_live = 10, .fwd_figure = 333};
	pds_ack_put(&ack, s->d.data);
	ses_response_put(&rsp, s->d.data + 12);
	s->d.len = 24;
	record_add(&s->rec, &rec, &s->d, NULL, NULL);
}

/* Records |s->d| as a packet of the DUT, and returns its index. */
static size_t match_test_add(struct setting *s)
{
	const struct rec rec = {.kind = REC_RX, .frame = 2};

	return record_add(&s->rec, &rec, &s->d, NULL, NULL);
}

static void match_test_put_away(struct setting *s)
{
	record_free(&s->rec);
	arena_free(&s->arena);
}

static void match_test_parse(struct setting *s, struct rung *ret,
			     const char *text)
{
	struct diag diag = {0};
	char message[1024];

	if (rung_parse(&s->arena, ret, text, true, &diag) == 0)
		return;
	diag_format(&diag, message, sizeof(message));
	fail_msg("%s: %s", text, message);
}

static void rungs_say_what_they_look_at(void **state)
{
	static const struct {
		const char *rung;
		bool meets, meets_exactly;
	} rows[] = {
		{"ack", true, true},
		{"nack", false, false},
		{"ack_cc", false, false},
		{"ack ack_psn=333 cack_psn=332 req=clear", true, true},
		{"ack ack_psn=333 cack_psn=333", false, false},
		{"ack ack_psn_offset=1", true, true},
		{"ack ack_psn_offset=0..1", true, true},
		{"ack ack_psn_offset=-1..0", false, false},
		{"ack cack_psn==9", true, true},
		{"ack cack_psn==332", false, false},
		{"ack cack_psn=300..332", true, true},
		{"ack cack_psn=333..340", false, false},
		{"ack cack_psn=320..322|332", true, true},
		{"ack cack_psn>=332", true, true},
		{"ack cack_psn>=333", false, false},
		{"ack cack_psn<=332", true, true},
		{"ack cack_psn>=320", true, true}, /* before the wrap */
		{"ack cack_psn<=320", false, false},
		{"ack req!=none", true, true},
		{"ack req!=clear", false, false},
		{"ack req=none|clear", true, true},
		{"ack req=*", true, true},
		{"ack retx", false, false},
		{"ack retx=0", true, true},
		{"ack rsvd_9=0 rsvd_15=0", true, true},
		{"ack ack_psn=$p cack_psn=$p-1", true, true},
		{"ack | response", true, true},
		{"ack | response return_code=ok message_id=1", true, true},
		{"ack | response return_code=no_match", false, false},
		{"ack | response default_response", false, false},
		{"ack | response_data", false, false},
		{"ack | response | data 0", true, true},
		{"ack | response | data 8", false, false},
	};
	struct setting s;

	(void)state;
	match_test_set_up(&s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rung r;

		match_test_parse(&s, &r, rows[i].rung);
		if (match_rung(&s.scope, &r, 0, false) != rows[i].meets)
			fail_msg("%s", rows[i].rung);
		if (match_rung(&s.scope, &r, 0, true) != rows[i].meets_exactly)
			fail_msg("%s (exact)", rows[i].rung);
	}
	match_test_put_away(&s);
}

/*
 * ACK_CC for ACK, and RC_NULL for RC_OK in a default response, match unless the
 * line is exact.
 */
static void what_readers_disagree_on_is_allowed(void **state)
{
	struct pds_ack ack = {.type = PDS_ACK_CC,
			      .next_hdr = PDS_NEXT_RESPONSE,
			      .cack_psn = 10};
	const struct ses_response rsp = {.opcode = SES_DEFAULT_RESPONSE,
					 .return_code = RC_NULL};
	struct setting s;
	struct rung r;
	size_t i;

	(void)state;
	match_test_set_up(&s);
	memset(s.d.data, 0, 64);
	pds_ack_put(&ack, s.d.data);
	ses_response_put(&rsp, s.d.data + 32);
	s.d.len = 44;
	i = match_test_add(&s);
	match_test_parse(&s, &r, "ack ack_psn=333 | response return_code=ok");
	assert_true(match_rung(&s.scope, &r, i, false));
	assert_false(match_rung(&s.scope, &r, i, true));
	match_test_parse(&s, &r, "ack_cc | response return_code=null");
	assert_true(match_rung(&s.scope, &r, i, true));
	match_test_parse(&s, &r, "ack | response return_code=no_match");
	assert_false(match_rung(&s.scope, &r, i, false));
	match_test_put_away(&s);
}

/*
 * An ACK without a SES header has next_hdr NONE or, by a later reading, CP_ACK.
 */
static void the_ack_of_a_cp_has_two_names(void **state)
{
	struct pds_ack ack = {
		.type = PDS_ACK, .next_hdr = PDS_NEXT_CP_ACK, .cack_psn = 10};
	struct setting s;
	struct rung r;
	size_t i;

	(void)state;
	match_test_set_up(&s);
	memset(s.d.data, 0, 64);
	pds_ack_put(&ack, s.d.data);
	s.d.len = 12;
	i = match_test_add(&s);
	match_test_parse(&s, &r, "ack ack_psn=333 next_hdr=none");
	assert_true(match_rung(&s.scope, &r, i, false));
	assert_false(match_rung(&s.scope, &r, i, true));
	assert_false(match_rung(&s.scope, &r, 0, false));
	match_test_parse(&s, &r, "ack next_hdr=response");
	assert_false(match_rung(&s.scope, &r, i, false));
	match_test_parse(&s, &r, "ack next_hdr=cp_ack");
	assert_true(match_rung(&s.scope, &r, i, true));
	match_test_put_away(&s);
}

/* The first packet of a message has no message_offset: it is 0. */
static void a_first_packet_is_at_offset_0(void **state)
{
	const struct pds_req req = {.type = PDS_RUD_REQ,
				    .next_hdr = PDS_NEXT_REQUEST_STD};
	const struct ses_std_som ses = {
		.opcode = SES_READ, .som = 1, .request_length = 2048};
	struct setting s;
	struct rung r;
	size_t i;

	(void)state;
	match_test_set_up(&s);
	memset(s.d.data, 0, 64);
	pds_req_put(&req, s.d.data);
	ses_std_som_put(&ses, s.d.data + pds_req_len);
	s.d.len = pds_req_len + ses_std_som_len;
	i = match_test_add(&s);
	match_test_parse(&s, &r, "rud_req | std read message_offset=0");
	assert_true(match_rung(&s.scope, &r, i, true));
	match_test_parse(&s, &r, "rud_req | std read message_offset=1024");
	assert_false(match_rung(&s.scope, &r, i, false));
	match_test_put_away(&s);
}

/* Adds a single-packet send with the MEDIUM header, which has no message id. */
static size_t add_medium(struct setting *s)
{
	const struct pds_req req = {.type = PDS_RUD_REQ,
				    .next_hdr = PDS_NEXT_REQUEST_MEDIUM,
				    .psn = 48};
	const struct ses_medium ses = {
		.opcode = SES_SEND, .som = 1, .eom = 1, .request_length = 8};

	memset(s->d.data, 0, 64);
	pds_req_put(&req, s->d.data);
	ses_medium_put(&ses, s->d.data + pds_req_len);
	s->d.len = pds_req_len + ses_medium_len + 8;
	return match_test_add(s);
}

/* The source may choose the header of a single-packet operation. */
static void a_shorter_header_meets_the_standard_one(void **state)
{
	static const struct {
		const char *rung;
		bool meets, meets_exactly;
	} rows[] = {
		{"rud_req | std", true, false},
		{"rud_req | std send", true, false},
		{"rud_req | std send som eom | data 8", true, false},
		{"rud_req | std send message_id=7 som eom", true, false},
		{"rud_req | std send message_id=$m som eom", true, false},
		{"rud_req | std send request_length=8", true, false},
		{"rud_req | medium send som eom", true, true},
		{"rud_req | small send som eom", false, false},
		{"rud_req | std write som eom", false, false},
		{"rud_req | std send som eom | data 9", false, false},
		{"rud_req | std send request_length=9", false, false},
		{"rud_req next_hdr=request_std | std send", false, false},
		/* for a message of several packets */
		{"rud_req | std send som", false, false},
		{"rud_req | std send som=0 eom", false, false},
		{"rud_req | std send message_offset=0", false, false},
	};
	struct setting s;
	size_t i;

	(void)state;
	match_test_set_up(&s);
	i = add_medium(&s);
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct rung r;

		match_test_parse(&s, &r, rows[k].rung);
		if (match_rung(&s.scope, &r, i, false) != rows[k].meets)
			fail_msg("%s", rows[k].rung);
		if (match_rung(&s.scope, &r, i, true) != rows[k].meets_exactly)
			fail_msg("%s (exact)", rows[k].rung);
	}
	match_test_put_away(&s);
}

/*
 * Without a message id in the header $m is 0, and scope_unnamed() returns the
 * PSN.
 */
static void a_message_without_an_id_goes_by_its_psn(void **state)
{
	struct setting s;
	struct rung r;
	uint32_t psn;
	size_t i;

	(void)state;
	match_test_set_up(&s);
	i = add_medium(&s);
	match_test_parse(&s, &r,
			 "rud_req psn=$p | std send message_id=$m som eom");
	assert_int_equal(match_bind(&s.scope, &r, i), 0);
	assert_int_equal(*scope_find(&s.scope, "m"), 0);
	assert_true(scope_unnamed(&s.scope, "m", &psn));
	assert_int_equal(psn, 48);
	assert_false(scope_unnamed(&s.scope, "p", &psn));
	match_test_put_away(&s);
}

/* A target may send a Clear Request at any time. */
static void a_clear_request_is_not_any_packet(void **state)
{
	struct pds_cp cp = {.type = PDS_CP, .ctl_type = PDS_CP_CLEAR_REQUEST};
	struct setting s;
	struct rung any, clear;

	(void)state;
	match_test_set_up(&s);
	pds_cp_put(&cp, s.d.data);
	s.d.len = pds_cp_len + cp_clear_len;
	match_test_add(&s);
	match_test_parse(&s, &any, "any");
	match_test_parse(&s, &clear, "cp clear_request");
	assert_true(match_rung(&s.scope, &any, 0, false));
	assert_false(match_rung(&s.scope, &any, 1, false));
	assert_true(match_rung(&s.scope, &clear, 1, false));
	match_test_put_away(&s);
}

static void symbols_bind_to_what_came(void **state)
{
	struct setting s;
	struct rung r;

	(void)state;
	match_test_set_up(&s);
	match_test_parse(&s, &r, "ack ack_psn=$p+2 | response message_id=$m");
	assert_true(match_rung(&s.scope, &r, 0, false));
	assert_null(scope_find(&s.scope, "p"));
	assert_int_equal(match_bind(&s.scope, &r, 0), 0);
	assert_int_equal((uint32_t)*scope_find(&s.scope, "p"), 8);
	assert_int_equal(*scope_find(&s.scope, "m"), 1);
	match_test_parse(&s, &r, "ack ack_psn=$p");
	assert_false(match_rung(&s.scope, &r, 0, false));
	match_test_parse(&s, &r,
			 "ack req=* | response message_id=*"); /* any value */
	assert_int_equal(match_bind(&s.scope, &r, 0), 0);
	match_test_put_away(&s);
}

static void every_field_is_told(void **state)
{
	struct text expected = {0}, actual = {0};
	struct setting s;
	struct rung r;

	(void)state;
	match_test_set_up(&s);
	match_test_parse(&s, &r,
			 "ack ack_psn=333 cack_psn=333 req=none | response "
			 "return_code=no_match message_id=2");
	match_explain(&s.scope, &r, 0, &expected, &actual);
	assert_string_equal(text_cstr(&expected),
			    "ack ack_psn=333 cack_psn=333 req=none | response "
			    "return_code=no_match message_id=2");
	assert_string_equal(text_cstr(&actual),
			    "ack ack_psn=333 cack_psn=332 req=clear | response "
			    "return_code=ok message_id=1");
	text_free(&expected);
	text_free(&actual);
	match_test_put_away(&s);
}

static void malformed_packets_meet_no_rung(void **state)
{
	struct setting s;
	struct rung r;
	size_t i;

	(void)state;
	match_test_set_up(&s);
	match_test_parse(&s, &r, "ack");
	for (size_t len = 0; len < 24; len++) {
		s.d.len = len;
		i = match_test_add(&s);
		assert_false(match_rung(&s.scope, &r, i, false));
	}
	match_test_put_away(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rungs_say_what_they_look_at),
		cmocka_unit_test(what_readers_disagree_on_is_allowed),
		cmocka_unit_test(the_ack_of_a_cp_has_two_names),
		cmocka_unit_test(a_first_packet_is_at_offset_0),
		cmocka_unit_test(a_shorter_header_meets_the_standard_one),
		cmocka_unit_test(a_message_without_an_id_goes_by_its_psn),
		cmocka_unit_test(a_clear_request_is_not_any_packet),
		cmocka_unit_test(symbols_bind_to_what_came),
		cmocka_unit_test(every_field_is_told),
		cmocka_unit_test(malformed_packets_meet_no_rung),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
