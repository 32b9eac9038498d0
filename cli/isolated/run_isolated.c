/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/isolated/run_isolated.c -- runs the rest of a command in a process of its
 * own.
 *
 * The process has a process group of its own, so that a signal from the
 * terminal reaches it once: from its parent.  The parent blocks the signals
 * that it awaits.
 */
#include "cli/isolated/run_isolated.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"

void run_isolated_why(int status, char ret[RUN_ISOLATED_WHY])
{
	if (WIFSIGNALED(status))
		snprintf(ret, RUN_ISOLATED_WHY,
			 "was killed by signal %d (SIG%s)", WTERMSIG(status),
			 text_or(sigabbrev_np(WTERMSIG(status)), "?"));
	else
		snprintf(ret, RUN_ISOLATED_WHY, "exited with status %d",
			 WEXITSTATUS(status));
}

void run_isolated_bind(pid_t parent)
{
	const struct rlimit none = {0, 0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_INTERRUPTED);
	setrlimit(RLIMIT_CORE, &none);
}

/* Prepares the child: a crash loses no line that it has printed. */
static void run_isolated_enter(pid_t parent)
{
	run_isolated_bind(parent);
	setpgid(0, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
}

/*
 * Waits for the end of the child; |awaited| are blocked.  Sets *ret_passed if a
 * signal was passed on.  Return: the child's status.
 */
static int run_isolated_wait(pid_t pid, const sigset_t *awaited,
			     bool *ret_passed)
{
	int signo, status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		signo = sigwaitinfo(awaited, NULL);
		if (signo != SIGINT && signo != SIGTERM)
			continue;
		kill(pid, signo);
		*ret_passed = true;
	}
	return status;
}

int run_isolated(const char *who, const char *mutant)
{
	const pid_t parent = getpid();
	char why[RUN_ISOLATED_WHY];
	sigset_t awaited, before;
	bool passed = false;
	int status;
	pid_t pid;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGCHLD);
	sigaddset(&awaited, SIGINT);
	sigaddset(&awaited, SIGTERM);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &awaited, &before);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		run_isolated_enter(parent);
	if (pid <= 0)
		sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return cli_sys(who, "the process of the mutant");
	if (pid == 0)
		return RUN_ISOLATED_GOES_ON;
	status = run_isolated_wait(pid, &awaited, &passed);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (passed)
		return EXIT_INTERRUPTED;
	run_isolated_why(status, why);
	fprintf(stderr, "%s: --mutant %s: the endpoint %s\n", who, mutant, why);
	return EXIT_FAILED;
}
