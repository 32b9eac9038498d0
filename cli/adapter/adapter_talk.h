/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/adapter/adapter_talk.h -- requests to an adapter that is being tested,
 * their answers, and what is printed about them.
 */
#ifndef CLI_ADAPTER_ADAPTER_TALK_H
#define CLI_ADAPTER_ADAPTER_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "suite/dut/ctl/ctl.h"

struct chan;

struct adapter_check_conf {
	struct chan *chan; /* open, its token sent */
	const char *peer;  /* peer of operations; no endpoint need answer */
	vspan patience;    /* time in which an answer must come */
};

enum adapter_word { ADAPTER_OK, ADAPTER_FAIL, ADAPTER_NOTE, ADAPTER_LACKS };

struct adapter {
	const struct adapter_check_conf *conf;
	uint64_t id; /* of the last request */
	unsigned counts[ADAPTER_LACKS + 1];
	bool gone;           /* the channel closed */
	bool exposed;        /* the memory of the tests exists */
	bool lenient;        /* silence is a note: rung never asks so */
	char verbs[800];     /* " hello reset ... ", of hello */
	struct ctl_ans ans;  /* the last answer */
	struct orc_event ev; /* the last event */
	vspan took;          /* from the request to its answer */
};

/* adapter_now returns the time of the monotonic clock. */
vtime adapter_now(void);

/* adapter_say prints a line about |what| and counts it. */
__attribute__((format(printf, 4, 5))) void adapter_say(struct adapter *a,
						       enum adapter_word word,
						       const char *what,
						       const char *fmt, ...);

/* adapter_write and adapter_put send bytes as they are. */
void adapter_write(struct adapter *a, const char *line, size_t len);
void adapter_put(struct adapter *a, const char *line);

/*
 * adapter_line waits for one answer or event until |until|; it reports other
 * lines.
 * Return: true and its kind; false: time is up, or the channel has closed.
 */
bool adapter_line(struct adapter *a, vtime until, enum ctl_kind *ret);

/* adapter_await waits for the answer with that id, and drops events. */
bool adapter_await(struct adapter *a, uint64_t id);

/* adapter_silent reports that no answer came, and why. */
void adapter_silent(struct adapter *a, const char *what);

/*
 * adapter_ask sends {"id":N,"verb":VERB, MORE} and waits.  |fmt| makes the rest
 * of the object, or "".
 * Return: true: the answer is in a->ans; false after a message.
 */
__attribute__((format(printf, 4, 5))) bool adapter_ask(struct adapter *a,
						       const char *what,
						       const char *verb,
						       const char *fmt, ...);

#endif
