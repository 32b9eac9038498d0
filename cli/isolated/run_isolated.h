/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/isolated/run_isolated.h -- the rest of a command in a process of its own:
 * a mutant that crashes there is named, with the signal that ended it.
 */
#ifndef CLI_ISOLATED_RUN_ISOLATED_H
#define CLI_ISOLATED_RUN_ISOLATED_H

#include <sys/types.h>

#define RUN_ISOLATED_GOES_ON (-1)
#define RUN_ISOLATED_WHY     96 /* characters that say how a process ended */

/*
 * run_isolated forks.  The new process goes on with the command; the caller's
 * process waits for it, and passes SIGINT and SIGTERM on.  If a signal ends the
 * new process, a message that begins with |who| names |mutant| and the signal.
 *
 * Call it before the command starts threads.
 *
 * Return: RUN_ISOLATED_GOES_ON in the new process; in the caller's the exit
 * code: that of the new process; EXIT_FAILED: a signal ended it;
 * EXIT_INTERRUPTED; EXIT_HARNESS: there can be no process.
 */
int run_isolated(const char *who, const char *mutant);

/*
 * run_isolated_bind binds the process of a child to its |parent|: it ends when
 * the parent ends, or now if that has ended, and leaves no core file.
 */
void run_isolated_bind(pid_t parent);

/*
 * run_isolated_why writes how a process ended: by which signal, or with which
 * exit code.  |status| is that of waitpid(2).
 */
void run_isolated_why(int status, char ret[RUN_ISOLATED_WHY]);

#endif
