/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/impair_test.c -- tests the impairment chain in virtual time: each action,
 * the n-th packet, the hits, and that the same calls give the same result.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/text.h"
#include "gen/impair.h"

/* Packets are one byte long; a rule matches one byte value, 0 matches any. */
static bool means(const void *ctx, const struct dgram *d)
{
	const uint8_t *byte = ctx;

	return !*byte || (d->len && d->data[0] == *byte);
}

static bool means_dir(const void *ctx, const struct dgram *d, enum imp_dir dir)
{
	const uint8_t *byte = ctx;

	return dir == IMP_FROM_DUT && means(byte + 1, d);
}

static void upper(const void *ctx, struct dgram *d)
{
	(void)ctx;
	d->data[0] = (uint8_t)(d->data[0] - 'a' + 'A');
}

/* The byte that a rule matches, and the byte that releases a held one. */
struct target {
	uint8_t byte, until;
};

static void impair_test_add(struct imp *i, enum imp_action action,
			    const struct target *to, struct imp_rule rule)
{
	rule.action = action;
	rule.match = means;
	if ((action == IMP_HOLD || action == IMP_DELAY) && to->until)
		rule.until = means_dir;
	else
		rule.until = NULL;
	rule.corrupt = upper;
	rule.ctx = to;
	if (!rule.line)
		rule.line = 1;
	assert_int_equal(imp_rule_add(i, &rule), 0);
}

static void push_dir(struct imp *i, enum imp_dir dir, const char *bytes,
		     vtime now)
{
	struct dgram d = {0};

	for (; *bytes; bytes++) {
		d.len = 1;
		d.data[0] = (uint8_t)*bytes;
		d.ecn = ECN_ECT0;
		assert_int_equal(
			imp_push(i, dir, &d, now, (uint8_t)*bytes, false), 0);
	}
}

static void impair_test_push(struct imp *i, const char *bytes, vtime now)
{
	push_dir(i, IMP_TO_DUT, bytes, now);
}

/*
 * Expects the packets that are due: their bytes, each with a mark for its fate.
 */
static void impair_test_expect(struct imp *i, vtime now, const char *want)
{
	static const char mark[] = {0, '-', '~', '+', '!'};
	struct text t = {0};
	struct imp_out out;

	while (imp_poll(i, now, &out)) {
		char pair[2] = {out.d.len ? (char)out.d.data[0] : '_',
				mark[out.fate]};

		text_add(&t, pair, pair[1] ? 2 : 1);
	}
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

static struct imp *impair_test_make(void)
{
	struct imp *i = NULL;

	assert_int_equal(imp_new(&i), 0);
	return i;
}

static void no_rules_pass_everything(void **state)
{
	struct imp *i = impair_test_make();
	struct imp_out out;
	struct dgram d = {.len = 3, .entropy = 7, .data = "xyz"};

	(void)state;
	assert_false(imp_poll(i, 5, &out));
	assert_int_equal(imp_deadline(i), VTIME_NEVER);
	assert_int_equal(imp_push(i, IMP_FROM_DUT, &d, 5, 42, false), 0);
	assert_int_equal(imp_deadline(i), 5);
	assert_true(imp_poll(i, 5, &out));
	assert_int_equal(out.dir, IMP_FROM_DUT);
	assert_int_equal(out.fate, IMP_PASSED);
	assert_int_equal(out.line, 0);
	assert_int_equal(out.pushed, 5);
	assert_int_equal(out.tag, 42);
	assert_int_equal(out.d.entropy, 7);
	assert_int_equal(out.d.len, 3);
	assert_memory_equal(out.d.data, "xyz", 3);
	impair_test_push(i, "abc", 6);
	impair_test_expect(i, 6, "abc");
	imp_free(i);
	imp_free(NULL);
}

static void drops_are_told(void **state)
{
	const struct target b = {'b', 0};
	struct dgram d = {.len = 1, .data = "q"};
	struct imp *i = impair_test_make();
	struct imp_out out;

	(void)state;
	impair_test_add(i, IMP_DROP, &b, (struct imp_rule){.line = 9});
	impair_test_push(i, "abc", 1);
	push_dir(i, IMP_FROM_DUT, "b", 1);
	impair_test_expect(i, 1, "ab-cb");
	assert_int_equal(imp_hits(i, 9), 1);
	assert_int_equal(imp_hits(i, 8), 0);
	assert_int_equal(imp_push(i, IMP_TO_DUT, &d, 2, 0, true), 0);
	assert_true(imp_poll(i, 2, &out));
	assert_int_equal(out.fate, IMP_DROPPED);
	assert_int_equal(out.line, 0);
	imp_free(i);
}

/* The second transmission of 'a' counts although the first was lost. */
static void nth_counts_transmissions(void **state)
{
	const struct target a = {'a', 0};
	struct dgram d = {.len = 1, .data = "a"};
	struct imp *i = impair_test_make();

	(void)state;
	impair_test_add(i, IMP_DROP, &a,
			(struct imp_rule){.nth = 2, .line = 3});
	impair_test_push(i, "abaa", 1);
	impair_test_expect(i, 1, "aba-a");
	assert_int_equal(imp_hits(i, 3), 1);
	imp_reset(i);
	impair_test_add(i, IMP_DROP, &a, (struct imp_rule){.nth = 2});
	assert_int_equal(imp_push(i, IMP_TO_DUT, &d, 1, 0, true), 0);
	impair_test_push(i, "aa", 1);
	impair_test_expect(i, 1, "a-a-a");
	imp_free(i);
}

static void the_first_rule_that_fires_decides(void **state)
{
	const struct target a = {'a', 0};
	const struct imp_rule *r;
	struct imp *i = impair_test_make();
	uint32_t hits = 9;

	(void)state;
	impair_test_add(i, IMP_MARK_CE, &a,
			(struct imp_rule){.nth = 1, .line = 1});
	impair_test_add(i, IMP_DROP, &a,
			(struct imp_rule){.nth = 1, .line = 2});
	impair_test_add(i, IMP_DROP, &a,
			(struct imp_rule){.nth = 2, .line = 3});
	impair_test_push(i, "aaa", 1);
	impair_test_expect(i, 1, "a!a-a");
	assert_int_equal(imp_nrules(i), 3);
	r = imp_rule_at(i, 1, &hits);
	assert_int_equal(r->line, 2);
	assert_int_equal(hits, 0);
	assert_int_equal(imp_rule_at(i, 2, &hits)->line, 3);
	assert_int_equal(hits, 1);
	assert_null(imp_rule_at(i, 3, &hits));
	imp_free(i);
}

static void duplicates_come_right_after(void **state)
{
	const struct target a = {'a', 0}, b = {'b', 0};
	struct imp *i = impair_test_make();

	(void)state;
	impair_test_add(i, IMP_DUPLICATE, &a, (struct imp_rule){.count = 2});
	impair_test_add(i, IMP_DUPLICATE, &b, (struct imp_rule){.count = 0});
	impair_test_push(i, "abc", 1);
	impair_test_expect(i, 1, "aa+a+bb+c");
	imp_free(i);
}

static void delayed_ones_come_late(void **state)
{
	const struct target a = {'a', 0};
	struct imp *i = impair_test_make();

	(void)state;
	impair_test_add(i, IMP_DELAY, &a, (struct imp_rule){.delay = 10});
	impair_test_push(i, "ab", 1);
	impair_test_expect(i, 1, "b");
	assert_int_equal(imp_deadline(i), 11);
	impair_test_push(i, "c", 11);
	impair_test_push(i, "a", 11);
	impair_test_expect(i, 10, "");
	impair_test_expect(i, 11, "a~c");
	impair_test_expect(i, 21, "a~");
	imp_free(i);
}

/* The delay of a packet lasts until its repeat has passed. */
static void a_delay_lasts_until_another_passes(void **state)
{
	const struct target a = {'a', 'a'};
	const struct imp_rule first = {
		.dir = IMP_FROM_DUT, .nth = 1, .delay = 10, .hold_max = 30};
	struct imp *i = impair_test_make();

	(void)state;
	impair_test_add(i, IMP_DELAY, &a, first);
	push_dir(i, IMP_FROM_DUT, "a", 1);
	push_dir(i, IMP_FROM_DUT, "a", 5);
	impair_test_expect(i, 10, "a");
	impair_test_expect(i, 11, "a~");
	imp_reset(i);
	impair_test_add(i, IMP_DELAY, &a, first);
	push_dir(i, IMP_FROM_DUT, "a", 1);
	impair_test_expect(i, 20, "");
	push_dir(i, IMP_FROM_DUT, "a", 21);
	impair_test_expect(i, 21, "aa~");
	imp_reset(i);
	impair_test_add(i, IMP_DELAY, &a,
			(struct imp_rule){.dir = IMP_FROM_DUT,
					  .delay = 10,
					  .hold_max = 30});
	push_dir(i, IMP_FROM_DUT, "a", 1);
	assert_int_equal(imp_deadline(i), 41);
	imp_free(i);
}

static void reordered_ones_swap_with_the_next(void **state)
{
	const struct target a = {'a', 0}, any = {0, 0}, x = {'x', 0};
	struct imp *i = impair_test_make();

	(void)state;
	impair_test_add(i, IMP_DROP, &x, (struct imp_rule){.line = 2});
	impair_test_add(i, IMP_REORDER, &a, (struct imp_rule){.hold_max = 50});
	impair_test_push(i, "a", 1);
	impair_test_expect(i, 1, "");
	push_dir(i, IMP_FROM_DUT, "r", 2);
	impair_test_push(i, "x", 2);
	impair_test_expect(i, 2, "rx-");
	impair_test_push(i, "bc", 3);
	impair_test_expect(i, 3, "ba~c");
	impair_test_push(i, "a", 4);
	impair_test_expect(i, 53, "");
	impair_test_expect(i, 54, "a~");
	impair_test_push(i, "b", 54);
	impair_test_expect(i, 54, "b");
	imp_reset(i);
	impair_test_add(i, IMP_REORDER, &any, (struct imp_rule){.line = 4});
	impair_test_push(i, "abcde", 1);
	impair_test_expect(i, 1, "ba~dc~");
	assert_int_equal(imp_hits(i, 4), 3);
	assert_int_equal(imp_deadline(i), 1 + VSPAN_S);
	imp_free(i);
}

/* b and c wait for an 'r' of the other direction and keep their order. */
static void held_ones_wait_for_another(void **state)
{
	const struct target b = {'b', 'r'}, c = {'c', 'r'}, s = {'s', 's'};
	struct imp *i = impair_test_make();

	(void)state;
	impair_test_add(i, IMP_HOLD, &b, (struct imp_rule){.hold_max = 100});
	impair_test_add(i, IMP_HOLD, &c, (struct imp_rule){.hold_max = 30});
	impair_test_push(i, "abcd", 1);
	impair_test_push(i, "r", 2);
	impair_test_expect(i, 2, "adr");
	push_dir(i, IMP_FROM_DUT, "qr", 5);
	impair_test_expect(i, 5, "qrb~c~");
	impair_test_push(i, "bc", 10);
	impair_test_expect(i, 39, "");
	impair_test_expect(i, 40, "c~");
	push_dir(i, IMP_FROM_DUT, "r", 41);
	impair_test_expect(i, 41, "rb~");
	assert_int_equal(imp_deadline(i), VTIME_NEVER);
	imp_reset(i);
	/* no packet releases itself */
	impair_test_add(i, IMP_HOLD, &s,
			(struct imp_rule){.dir = IMP_FROM_DUT});
	push_dir(i, IMP_FROM_DUT, "s", 1);
	impair_test_expect(i, 1, "");
	push_dir(i, IMP_FROM_DUT, "s", 2);
	impair_test_expect(i, 2, "s~");
	impair_test_expect(i, 2 + VSPAN_S, "s~");
	imp_free(i);
}

static void changes_are_made_to_the_copy(void **state)
{
	const struct target a = {'a', 0}, b = {'b', 0}, c = {'c', 0};
	struct dgram d = {.len = 4, .ecn = ECN_ECT0, .data = "cccc"};
	struct imp *i = impair_test_make();
	struct imp_out out;

	(void)state;
	impair_test_add(i, IMP_CORRUPT, &a, (struct imp_rule){.line = 1});
	impair_test_add(i, IMP_MARK_CE, &b, (struct imp_rule){.line = 2});
	impair_test_add(i, IMP_TRIM, &c,
			(struct imp_rule){.count = 2, .line = 3});
	impair_test_push(i, "a", 1);
	impair_test_expect(i, 1, "A!");
	impair_test_push(i, "b", 1);
	assert_true(imp_poll(i, 1, &out));
	assert_int_equal(out.d.ecn, ECN_CE);
	assert_int_equal(out.line, 2);
	assert_int_equal(imp_push(i, IMP_TO_DUT, &d, 1, 0, false), 0);
	assert_int_equal(d.len, 4);
	assert_true(imp_poll(i, 1, &out));
	assert_int_equal(out.d.len, 2);
	d.len = 1;
	assert_int_equal(imp_push(i, IMP_TO_DUT, &d, 1, 0, false), 0);
	assert_true(imp_poll(i, 1, &out));
	assert_int_equal(out.d.len, 1);
	imp_free(i);
}

static struct dgram trimmed(const struct imp_rule *rule, const struct dgram *d)
{
	struct imp *i = impair_test_make();
	struct imp_out out;

	assert_int_equal(imp_rule_add(i, rule), 0);
	assert_int_equal(imp_push(i, IMP_TO_DUT, d, 1, 0, false), 0);
	assert_true(imp_poll(i, 1, &out));
	assert_int_equal(out.fate, IMP_CHANGED);
	imp_free(i);
	return out.d;
}

/* A trimming switch shortens the packet, marks it and removes the trailer. */
static void trimmed_by_a_switch(void **state)
{
	const struct dgram d = {
		.len = 100, .ecn = ECN_CE, .crc = DGRAM_CRC_RIGHT, .dscp = 3};
	struct imp_rule rule = {.action = IMP_TRIM, .count = 16, .dscp = 26};
	struct dgram native = d, got = trimmed(&rule, &d);

	(void)state;
	assert_int_equal(got.len, 16);
	assert_int_equal(got.dscp, 26);
	assert_int_equal(got.ecn, ECN_CE);
	assert_int_equal(got.crc, DGRAM_CRC_NONE);
	assert_int_equal(got.udp_length, 0);
	rule.udp_kept = true;
	assert_int_equal(trimmed(&rule, &d).udp_length, 8 + 100 + 4);
	native.native = 1;
	assert_int_equal(trimmed(&rule, &native).udp_length, 0);
	rule.count = 1000;
	got = trimmed(&rule, &d);
	assert_int_equal(got.len, 100);
	assert_int_equal(got.dscp, 26);
}

static void impair_test_reset_forgets(void **state)
{
	const struct target a = {'a', 0}, b = {'b', 'r'}, c = {'c', 0};
	struct imp *i = impair_test_make();

	(void)state;
	impair_test_add(i, IMP_DELAY, &a, (struct imp_rule){.delay = 10});
	impair_test_add(i, IMP_HOLD, &b, (struct imp_rule){0});
	impair_test_add(i, IMP_REORDER, &c, (struct imp_rule){0});
	impair_test_push(i, "abc", 1);
	imp_reset(i);
	assert_int_equal(imp_deadline(i), VTIME_NEVER);
	assert_int_equal(imp_nrules(i), 0);
	impair_test_push(i, "abc", 2);
	push_dir(i, IMP_FROM_DUT, "r", 2);
	impair_test_expect(i, 2 + VSPAN_S, "abcr");
	imp_free(i);
}

/* Runs all impairments together; every packet comes out, in order of time. */
static void impair_test_run_all(uint64_t seed, struct text *t)
{
	static const struct target to[] = {{'a', 'r'}, {'b', 'r'}, {'c', 0},
					   {'d', 0},   {'e', 0},   {0, 0}};
	struct rng rng = {seed};
	struct imp *i = impair_test_make();
	struct imp_out out;
	size_t in = 0, extra = 0, n = 0;
	vtime now = 0;

	impair_test_add(i, IMP_HOLD, &to[0],
			(struct imp_rule){.hold_max = 400});
	impair_test_add(i, IMP_HOLD, &to[1],
			(struct imp_rule){.hold_max = 900});
	impair_test_add(i, IMP_DELAY, &to[2], (struct imp_rule){.delay = 333});
	impair_test_add(i, IMP_REORDER, &to[3],
			(struct imp_rule){.hold_max = 100});
	impair_test_add(i, IMP_DUPLICATE, &to[4], (struct imp_rule){.line = 5});
	impair_test_add(i, IMP_DROP, &to[5], (struct imp_rule){.nth = 77});
	for (unsigned round = 0; round < 3000; round++) {
		const char byte[2] = {(char)('a' + rng_below(&rng, 26)), 0};

		now += rng_below(&rng, 20);
		push_dir(i, rng_below(&rng, 2) ? IMP_TO_DUT : IMP_FROM_DUT,
			 byte, now);
		in++;
		while (imp_poll(i, now, &out)) {
			text_add(t, (const char *)out.d.data, 1);
			n++;
		}
		assert_true(imp_deadline(i) > now);
	}
	for (; imp_poll(i, VTIME_NEVER - 1, &out); n++)
		text_add(t, (const char *)out.d.data, 1);
	extra = imp_hits(i, 5);
	assert_int_equal(n, in + extra);
	imp_free(i);
}

static void the_same_calls_come_out_the_same(void **state)
{
	struct text a = {0}, b = {0};

	(void)state;
	for (uint64_t seed = 1; seed < 20; seed++) {
		text_clear(&a);
		text_clear(&b);
		impair_test_run_all(seed, &a);
		impair_test_run_all(seed, &b);
		assert_string_equal(text_cstr(&a), text_cstr(&b));
	}
	text_free(&a);
	text_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_rules_pass_everything),
		cmocka_unit_test(drops_are_told),
		cmocka_unit_test(nth_counts_transmissions),
		cmocka_unit_test(the_first_rule_that_fires_decides),
		cmocka_unit_test(duplicates_come_right_after),
		cmocka_unit_test(delayed_ones_come_late),
		cmocka_unit_test(a_delay_lasts_until_another_passes),
		cmocka_unit_test(reordered_ones_swap_with_the_next),
		cmocka_unit_test(held_ones_wait_for_another),
		cmocka_unit_test(changes_are_made_to_the_copy),
		cmocka_unit_test(trimmed_by_a_switch),
		cmocka_unit_test(impair_test_reset_forgets),
		cmocka_unit_test(the_same_calls_come_out_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
