/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/ladder/ladder.h"

#include "base/rng.h"
#include "reports/fixture_test.h"
#include "reports/golden_test.h"
#include "reports/safe.h"

static void ladder_test_golden(void (*make)(struct record *), const char *path,
			       const struct ladder_opts *o)
{
	struct record r = {0};
	struct text t = {0};

	make(&r);
	ladder_print(&t, &r, o);
	golden_check(&t, path);
	text_free(&t);
	record_free(&r);
}

static void a_pass_looks_so(void **state)
{
	(void)state;
	ladder_test_golden(fixture_pass, "reports/golden/pass.txt", NULL);
}

static void ladder_test_a_fail_looks_so(void **state)
{
	(void)state;
	ladder_test_golden(fixture_fail, "reports/golden/fail.txt", NULL);
}

static void a_loss_looks_so(void **state)
{
	(void)state;
	ladder_test_golden(fixture_loss, "reports/golden/loss.txt", NULL);
}

static void a_narrow_one_looks_so(void **state)
{
	const struct ladder_opts o = {
		.width = 72, .unicode = true, .verbose = true};

	(void)state;
	ladder_test_golden(fixture_fail, "reports/golden/narrow.txt", &o);
}

/* A long ladder has all rows, or its finding and a line that counts others. */
static void a_long_one_is_cut(void **state)
{
	struct record r = {0};
	struct text t = {0};
	struct ladder_opts o = {0};

	(void)state;
	fixture_fail(&r);
	for (uint32_t i = 0; i < 400; i++)
		fixture_line(&r, REC_NOTE, FIXTURE_US(300), "a remark");
	ladder_print(&t, &r, &o);
	assert_null(strstr(text_cstr(&t), "-v shows all"));
	text_clear(&t);
	o.most = 100;
	ladder_print(&t, &r, &o);
	assert_non_null(strstr(text_cstr(&t), "-v shows all"));
	assert_non_null(strstr(text_cstr(&t), "! FAIL"));
	text_free(&t);
	record_free(&r);
}

static void width_of_lines(const struct text *t, unsigned width)
{
	const char *s = text_cstr(t);

	while (*s) {
		size_t n = strcspn(s, "\n");

		assert_true(safe_columns(s, n) <= width);
		assert_true(!n || s[n - 1] != ' ');
		s += n + (s[n] != 0);
	}
}

static void width_is_respected(void **state)
{
	static void (*const make[])(struct record *) = {
		fixture_pass, fixture_fail, fixture_loss};
	struct record r = {0};
	struct text t = {0};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		make[i](&r);
		for (unsigned w = 0; w < 2 * 100; w++) {
			const struct ladder_opts o = {.width = 72 + w / 2,
						      .unicode = w & 1,
						      .verbose = w & 2};

			text_clear(&t);
			ladder_print(&t, &r, &o);
			width_of_lines(&t, o.width);
		}
	}
	text_free(&t);
	record_free(&r);
}

static void equal_records_give_equal_bytes(void **state)
{
	struct record a = {0}, b = {0};
	struct text s = {0}, t = {0};

	(void)state;
	fixture_loss(&a);
	fixture_fail(&b); /* wider than its text */
	fixture_loss(&b);
	ladder_print(&s, &a, NULL);
	ladder_print(&t, &b, NULL);
	assert_string_equal(text_cstr(&s), text_cstr(&t));
	text_free(&s);
	text_free(&t);
	record_free(&a);
	record_free(&b);
}

static void colour_is_only_on_demand(void **state)
{
	const struct ladder_opts o = {.color = true};
	struct record r = {0};
	struct text t = {0}, plain = {0};
	char *s;

	(void)state;
	fixture_fail(&r);
	ladder_print(&t, &r, NULL);
	assert_null(strchr(t.s, '\033'));
	text_puts(&plain, t.s);
	text_clear(&t);
	ladder_print(&t, &r, &o);
	assert_non_null(strstr(t.s, "\033[31m"));
	for (s = t.s; (s = strchr(s, '\033'));)
		memmove(s, strchr(s, 'm') + 1, strlen(strchr(s, 'm') + 1) + 1);
	assert_string_equal(t.s, plain.s);
	text_free(&t);
	text_free(&plain);
	record_free(&r);
}

static void what_a_device_says_steers_no_terminal(void **state)
{
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_pass(&r);
	fixture_line(&r, REC_EVENT, FIXTURE_US(400), "\033[2J not json");
	fixture_line(&r, REC_NOTE, FIXTURE_US(400), "device said \033]0;x\007");
	record_note(&r, 0, "bell \007");
	snprintf(r.reason, sizeof(r.reason), "\xff\033c");
	ladder_print(&t, &r, &(struct ladder_opts){.verbose = true});
	for (size_t i = 0; i < t.len; i++)
		assert_true((unsigned char)t.s[i] >= 0x20 || t.s[i] == '\n');
	assert_non_null(strstr(t.s, "\\x1b[2J not json"));
	text_free(&t);
	record_free(&r);
}

static void a_bad_opening_is_not_folded(void **state)
{
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_pass(&r);
	fixture_finding(&r, (struct rec_finding){.req = REQ_RUD_SEQ_76,
						 .role = REQ_DST,
						 .frame = 2,
						 .text = "no good"});
	ladder_print(&t, &r, NULL);
	assert_null(strstr(t.s, "opening:"));
	assert_non_null(strstr(t.s, "closing:"));
	assert_non_null(strstr(t.s, "! FAIL RUD-SEQ-76/dst: no good\n"));
	text_free(&t);
	record_free(&r);
}

static void odd_records_can_be_drawn(void **state)
{
	struct record r = {0};
	struct text t = {0};
	struct dgram d = {.len = 1};
	struct rec e = {.kind = REC_RX, .frame = 1, .at = 5};

	(void)state;
	ladder_print(&t, &r, NULL); /* nothing at all */
	record_add(&r, &e, &d, NULL, NULL);
	e.kind = REC_TX;
	record_add(&r, &e, NULL, NULL, NULL);
	fixture_finding(&r, (struct rec_finding){.req = REQ_NONE, .frame = 77});
	text_clear(&t);
	ladder_print(&t, &r, &(struct ladder_opts){.width = 1});
	width_of_lines(&t, LADDER_WIDTH_MIN);
	assert_non_null(strstr(t.s, "! FAIL not as expected\n"));
	text_free(&t);
	record_free(&r);
}

/* Random bytes, fates and times in every width: nothing breaks. */
static void anything_can_be_drawn(void **state)
{
	struct rng rng = {1};
	struct record r = {0};
	struct text t = {0};

	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct ladder_opts o = {.width = round % 120};

		o.verbose = round & 1;
		o.unicode = round & 2;
		fixture_begin(&r, "uet/x/y", CHAIR_TARGET);
		for (unsigned i = 0; i < 12; i++) {
			struct dgram d = {.len = rng_below(&rng, 90)};
			struct rec e = {
				.kind = (enum rec_kind)rng_below(&rng, 6),
				.fate = (enum fate)rng_below(&rng, 5),
				.at = (vtime)(rng_next(&rng) >>
					      (1 + rng_below(&rng, 60))),
				.setup = rng_below(&rng, 4) == 0,
				.line = (unsigned)rng_below(&rng, 3),
				.frame = i + 1,
			};

			for (size_t j = 0; j < d.len; j++)
				d.data[j] = (uint8_t)rng_next(&rng);
			if (d.len && rng_below(&rng, 4))
				d.data[0] = (uint8_t)((1 + i) << 3 | 1);
			record_add(&r, &e, &d, "a note of some length",
				   "{\"event\":\"x\",\"y\":[1,2,3]}");
		}
		text_clear(&t);
		ladder_print(&t, &r, &o);
		assert_int_equal(text_err(&t), 0);
	}
	text_free(&t);
	record_free(&r);
}

static void chairs_name_the_hosts(void **state)
{
	struct record r = {0};
	struct text t = {0};

	(void)state;
	fixture_pass(&r);
	r.chair = CHAIR_INITIATOR;
	ladder_print(&t, &r, NULL);
	assert_true(strstr(t.s, "tester (FEP-B)") < strstr(t.s, "DUT (FEP-A)"));
	text_clear(&t);
	ladder_print(&t, &r,
		     &(struct ladder_opts){
			     .bare = true, .tester = "10.0.0.1", .dut = "b"});
	assert_null(strstr(t.s, "FEP"));
	assert_non_null(strstr(t.s, "10.0.0.1"));
	assert_null(strstr(t.s, "pass"));
	text_free(&t);
	record_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_looks_so),
		cmocka_unit_test(ladder_test_a_fail_looks_so),
		cmocka_unit_test(a_loss_looks_so),
		cmocka_unit_test(a_narrow_one_looks_so),
		cmocka_unit_test(a_long_one_is_cut),
		cmocka_unit_test(width_is_respected),
		cmocka_unit_test(equal_records_give_equal_bytes),
		cmocka_unit_test(colour_is_only_on_demand),
		cmocka_unit_test(what_a_device_says_steers_no_terminal),
		cmocka_unit_test(a_bad_opening_is_not_folded),
		cmocka_unit_test(odd_records_can_be_drawn),
		cmocka_unit_test(anything_can_be_drawn),
		cmocka_unit_test(chairs_name_the_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
