/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cli.c -- messages, colours, numbers on the command line, and signals.
 *
 * The first SIGINT or SIGTERM sets a flag; a second one of the same kind has
 * its default action and ends the program.
 */
#include "cli/cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/ioctl.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/file/atomic_file.h"
#include "reports/safe.h"
#include "wire/frame/foreign.h"

/* A static variable, because a signal handler has no argument. */
static volatile bool interrupted;

/* Arguments and file names must not control the terminal. */
static void put_safely(const char *s)
{
	struct text t = {0};

	safe_puts(&t, s);
	fputs(text_err(&t) ? "?" : text_cstr(&t), stderr);
	text_free(&t);
}

int cli_usage(const char *who, const char *fmt, ...)
{
	char what[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s: ", who);
	put_safely(what);
	fputc('\n', stderr);
	return cli_try(who);
}

int cli_try(const char *who)
{
	fprintf(stderr, "Try '%s --help'.\n", who);
	return EXIT_USAGE;
}

int cli_bad_text(const char *who, int err, const struct diag *diag)
{
	char buf[1024 + sizeof(diag->more)];

	if (err == ERR_NOMEM)
		return cli_nomem(who);
	diag_format(diag, buf, sizeof(buf));
	fprintf(stderr, "%s: %s", who, buf);
	return EXIT_USAGE;
}

int cli_nomem(const char *who)
{
	fprintf(stderr, "%s: out of memory\n", who);
	return EXIT_HARNESS;
}

int cli_put_json(const char *who, json_t *root)
{
	const bool bad = !root || json_dumpf(root, stdout, JSON_INDENT(2));

	json_decref(root);
	putchar('\n');
	/* main() reports failed writes. */
	if (bad && !ferror(stdout))
		return cli_nomem(who);
	return EXIT_PASSED;
}

int cli_put_text(const char *who, struct text *t)
{
	int code = EXIT_PASSED;

	if (text_err(t))
		code = cli_nomem(who);
	else
		fputs(text_cstr(t), stdout);
	text_free(t);
	return code;
}

void cli_remark(const char *who, const char *what, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", who);
	put_safely(what);
	fputs(": ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

bool cli_reader_left(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

int cli_sys(const char *who, const char *what)
{
	const char *why = strerror(errno);

	if (errno == EPIPE && cli_reader_left())
		return EXIT_HARNESS;

	fprintf(stderr, "%s: ", who);
	put_safely(what);
	fprintf(stderr, ": %s\n", why);
	return EXIT_HARNESS;
}

int cli_write(const char *who, const char *name, const struct text *t)
{
	if (text_err(t))
		return cli_nomem(who);
	if (atomic_write(name, text_cstr(t), t->len))
		return cli_sys(who, name);
	return 0;
}

int cli_can_write(const char *who, const char *name)
{
	if (name && strcmp(name, "-") != 0 && atomic_probe(name))
		return cli_sys(who, name);
	return 0;
}

bool cli_use_colour(FILE *f, enum cli_colour_when when)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (when != COLOUR_AUTO)
		return when == COLOUR_ALWAYS;
	if (!isatty(fileno(f)) || (no && *no))
		return false;
	return !term || strcmp(term, "dumb") != 0;
}

/* A ladder that is wider pulls its lifelines apart. */
#define WIDTH_MOST 160

unsigned cli_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize w;
	uint64_t n;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) &&
	    w.ws_col)
		n = w.ws_col;
	else if (!columns || !cli_number(columns, UINT16_MAX, &n))
		return 0;
	if (n > WIDTH_MOST)
		return WIDTH_MOST;
	return (unsigned)n;
}

bool cli_number(const char *s, uint64_t max, uint64_t *ret)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	unsigned long long v;
	char *end;

	if (s[0] < '0' || s[0] > '9')
		return false;
	errno = 0;
	v = strtoull(s, &end, hex ? 16 : 10);
	if (errno || *end || end == s || v > max)
		return false;
	*ret = v;
	return true;
}

bool cli_span(const char *s, vspan *ret)
{
	static const struct {
		const char *name;
		vspan ns;
	} units[] = {
		{"", VSPAN_S},    {"s", VSPAN_S},      {"ms", VSPAN_MS},
		{"us", VSPAN_US}, {"m", 60 * VSPAN_S}, {"h", 3600 * VSPAN_S},
	};
	size_t digits = strspn(s, "0123456789");
	char buf[16];
	uint64_t v;

	if (digits == 0 || digits > 9)
		return false;
	memcpy(buf, s, digits);
	buf[digits] = 0;
	if (!cli_number(buf, 999999999, &v) || v == 0)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(s + digits, units[i].name) == 0 &&
		    (vspan)v <= INT64_MAX / units[i].ns) {
			*ret = (vspan)v * units[i].ns;
			return true;
		}
	return false;
}

static unsigned patience; /* seconds from the signal to the end; 0: no limit */

static void on_signal(int signo)
{
	(void)signo;
	interrupted = true;
	if (patience)
		alarm(patience);
}

static void on_alarm(int signo)
{
	(void)signo;
	_exit(EXIT_INTERRUPTED);
}

static void on_wake(int signo)
{
	(void)signo;
}

void cli_await_change(pthread_cond_t *changed, pthread_mutex_t *lock)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 50 * VSPAN_MS;
	until.tv_sec += until.tv_nsec / VSPAN_S;
	until.tv_nsec %= VSPAN_S;
	pthread_cond_timedwait(changed, lock, &until);
}

const volatile bool *cli_interrupts(void)
{
	struct sigaction sa = {.sa_handler = on_signal,
			       .sa_flags = (int)SA_RESETHAND};
	struct sigaction wake = {.sa_handler = on_wake};

	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigemptyset(&wake.sa_mask);
	sigaction(CLI_WAKE, &wake, NULL);
	return &interrupted;
}

const volatile bool *cli_interrupts_within(unsigned seconds)
{
	struct sigaction sa = {.sa_handler = on_alarm};

	sigemptyset(&sa.sa_mask);
	sigaction(SIGALRM, &sa, NULL);
	patience = seconds;
	return cli_interrupts();
}

bool cli_interrupted(void)
{
	return interrupted;
}

int cli_sizes(const char *who, const char *arg, struct foreign *ret)
{
	if (foreign_read(ret, arg))
		return 0;
	return cli_usage(who,
			 "--sizes %s: expected ack_ccx=32, nack_ccx=24 or "
			 "payload_length=12",
			 arg);
}
