/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/transition_test.c -- the states of contexts as packets
 * show them, and the transitions that are possible.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/reach/transition.h"
#include "wire/packet.h"

/* A packet of a run: who sends it, its fields and number, what it shows. */
struct shown {
	bool device;
	const char *type;
	struct field_value set[3];
	size_t nset;
	uint32_t number;
	const char *transition;
};

static struct transition_set *set_new(void)
{
	struct transition_set *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	return t;
}

/* Returns the one transition that a set has and |before| has not. */
static const char *set_added(const struct transition_set *t,
			     const struct transition_set *before,
			     enum draft_subject s, struct text *ret)
{
	size_t at = 0, was = 0;
	struct transition x, y;

	text_clear(ret);
	while (transition_left(before, s, CHAIR_TARGET, &was, &x))
		if (!transition_left(t, s, CHAIR_TARGET, &at, &y) ||
		    at != was) {
			transition_print(&t->table, &x, ret);
			break;
		}
	return text_cstr(ret);
}

static void check_run(enum draft_subject s, const struct shown *run, size_t n)
{
	struct transition_set *t = set_new(), *before = set_new();
	struct transition_run r;
	struct text text = {0};

	transition_begin(&r, t, s, CHAIR_TARGET);
	for (size_t i = 0; i < n; i++) {
		const struct packet_spec spec = {.type = run[i].type,
						 .set = run[i].set,
						 .nset = run[i].nset};
		struct packet pkt;
		uint8_t p[256];
		int len = packet_build(p, sizeof(p), &spec, NULL);

		assert_true(len > 0);
		packet_parse(draft_family(s), &pkt, p, (size_t)len);
		*before = *t;
		assert_true(transition_step(&r, &pkt, run[i].device, 0,
					    &run[i].number));
		assert_string_equal(set_added(t, before, s, &text),
				    run[i].transition);
		assert_false(t->beyond);
	}
	text_free(&text);
	free(before);
	free(t);
}

static void test_pdc(void **state)
{
	static const struct shown run[] = {
		{false,
		 "rud_req",
		 {{"syn", 1, false}, {"ar", 1, false}},
		 2,
		 10,
		 "none: tester rud_req ar syn first -> opening"},
		{true,
		 "ack",
		 {{"cack_psn", 10, false}},
		 1,
		 10,
		 "opening: device ack none open -> idle"},
		{false,
		 "rud_req",
		 {{"ar", 1, false}},
		 1,
		 11,
		 "idle: tester rud_req ar next -> busy"},
		{false,
		 "rud_req",
		 {{"ar", 1, false}},
		 1,
		 13,
		 "busy: tester rud_req ar gap -> busy"},
		{true,
		 "nack",
		 {{"nack_code", 0x07, false}},
		 1,
		 13,
		 "busy: device nack no_pkt_buffer open -> hole"},
		{false,
		 "rud_req",
		 {{"retx", 1, false}},
		 1,
		 13,
		 "hole: tester rud_req retx open -> busy"},
		{true,
		 "ack",
		 {{"cack_psn", 13, false}, {"retx", 1, false}},
		 2,
		 13,
		 "busy: device ack retx none open -> idle"},
		{true,
		 "ack",
		 {{"cack_psn", 13, false}},
		 1,
		 11,
		 "idle: device ack none done -> idle"},
		{false,
		 "cp",
		 {{"ctl_type", 4, false}, {"ar", 1, false}},
		 2,
		 14,
		 "idle: tester cp close_command ar next -> closing"},
		{true,
		 "ack",
		 {{"cack_psn", 14, false}},
		 1,
		 14,
		 "closing: device ack none open -> closed"},
	};

	(void)state;
	check_run(DRAFT_RUD, run, sizeof(run) / sizeof(run[0]));
}

/* The numbers of RUDI have no order; a QP has no handshake. */
static void test_others(void **state)
{
	static const struct shown rudi[] = {
		{false,
		 "rudi_req",
		 {{0}},
		 0,
		 900,
		 "none: tester rudi_req first -> busy"},
		{false,
		 "rudi_req",
		 {{0}},
		 0,
		 5,
		 "busy: tester rudi_req next -> busy"},
		{true,
		 "rudi_resp",
		 {{0}},
		 0,
		 900,
		 "busy: device rudi_resp open -> busy"},
		{true,
		 "rudi_resp",
		 {{0}},
		 0,
		 900,
		 "busy: device rudi_resp done -> busy"},
	};
	/* 24 bits */
	static const struct shown wqe[] = {
		{false,
		 "wqe_send_only",
		 {{"ackreq", 1, false}},
		 1,
		 0xffffff,
		 "none: tester wqe_send_only ackreq first -> busy"},
		{false,
		 "wqe_send_only",
		 {{0}},
		 0,
		 0,
		 "busy: tester wqe_send_only next -> busy"},
		{true,
		 "wqe_ack",
		 {{"syndrome", 0x60, false}},
		 1,
		 0,
		 "busy: device wqe_ack psn_seq_err open -> hole"},
		{true,
		 "wqe_ack",
		 {{"syndrome", 5, false}},
		 1,
		 0,
		 "hole: device wqe_ack ack open -> idle"},
	};

	(void)state;
	check_run(DRAFT_RUDI, rudi, sizeof(rudi) / sizeof(rudi[0]));
	check_run(DRAFT_WQE, wqe, sizeof(wqe) / sizeof(wqe[0]));
}

/* Each possible transition is reached or left. */
static void test_counts(void **state)
{
	struct transition_set *t = set_new();

	(void)state;
	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		for (int c = 0; c < CHAIR_COUNT; c++) {
			struct transition_run run;
			struct transition_counts n;
			struct transition x;
			size_t at = 0, left = 0;

			memset(t, 0, sizeof(*t));
			transition_begin(&run, t, (enum draft_subject)s,
					 (enum chair)c);
			transition_count(t, (enum draft_subject)s,
					 (enum chair)c, &n);
			while (transition_left(t, (enum draft_subject)s,
					       (enum chair)c, &at, &x))
				left++;
			assert_int_equal(n.reached, 0);
			assert_int_equal(n.possible, left);
			assert_true(n.possible > 0 && n.possible < 2000);
		}
	free(t);
}

/* A device leaves no number out. */
static void test_impossible(void **state)
{
	struct transition_table *t = calloc(1, sizeof(*t));
	struct transition x = {.chair = CHAIR_INITIATOR,
			       .from_device = true,
			       .place = PLACE_GAP,
			       .before = CONTEXT_IDLE,
			       .after = CONTEXT_BUSY};

	(void)state;
	assert_non_null(t);
	transition_table(t, DRAFT_RUD);
	assert_string_equal(t->types[0].word, "rud_req");
	assert_false(transition_possible(t, DRAFT_RUD, &x));
	x.place = PLACE_NEXT;
	assert_true(transition_possible(t, DRAFT_RUD, &x));
	x.after = CONTEXT_CLOSED;
	assert_false(transition_possible(t, DRAFT_RUD, &x));
	free(t);
}

/* The tables have room for each type: none is left out. */
static void test_each_type_has_kinds(void **state)
{
	static const struct {
		enum draft_subject subject;
		const char *prefix;
	} types[] = {{DRAFT_UUD, "uud_"},
		     {DRAFT_SRD, "srd_"},
		     {DRAFT_WQE, "wqe_"},
		     {DRAFT_ROCE, "rc_"}};
	struct transition_table *t = calloc(1, sizeof(*t));

	(void)state;
	assert_non_null(t);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const enum family f = draft_family(types[i].subject);
		const struct value_name *w = wire_families[f]->format->types;
		unsigned n = 0;

		for (; w->name; w++)
			n += strncmp(w->name, types[i].prefix,
				     strlen(types[i].prefix)) == 0;
		transition_table(t, types[i].subject);
		assert_true(n > 0);
		assert_int_equal(t->ntypes, n);
	}
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pdc),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_each_type_has_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
