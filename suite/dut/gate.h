/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/gate.h -- TCP clients that have not shown the token yet.
 *
 * Each has a few seconds and a few bytes for its token, and a few of them are
 * served side by side, so that an idle client does not delay others.  The
 * answer to a wrong token comes late, which makes guessing slow.
 */
#ifndef SUITE_DUT_GATE_H
#define SUITE_DUT_GATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

#define GATE_CLIENTS 6                /* at a time */
#define GATE_TIME    (5 * VSPAN_S)    /* for the token */
#define GATE_BYTES   1024             /* of the line with the token */
#define GATE_PENALTY (VSPAN_S)        /* before a wrong token is answered */
#define GATE_STAY    (100 * VSPAN_MS) /* before another takes the place */
#define GATE_FDS     (GATE_CLIENTS + 1)

struct chan;
struct chan_listener;
struct gate;

/*
 * gate_new makes a gate in front of a listener, which it owns from then on, if
 * it succeeds.  |token| is lent as long as the gate is used.
 * Errors: ERR_NOMEM.
 */
int gate_new(struct gate **ret, struct chan_listener *l, const char *token);

/* gate_free ends all clients and the listener.  NULL is allowed. */
void gate_free(struct gate *g);

/*
 * gate_turn takes clients in and reads what they said.
 *
 * Return: the channel of the first client that showed the token, which is the
 *         caller's from then on; NULL: there is none now.
 */
struct chan *gate_turn(struct gate *g, vtime now);

/*
 * gate_wait fills in what gate_turn waits for.
 *
 * Shape:  |fds| has room for GATE_FDS descriptors.
 * Return: how many there are; *ret_until is when the next client has to go, or
 *         VTIME_NEVER.
 */
size_t gate_wait(const struct gate *g, vtime now, int *fds, vtime *ret_until);

/* gate_port is the TCP port on which clients connect. */
uint16_t gate_port(const struct gate *g);

#endif
