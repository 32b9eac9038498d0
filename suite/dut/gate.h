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

#define GATE_CLIENTS 6                /* clients at a time */
#define GATE_TIME    (5 * VSPAN_S)    /* time limit for the token */
#define GATE_BYTES   1024             /* limit of the line with the token */
#define GATE_PENALTY (VSPAN_S)        /* delay of the answer to a wrong token */
#define GATE_STAY    (100 * VSPAN_MS) /* before a client is replaced */
#define GATE_FDS     (GATE_CLIENTS + 1)

struct chan;
struct chan_listener;
struct gate;

/*
 * gate_new makes a gate in front of a listener and takes ownership of the
 * listener if it succeeds.  |token| must outlive the gate.
 * Errors: ERR_NOMEM.
 */
int gate_new(struct gate **ret, struct chan_listener *l, const char *token);

/* gate_free ends all clients and the listener.  NULL is allowed. */
void gate_free(struct gate *g);

/*
 * gate_turn accepts clients and reads their lines.
 *
 * Return: the channel of the first client that showed the token, which the
 *         caller then owns; NULL if there is none.
 */
struct chan *gate_turn(struct gate *g, vtime now);

/*
 * gate_wait fills in the descriptors that gate_turn waits for.
 *
 * Shape:  |fds| has room for GATE_FDS descriptors.
 * Return: their number; *ret_until is the next client's deadline, or
 *         VTIME_NEVER.
 */
size_t gate_wait(const struct gate *g, vtime now, int *fds, vtime *ret_until);

/* gate_port is the TCP port on which clients connect. */
uint16_t gate_port(const struct gate *g);

#endif
