/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The virtual DUT: time advances only in a wait, the link has its delay, and an
 * endpoint that loops is stopped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suite/dut/ctl/ctl.h"
#include "suite/dut/dut.h"
#include "suite/dut/dut_virtual.h"
#include "suite/dut/fake_test.h"

#define DELAY (10 * VSPAN_US)

static struct dut *new_dut(const struct orc_api *api, bool crc)
{
	struct orc_conf conf;
	struct dut *d = NULL;

	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(0x7f000102);
	conf.crc = crc;
	assert_int_equal(
		dut_virtual_new(&d, api, &conf, ip_addr_v4(0x7f000101), DELAY),
		0);
	assert_int_equal(d->ops->begin(d, 7), 0);
	return d;
}

static struct dut_event ev;
static struct dgram out;

static void send_bytes(struct dut *d, size_t len)
{
	memset(&out, 0, sizeof(out));
	out.src = d->tester;
	out.dst = d->peer;
	out.len = len;
	if (d->link.crc)
		out.crc = DGRAM_CRC_RIGHT;
	else
		out.crc = DGRAM_CRC_NONE;
	for (size_t i = 0; i < len; i++)
		out.data[i] = (uint8_t)i;
	assert_int_equal(d->ops->send(d, &out), 0);
}

static void an_echo_takes_two_delays(void **state)
{
	struct dut *d = new_dut(&fake_api, false);

	(void)state;
	send_bytes(d, 20);
	assert_int_equal(d->ops->now(d), 0);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_EVENT); /* "echo", when it was fed */
	assert_int_equal(ev.at, DELAY);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_DGRAM);
	assert_int_equal(ev.at, 2 * DELAY);
	assert_int_equal(ev.d.len, 20);
	assert_memory_equal(ev.d.data, out.data, 20);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_TIMEOUT);
	assert_int_equal(d->ops->now(d), VSPAN_S);
	d->ops->free(d);
}

static void the_trailer_is_the_links_matter(void **state)
{
	struct dut *d = new_dut(&fake_api, true);

	(void)state;
	send_bytes(d, 20);
	do {
		assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	} while (ev.kind == DUT_EVENT);
	assert_int_equal(ev.kind, DUT_DGRAM);
	assert_int_equal(ev.d.len, 20);
	d->ops->free(d);
}

static void timers_of_the_endpoint_fire_in_between(void **state)
{
	static struct ctl_req req;
	struct dut *d = new_dut(&fake_api, false);

	(void)state;
	req.id = 9;
	req.verb = CTL_OP;
	req.op.kind = OP_SEND;
	req.op.peer = d->tester;
	req.op.len = 8;
	req.op.handle = 3;
	assert_int_equal(d->ops->control(d, &req), 0);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_ANSWER);
	assert_int_equal(ev.ans.id, 9);
	assert_true(ev.ans.ok);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_DGRAM);
	assert_int_equal(ev.at, DELAY);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_EVENT);
	assert_int_equal(ev.ev.kind, EV_COMPLETION);
	assert_int_equal(ev.at, VSPAN_MS);
	d->ops->free(d);
}

/* The deadline of an endpoint whose timer is always due. */
static vtime deadline_now(const struct orc *o)
{
	(void)o;
	return 0;
}

static void a_loop_ends(void **state)
{
	struct orc_api loops = fake_api;
	struct dut *d;

	(void)state;
	loops.deadline = deadline_now;
	d = new_dut(&loops, false);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_GONE);
	assert_non_null(strstr(ev.text, "loops"));
	d->ops->free(d);
}

/* A timer that is due again a nanosecond later, and does nothing. */
static vtime creeps_at;

static void creeps_tick(struct orc *o, vtime now)
{
	(void)o;
	creeps_at = now + 1;
}

static vtime creeps_deadline(const struct orc *o)
{
	(void)o;
	return creeps_at;
}

static void a_loop_that_takes_time_ends(void **state)
{
	struct orc_api creeps = fake_api;
	struct dut *d;

	(void)state;
	creeps.tick = creeps_tick;
	creeps.deadline = creeps_deadline;
	creeps_at = 0;
	d = new_dut(&creeps, false);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_GONE);
	assert_non_null(strstr(ev.text, "loops"));
	assert_true(d->ops->now(d) < VSPAN_S);
	d->ops->free(d);
}

static void begin_forgets(void **state)
{
	struct dut *d = new_dut(&fake_api, false);

	(void)state;
	send_bytes(d, 20);
	assert_int_equal(d->ops->begin(d, 8), 0);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_TIMEOUT);
	d->ops->free(d);
}

static void verbs_are_words(void **state)
{
	const struct dut d = {.verbs = "send ses_policy reset"};

	(void)state;
	assert_true(dut_has_verb(&d, "send"));
	assert_true(dut_has_verb(&d, "ses_policy"));
	assert_true(dut_has_verb(&d, "reset"));
	assert_false(dut_has_verb(&d, "ses"));
	assert_false(dut_has_verb(&d, "policy"));
	assert_false(dut_has_verb(&d, "resets"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_echo_takes_two_delays),
		cmocka_unit_test(the_trailer_is_the_links_matter),
		cmocka_unit_test(timers_of_the_endpoint_fire_in_between),
		cmocka_unit_test(a_loop_ends),
		cmocka_unit_test(a_loop_that_takes_time_ends),
		cmocka_unit_test(begin_forgets),
		cmocka_unit_test(verbs_are_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
