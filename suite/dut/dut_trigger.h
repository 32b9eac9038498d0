/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_trigger.h -- a device that has only a shell: a command starts
 * operations, and no completions are reported.
 */
#ifndef SUITE_DUT_DUT_TRIGGER_H
#define SUITE_DUT_DUT_TRIGGER_H

#include <stddef.h>

#include "suite/dut/ctl/ctl.h"
#include "suite/dut/dut.h"

#define TRIGGER_COMMANDS 8 /* commands that may run at a time */

struct trigger;

/*
 * trigger_new makes a trigger.  In the shell command |command|, {op} is the
 * operation (send, write, read, atomic), {len} its bytes, {peer} the tester's
 * address, {mode} rud, rod, rudi or uud, {key} and {offset} of the memory.
 * |command| is lent.  |privileged|: commands keep the rights of rung's user
 * (suite/dut/chan/dut_spawn.h).  Errors: ERR_NOMEM.
 */
int trigger_new(struct trigger **ret, const char *command, bool privileged);
void trigger_free(struct trigger *t);

/*
 * trigger_post starts the command for a request. trigger_next returns its
 * answer: at once "unsupported" for a request that a command cannot express,
 * otherwise when the command has ended or the device has sent a packet, because
 * a command may run until the operation is complete.
 * Errors: ERR_NOMEM.
 */
int trigger_post(struct trigger *t, const struct ctl_req *req);

/*
 * trigger_reset starts the command with "reset" as {op}, if the command
 * contains {op}: the device should discard its state.  A command that cannot do
 * this exits with an error, which is ignored. trigger_waits returns true if the
 * newest command is still running.
 *
 * Errors: ERR_NOMEM.
 */
int trigger_reset(struct trigger *t, const struct ip_addr *tester);
bool trigger_waits(const struct trigger *t);

/* trigger_heard notes that the device has sent a packet. */
void trigger_heard(struct trigger *t);

/*
 * trigger_next returns an answer, or as DUT_GARBAGE a line of a command's
 * output or its exit status if that is not 0.
 * Return: 1; 0 nothing.
 */
int trigger_next(struct trigger *t, struct dut_event *ret);

/*
 * trigger_fds fills in TRIGGER_COMMANDS descriptors to wait on; unused ones are
 * -1.
 */
void trigger_fds(const struct trigger *t, int *fds);

/* trigger_stop ends commands that still run. */
void trigger_stop(struct trigger *t);

#endif
