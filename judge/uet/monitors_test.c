/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/monitors_test.c -- tests the conditions that rules name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judge/fast/conditions.h"
#include "judge/uet/monitor.h"

static const struct monitor *const tables[] = {
	rules_uet_wire, rules_uet_shape, rules_uet_pdc,  rules_uet_src,
	rules_uet_rtx,  rules_uet_ses,   rules_uet_ack,  rules_uet_cc,
	rules_uet_rod,  rules_uet_dst,   rules_uet_nack, rules_uet_trim,
	rules_uet_cp,   rules_uet_life,  rules_uet_rudi, rules_uet_late,
};

/* The kinds of packets of each row on which a rule can rely. */
static const unsigned kinds_of[] = {
#define BOTH(kinds, stage, name, test, why)       kinds,
#define EACH(kinds, stage, name, fast, full, why) kinds,
#define FAST(kinds, stage, name, test, why)
#define FULL(kinds, stage, name, test, why) kinds,
#define LINK(kinds, name, where, test, why)
#define KEY(kinds, name, bits, value, what) kinds,
#define LINK_KEY(kinds, name, bits, where, value, what)
#include "judge/fast/conditions.def"
	PKT_REQ | PKT_ACK, /* LINKED */
#undef BOTH
#undef EACH
#undef FAST
#undef FULL
#undef LINK
#undef KEY
#undef LINK_KEY
};

static void each_rule(void (*see)(const struct monitor *m))
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct monitor *m = tables[i]; m->look; m++)
			see(m);
}

static void relies_on_its_kinds(const struct monitor *m)
{
	for (unsigned c = 0; c < RELY_COUNT; c++)
		if (m->relies >> c & 1)
			assert_true(m->what & kinds_of[c]);
}

/* A rule names only conditions of the packets that it checks. */
static void kinds_fit(void **state)
{
	(void)state;
	each_rule(relies_on_its_kinds);
}

/* Cases in which no packet takes the fast path. */
#define NEVER (PKT_HERE | PKT_THERE | PKT_ROD | PKT_CC | PKT_DATA)

/*
 * A predicted ACK answers a known packet.  A predicted request is new, or
 * repeats a packet of an incomplete flow.
 */
static void names_some_condition(const struct monitor *m)
{
	if (m->what & NEVER || !(m->what & COND_ANY))
		return;
	if (!(m->what & PKT_ACK) && m->what & PKT_AGAIN &&
	    !(m->what & PKT_GAPS))
		return;
	if (!(m->what & PKT_REQ) && m->what & PKT_NEW)
		return;
	assert_true(m->relies != ALWAYS);
}

/* A rule without a condition would close the fast path for its packets. */
static void fast_path_stays_open(void **state)
{
	(void)state;
	each_rule(names_some_condition);
}

static uint64_t named;

static void note_named(const struct monitor *m)
{
	named |= m->relies;
}

/* Each test that only the full path runs is needed by some rule. */
static void full_tests_are_needed(void **state)
{
	const uint64_t full = 0
#define BOTH(kinds, stage, name, test, why)
#define EACH(kinds, stage, name, fast, full, why)
#define FAST(kinds, stage, name, test, why)
#define FULL(kinds, stage, name, test, why) | ON(name)
#define LINK(kinds, name, where, test, why)
#define KEY(kinds, name, bits, value, what)
#define LINK_KEY(kinds, name, bits, where, value, what)
#include "judge/fast/conditions.def"
#undef BOTH
#undef EACH
#undef FAST
#undef FULL
#undef LINK
#undef KEY
#undef LINK_KEY
		;

	(void)state;
	each_rule(note_named);
	assert_true((full & ~named) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_fit),
		cmocka_unit_test(fast_path_stays_open),
		cmocka_unit_test(full_tests_are_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
