/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/nscc_test.c -- tests the window of NSCC: the four quadrants,
 * quick adapt, losses and limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/uet/cc/cc_conf.h"
#include "oracle/uet/cc/nscc.h"

#define PACKET 4096
#define RTT    (12 * VSPAN_US)
#define LOW    (RTT + 2 * VSPAN_US)
#define HIGH   (RTT + 30 * VSPAN_US)
#define BDP    150000 /* 100 Gbit/s x 12 us */

struct nscc_source {
	struct orc_conf conf;
	struct nscc nscc;
	uint32_t window;
	vtime now;
};

static void nscc_test_start(struct nscc_source *s)
{
	*s = (struct nscc_source){.now = VSPAN_MS};
	cc_conf_default(&s->conf);
	s->window = nscc_start(&s->nscc, &s->conf, PACKET);
}

/* A round trip of ACKs, each for a packet; the window of its begin. */
static void nscc_test_round(struct nscc_source *s, vspan rtt, bool ce)
{
	const uint32_t n = s->window / PACKET;

	for (uint32_t i = 0; i < n; i++) {
		const struct nscc_ack ack = {.now = s->now,
					     .rtt = rtt,
					     .bytes = PACKET,
					     .inflight = s->window,
					     .ce = ce};

		s->window = nscc_acked(&s->nscc, &s->conf, s->window, &ack);
		s->now += rtt / n;
	}
}

static void nscc_test_rounds(struct nscc_source *s, unsigned n, vspan rtt,
			     bool ce)
{
	while (n--)
		nscc_test_round(s, rtt, ce);
}

/* "Initial cwnd = MaxWnd = 1.5 x linkspeed x base_rtt" */
static void begins_with_the_largest(void **state)
{
	struct nscc_source s;

	(void)state;
	nscc_test_start(&s);
	assert_int_equal(s.window, BDP * 3 / 2);
	nscc_test_rounds(&s, 20, RTT, false);
	assert_int_equal(s.window, BDP * 3 / 2);
}

/* A shorter RTT than declared makes the largest window smaller. */
static void follows_the_shortest_rtt(void **state)
{
	struct nscc_source s;

	(void)state;
	nscc_test_start(&s);
	nscc_test_rounds(&s, 2, RTT / 2, false);
	assert_int_equal(s.window, BDP * 3 / 4);
}

static void low_delay_grows(void **state)
{
	struct nscc_source s;
	uint32_t before;

	(void)state;
	nscc_test_start(&s);
	s.window = 10 * PACKET;
	before = s.window;
	nscc_test_rounds(&s, 2, LOW, false);
	/* 4 packets x (9 us - 2 us) / 12 us in a round trip */
	assert_in_range(s.window, before + 3 * PACKET, before + 7 * PACKET);
}

/* Half of alpha grows slower, the double faster. */
static void alpha_counts(void **state)
{
	static const uint32_t alphas[] = {200, 400, 800};
	uint32_t window[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct nscc_source s;

		nscc_test_start(&s);
		s.conf.nscc_alpha = alphas[i];
		s.window = 10 * PACKET;
		nscc_test_rounds(&s, 2, LOW, false);
		window[i] = s.window;
	}
	assert_true(window[0] < window[1]);
	assert_true(window[1] < window[2]);
}

static void no_delay_grows_fast(void **state)
{
	struct nscc_source s;

	(void)state;
	nscc_test_start(&s);
	s.window = 2 * PACKET;
	nscc_test_rounds(&s, 40, RTT, false);
	assert_int_equal(s.window, BDP * 3 / 2);
}

/* Without a mark a high delay adds the same to each window. */
static void high_delay_is_fair(void **state)
{
	struct nscc_source a, b;

	(void)state;
	nscc_test_start(&a);
	nscc_test_start(&b);
	a.window = 10 * PACKET;
	b.window = 20 * PACKET;
	nscc_test_round(&a, HIGH, false);
	nscc_test_round(&b, HIGH, false);
	assert_true(a.window > 10 * PACKET);
	assert_in_range(b.window - 20 * PACKET, 1,
			2 * (a.window - 10 * PACKET));
}

static void low_and_marked_stays(void **state)
{
	struct nscc_source s;
	uint32_t before;

	(void)state;
	nscc_test_start(&s);
	s.window = 10 * PACKET;
	nscc_test_round(&s, LOW, true);
	before = s.window;
	nscc_test_round(&s, LOW, true);
	/* eta alone */
	assert_in_range(s.window, before, before + PACKET);
}

static void high_and_marked_shrinks(void **state)
{
	struct nscc_source s;
	uint32_t before;

	(void)state;
	nscc_test_start(&s);
	s.conf.nscc_qa_delay = CC_HUNDREDTHS_MAX; /* not by quick adapt */
	s.conf.nscc_delay_gain = 5000;
	before = s.window;
	nscc_test_rounds(&s, 3, HIGH, true);
	assert_true(s.window < before / 2);
	nscc_test_rounds(&s, 100, HIGH, true);
	assert_in_range(s.window, PACKET, 2 * PACKET);
}

/* One decrease in a round trip, and at most by half. */
static void shrinks_once_a_round_trip(void **state)
{
	struct nscc_source s;
	uint32_t before;

	(void)state;
	nscc_test_start(&s);
	s.conf.nscc_qa_delay = CC_HUNDREDTHS_MAX;
	s.conf.nscc_delay_gain = 10000;
	before = s.window;
	for (int i = 0; i < 50; i++) {
		const struct nscc_ack ack = {.now = s.now,
					     .rtt = HIGH,
					     .bytes = PACKET,
					     .inflight = s.window,
					     .ce = true};

		s.window = nscc_acked(&s.nscc, &s.conf, s.window, &ack);
	}
	assert_in_range(s.window, before / 2, before - 1);
}

/* After a trim the window becomes what arrived in the last round trip. */
static void quick_adapt_after_a_trim(void **state)
{
	struct nscc_source s;
	uint32_t window;

	(void)state;
	nscc_test_start(&s);
	nscc_test_round(&s, RTT, false);
	window = s.window;
	s.window =
		nscc_lost(&s.nscc, &s.conf, s.window, s.now, PACKET, 0, true);
	assert_int_equal(s.window, window - PACKET);
	/* two packets arrive until the next round trip is over */
	s.now = s.nscc.qa_at + 1;
	s.nscc.achieved = 2 * PACKET;
	s.window = nscc_lost(&s.nscc, &s.conf, s.window, s.now, PACKET,
			     4 * PACKET, true);
	assert_int_equal(s.window, 2 * PACKET);
	/* the other trimmed packets of that round trip change nothing */
	s.window = nscc_lost(&s.nscc, &s.conf, s.window, s.now, PACKET,
			     3 * PACKET, true);
	assert_int_equal(s.window, 2 * PACKET);
}

/* "Inferred loss: cwnd -= nominal size", and never below one packet. */
static void losses_take_their_size(void **state)
{
	struct nscc_source s;
	uint32_t before;

	(void)state;
	nscc_test_start(&s);
	before = s.window;
	s.window =
		nscc_lost(&s.nscc, &s.conf, s.window, s.now, PACKET, 0, false);
	assert_int_equal(s.window, before - PACKET);
	for (int i = 0; i < 200; i++)
		s.window = nscc_lost(&s.nscc, &s.conf, s.window, s.now, PACKET,
				     0, false);
	assert_int_equal(s.window, PACKET);
	nscc_test_rounds(&s, 40, RTT, false);
	assert_int_equal(s.window, BDP * 3 / 2);
}

static void wrong_settings(void **state)
{
	struct orc_conf conf;

	(void)state;
	orc_conf_default(&conf);
	assert_true(cc_conf_is_right(&conf));
	conf.cc_policy = ORC_POLICY_RCCC;
	assert_false(cc_conf_is_right(&conf)); /* requests have no credit */
	conf.cc = ORC_CC_CREDIT;
	assert_true(cc_conf_is_right(&conf));
	conf.link_rate = 0;
	assert_false(cc_conf_is_right(&conf));
	conf.link_rate = CC_LINK_RATE_MAX;
	conf.nscc_target = 0;
	assert_false(cc_conf_is_right(&conf));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(begins_with_the_largest),
		cmocka_unit_test(follows_the_shortest_rtt),
		cmocka_unit_test(low_delay_grows),
		cmocka_unit_test(alpha_counts),
		cmocka_unit_test(no_delay_grows_fast),
		cmocka_unit_test(high_delay_is_fair),
		cmocka_unit_test(low_and_marked_stays),
		cmocka_unit_test(high_and_marked_shrinks),
		cmocka_unit_test(shrinks_once_a_round_trip),
		cmocka_unit_test(quick_adapt_after_a_trim),
		cmocka_unit_test(losses_take_their_size),
		cmocka_unit_test(wrong_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
