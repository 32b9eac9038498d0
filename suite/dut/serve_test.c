/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Serving a stand-in: over descriptors, a path and TCP.  The server is a child
 * process of the same program, which reports on its standard output that it is
 * ready.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include <cmocka.h>

#include "gen/port/port.h"
#include "gen/port/port_clock.h"
#include "suite/dut/chan/chan_connect.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/fake_test.h"
#include "suite/dut/gate.h"
#include "suite/dut/serve.h"

#define PATIENCE (10 * VSPAN_S)

static struct ip_addr serve_test_own_addr(uint8_t which)
{
	uint32_t pid = (uint32_t)getpid();

	return ip_addr_v4(127u << 24 | 43u << 16 | (pid & 0x1fff) << 3 |
			  (which & 7u));
}

static char addr_text[IP_ADDR_TEXT], other_text[128];

/* The child's arguments: its address, and "none", "tcp" or a path. */
static void serve_test_announce(void *ctx, const char *line)
{
	(void)ctx;
	puts(line);
	fflush(stdout);
}

static int serve_test_child(const char *addr, const char *control)
{
	struct serve_conf conf = {.api = &fake_api,
				  .path = control,
				  .host = "127.0.0.1",
				  .token = "open sesame",
				  .ready = serve_test_announce,
				  .interrupted = &fake_stop};
	char why[CHAN_WHY] = "";
	int err = ip_addr_parse(&conf.orc.addr, addr, strlen(addr));

	alarm(60); /* a test that failed leaves no child behind */
	if (!strcmp(control, "none"))
		conf.control = SERVE_NONE;
	else
		conf.control = strcmp(control, "tcp") ? SERVE_UNIX : SERVE_TCP;
	if (!err)
		err = serve_run(&conf, why);
	fputs(why, stderr);
	if (err)
		return 1;
	return 0;
}

static int serve_test_next(struct chan *c, const char **ret, size_t *ret_len)
{
	vtime until = port_now() + PATIENCE;
	int fd = chan_fd(c), got;
	size_t ready;

	while (!(got = chan_read(c, ret, ret_len)))
		assert_int_equal(port_wait(&fd, 1, until, &ready), 1);
	return got;
}

static void serve_test_say(struct chan *c, const char *line)
{
	assert_int_equal(chan_write(c, line, strlen(line)), 0);
}

static void serve_test_expect(struct chan *c, const char *want)
{
	const char *line = NULL;
	size_t len = 0;

	assert_int_equal(serve_test_next(c, &line, &len), 1);
	if (len != strlen(want) || memcmp(line, want, len))
		fail_msg("got  %.*s\nwant %s", (int)len, line, want);
}

static void serve_test_expect_end(struct chan *c)
{
	const char *line;
	size_t len;

	assert_int_equal(serve_test_next(c, &line, &len), ERR_CLOSED);
}

/* Starts the child; |line| is what it announces, without its newline. */
static struct chan *serve_test_start(const char *control, char *line,
				     size_t size)
{
	const char *const argv[] = {"/proc/self/exe", addr_text, other_text,
				    NULL};
	struct ip_addr addr = serve_test_own_addr(1);
	char why[CHAN_WHY] = "";
	struct chan *c = NULL;
	const char *said = NULL;
	size_t len = 0;

	ip_addr_print(&addr, addr_text);
	snprintf(other_text, sizeof(other_text), "%s", control);
	assert_int_equal(chan_spawn(&c, argv, CHAN_SHOW_STDERR, why), 0);
	assert_int_equal(serve_test_next(c, &said, &len), 1);
	snprintf(line, size, "%.*s", (int)len, said);
	return c;
}

/* Interrupts the child with a datagram. */
static void serve_test_stop(struct chan *server)
{
	struct port_conf conf = {.addr = serve_test_own_addr(3)};
	struct dgram d = {.dst = serve_test_own_addr(1),
			  .entropy = 31000,
			  .len = FAKE_STOP};
	struct port *p = NULL;
	char why[CHAN_WHY];

	assert_int_equal(port_udp_new(&p, &conf), 0);
	assert_int_equal(p->ops->send(p, &d), 0);
	serve_test_expect_end(server);
	chan_ended(server, why);
	assert_string_equal(why, "exited with status 0");
	chan_free(server);
	p->ops->free(p);
}

/*
 * Requests an operation with answer, datagram and event, and sends a bad line.
 */
static void converse(struct chan *c, struct port *p)
{
	char addr[IP_ADDR_TEXT], line[128];
	struct ip_addr mine = serve_test_own_addr(2);
	struct text longer = {0};
	struct dgram d;
	size_t ready;
	vtime at;

	ip_addr_print(&mine, addr);
	snprintf(line, sizeof(line),
		 "{\"id\":1,\"verb\":\"send\",\"peer\":\"%s\",\"len\":9,"
		 "\"handle\":4}\n",
		 addr);
	serve_test_say(c, line);
	serve_test_expect(c, "{\"id\":1,\"ok\":true}");
	serve_test_expect(
		c, "{\"event\":\"completion\",\"handle\":4,\"status\":\"ok\"}");
	while (!p->ops->recv(p, &d, &at))
		assert_int_equal(
			port_wait(&p->fd, 1, port_now() + PATIENCE, &ready), 1);
	assert_int_equal(d.len, 9);
	assert_int_equal(d.entropy, FAKE_ENTROPY);
	serve_test_say(c, "{\"id\":2,\"verb\":\"send\",\"len\":9}\n{\"id\":3}"
			  "\nrubbish\n");
	serve_test_expect(
		c,
		"{\"id\":2,\"error\":\"\\\"peer\\\": expected an IPv4 or IPv6 "
		"address as a string\"}");
	serve_test_expect(
		c, "{\"id\":3,\"error\":\"\\\"verb\\\": expected a string\"}");
	serve_test_expect(c, "{\"id\":0,\"error\":\"'[' or '{' expected near "
			     "'rubbish'\"}");
	text_fill(&longer, ' ', CTL_LINE_MAX + 10);
	text_puts(&longer, "\n{\"id\":4,\"verb\":\"completions\"}\n");
	assert_int_equal(chan_write(c, longer.s, longer.len), 0);
	serve_test_expect(c, "{\"id\":0,\"error\":\"the line is too long\"}");
	serve_test_expect(c, "{\"id\":4,\"ok\":true}");
	text_free(&longer);
}

static void clients_of_a_path(void **state)
{
	char dir[] = "/tmp/rung-serve-XXXXXX", path[64], line[256];
	char why[CHAN_WHY] = "", want[256], addr[IP_ADDR_TEXT];
	struct port_conf conf = {.addr = serve_test_own_addr(2)};
	struct ip_addr served = serve_test_own_addr(1);
	struct chan *c = NULL;
	struct port *p = NULL;
	struct chan *server;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/ctl", dir);
	server = serve_test_start(path, line, sizeof(line));
	ip_addr_print(&served, addr);
	snprintf(want, sizeof(want), "udp %s:4793, control unix %s", addr,
		 path);
	assert_string_equal(line, want);
	assert_int_equal(port_udp_new(&p, &conf), 0);
	for (int n = 0; n < 3; n++) {
		assert_int_equal(chan_unix(&c, path, why), 0);
		converse(c, p);
		chan_free(c);
	}
	serve_test_stop(server);
	p->ops->free(p);
	assert_int_equal(rmdir(dir), 0);
}

/*
 * The stand-in sends a datagram to itself, and echoes it for ever: one waits at
 * every moment.  A reset drops it, and nothing is heard after its answer.
 */
static void a_reset_drops_what_waits(void **state)
{
	char dir[] = "/tmp/rung-serve-XXXXXX", path[64], line[256];
	char why[CHAN_WHY] = "";
	struct chan *c = NULL;
	const char *got = NULL;
	struct chan *server;
	size_t len = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/ctl", dir);
	server = serve_test_start(path, line, sizeof(line));
	assert_int_equal(chan_unix(&c, path, why), 0);
	snprintf(line, sizeof(line),
		 "{\"id\":1,\"verb\":\"send\",\"peer\":\"%s\",\"len\":9,"
		 "\"handle\":4}\n",
		 addr_text);
	serve_test_say(c, line);
	serve_test_expect(c, "{\"id\":1,\"ok\":true}");
	serve_test_say(c, "{\"id\":2,\"verb\":\"reset\",\"seed\":1}\n");
	do
		assert_int_equal(serve_test_next(c, &got, &len), 1);
	while (!memmem(got, len, "\"id\":2", 6));
	serve_test_say(c, "{\"id\":3,\"verb\":\"completions\"}\n");
	serve_test_expect(c, "{\"id\":3,\"ok\":true}");
	chan_free(c);
	serve_test_stop(server);
	assert_int_equal(rmdir(dir), 0);
}

static uint16_t serve_test_port_of(const char *line)
{
	unsigned port = 0;

	assert_non_null(strrchr(line, ':'));
	assert_int_equal(sscanf(strrchr(line, ':') + 1, "%u", &port), 1);
	return (uint16_t)port;
}

static void tcp_asks_for_the_token(void **state)
{
	static const char hello[] = "{\"id\":1,\"verb\":\"completions\"}\n";
	char line[256], why[CHAN_WHY] = "";
	struct text token = {0};
	struct chan *c = NULL;
	struct chan *server;
	uint16_t port;

	(void)state;
	server = serve_test_start("tcp", line, sizeof(line));
	port = serve_test_port_of(line);
	assert_int_equal(chan_tcp(&c, "127.0.0.1", port, why), 0);
	serve_test_say(c, hello);
	serve_test_expect(c, "{\"id\":0,\"error\":\"the token is not right\"}");
	serve_test_expect_end(c);
	chan_free(c);
	assert_int_equal(chan_tcp(&c, "127.0.0.1", port, why), 0);
	ctl_token_print(&token, "open barley");
	serve_test_say(c, text_cstr(&token));
	serve_test_expect(c, "{\"id\":0,\"error\":\"the token is not right\"}");
	serve_test_expect_end(c);
	chan_free(c);
	assert_int_equal(chan_tcp(&c, "127.0.0.1", port, why), 0);
	text_clear(&token);
	ctl_token_print(&token, "open sesame");
	serve_test_say(c, text_cstr(&token));
	serve_test_say(c, hello);
	serve_test_expect(c, "{\"id\":1,\"ok\":true}");
	chan_free(c);
	serve_test_stop(server);
	text_free(&token);
}

/* Clients that send nothing, or too much, do not delay others. */
static void idle_clients_delay_nobody(void **state)
{
	static const char hello[] = "{\"id\":1,\"verb\":\"completions\"}\n";
	struct chan *idle[2 * GATE_CLIENTS] = {0}, *c = NULL, *server;
	char line[256], why[CHAN_WHY] = "", flood[4096];
	struct text token = {0};
	vtime began;
	uint16_t port;

	(void)state;
	server = serve_test_start("tcp", line, sizeof(line));
	port = serve_test_port_of(line);
	memset(flood, 'x', sizeof(flood) - 1);
	flood[sizeof(flood) - 1] = 0;
	for (size_t i = 0; i < 2 * GATE_CLIENTS; i++) {
		assert_int_equal(chan_tcp(&idle[i], "127.0.0.1", port, why), 0);
		if (i % 2)
			serve_test_say(idle[i], flood);
	}
	began = port_now();
	assert_int_equal(chan_tcp(&c, "127.0.0.1", port, why), 0);
	ctl_token_print(&token, "open sesame");
	serve_test_say(c, text_cstr(&token));
	serve_test_say(c, hello);
	serve_test_expect(c, "{\"id\":1,\"ok\":true}");
	assert_true(port_now() - began < GATE_TIME / 2);
	for (size_t i = 0; i < 2 * GATE_CLIENTS; i++)
		chan_free(idle[i]);
	chan_free(c);
	serve_test_stop(server);
	text_free(&token);
}

/*
 * The script is a file and the answers go to a file: the server ends with the
 * script.
 */
static void a_script_from_a_file(void **state)
{
	struct serve_conf conf = {.api = &fake_api, .control = SERVE_FDS};
	FILE *in = tmpfile(), *out = tmpfile();
	char why[CHAN_WHY], got[256];
	size_t n;

	(void)state;
	assert_true(in && out);
	fputs("{\"id\":1,\"verb\":\"mem_digest\",\"key\":1}\n"
	      "{\"id\":2,\"verb\":\"read\",\"peer\":\"10.0.0.1\",\"len\":1}",
	      in);
	rewind(in);
	conf.in = fileno(in);
	conf.out = fileno(out);
	conf.orc.addr = serve_test_own_addr(1);
	assert_int_equal(serve_run(&conf, why), 0);
	rewind(out);
	n = fread(got, 1, sizeof(got) - 1, out);
	got[n] = 0;
	assert_string_equal(got, "{\"id\":1,\"error\":\"value\"}\n"
				 "{\"id\":2,\"error\":\"unsupported\"}\n");
	fclose(in);
	fclose(out);
}

#define FLOOD 40000 /* events, of 60 bytes */

static unsigned flood_told;

static vtime flood_deadline(const struct orc *o)
{
	(void)o;
	return 0;
}

static bool flood_poll_event(struct orc *o, struct orc_event *ret)
{
	(void)o;
	*ret = (struct orc_event){
		.kind = EV_RECV, .len = 100000, .handle = 1000000};
	fake_stop = flood_told == FLOOD;
	return !fake_stop && flood_told++ % 8;
}

/* Reads a part slowly, the rest fast.  Ends the process. */
static void flood_read(int fd)
{
	char s[4096];
	size_t n = 0;
	ssize_t got;

	do {
		got = read(fd, s, n < (300 << 10) ? 1 : sizeof(s));
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	_exit(0);
}

/* The endpoint does not end because the program that started it reads slowly.
 */
static void a_slow_controller_is_waited_for(void **state)
{
	struct orc_api api = fake_api;
	struct serve_conf conf = {
		.api = &api, .control = SERVE_FDS, .interrupted = &fake_stop};
	char why[CHAN_WHY];
	int in[2], out[2], status = -1;
	pid_t reader;

	(void)state;
	api.deadline = flood_deadline;
	api.poll_event = flood_poll_event;
	assert_int_equal(pipe(in) | pipe(out), 0);
	reader = fork();
	assert_true(reader >= 0);
	if (!reader) {
		close(out[1]);
		flood_read(out[0]);
	}
	close(out[0]);
	conf.in = in[0];
	conf.out = out[1];
	conf.orc.addr = serve_test_own_addr(1);
	assert_int_equal(serve_run(&conf, why), 0);
	close(out[1]);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(status, 0);
	assert_int_equal(flood_told, FLOOD);
	fake_stop = false;
	close(in[0]);
	close(in[1]);
}

static void no_control_until_interrupted(void **state)
{
	char line[256];
	struct chan *server;

	(void)state;
	server = serve_test_start("none", line, sizeof(line));
	assert_null(strstr(line, "control"));
	serve_test_stop(server);
}

/*
 * An endpoint with a timer that one datagram starts and the next one stops.  It
 * answers the second one, and then ends the server.
 */
enum {
	TIMER_START = 1,
	TIMER_STOP = 2,
};

static struct {
	bool runs, answers;
	unsigned fired;
} timer;

static volatile bool timer_stop;

static int timer_feed(struct orc *o, const struct dgram *d, vtime now)
{
	(void)o;
	(void)now;
	timer.runs = d->len == TIMER_START;
	timer.answers = d->len == TIMER_STOP;
	return 0;
}

static void timer_tick(struct orc *o, vtime now)
{
	(void)o;
	(void)now;
	timer.fired += timer.runs;
}

static vtime timer_deadline(const struct orc *o)
{
	(void)o;
	return timer.runs ? 0 : VTIME_NEVER;
}

static bool timer_poll_tx(struct orc *o, struct dgram *ret)
{
	const bool out = timer.answers;

	(void)o;
	(void)ret;
	timer.answers = false;
	if (out)
		timer_stop = true;
	return out;
}

/* Sends both datagrams after the port was opened and before it is read. */
static void send_before_the_loop(void *ctx, const char *line)
{
	struct dgram d = {.dst = serve_test_own_addr(1), .entropy = 31000};
	struct port *p = ctx;

	(void)line;
	d.len = TIMER_START;
	assert_int_equal(p->ops->send(p, &d), 0);
	d.len = TIMER_STOP;
	assert_int_equal(p->ops->send(p, &d), 0);
}

static void timers_wait_for_unread_datagrams(void **state)
{
	struct port_conf tester = {.addr = serve_test_own_addr(2)};
	struct orc_api api = fake_api;
	struct serve_conf conf = {.api = &api,
				  .control = SERVE_NONE,
				  .ready = send_before_the_loop,
				  .interrupted = &timer_stop};
	char why[CHAN_WHY] = "";
	struct port *p = NULL;

	(void)state;
	api.feed = timer_feed;
	api.tick = timer_tick;
	api.deadline = timer_deadline;
	api.poll_tx = timer_poll_tx;
	conf.orc.addr = serve_test_own_addr(1);
	assert_int_equal(port_udp_new(&p, &tester), 0);
	conf.ready_ctx = p;
	assert_int_equal(serve_run(&conf, why), 0);
	assert_int_equal(timer.fired, 0);
	p->ops->free(p);
}

static void serve_test_wrong_configurations(void **state)
{
	struct serve_conf conf = {.api = &fake_api, .control = SERVE_TCP};
	struct port_conf other = {.addr = serve_test_own_addr(1)};
	struct port *p = NULL;
	char why[CHAN_WHY];

	(void)state;
	conf.orc.addr = serve_test_own_addr(1);
	conf.host = "127.0.0.1";
	assert_int_equal(serve_run(&conf, why), ERR_VALUE);
	assert_string_equal(why, "control over TCP needs a token");
	conf.token = "x";
	conf.host = "0.0.0.0";
	assert_int_equal(serve_run(&conf, why), ERR_SYS);
	assert_non_null(strstr(why, "no loopback address"));
	conf.orc.mtu = 1;
	assert_int_equal(serve_run(&conf, why), ERR_VALUE);
	assert_string_equal(why, "the endpoint refused: value");
	conf.orc.mtu = 0;
	assert_int_equal(port_udp_new(&p, &other), 0);
	assert_int_equal(serve_run(&conf, why), ERR_SYS);
	assert_non_null(strstr(why, "Address already in use"));
	p->ops->free(p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_of_a_path),
		cmocka_unit_test(a_reset_drops_what_waits),
		cmocka_unit_test(tcp_asks_for_the_token),
		cmocka_unit_test(idle_clients_delay_nobody),
		cmocka_unit_test(a_script_from_a_file),
		cmocka_unit_test(a_slow_controller_is_waited_for),
		cmocka_unit_test(no_control_until_interrupted),
		cmocka_unit_test(timers_wait_for_unread_datagrams),
		cmocka_unit_test(serve_test_wrong_configurations),
	};

	if (argc == 3)
		return serve_test_child(argv[1], argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
