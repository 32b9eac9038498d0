/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A live DUT: this program again as a child that serves a stand-in, and faulty
 * adapters.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gen/port/port.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/dut_live.h"
#include "suite/dut/fake_test.h"
#include "suite/dut/serve.h"

#define PATIENCE (10 * VSPAN_S)
#define LINES    130 /* the last two are in a third turn */

/* Addresses of this process: 127.42.x.y; the child gets its own. */
static struct ip_addr dut_live_test_own_addr(uint8_t which)
{
	uint32_t pid = (uint32_t)getpid();

	return ip_addr_v4(127u << 24 | 42u << 16 | (pid & 0x1fff) << 3 |
			  (which & 7u));
}

/* The child: serves on its standard input and output. */
static int dut_live_test_child(const char *addr, bool crc)
{
	struct serve_conf conf = {.api = &fake_api,
				  .control = SERVE_FDS,
				  .in = STDIN_FILENO,
				  .out = STDOUT_FILENO,
				  .interrupted = &fake_stop};
	char why[CHAN_WHY];

	conf.orc.crc = crc;
	if (!ip_addr_parse(&conf.orc.addr, addr, strlen(addr)) &&
	    !serve_run(&conf, why))
		return 0;
	fprintf(stderr, "%s\n", why);
	return 1;
}

/* The child: writes an answer to hello and LINES lines in one call. */
static int dut_live_test_lines(void)
{
	char text[PIPE_BUF]; /* as much as a pipe takes in one piece */
	size_t len = (size_t)snprintf(text, sizeof(text),
				      "{\"id\":2147483648,\"ok\":true,"
				      "\"version\":2,\"verbs\":[]}\n");

	for (unsigned i = 0; i < LINES; i++) {
		text[len++] = 'x';
		text[len++] = '\n';
	}
	if (write(STDOUT_FILENO, text, len) != (ssize_t)len)
		return 1;
	while (getchar() != EOF)
		;
	return 0;
}

static char peer_text[IP_ADDR_TEXT];
static const char *const serve_argv[] = {"/proc/self/exe", "serve", peer_text,
					 NULL};
static const char *const crc_argv[] = {"/proc/self/exe", "crc", peer_text,
				       NULL};
static const char *const lines_argv[] = {"/proc/self/exe", "lines", peer_text,
					 NULL};

static struct dut_live_conf conf_of_child(void)
{
	struct dut_live_conf conf = {.port.addr = dut_live_test_own_addr(1),
				     .peer = dut_live_test_own_addr(2),
				     .control = DUT_CONTROL_CHILD,
				     .argv = serve_argv};

	ip_addr_print(&conf.peer, peer_text);
	return conf;
}

static struct dut *open_dut(const struct dut_live_conf *conf)
{
	char why[CHAN_WHY] = "";
	struct dut *d = NULL;

	if (dut_live_new(&d, conf, why))
		fail_msg("%s", why);
	return d;
}

/* Returns the next event of a kind; skips others. */
static struct dut_event *dut_live_test_await(struct dut *d,
					     enum dut_event_kind kind)
{
	static struct dut_event ev;
	vtime until = d->ops->now(d) + PATIENCE, before = 0;

	do {
		assert_int_equal(d->ops->next(d, until, &ev), 0);
		assert_true(ev.at >= before);
		assert_int_not_equal(ev.kind, DUT_TIMEOUT);
		before = ev.at;
	} while (ev.kind != kind);
	return &ev;
}

static void dut_live_test_post(struct dut *d, uint64_t id, enum op_kind kind,
			       uint32_t len)
{
	static struct ctl_req req;

	req = (struct ctl_req){.id = id, .verb = CTL_OP};
	req.op.kind = kind;
	req.op.handle = 77;
	req.op.peer = d->tester;
	req.op.len = len;
	assert_int_equal(d->ops->control(d, &req), 0);
}

static void datagrams_and_control(void **state)
{
	struct dut_live_conf conf = conf_of_child();
	struct dut *d = open_dut(&conf);
	struct dgram dg = {.entropy = 31000, .len = 5, .data = "hello"};
	struct dut_event *ev;

	(void)state;
	assert_true(d->control);
	assert_false(d->virtual);
	assert_non_null(strstr(d->verbs, "ses_pds_tx_req"));
	assert_int_equal(d->ops->begin(d, 1), 0);
	assert_int_equal(d->ops->send(d, &dg), 0);
	assert_true(ip_addr_equal(&dg.src, &conf.port.addr));
	assert_true(ip_addr_equal(&dg.dst, &conf.peer));
	ev = dut_live_test_await(d, DUT_DGRAM);
	assert_int_equal(ev->d.entropy, 31000);
	assert_int_equal(ev->d.len, 5);
	assert_true(ip_addr_equal(&ev->d.src, &conf.peer));
	ev = dut_live_test_await(d, DUT_EVENT);
	assert_int_equal(ev->ev.kind, EV_RECV);
	assert_string_equal(ev->ev.reason, "echo");
	dut_live_test_post(d, 9, OP_SEND, 64);
	ev = dut_live_test_await(d, DUT_ANSWER);
	assert_int_equal(ev->ans.id, 9);
	assert_true(ev->ans.ok);
	ev = dut_live_test_await(d, DUT_EVENT);
	assert_int_equal(ev->ev.kind, EV_COMPLETION);
	assert_int_equal(ev->ev.handle, 77);
	dut_live_test_post(d, 10, OP_READ, 64);
	ev = dut_live_test_await(d, DUT_ANSWER);
	assert_string_equal(ev->ans.error, "unsupported");
	d->ops->free(d);
}

/* An ACK_CCX is sent 8 bytes shorter, and a received one is restored. */
static void headers_of_other_sizes(void **state)
{
	struct dut_live_conf conf = conf_of_child();
	struct dgram dg = {.entropy = 31000, .family = FAMILY_UET, .len = 44};
	struct dut_event *ev;
	struct dut *d;

	(void)state;
	conf.foreign.ack_ccx = true;
	d = open_dut(&conf);
	memset(dg.data, 0x11, dg.len);
	bits_put(dg.data, 0, 5, PDS_ACK_CCX);
	assert_int_equal(d->ops->begin(d, 1), 0);
	assert_int_equal(d->ops->send(d, &dg), 0);
	ev = dut_live_test_await(d, DUT_DGRAM);
	assert_int_equal(ev->d.len, 44);
	assert_memory_equal(ev->d.data, dg.data, 32);
	for (unsigned i = 32; i < 40; i++)
		assert_int_equal(ev->d.data[i], 0);
	assert_memory_equal(ev->d.data + 40, dg.data + 40, 4);
	d->ops->free(d);
}

/* begin drops packets of the previous case and passes the seed on. */
static void begin_starts_afresh(void **state)
{
	struct dut_live_conf conf = conf_of_child();
	struct dut *d = open_dut(&conf);
	static const struct ctl_req ask = {.id = 5, .verb = CTL_MEM_DIGEST};
	uint64_t seed = 0x0123456789abcdef;
	uint8_t bytes[8];
	struct dut_event ev;

	(void)state;
	for (unsigned n = 0; n < 20; n++) {
		dut_live_test_post(d, n, OP_SEND, 64);
		assert_int_equal(d->ops->begin(d, seed + n), 0);
		assert_int_equal(d->ops->next(d, 0, &ev), 0);
		assert_int_equal(ev.kind, DUT_TIMEOUT);
	}
	seed += 19;
	memcpy(bytes, &seed, sizeof(seed));
	assert_int_equal(d->ops->control(d, &ask), 0);
	assert_int_equal(dut_live_test_await(d, DUT_ANSWER)->ans.digest,
			 crc32c(0, bytes, sizeof(bytes)));
	d->ops->free(d);
}

static void the_end_of_the_dut_is_told(void **state)
{
	struct dut_live_conf conf = conf_of_child();
	struct dut *d = open_dut(&conf);
	static const struct ctl_req ask = {.id = 5, .verb = CTL_STATS};
	struct dgram fatal = {.entropy = 31000, .len = FAKE_FATAL};
	struct dut_event ev;

	(void)state;
	assert_int_equal(d->ops->send(d, &fatal), 0);
	assert_string_equal(dut_live_test_await(d, DUT_GONE)->text,
			    "exited with status 1: the endpoint failed: "
			    "nomem");
	assert_int_equal(d->ops->control(d, &ask), ERR_CLOSED);
	assert_int_equal(d->ops->next(d, d->ops->now(d), &ev), 0);
	assert_int_equal(ev.kind, DUT_TIMEOUT);
	assert_int_equal(d->ops->begin(d, 1), ERR_CLOSED);
	d->ops->free(d);
}

static void a_dut_without_control(void **state)
{
	struct dut_live_conf conf = {.port.addr = dut_live_test_own_addr(1),
				     .peer = dut_live_test_own_addr(3)};
	struct port_conf other = {.addr = dut_live_test_own_addr(3)};
	static const struct ctl_req ask = {.id = 5, .verb = CTL_STATS};
	struct dut *d = open_dut(&conf);
	struct dgram dg = {.dst = conf.port.addr, .entropy = 31000, .len = 1};
	struct port *peer = NULL, *foreign = NULL;
	struct dut_event ev;

	(void)state;
	assert_int_equal(port_udp_new(&peer, &other), 0);
	other.addr = dut_live_test_own_addr(4);
	assert_int_equal(port_udp_new(&foreign, &other), 0);
	assert_int_equal(d->ops->control(d, &ask), ERR_SUPPORT);
	assert_int_equal(foreign->ops->send(foreign, &dg), 0);
	dg.len = 2;
	assert_int_equal(peer->ops->send(peer, &dg), 0);
	assert_int_equal(dut_live_test_await(d, DUT_DGRAM)->d.len, 2);
	assert_int_equal(d->counts.foreign, 1);
	/* stale ones are drained */
	for (int n = 0; n < 200; n++)
		assert_int_equal(peer->ops->send(peer, &dg), 0);
	assert_int_equal(d->ops->begin(d, 1), 0);
	assert_int_equal(d->counts.foreign, 0);
	assert_int_equal(d->ops->next(d, 0, &ev), 0);
	assert_int_equal(ev.kind, DUT_TIMEOUT);
	/* no socket can have this port */
	dg = (struct dgram){.entropy = 0, .len = 1};
	assert_int_equal(d->ops->send(d, &dg), 0);
	assert_int_equal(d->ops->next(d, 0, &ev), 0);
	assert_int_equal(d->counts.entropy_lost, 1);
	peer->ops->free(peer);
	foreign->ops->free(foreign);
	d->ops->free(d);
}

static void expect_in_a_row(struct dut *d, enum dut_event_kind kind, unsigned n)
{
	static struct dut_event ev;

	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(d->ops->next(d, 0, &ev), 0);
		assert_int_equal(ev.kind, kind);
	}
}

/* While both wait, the DUT reads as many lines as datagrams. */
static void lines_are_read_as_fast_as_datagrams(void **state)
{
	struct dut_live_conf conf = conf_of_child();
	struct port_conf other = {.addr = conf.peer};
	struct dgram dg = {.dst = conf.port.addr, .entropy = 31000, .len = 1};
	struct port *peer = NULL;
	struct dut *d;

	(void)state;
	conf.argv = lines_argv;
	d = open_dut(&conf);
	assert_int_equal(port_udp_new(&peer, &other), 0);
	for (unsigned i = 0; i < LINES; i++)
		assert_int_equal(peer->ops->send(peer, &dg), 0);
	for (unsigned turn = 0; turn < 2; turn++) {
		expect_in_a_row(d, DUT_DGRAM, 64);
		expect_in_a_row(d, DUT_GARBAGE, 64);
	}
	expect_in_a_row(d, DUT_DGRAM, LINES - 128);
	expect_in_a_row(d, DUT_GARBAGE, LINES - 128);
	expect_in_a_row(d, DUT_TIMEOUT, 1);
	peer->ops->free(peer);
	d->ops->free(d);
}

static void crc_trailers(void **state)
{
	struct dut_live_conf conf = conf_of_child();
	struct dgram dg = {.entropy = 31000,
			   .crc = DGRAM_CRC_RIGHT,
			   .len = 5,
			   .data = "hello"};
	struct dut_event *ev;
	struct dut *d;

	(void)state;
	conf.crc = true;
	conf.argv = crc_argv;
	d = open_dut(&conf);
	assert_int_equal(d->ops->send(d, &dg), 0);
	assert_int_equal(dg.len, 5);
	ev = dut_live_test_await(d, DUT_DGRAM);
	assert_int_equal(ev->d.len, 5);
	assert_int_equal(d->counts.crc_bad, 0);
	assert_int_equal(dut_live_test_await(d, DUT_EVENT)->ev.len, 9);
	d->ops->free(d);
	/* a device that does not process trailers echoes the wrong one */
	conf.argv = serve_argv;
	d = open_dut(&conf);
	assert_int_equal(d->ops->send(d, &dg), 0);
	ev = dut_live_test_await(d, DUT_DGRAM);
	assert_int_equal(ev->d.len, 9);
	assert_int_equal(d->counts.crc_bad, 1);
	d->ops->free(d);
}

/* Runs a script as the adapter and compares the error message. */
static void expect_why(const char *command, int err, const char *want)
{
	struct dut_live_conf conf = {.port.addr = dut_live_test_own_addr(1),
				     .peer = dut_live_test_own_addr(2),
				     .control = DUT_CONTROL_SHELL,
				     .command = command,
				     .hello_time = 2 * VSPAN_S};
	char why[CHAN_WHY] = "";
	struct dut *d = NULL;

	if (strstr(want, "did not answer"))
		conf.hello_time = 300 * VSPAN_MS;
	assert_int_equal(dut_live_new(&d, &conf, why), err);
	assert_string_equal(why, want);
	assert_null(d);
}

static void bad_adapters_are_explained(void **state)
{
	(void)state;
	expect_why("cat >/dev/null", ERR_STATE,
		   "the control channel did not answer hello");
	expect_why("printf '\\nWelcome to NIC 3000\\t!\\n'; cat >/dev/null",
		   ERR_STATE,
		   "the control channel did not answer hello; it said: "
		   "Welcome to NIC 3000?!");
	expect_why("read x; echo no licence >&2; exit 2", ERR_CLOSED,
		   "the control channel ended before hello: exited with "
		   "status 2: no licence");
	expect_why("read x; echo '{\"id\":0,\"error\":\"the token is not "
		   "right\"}'",
		   ERR_CLOSED,
		   "the control channel ended before hello: exited with "
		   "status 0; it said: the token is not right");
	expect_why("nonexistent-adapter 2>/dev/null", ERR_CLOSED,
		   "the control channel ended before hello: exited with "
		   "status 127");
	expect_why("read x; echo '{\"id\":2147483648,\"error\":"
		   "\"version 2 asked for, version 3 spoken here\"}'; read x",
		   ERR_STATE,
		   "the DUT refused hello: version 2 asked for, version 3 "
		   "spoken here");
	expect_why("read x; echo '{\"id\":2147483648,\"ok\":true,"
		   "\"version\":7,\"verbs\":[]}'; read x",
		   ERR_STATE,
		   "the DUT speaks version 7 of the control channel, this is "
		   "version 2");
}

/* Noise and events of a later version do not stop a minimum adapter. */
static void a_minimum_adapter(void **state)
{
	struct dut_live_conf conf = {
		.port.addr = dut_live_test_own_addr(1),
		.peer = dut_live_test_own_addr(2),
		.control = DUT_CONTROL_SHELL,
		.command = "read x; echo noise; echo '{\"event\":\"later\"}'; "
			   "echo '{\"id\":2147483648,\"ok\":true,"
			   "\"version\":2,\"verbs\":[\"send\"]}'; "
			   "read x; echo noise; echo '{\"event\":\"later\"}'; "
			   "echo '{\"id\":1,\"ok\":true}'; read x"};
	struct dut *d = open_dut(&conf);

	(void)state;
	assert_string_equal(d->verbs, "send");
	assert_int_equal(d->counts.unknown_events, 1);
	assert_int_equal(d->ops->begin(d, 1), 0); /* the adapter has no reset */
	dut_live_test_post(d, 1, OP_SEND, 0);
	assert_string_equal(dut_live_test_await(d, DUT_GARBAGE)->text, "noise");
	assert_true(dut_live_test_await(d, DUT_ANSWER)->ans.ok);
	assert_int_equal(d->counts.unknown_events, 1);
	d->ops->free(d);
}

static void dut_live_test_wrong_configurations(void **state)
{
	struct dut_live_conf conf = {.port.addr = dut_live_test_own_addr(1)};
	char why[CHAN_WHY] = "";
	struct dut *d = NULL, *second = NULL;

	(void)state;
	assert_int_equal(dut_live_new(&d, &conf, why), ERR_VALUE);
	conf.peer = dut_live_test_own_addr(2);
	d = open_dut(&conf);
	assert_int_equal(dut_live_new(&second, &conf, why), ERR_SYS);
	assert_non_null(strstr(why, "UDP port 4793 of 127.42."));
	assert_non_null(strstr(why, "Address already in use"));
	d->ops->free(d);
	conf.control = DUT_CONTROL_UNIX;
	conf.path = "/nonexistent/socket";
	assert_int_equal(dut_live_new(&d, &conf, why), ERR_SYS);
	assert_string_equal(why, "control channel: /nonexistent/socket: "
				 "No such file or directory");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(datagrams_and_control),
		cmocka_unit_test(headers_of_other_sizes),
		cmocka_unit_test(begin_starts_afresh),
		cmocka_unit_test(the_end_of_the_dut_is_told),
		cmocka_unit_test(a_dut_without_control),
		cmocka_unit_test(lines_are_read_as_fast_as_datagrams),
		cmocka_unit_test(crc_trailers),
		cmocka_unit_test(bad_adapters_are_explained),
		cmocka_unit_test(a_minimum_adapter),
		cmocka_unit_test(dut_live_test_wrong_configurations),
	};

	if (argc == 3 && !strcmp(argv[1], "lines"))
		return dut_live_test_lines();
	if (argc == 3)
		return dut_live_test_child(argv[2], !strcmp(argv[1], "crc"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
