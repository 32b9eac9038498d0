/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/bench_hook.c -- starts /bin/sh and waits.
 */
#include "cli/lab/bench_hook.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

#define HOOK_FAILED 128

/* Starts a command; its output goes to |out|.  Return: the process or -1. */
static pid_t hook_start(const struct bench *b, const char *what,
			const char *command, int out)
{
	char bench[128], hook[32], shell[] = "sh", flag[] = "-c";
	char *const argv[] = {shell, flag, (char *)(uintptr_t)command, NULL};
	posix_spawn_file_actions_t files;
	size_t n = 0;
	char **env;
	pid_t pid = -1;
	int err;

	while (environ[n])
		n++;
	env = memory_calloc(n + 3, sizeof(*env));
	if (!env || posix_spawn_file_actions_init(&files)) {
		free(env);
		return -1;
	}
	snprintf(bench, sizeof(bench), "RUNG_BENCH=%s", b->name);
	snprintf(hook, sizeof(hook), "RUNG_HOOK=%s", what);
	memcpy(env, environ, n * sizeof(*env));
	env[n] = bench;
	env[n + 1] = hook;
	err = posix_spawn_file_actions_addopen(&files, STDIN_FILENO,
					       "/dev/null", O_RDONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&files, out,
						       STDOUT_FILENO);
	if (!err)
		err = posix_spawn(&pid, "/bin/sh", &files, NULL, argv, env);
	posix_spawn_file_actions_destroy(&files);
	free(env);
	return err ? -1 : pid;
}

static int hook_wait(pid_t pid)
{
	int status;

	if (pid < 0)
		return HOOK_FAILED;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return HOOK_FAILED;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return HOOK_FAILED + WTERMSIG(status);
}

int bench_hook_run(const struct bench *b, const char *what, const char *command)
{
	/* Standard output belongs to the reports. */
	return hook_wait(hook_start(b, what, command, STDERR_FILENO));
}

bool bench_hook_line(const struct bench *b, const char *command, char *ret,
		     size_t size)
{
	int ends[2];
	pid_t pid;
	FILE *f;

	*ret = 0;
	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = hook_start(b, "read", command, ends[1]);
	close(ends[1]);
	f = fdopen(ends[0], "r");
	if (f && !fgets(ret, (int)size, f))
		*ret = 0;
	/* The command can write more, and must not fail for it. */
	while (f && fgetc(f) != EOF)
		continue;
	if (f)
		fclose(f);
	else
		close(ends[0]);
	ret[strcspn(ret, "\r\n")] = 0;
	return hook_wait(pid) == 0 && *ret;
}
