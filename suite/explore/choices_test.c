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
#include "suite/explore/schedule_draw.h"
#include "suite/explore/trial/trial.h"

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

/* A plan decides what it wants; every other choice is 0. */
static void test_simplest(void **state)
{
	struct choices c;

	(void)state;
	choices_simplest(&c);
	assert_int_equal(choose(&c, 1000), 0);
	assert_int_equal(choose_as(&c, 1000, 7), 7);
	assert_int_equal(choose(&c, 1000), 0);
	assert_int_equal(c.n, 3);
	choices_replay(&c);
	assert_int_equal(choose(&c, 1000), 0);
	assert_int_equal(choose(&c, 1000), 7);
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

/* A plan has what it wants, and the members of a draft name it. */
static void test_names_values(void **state)
{
	/* the places of the opening are its first PSN and its setting */
	const struct draft_plan plan = {.subject = DRAFT_RUD,
					.chair = CHAIR_TARGET,
					.n = 1,
					.wants = {{0, 0, 5},
						  {0, 1, 11},
						  {0, DRAFT_PLACE_MARK, 1},
						  {1, 0, 3}},
					.nwants = 4};
	struct choices c;
	struct draft d = {.c = &c, .plan = &plan};
	char members[200];

	(void)state;
	choices_draw(&c, 1);
	draft_make(&d, 1u << DRAFT_RUD, 1u << CHAIR_TARGET);
	assert_non_null(strstr(text_cstr(&d.body), "configure rod_nack_each"));
	assert_non_null(strstr(text_cstr(&d.body), "let $start = 0\n"));
	assert_non_null(strstr(text_cstr(&d.body), "| data mtu\n"));
	draft_members(&d, members, sizeof(members));
	assert_string_equal(members,
			    "default (0, rod_nack_each=1, mark_ce > any); "
			    "The device acknowledges a send of one packet and "
			    "delivers it once (mtu)");
	draft_members(&d, members, 20);
	assert_string_equal(members, "default (0, rod_nac");
	draft_free(&d);
}

/* No draft draws more numbers than it remembers. */
static void test_values_have_room(void **state)
{
	struct choices c;
	size_t most = 0;

	(void)state;
	for (uint64_t seed = 1; seed < 3000; seed++) {
		struct draft d = {.c = &c};

		choices_draw(&c, seed);
		draft_make(&d, (1u << DRAFT_SUBJECTS) - 1,
			   (1u << CHAIR_COUNT) - 1);
		most = d.nvalues > most ? d.nvalues : most;
		for (size_t i = 0; i < d.nvalues; i++)
			assert_true(d.values[i].slot <= d.nmoves &&
				    d.values[i].class < d.values[i].classes);
		draft_free(&d);
	}
	assert_true(most > 20 && most < DRAFT_VALUES / 2);
}

/*
 * A rule of the network finds a packet of the tester: without one the verdict
 * would be inconclusive.
 */
static void test_rules_find_packets(void **state)
{
	struct choices c;
	unsigned wrapped = 0, marked = 0;

	(void)state;
	for (uint64_t seed = 1; seed < 6000; seed++) {
		struct draft d = {.c = &c};
		const char *body, *rule;

		choices_draw(&c, seed);
		draft_make(&d, 1u << DRAFT_UUD | 1u << DRAFT_RUDI,
			   (1u << CHAIR_COUNT) - 1);
		body = text_cstr(&d.body);
		if (strstr(body, " > any\n")) {
			wrapped++;
			assert_non_null(strstr(body, "  > "));
		}
		for (rule = body; (rule = strstr(rule, "mark_ce > rudi_req"));
		     rule++) {
			marked++;
			assert_non_null(
				strstr(rule, "req nth=1\n  > rudi_req"));
		}
		draft_free(&d);
	}
	assert_true(wrapped > 20 && marked > 20);
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
		first = odometer_pick(&o, 3, false);
		bound = 2 + first;
		assert_true(odometer_pick(&o, bound, false) < bound);
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

/* The series, in any order, have the schedules of one run of all. */
static void test_series(void **state)
{
	const struct orc_api *const api[2] = {&orc_reference, &orc_reference};
	struct schedule_totals all = {0}, apart = {0};
	struct schedule *s;

	(void)state;
	assert_int_equal(schedule_new(&s, DRAFT_WQE, api, 2, 2), 0);
	do {
		s->odometer.at = 0;
		schedule_run(s, &all);
	} while (odometer_next(&s->odometer));
	assert_int_equal(schedule_series_count(s), 9);
	for (unsigned i = 9; i-- > 0;) {
		schedule_series(s, i);
		do {
			s->odometer.at = 0;
			schedule_run(s, &apart);
		} while (odometer_next(&s->odometer));
	}
	assert_true(all.schedules > 100);
	assert_memory_equal(&all, &apart, sizeof(all));
	schedule_free(s);
}

/* Runs all schedules of |s|.  Returns a hash of what was wrong in them. */
static uint64_t runs_all(struct schedule *s, struct schedule_totals *t)
{
	uint64_t h = 0;

	for (unsigned i = 0; i < schedule_series_count(s); i++) {
		schedule_series(s, i);
		do {
			s->odometer.at = 0;
			schedule_run(s, t);
			for (const char *c = s->text; s->wrong && *c; c++)
				h = h * 31 + (unsigned char)*c;
		} while (odometer_next(&s->odometer));
	}
	return h;
}

/* Clears the flag retx of requests of RUD and ROD. */
static bool poll_without_retx(struct orc *o, struct dgram *ret)
{
	if (!orc_reference.poll_tx(o, ret))
		return false;
	if (ret->data[0] >> 3 == PDS_RUD_REQ ||
	    ret->data[0] >> 3 == PDS_ROD_REQ)
		ret->data[1] &= 0xef;
	return true;
}

/*
 * Runs that go on from a mark see and find what runs from the start do, with
 * right ends and with a wrong one.
 */
static void test_shares(void **state)
{
	struct orc_api wrong = orc_reference;
	const struct orc_api *const right[2] = {&orc_reference, &orc_reference};
	const struct orc_api *const worse[2] = {&wrong, &orc_reference};

	(void)state;
	wrong.poll_tx = poll_without_retx;
	for (unsigned i = 0; i < 4; i++) {
		struct schedule_totals shared = {0}, apart = {0};
		struct schedule *s;
		uint64_t found;

		assert_int_equal(schedule_new(&s, i & 1 ? DRAFT_ROD : DRAFT_RUD,
					      i & 2 ? worse : right, 1, 2),
				 0);
		s->anew = false;
		found = runs_all(s, &shared);
		s->anew = true;
		assert_true(found == runs_all(s, &apart));
		assert_true(!(i & 2) == !found);
		assert_int_equal(apart.pushed, apart.packets);
		assert_true(shared.pushed < apart.pushed * 2 / 3);
		apart.pushed = shared.pushed;
		assert_memory_equal(&shared, &apart, sizeof(shared));
		schedule_free(s);
	}
}

/* Draws |runs| schedules. Returns their packets, as text. */
static void draws_of(struct schedule *s, uint64_t seed, unsigned runs,
		     struct text *ret)
{
	struct schedule_totals t = {0};
	struct rng rng = {seed};

	s->trace = ret;
	for (unsigned i = 0; i < runs; i++) {
		schedule_draw(s, &rng, &t);
		if (s->wrong)
			fail_msg("%s", s->text);
	}
	s->trace = NULL;
	assert_int_equal(t.schedules, runs);
	assert_int_equal(t.pruned, 0);
}

/* The same seed draws the same packets, and a log of decisions repeats them. */
static void test_draws(void **state)
{
	const struct orc_api *const api[2] = {&orc_reference, &orc_reference};
	struct text a = {0}, b = {0}, last = {0};
	struct schedule_totals t = {0};
	struct schedule *s;

	(void)state;
	assert_int_equal(schedule_new(&s, DRAFT_ROD, api, 6, 4), 0);
	draws_of(s, 7, 20, &a);
	draws_of(s, 7, 19, &b);
	draws_of(s, 8, 20, &last);
	assert_int_equal(strncmp(text_cstr(&a), text_cstr(&b), b.len), 0);
	assert_true(a.len > b.len);
	assert_string_not_equal(text_cstr(&a), text_cstr(&last));
	text_clear(&b);
	draws_of(s, 7, 20, &b);
	text_clear(&b);
	s->trace = &b;
	schedule_again(s, &t);
	assert_true(b.len > 100);
	assert_string_equal(text_cstr(&a) + a.len - b.len, text_cstr(&b));
	schedule_free(s);
	text_free(&a);
	text_free(&b);
	text_free(&last);
}

static bool no_event(struct orc *o, struct orc_event *ret)
{
	(void)o;
	(void)ret;
	return false;
}

/* An end that reports nothing: one request without a fault shows it. */
static void test_reduces_a_schedule(void **state)
{
	struct orc_api silent = orc_reference;
	const struct orc_api *const api[2] = {&silent, &orc_reference};
	struct schedule_totals t = {0};
	struct rng rng = {4};
	unsigned faults = 0;
	struct schedule *s;

	(void)state;
	silent.poll_event = no_event;
	assert_int_equal(schedule_new(&s, DRAFT_SRD, api, 8, 6), 0);
	schedule_draw(s, &rng, &t);
	assert_true(s->wrong);
	for (size_t i = 8; i < s->odometer.n; i++)
		faults += s->odometer.v[i] != 0;
	assert_true(faults > 0);
	assert_true(schedule_reduce(s, &t) >= 8);
	assert_true(s->wrong);
	assert_string_equal(s->text, "operation 1 completed 0 times");
	assert_int_equal(s->requests, 1);
	for (size_t i = 0; i < s->odometer.n; i++)
		assert_int_equal(s->odometer.v[i], 0);
	schedule_free(s);
}

static struct dgram repeated;
static unsigned repeats;
static bool was_heard;

static int feed_heard(struct orc *o, const struct dgram *d, vtime now)
{
	was_heard = true;
	return orc_reference.feed(o, d, now);
}

/* Repeats the last answer once the other end has it, |repeats| times. */
static bool poll_repeats(struct orc *o, struct dgram *ret)
{
	if (orc_reference.poll_tx(o, ret)) {
		dgram_copy(&repeated, ret);
		return true;
	}
	if (!was_heard || !repeats)
		return false;
	was_heard = false;
	repeats--;
	dgram_copy(ret, &repeated);
	return true;
}

/* A run with more decisions than fit is not one that was varied whole. */
static void test_decisions_that_do_not_fit(void **state)
{
	struct orc_api hears = orc_reference, again = orc_reference;
	const struct orc_api *const api[2] = {&hears, &again};
	struct schedule_totals t = {0};
	struct schedule *s;

	(void)state;
	hears.feed = feed_heard;
	again.poll_tx = poll_repeats;
	assert_int_equal(schedule_new(&s, DRAFT_SRD, api, 1, 1), 0);
	repeats = ODOMETER_MAX / 2;
	schedule_again(s, &t);
	assert_false(s->wrong);
	assert_true(s->odometer.n > ODOMETER_MAX / 2);
	repeats = ODOMETER_MAX;
	s->odometer.n = 0;
	schedule_again(s, &t);
	assert_true(s->wrong);
	assert_int_equal(s->what, SCHEDULE_FULL);
	assert_string_equal(s->text, "a run has more decisions than fit");
	schedule_free(s);
}

/* A log for a live device keeps only what waits for no timer. */
static void test_quickens(void **state)
{
	const struct explore_conf conf = {
		.subjects = 1u << DRAFT_RUD | 1u << DRAFT_ROD,
		.chairs = 1u << CHAIR_TARGET | 1u << CHAIR_INITIATOR};
	struct trial t = {.conf = &conf};
	unsigned quick = 0, moves = 0;
	struct choices c;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		choices_draw(&c, seed);
		if (!trial_quicken(&t, &c))
			continue;
		quick++;
		moves += (unsigned)t.draft.nmoves;
		assert_null(strstr(text_cstr(&t.draft.body), "rto"));
		assert_null(strstr(text_cstr(&t.draft.body), "wait"));
		assert_null(strstr(text_cstr(&t.draft.body), "optional"));
	}
	assert_true(quick > 20);
	assert_true(moves >= 2 * quick);
	trial_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replays),
		cmocka_unit_test(test_simplest),
		cmocka_unit_test(test_prints),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_drafts),
		cmocka_unit_test(test_quickens),
		cmocka_unit_test(test_names_values),
		cmocka_unit_test(test_values_have_room),
		cmocka_unit_test(test_rules_find_packets),
		cmocka_unit_test(test_odometer),
		cmocka_unit_test(test_schedules),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_draws),
		cmocka_unit_test(test_reduces_a_schedule),
		cmocka_unit_test(test_decisions_that_do_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
