/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/choices_test.c -- the log of choices, and the odometer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/explore/choices.h"
#include "suite/explore/draft.h"
#include "suite/explore/draft_make.h"
#include "suite/explore/schedule.h"

static void test_replays(void **state)
{
	struct choices c;
	uint32_t v[20];

	(void)state;
	choices_draw(&c, 7);
	for (unsigned i = 0; i < 20; i++)
		v[i] = choose(&c, 3 + i);
	choices_replay(&c);
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(choose(&c, 3 + i), v[i]);
	/* Behind the end every choice is the simplest one. */
	assert_int_equal(choose(&c, 1000), 0);
	assert_int_equal(c.n, 20);
}

static void test_prints(void **state)
{
	struct choices c, back;
	struct text t = {0};

	(void)state;
	choices_draw(&c, 1);
	for (unsigned i = 0; i < 9; i++)
		choose(&c, 100);
	choices_print(&c, &t);
	assert_int_equal(choices_parse(&back, text_cstr(&t)), 0);
	assert_int_equal(back.n, c.n);
	assert_memory_equal(back.v, c.v, c.n * sizeof(c.v[0]));
	assert_int_equal(choices_parse(&back, "1,,2"), ERR_VALUE);
	assert_int_equal(choices_parse(&back, "1,x"), ERR_VALUE);
	assert_int_equal(choices_parse(&back, ""), ERR_VALUE);
	text_free(&t);
}

static void test_cuts(void **state)
{
	struct choices c;

	(void)state;
	assert_int_equal(choices_parse(&c, "1,2,3,4,5"), 0);
	choices_cut(&c, 1, 2);
	assert_int_equal(c.n, 3);
	assert_int_equal(c.v[1], 4);
	choices_cut(&c, 2, 9);
	assert_int_equal(c.n, 2);
	choices_cut(&c, 7, 1);
	assert_int_equal(c.n, 2);
}

static void draft_of(struct choices *c, struct text *ret)
{
	const struct draft_head head = {.title = "A draft", .covers = REQ_NONE};
	struct draft d = {.c = c};

	choices_replay(c);
	draft_make(&d, (1u << DRAFT_SUBJECTS) - 1, (1u << CHAIR_COUNT) - 1);
	draft_text(&d, &head, ret);
	draft_free(&d);
}

/* The same log gives the same text; another log gives another one. */
static void test_drafts(void **state)
{
	struct text a = {0}, b = {0};
	struct choices c;
	unsigned differ = 0;

	(void)state;
	for (uint64_t seed = 1; seed < 50; seed++) {
		struct draft d = {.c = &c};

		choices_draw(&c, seed);
		draft_make(&d, (1u << DRAFT_SUBJECTS) - 1,
			   (1u << CHAIR_COUNT) - 1);
		draft_free(&d);
		text_clear(&b);
		draft_of(&c, &b);
		differ += a.len != b.len;
		text_clear(&a);
		draft_of(&c, &a);
		assert_string_equal(text_cstr(&a), text_cstr(&b));
	}
	assert_true(differ > 40);
	text_free(&a);
	text_free(&b);
}

/* The bound of the second decision depends on the first decision. */
static void test_odometer(void **state)
{
	static struct odometer o;
	unsigned seen[3] = {0}, n = 0;

	(void)state;
	do {
		unsigned first, bound;

		o.at = 0;
		first = odometer_pick(&o, 3);
		bound = 2 + first;
		assert_true(odometer_pick(&o, bound) < bound);
		seen[first]++;
		n++;
	} while (odometer_next(&o));
	assert_int_equal(n, 2 + 3 + 4);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(seen[i], 2 + i);
}

/* One request, one fault: no schedule goes wrong, and each is made once. */
static void test_schedules(void **state)
{
	const struct orc_api *const api[2] = {&orc_reference, &orc_reference};
	struct schedule_totals t = {0};
	struct schedule *s;

	(void)state;
	assert_int_equal(schedule_new(&s, DRAFT_RUD, api, 1, 1), 0);
	do {
		s->odometer.at = 0;
		schedule_run(s, &t);
		if (s->wrong)
			fail_msg("%s", s->text);
	} while (odometer_next(&s->odometer));
	assert_true(t.schedules > 50);
	assert_true(t.packets > t.schedules);
	schedule_free(s);
	assert_int_equal(schedule_new(&s, DRAFT_ROCE, api, 1, 1), ERR_VALUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replays),
		cmocka_unit_test(test_prints),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_drafts),
		cmocka_unit_test(test_odometer),
		cmocka_unit_test(test_schedules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
