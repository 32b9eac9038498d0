/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/gate.c -- TCP clients that have not shown the token yet: accepts
 * them, checks their token, and drops them in time.
 */
#include "suite/dut/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/dut/chan/chan_listen.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"

struct client {
	struct chan *chan; /* NULL: the slot is free */
	vtime came_at;
	vtime until; /* deadline of the client */
	bool wrong;  /* its token was wrong */
};

struct gate {
	struct chan_listener *listener;
	const char *token;
	struct client clients[GATE_CLIENTS];
};

int gate_new(struct gate **ret, struct chan_listener *l, const char *token)
{
	struct gate *g = memory_calloc(1, sizeof(*g));

	if (!g)
		return ERR_NOMEM;
	g->listener = l;
	g->token = token;
	*ret = g;
	return 0;
}

static void send_away(struct client *c)
{
	chan_free(c->chan);
	*c = (struct client){0};
}

void gate_free(struct gate *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < GATE_CLIENTS; i++)
		send_away(&g->clients[i]);
	chan_listener_free(g->listener);
	free(g);
}

uint16_t gate_port(const struct gate *g)
{
	return chan_listener_port(g->listener);
}

/* Returns a free slot, or that of the oldest client. */
static struct client *gate_place(struct gate *g)
{
	struct client *oldest = &g->clients[0];

	for (size_t i = 0; i < GATE_CLIENTS; i++) {
		if (!g->clients[i].chan)
			return &g->clients[i];
		if (g->clients[i].came_at < oldest->came_at)
			oldest = &g->clients[i];
	}
	return oldest;
}

/*
 * Returns when a new client may be accepted: recent clients may hold all slots.
 */
static vtime gate_open_at(struct gate *g)
{
	const struct client *c = gate_place(g);

	if (c->chan)
		return c->came_at + GATE_STAY;
	return 0;
}

static void let_in(struct gate *g, vtime now)
{
	while (now >= gate_open_at(g)) {
		struct client *c = gate_place(g);
		struct chan *chan = NULL;

		if (chan_accept(g->listener, &chan) != 1)
			return;
		if (c->chan)
			send_away(c);
		*c = (struct client){chan, now, now + GATE_TIME, false};
	}
}

static void gate_refuse(struct client *c)
{
	const struct ctl_ans ans = {.error = "the token is not right"};
	struct text t = {0};

	ctl_ans_print(&t, &ans);
	if (!text_err(&t))
		chan_write(c->chan, t.s, t.len);
	text_free(&t);
}

/* Reads a client's line.  Return: whether it was the token. */
static bool shows_token(struct gate *g, struct client *c, vtime now)
{
	const char *line = NULL;
	size_t len = 0;
	int got = chan_read(c->chan, &line, &len);

	if (got == ERR_CLOSED) {
		send_away(c);
		return false;
	}
	if (got > 0 && len <= GATE_BYTES && ctl_token_ok(line, len, g->token))
		return true;
	if (got || chan_unread(c->chan) > GATE_BYTES) {
		c->wrong = true;
		c->until = now + GATE_PENALTY;
	}
	return false;
}

struct chan *gate_turn(struct gate *g, vtime now)
{
	let_in(g, now);
	for (size_t i = 0; i < GATE_CLIENTS; i++) {
		struct client *c = &g->clients[i];
		struct chan *chan = c->chan;

		if (!chan)
			continue;
		if (!c->wrong && shows_token(g, c, now)) {
			*c = (struct client){0};
			return chan;
		}
		if (!c->chan || now < c->until)
			continue;
		if (c->wrong)
			gate_refuse(c);
		send_away(c);
	}
	return NULL;
}

size_t gate_wait(const struct gate *g, vtime now, int *fds, vtime *ret_until)
{
	vtime until = VTIME_NEVER, room = VTIME_NEVER;
	size_t n = 0, taken = 0;

	for (size_t i = 0; i < GATE_CLIENTS; i++) {
		const struct client *c = &g->clients[i];

		if (!c->chan)
			continue;
		taken++;
		until = vtime_min(until, c->until);
		room = vtime_min(room, c->came_at + GATE_STAY);
		if (!c->wrong) /* read no more after a wrong token */
			fds[n++] = chan_fd(c->chan);
	}
	if (taken < GATE_CLIENTS || now >= room)
		fds[n++] = chan_listener_fd(g->listener);
	else
		until = vtime_min(until, room);
	*ret_until = until;
	return n;
}
