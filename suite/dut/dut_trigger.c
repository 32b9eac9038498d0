/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_trigger.c -- operations started by a shell command.
 *
 * A command is started like an adapter, but its output is only recorded. rung
 * substitutes nothing but its own words, numbers and an address, so a case
 * cannot inject shell code.
 */
#include "suite/dut/dut_trigger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/dut/dut.h"

struct trigger {
	const char *command;
	unsigned flags; /* of chan_spawn */
	struct chan *running[TRIGGER_COMMANDS];
	struct text expanded;
	struct chan **newest; /* the command whose end the runner waits for, or
				 NULL */
	struct ctl_ans answer;
	bool answers; /* the answer is ready */
};

int trigger_new(struct trigger **ret, const char *command, bool privileged)
{
	struct trigger *t = memory_calloc(1, sizeof(*t));

	if (!t)
		return ERR_NOMEM;
	t->command = command;
	t->flags = CHAN_LETS_GO | (privileged ? CHAN_PRIVILEGED : 0);
	*ret = t;
	return 0;
}

void trigger_stop(struct trigger *t)
{
	chan_free_all(t->running, TRIGGER_COMMANDS);
	for (size_t i = 0; i < TRIGGER_COMMANDS; i++)
		t->running[i] = NULL;
	t->newest = NULL;
	t->answers = false;
}

void trigger_free(struct trigger *t)
{
	if (!t)
		return;
	trigger_stop(t);
	text_free(&t->expanded);
	free(t);
}

/* The words */
static const char *op_word(enum op_kind kind)
{
	switch (kind) {
	case OP_SEND:
	case OP_WRITE:
	case OP_READ:
	case OP_ATOMIC:
		return ctl_verb_name(kind);
	default:
		return NULL;
	}
}

static const char *const modes[OP_MODES] = {
	[OP_RUD] = "rud",
	[OP_ROD] = "rod",
	[OP_RUDI] = "rudi",
	[OP_UUD] = "uud",
};

static bool says(const struct trigger *t, const char *word)
{
	return strstr(t->command, word) != NULL;
}

/*
 * Returns false if the case has parameters that the command line cannot
 * express.
 */
static bool can_tell(const struct trigger *t, const struct ctl_req *req)
{
	const struct orc_op *op = &req->op;

	if (req->verb != CTL_OP || !op_word(op->kind) ||
	    (op->kind != OP_SEND && !says(t, "{op}")))
		return false;
	if (op->tagged || op->deferrable || op->rendezvous)
		return false;
	return (op->mode == OP_RUD || says(t, "{mode}")) &&
	       op->header == OP_HEADER_STD && !op->message_id &&
	       (!op->offset || says(t, "{offset}"));
}

/*
 * Return: the length of the word in |word|; a brace that opens no known word is
 * copied.
 */
static size_t dut_trigger_put_word(struct text *out, const char *verb,
				   const struct orc_op *op, const char *word)
{
	const size_t len = strcspn(word, "}") + 1;
	char addr[IP_ADDR_TEXT];

	if (len == 4 && !memcmp(word, "{op}", len)) {
		text_puts(out, verb);
	} else if (len == 5 && !memcmp(word, "{len}", len)) {
		text_u64(out, op->len);
	} else if (len == 6 && !memcmp(word, "{peer}", len)) {
		ip_addr_print(&op->peer, addr);
		text_puts(out, addr);
	} else if (len == 6 && !memcmp(word, "{mode}", len)) {
		text_puts(out, modes[op->mode]);
	} else if (len == 5 && !memcmp(word, "{key}", len)) {
		text_u64(out, op->key);
	} else if (len == 8 && !memcmp(word, "{offset}", len)) {
		text_u64(out, op->offset);
	} else {
		text_add(out, word, 1);
		return 1;
	}
	return len;
}

static void expand(struct trigger *t, const char *verb, const struct orc_op *op)
{
	const char *p = t->command;

	text_clear(&t->expanded);
	while (*p) {
		const size_t plain = strcspn(p, "{");

		text_add(&t->expanded, p, plain);
		p += plain;
		if (*p)
			p += dut_trigger_put_word(&t->expanded, verb, op, p);
	}
}

/* Starting */
static struct chan **dut_trigger_place(struct trigger *t)
{
	for (size_t i = 0; i < TRIGGER_COMMANDS; i++)
		if (!t->running[i])
			return &t->running[i];
	return NULL;
}

static void dut_trigger_refuse(struct trigger *t, const char *why)
{
	t->answers = true;
	t->newest = NULL;
	t->answer.ok = false;
	snprintf(t->answer.error, sizeof(t->answer.error), "%.90s", why);
}

static int dut_trigger_start(struct trigger *t, const char *word,
			     const struct orc_op *op)
{
	const char *argv[] = {"sh", "-c", NULL, NULL};
	struct chan **at = dut_trigger_place(t);
	char why[CHAN_WHY];

	if (!at) {
		dut_trigger_refuse(t, "too many commands run already");
		return 0;
	}
	expand(t, word, op);
	if (text_err(&t->expanded))
		return ERR_NOMEM;
	argv[2] = text_cstr(&t->expanded);
	if (chan_spawn(at, argv, t->flags, why))
		dut_trigger_refuse(t, why);
	else
		t->newest = at;
	return 0;
}

int trigger_post(struct trigger *t, const struct ctl_req *req)
{
	memset(&t->answer, 0, sizeof(t->answer));
	t->answer.id = req->id;
	t->answer.ok = true;
	if (can_tell(t, req))
		return dut_trigger_start(t, op_word(req->op.kind), &req->op);
	dut_trigger_refuse(t, "unsupported");
	return 0;
}

int trigger_reset(struct trigger *t, const struct ip_addr *tester)
{
	const struct orc_op op = {.peer = *tester};

	if (says(t, "{op}"))
		return dut_trigger_start(t, "reset", &op);
	return 0;
}

bool trigger_waits(const struct trigger *t)
{
	return t->newest != NULL;
}

void trigger_heard(struct trigger *t)
{
	t->answers |= t->newest != NULL;
	t->newest = NULL;
}

/* Hearing */

/* Makes output safe to show on a terminal. */
static void clean(char *s)
{
	for (; *s; s++)
		if (*s < ' ' || *s > '~')
			*s = '?';
}

/* Return: 1 if there is text to show, 0 if none. */
static int dut_trigger_ended(struct trigger *t, struct chan **c,
			     struct dut_event *ret)
{
	char how[CHAN_WHY];
	bool well;

	chan_ended(*c, how);
	chan_free(*c);
	*c = NULL;
	clean(how);
	well = strncmp(how, "exited with status 0", 20) == 0;
	if (t->newest == c && !well)
		dut_trigger_refuse(t, how);
	else if (t->newest == c)
		trigger_heard(t);
	snprintf(ret->text, sizeof(ret->text), "the trigger %.200s", how);
	return !well;
}

static int hear(struct trigger *t, struct chan **c, struct dut_event *ret)
{
	const char *line = NULL;
	size_t len = 0;
	int got = chan_read(*c, &line, &len);

	if (got == 0)
		return 0;
	ret->kind = DUT_GARBAGE;
	if (got == ERR_CLOSED)
		return dut_trigger_ended(t, c, ret);
	snprintf(ret->text, sizeof(ret->text), "the trigger says: %.*s",
		 (int)(len < 200 ? len : 200), line);
	clean(ret->text);
	return 1;
}

int trigger_next(struct trigger *t, struct dut_event *ret)
{
	for (size_t i = 0; i < TRIGGER_COMMANDS; i++)
		if (t->running[i] && hear(t, &t->running[i], ret))
			return 1;
	if (!t->answers)
		return 0;
	t->answers = false;
	ret->kind = DUT_ANSWER;
	ret->ans = t->answer;
	return 1;
}

void trigger_fds(const struct trigger *t, int *fds)
{
	for (size_t i = 0; i < TRIGGER_COMMANDS; i++)
		fds[i] = t->running[i] ? chan_fd(t->running[i]) : -1;
}
