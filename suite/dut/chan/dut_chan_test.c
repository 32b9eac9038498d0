/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Channels: programs on pipes, sockets of both kinds, and what goes wrong.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/pidfd.h>

#include <cmocka.h>

#include "base/err.h"
#include "gen/port/port_clock.h"
#include "suite/dut/chan/chan_connect.h"
#include "suite/dut/chan/chan_listen.h"
#include "suite/dut/chan/chan_make.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/chan_state.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl.h"

#define PATIENCE (10 * VSPAN_S)

static struct chan *dut_chan_test_spawn(const char *command)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	char why[CHAN_WHY] = "";
	struct chan *c = NULL;

	assert_int_equal(chan_spawn(&c, argv, 0, why), 0);
	return c;
}

static int dut_chan_test_next(struct chan *c, const char **ret, size_t *ret_len)
{
	vtime until = port_now() + PATIENCE;
	int fd = chan_fd(c), got;
	size_t ready;

	while (!(got = chan_read(c, ret, ret_len)))
		assert_int_equal(port_wait(&fd, 1, until, &ready), 1);
	return got;
}

static void expect_line(struct chan *c, const char *want)
{
	const char *line = NULL;
	size_t len = 0;

	assert_int_equal(dut_chan_test_next(c, &line, &len), 1);
	assert_int_equal(len, strlen(want));
	assert_memory_equal(line, want, len);
}

static void dut_chan_test_expect_end(struct chan *c, const char *want)
{
	char why[CHAN_WHY] = "";
	const char *line;
	size_t len;

	assert_int_equal(dut_chan_test_next(c, &line, &len), ERR_CLOSED);
	assert_int_equal(chan_read(c, &line, &len), ERR_CLOSED);
	chan_ended(c, why);
	assert_string_equal(why, want);
}

static void a_program_echoes_lines(void **state)
{
	struct chan *c = dut_chan_test_spawn("exec cat");

	(void)state;
	for (int n = 0; n < 20; n++) {
		assert_int_equal(chan_write(c, "one\n\ntwo\r\nthr", 13), 0);
		assert_int_equal(chan_write(c, "ee\n", 3), 0);
		expect_line(c, "one");
		expect_line(c, "two");
		expect_line(c, "three");
	}
	chan_free(c);
	chan_free(NULL);
}

static void ends_are_told(void **state)
{
	struct chan *c =
		dut_chan_test_spawn("echo hello; echo oops >&2; exit 3");

	(void)state;
	expect_line(c, "hello");
	dut_chan_test_expect_end(c, "exited with status 3: oops");
	chan_free(c);
	c = dut_chan_test_spawn(
		"printf 'a\\nb\\tc\\n\\n' >&2; printf unfinished");
	expect_line(c, "unfinished");
	dut_chan_test_expect_end(c, "exited with status 0: b?c");
	chan_free(c);
	/* A program may continue after it closed its output. */
	c = dut_chan_test_spawn("exec >&-; sleep 0.1; exit 4");
	dut_chan_test_expect_end(c, "exited with status 4");
	chan_free(c);
	c = dut_chan_test_spawn("kill -SEGV $$");
	dut_chan_test_expect_end(c, "was killed by signal 11 (SIGSEGV)");
	chan_free(c);
}

static void much_on_stderr_does_not_block(void **state)
{
	struct chan *c = dut_chan_test_spawn(
		"i=0; while [ $i -lt 20000 ]; do echo line $i of "
		"many >&2; i=$((i+1)); done; echo done");

	(void)state;
	expect_line(c, "done");
	dut_chan_test_expect_end(c, "exited with status 0: line 19999 of many");
	chan_free(c);
}

/* docs/dut-control.md lists what a program gets. */
static void a_program_gets_what_is_documented(void **state)
{
	struct chan *c;

	(void)state;
	assert_int_equal(setenv("SECRET", "1", 1), 0);
	assert_int_equal(setenv("RUNG_TEST", "yes", 1), 0);
	assert_int_equal(setenv("RUNGS", "1", 1), 0);
	c = dut_chan_test_spawn(
		"echo ${SECRET-no} ${RUNGS-no} $RUNG_TEST; cd /proc/$$; "
		"ls fd; grep -c 'Cap[PIEA].*:.0000000000000000' status; "
		"grep NoNew status");
	expect_line(c, "no no yes");
	expect_line(c, "0");
	expect_line(c, "1");
	expect_line(c, "2");
	expect_line(c, "4");
	expect_line(c, "NoNewPrivs:\t1");
	dut_chan_test_expect_end(c, "exited with status 0");
	chan_free(c);
}

/* Reads a process id and opens its descriptor. */
static int process_told(struct chan *c)
{
	const char *line = NULL;
	size_t len = 0;
	int fd;

	assert_int_equal(dut_chan_test_next(c, &line, &len), 1);
	fd = pidfd_open((pid_t)strtol(line, NULL, 10), 0);
	assert_true(fd >= 0);
	return fd;
}

static void what_a_program_started_ends_with_it(void **state)
{
	struct chan *c = dut_chan_test_spawn("sleep 100 & echo $!; read x");
	const int left = process_told(c);
	size_t ready;

	(void)state;
	chan_free(c);
	assert_int_equal(port_wait(&left, 1, port_now() + PATIENCE, &ready), 1);
	close(left);
}

static void what_a_trigger_started_goes_on(void **state)
{
	const char *const argv[] = {"sh", "-c", "sleep 100 & echo $!", NULL};
	char why[CHAN_WHY] = "";
	struct chan *c = NULL;
	size_t ready;
	int left;

	(void)state;
	assert_int_equal(chan_spawn(&c, argv, CHAN_LETS_GO, why), 0);
	left = process_told(c);
	dut_chan_test_expect_end(c, "exited with status 0");
	chan_free(c);
	assert_int_equal(
		port_wait(&left, 1, port_now() + 100 * VSPAN_MS, &ready), 0);
	pidfd_send_signal(left, SIGKILL, NULL, 0);
	close(left);
}

static void programs_that_are_not_there(void **state)
{
	const char *const argv[] = {"/nonexistent/adapter", NULL};
	char why[CHAN_WHY] = "";
	struct chan *c = NULL;

	(void)state;
	assert_int_equal(chan_spawn(&c, argv, 0, why), ERR_SYS);
	assert_string_equal(why, "/nonexistent/adapter: No such file or "
				 "directory");
	assert_null(c);
}

/* A program that ignores the end of its input is ended. */
static void stubborn_programs_are_ended(void **state)
{
	struct chan *c = dut_chan_test_spawn("exec tail -f /dev/null");
	vtime before = port_now();

	(void)state;
	chan_free(c);
	assert_true(port_now() - before < PATIENCE);
	c = dut_chan_test_spawn(
		"trap '' TERM; echo up; while :; do read x || tail -f "
		"/dev/null; done");
	expect_line(c, "up");
	chan_free(c);
	assert_true(port_now() - before < PATIENCE);
}

static void writing_to_a_dead_program_is_closed(void **state)
{
	struct chan *c = dut_chan_test_spawn("exit 0");
	int err = 0;

	(void)state;
	dut_chan_test_expect_end(c, "exited with status 0");
	for (int n = 0; n < 3 && !err; n++)
		err = chan_write(c, "x\n", 2);
	assert_int_equal(err, ERR_CLOSED);
	chan_free(c);
}

static void long_lines_are_cut_off(void **state)
{
	struct chan *c = dut_chan_test_spawn("exec cat");
	static char line[3 * CTL_LINE_MAX];
	const char *got = NULL;
	size_t len = 0;

	(void)state;
	memset(line, 'x', sizeof(line));
	assert_int_equal(chan_write(c, line, sizeof(line)), 0);
	assert_int_equal(chan_write(c, "\nshort\n", 7), 0);
	assert_int_equal(dut_chan_test_next(c, &got, &len), ERR_SPACE);
	assert_true(len > CTL_LINE_MAX);
	assert_int_equal(got[0], 'x');
	expect_line(c, "short");
	/* the longest that fits */
	line[CTL_LINE_MAX - 1] = '\n';
	assert_int_equal(chan_write(c, line, CTL_LINE_MAX), 0);
	assert_int_equal(dut_chan_test_next(c, &got, &len), 1);
	assert_int_equal(len, CTL_LINE_MAX - 1);
	chan_free(c);
}

/* The input is a regular file, which epoll refuses. */
static void files_are_read(void **state)
{
	FILE *f = tmpfile();
	char why[CHAN_WHY] = "";
	struct chan *c = NULL;

	(void)state;
	assert_non_null(f);
	fputs("first\nlast", f);
	rewind(f);
	assert_int_equal(chan_of_fds(&c, fileno(f), STDOUT_FILENO, why), 0);
	expect_line(c, "first");
	expect_line(c, "last");
	dut_chan_test_expect_end(c, "closed the channel");
	chan_free(c);
	assert_int_equal(fclose(f), 0); /* the channel has not closed it */
}

/* Makes both ends of a connection, over a path that is removed at once. */
static void connect_pair(struct chan **ret_a, struct chan **ret_b)
{
	char dir[] = "/tmp/rung-chan-XXXXXX", path[64], why[CHAN_WHY];
	struct chan_listener *l = NULL;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/s", dir);
	assert_int_equal(chan_listen_unix(&l, path, why), 0);
	assert_int_equal(chan_unix(ret_a, path, why), 0);
	assert_int_equal(chan_accept(l, ret_b), 1);
	chan_listener_free(l);
	assert_int_equal(rmdir(dir), 0);
}

/*
 * Bytes that the other end does not read are queued, in order, up to a limit.
 */
static void slow_readers(void **state)
{
	static char block[1000];
	struct chan *a = NULL, *b = NULL;
	const char *line = NULL;
	size_t len = 0, ready;
	unsigned sent = 0;
	bool woken = false;
	int fd, err;

	(void)state;
	connect_pair(&a, &b);
	fd = chan_fd(a);
	block[sizeof(block) - 1] = '\n';
	for (;; sent++) {
		memset(block, 'a' + (int)(sent % 26), sizeof(block) - 1);
		err = chan_write(a, block, sizeof(block));
		if (err)
			break;
	}
	assert_int_equal(err, ERR_CLOSED);
	assert_true(sent > 1000);
	assert_int_equal(port_wait(&fd, 1, 0, &ready), 0);
	for (unsigned n = 0; n < sent; n++) {
		/* the channel's descriptor is readable once there is room */
		woken |= port_wait(&fd, 1, 0, &ready) == 1;
		assert_int_equal(chan_read(a, &line, &len), 0);
		assert_int_equal(dut_chan_test_next(b, &line, &len), 1);
		assert_int_equal(len, sizeof(block) - 1);
		assert_int_equal(line[0], 'a' + (int)(n % 26));
		assert_int_equal(line[len - 1], line[0]);
	}
	assert_true(woken);
	chan_free(a);
	assert_int_equal(dut_chan_test_next(b, &line, &len), ERR_CLOSED);
	chan_free(b);
}

/* Two clients one after another, on either kind of socket. */
static void dut_chan_test_talk(struct chan_listener *l, struct chan *client)
{
	int fd = chan_listener_fd(l);
	struct chan *server = NULL;
	size_t ready;

	assert_int_equal(port_wait(&fd, 1, port_now() + PATIENCE, &ready), 1);
	assert_int_equal(chan_accept(l, &server), 1);
	assert_int_equal(chan_write(client, "hello\n", 6), 0);
	expect_line(server, "hello");
	assert_int_equal(chan_write(server, "who\n", 4), 0);
	expect_line(client, "who");
	chan_free(client);
	dut_chan_test_expect_end(server, "closed the channel");
	chan_free(server);
}

static void tcp_sockets(void **state)
{
	struct chan_listener *l = NULL;
	char why[CHAN_WHY] = "";
	struct chan *c = NULL;
	uint16_t port;

	(void)state;
	assert_int_equal(chan_listen_tcp(&l, "0.0.0.0", 0, false, why),
			 ERR_SYS);
	assert_non_null(strstr(why, "0.0.0.0 is no loopback address"));
	assert_int_equal(chan_listen_tcp(&l, "127.0.0.1", 0, false, why), 0);
	port = chan_listener_port(l);
	assert_true(port != 0);
	for (int n = 0; n < 2; n++) {
		assert_int_equal(chan_tcp(&c, "127.0.0.1", port, why), 0);
		dut_chan_test_talk(l, c);
	}
	assert_int_equal(chan_accept(l, &c), 0);
	chan_listener_free(l);
	chan_listener_free(NULL);
	assert_int_equal(chan_tcp(&c, "127.0.0.1", port, why), ERR_SYS);
	assert_non_null(strstr(why, "Connection refused"));
	assert_int_equal(chan_tcp(&c, "no such host", port, why), ERR_SYS);
}

static void unix_sockets(void **state)
{
	char dir[] = "/tmp/rung-chan-XXXXXX", path[64], why[CHAN_WHY] = "";
	struct chan_listener *l = NULL, *second = NULL;
	struct chan *c = NULL;
	char longer[200];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/s", dir);
	assert_int_equal(chan_unix(&c, path, why), ERR_SYS);
	assert_int_equal(chan_listen_unix(&l, path, why), 0);
	assert_int_equal(chan_listener_port(l), 0);
	/* a live listener is not replaced; its connection is accepted below */
	assert_int_equal(chan_listen_unix(&second, path, why), ERR_SYS);
	assert_non_null(strstr(why, "Address already in use"));
	assert_int_equal(chan_accept(l, &c), 1);
	chan_free(c);
	for (int n = 0; n < 2; n++) {
		assert_int_equal(chan_unix(&c, path, why), 0);
		dut_chan_test_talk(l, c);
	}
	chan_listener_free(l);
	assert_int_equal(access(path, F_OK), -1);
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = 0;
	assert_int_equal(chan_listen_unix(&l, longer, why), ERR_SYS);
	assert_int_equal(chan_unix(&c, longer, why), ERR_SYS);
	assert_int_equal(rmdir(dir), 0);
}

/*
 * More programs than processors, behind one shell, so that they compete for
 * them.
 */
static void starving_programs_are_seen(void **state)
{
	const vtime until = port_now() + PATIENCE;
	char command[160];
	struct chan *c;
	vspan starved = 0;

	(void)state;
	c = dut_chan_test_spawn("exec cat");
	assert_in_range(chan_starved(c), 0, VSPAN_S);
	chan_free(c);
	snprintf(command, sizeof(command),
		 "i=0; while [ $i -lt %ld ]; do "
		 "(while :; do :; done) & i=$((i+1)); "
		 "done; wait",
		 sysconf(_SC_NPROCESSORS_ONLN) + 1);
	c = dut_chan_test_spawn(command);
	while (starved < 20 * VSPAN_MS) {
		starved += chan_starved(c);
		assert_true(port_now() < until);
	}
	chan_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_echoes_lines),
		cmocka_unit_test(ends_are_told),
		cmocka_unit_test(much_on_stderr_does_not_block),
		cmocka_unit_test(a_program_gets_what_is_documented),
		cmocka_unit_test(what_a_program_started_ends_with_it),
		cmocka_unit_test(what_a_trigger_started_goes_on),
		cmocka_unit_test(programs_that_are_not_there),
		cmocka_unit_test(stubborn_programs_are_ended),
		cmocka_unit_test(writing_to_a_dead_program_is_closed),
		cmocka_unit_test(long_lines_are_cut_off),
		cmocka_unit_test(files_are_read),
		cmocka_unit_test(slow_readers),
		cmocka_unit_test(tcp_sockets),
		cmocka_unit_test(unix_sockets),
		cmocka_unit_test(starving_programs_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
