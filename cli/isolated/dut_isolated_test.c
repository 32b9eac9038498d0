/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device in a process of its own behaves as one in this process, and its end
 * is reported: by a crash, by a loop inside a call.  The next case gets a new
 * one.
 */
#include "cli/isolated/dut_isolated.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "suite/dut/dut_virtual.h"
#include "suite/dut/fake_test.h"

#define DELAY (10 * VSPAN_US)

static struct dut_event ev;
static struct dgram out;

static struct dut *isolated_device(const struct orc_api *api)
{
	char why[DUT_ISOLATED_WHY];
	struct orc_conf conf;
	struct dut *d = NULL;

	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(0x7f000102);
	assert_int_equal(dut_isolated_new(&d, api, &conf,
					  ip_addr_v4(0x7f000101), DELAY, why),
			 0);
	assert_true(d->virtual);
	assert_true(dut_has_verb(d, "send"));
	assert_int_equal(d->ops->begin(d, 7), 0);
	return d;
}

static void pass_bytes(struct dut *d, size_t len)
{
	memset(&out, 0, sizeof(out));
	out.src = d->tester;
	out.dst = d->peer;
	out.len = len;
	for (size_t i = 0; i < len; i++)
		out.data[i] = (uint8_t)i;
	assert_int_equal(d->ops->send(d, &out), 0);
}

static void assert_echo(struct dut *d)
{
	pass_bytes(d, 20);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_EVENT);
	assert_int_equal(ev.at, DELAY);
	assert_string_equal(ev.ev.reason, "echo");
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_DGRAM);
	assert_int_equal(ev.at, 2 * DELAY);
	assert_int_equal(ev.d.len, 20);
	assert_memory_equal(ev.d.data, out.data, 20);
	assert_int_equal(d->ops->now(d), 2 * DELAY);
}

static void a_call_travels_and_comes_back(void **state)
{
	static struct ctl_req req;
	struct dut *d = isolated_device(&fake_api);
	int fds[DUT_FDS];
	vtime until;

	(void)state;
	assert_echo(d);
	req.id = 9;
	req.verb = CTL_OP;
	req.op.kind = OP_SEND;
	req.op.peer = d->tester;
	req.op.len = 8;
	assert_int_equal(d->ops->control(d, &req), 0);
	d->ops->awaits(d, fds, &until);
	assert_int_equal(until, 2 * DELAY);
	assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
	assert_int_equal(ev.kind, DUT_ANSWER);
	assert_int_equal(ev.ans.id, 9);
	assert_int_equal(d->ops->begin(d, 8), 0);
	assert_int_equal(d->ops->now(d), 0);
	assert_int_equal(d->ops->use_ip6(d, true), 0);
	assert_int_equal(d->peer.len, 16);
	d->ops->free(d);
}

static void assert_same(struct dut *a, struct dut *b, vtime until)
{
	static struct dut_event other;

	assert_int_equal(a->ops->next(a, until, &ev), 0);
	assert_int_equal(b->ops->next(b, until, &other), 0);
	assert_int_equal(ev.kind, other.kind);
	assert_int_equal(ev.at, other.at);
	assert_int_equal(a->ops->now(a), b->ops->now(b));
	if (ev.kind == DUT_DGRAM)
		assert_int_equal(ev.d.len, other.d.len);
}

/* Both kinds of device return the same events at the same times. */
static void waits_end_as_in_this_process(void **state)
{
	struct rng r = {.state = 1};
	struct orc_conf conf;
	struct ctl_req req = {.verb = CTL_OP, .op = {.kind = OP_SEND}};
	struct dut *d[2] = {isolated_device(&fake_api), NULL};
	vtime at = 0;

	(void)state;
	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(0x7f000102);
	assert_int_equal(dut_virtual_new(&d[1], &fake_api, &conf,
					 ip_addr_v4(0x7f000101), DELAY),
			 0);
	assert_int_equal(d[1]->ops->begin(d[1], 7), 0);
	req.op.peer = d[0]->tester;
	for (unsigned i = 0; i < 2000; i++) {
		const uint32_t what = rng_below(&r, 8);

		at = d[0]->ops->now(d[0]);
		for (unsigned k = 0; k < 2 && what < 2; k++)
			pass_bytes(d[k], 10 + i % 7);
		for (unsigned k = 0; k < 2 && what == 2; k++)
			assert_int_equal(d[k]->ops->control(d[k], &req), 0);
		assert_same(d[0], d[1], at + rng_below(&r, 3) * DELAY / 2);
	}
	for (unsigned k = 0; k < 2; k++)
		d[k]->ops->free(d[k]);
}

static int crashes(struct orc *o, const struct dgram *d, vtime now)
{
	if (d->len != FAKE_STOP)
		return fake_feed(o, d, now);
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return 0;
}

static int loops(struct orc *o, const struct dgram *d, vtime now)
{
	volatile bool on = true;

	if (d->len != FAKE_STOP)
		return fake_feed(o, d, now);
	while (on)
		;
	return 0;
}

/* The device ends at a packet, is gone from then on, and begins anew. */
static void assert_ends(const struct orc_api *api, const char *why)
{
	struct dut *d = isolated_device(api);

	for (int i = 0; i < 2; i++) {
		assert_echo(d);
		pass_bytes(d, FAKE_STOP);
		assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
		assert_int_equal(ev.kind, DUT_GONE);
		assert_non_null(strstr(ev.text, why));
		pass_bytes(d, 20);
		assert_int_equal(d->ops->next(d, VSPAN_S, &ev), 0);
		assert_int_equal(ev.kind, DUT_GONE);
		assert_int_equal(d->ops->begin(d, 7), 0);
	}
	assert_echo(d);
	d->ops->free(d);
}

static void a_crash_ends_the_device_alone(void **state)
{
	struct orc_api api = fake_api;

	(void)state;
	api.feed = crashes;
	assert_ends(&api, "was killed by signal 11 (SIGSEGV)");
}

static void a_loop_ends_the_device_alone(void **state)
{
	struct orc_api api = fake_api;

	(void)state;
	api.feed = loops;
	assert_ends(&api, "the endpoint loops");
}

static int make_crashes(struct orc **ret, const struct orc_conf *conf)
{
	(void)ret;
	(void)conf;
	_exit(3);
}

static void an_endpoint_that_cannot_begin_is_an_error(void **state)
{
	struct orc_api api = fake_api;
	char why[DUT_ISOLATED_WHY];
	struct orc_conf conf;
	struct dut *d;

	(void)state;
	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(0x7f000102);
	api.make = make_crashes;
	assert_int_equal(dut_isolated_new(&d, &api, &conf,
					  ip_addr_v4(0x7f000101), DELAY, why),
			 ERR_CLOSED);
	assert_string_equal(why, "exited with status 3");
	conf.mtu = 1;
	assert_int_equal(dut_isolated_new(&d, &fake_api, &conf,
					  ip_addr_v4(0x7f000101), DELAY, why),
			 ERR_VALUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_travels_and_comes_back),
		cmocka_unit_test(waits_end_as_in_this_process),
		cmocka_unit_test(a_crash_ends_the_device_alone),
		cmocka_unit_test(a_loop_ends_the_device_alone),
		cmocka_unit_test(an_endpoint_that_cannot_begin_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
