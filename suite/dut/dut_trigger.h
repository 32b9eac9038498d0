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

#define TRIGGER_COMMANDS 8 /* that may run at a time */

struct trigger;

/*
 * trigger_new makes one; in |command|, a shell's, {op} is the operation (send,
 * write, read, atomic), {len} its bytes, {peer} the tester's address, {mode}
 * rud, rod, rudi or uud, {key} and {offset} of the memory.  It is lent.
 * |privileged|: commands keep the rights of rung's user
 * (suite/dut/chan/dut_spawn.h). Errors: ERR_NOMEM.
 */
int trigger_new(struct trigger **ret, const char *command, bool privileged);
void trigger_free(struct trigger *t);

/*
 * trigger_post starts the command for a request.  Its answer comes out of
 * trigger_next: at once "unsupported" for what a command cannot be told, else
 * when the command has ended, well or not, or when the device has sent
 * something: a command may go on until the operation is complete.
 * Errors: ERR_NOMEM.
 */
int trigger_post(struct trigger *t, const struct ctl_req *req);

/*
 * trigger_reset starts the command with "reset" as {op}, if it has that word:
 * the device should forget its open state.  A command that cannot do this exits
 * with an error, which is ignored.  trigger_waits returns true if the newest
 * command is still running.
 *
 * Errors: ERR_NOMEM.
 */
int trigger_reset(struct trigger *t, const struct ip_addr *tester);
bool trigger_waits(const struct trigger *t);

/* trigger_heard records that the device has sent a packet. */
void trigger_heard(struct trigger *t);

/*
 * trigger_next takes an answer, or what a command has to say: its output, and
 * how it ended if not well, as DUT_GARBAGE.
 * Return: 1; 0 nothing.
 */
int trigger_next(struct trigger *t, struct dut_event *ret);

/* trigger_fds fills TRIGGER_COMMANDS descriptors to wait on; -1: none. */
void trigger_fds(const struct trigger *t, int *fds);

/* trigger_stop ends commands that still run. */
void trigger_stop(struct trigger *t);

#endif
