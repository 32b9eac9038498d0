/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/adapter/adapter_talk.c -- requests to an adapter that is being tested,
 * their answers, and what is printed about them.
 */
#include "cli/adapter/adapter_talk.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl_parse.h"

vtime adapter_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (vtime)ts.tv_sec * VSPAN_S + (vtime)ts.tv_nsec;
}

void adapter_say(struct adapter *a, enum adapter_word word, const char *what,
		 const char *fmt, ...)
{
	static const char *const words[] = {"ok", "FAIL", "note", "lacks"};
	va_list args;

	a->counts[word]++;
	printf("%-5s %-14s ", words[word], what);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

void adapter_write(struct adapter *a, const char *line, size_t len)
{
	if (chan_write(a->conf->chan, line, len))
		a->gone = true;
}

void adapter_put(struct adapter *a, const char *line)
{
	adapter_write(a, line, strlen(line));
}

/* Reports a line that is neither an answer nor an event. */
static void adapter_bad_line(struct adapter *a, const char *line, size_t len,
			     const struct diag *diag)
{
	char shown[61];

	snprintf(shown, sizeof(shown), "%.*s", (int)(len < 60 ? len : 60),
		 line);
	for (char *p = shown; *p; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e)
			*p = '?';
	adapter_say(a, ADAPTER_FAIL, "channel",
		    "standard output is the channel alone, but it said\n%20s"
		    "%s\n%20s%s",
		    "", shown, "", diag->text);
}

bool adapter_line(struct adapter *a, vtime until, enum ctl_kind *ret)
{
	struct diag diag = {0};
	const char *line;
	size_t len;

	while (!a->gone) {
		struct pollfd fd = {chan_fd(a->conf->chan), POLLIN, 0};
		const vtime now = adapter_now();
		const int got = chan_read(a->conf->chan, &line, &len);

		if (got == 1) {
			const int err = ctl_parse_reply(ret, &a->ans, &a->ev,
							line, len, &diag);

			if (!err)
				return true;
			if (err != ERR_SUPPORT) /* else a later event */
				adapter_bad_line(a, line, len, &diag);
			continue;
		}
		if (got < 0) {
			a->gone = true;
			break;
		}
		if (now >= until)
			break;
		poll(&fd, 1, (int)((until - now) / VSPAN_MS) + 1);
	}
	return false;
}

bool adapter_await(struct adapter *a, uint64_t id)
{
	const vtime begun = adapter_now();
	enum ctl_kind kind;

	while (adapter_line(a, begun + a->conf->patience, &kind)) {
		if (kind != CTL_ANSWER)
			continue;
		if (a->ans.id == id) {
			a->took = adapter_now() - begun;
			return true;
		}
		adapter_say(a, ADAPTER_FAIL, "ids",
			    "an answer has the id %llu; the request had %llu",
			    (unsigned long long)a->ans.id,
			    (unsigned long long)id);
	}
	return false;
}

void adapter_silent(struct adapter *a, const char *what)
{
	const enum adapter_word word = a->lenient ? ADAPTER_NOTE : ADAPTER_FAIL;
	char why[CHAN_WHY] = "";

	if (a->gone)
		chan_ended(a->conf->chan, why);
	if (a->gone)
		adapter_say(a, word, what, "the adapter ended%s%s",
			    *why ? ": " : "", why);
	else
		adapter_say(a, word, what, "no answer within %.1f s",
			    (double)a->conf->patience / (double)VSPAN_S);
}

bool adapter_ask(struct adapter *a, const char *what, const char *verb,
		 const char *fmt, ...)
{
	char more[300], line[500];
	va_list args;

	if (a->gone)
		return false;
	va_start(args, fmt);
	vsnprintf(more, sizeof(more), fmt, args);
	va_end(args);
	snprintf(line, sizeof(line), "{\"id\":%llu,\"verb\":\"%s\"%s%s}\n",
		 (unsigned long long)++a->id, verb, *more ? "," : "", more);
	adapter_put(a, line);
	if (!a->gone && adapter_await(a, a->id))
		return true;
	adapter_silent(a, what);
	return false;
}
