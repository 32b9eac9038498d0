/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/plan/each_variant.c -- runs the selected cases on several devices in
 * turn, each in a process of its own.
 */
#include "cli/plan/each_variant.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/file.h"

/* Returns the exit code of a child; EXIT_HARNESS if it has none. */
static int each_variant_wait(const char *who, const char *names, pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return cli_sys(who, "waitpid");
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "%s: ended by signal %d\n", names,
			WTERMSIG(status));
		return EXIT_HARNESS;
	}
	fprintf(stderr, "%s: exit %d\n", names, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

static int each_variant_worse(int all, int code)
{
	if (all != EXIT_NOTHING && all != EXIT_PASSED)
		return all;
	if (code == EXIT_NOTHING)
		return all;
	return code;
}

int each_variant_run(const char *who, const char *path, struct arena *a,
		     const char **ret_names)
{
	int all = EXIT_NOTHING, code = 0;
	bool any = false;
	const char *text;
	size_t len;

	if (file_read(a, path, &text, &len)) {
		cli_sys(who, path);
		return EXIT_USAGE;
	}
	while (*text && code != EXIT_INTERRUPTED) {
		const size_t n = strcspn(text, "\n");
		const bool cr = n && text[n - 1] == '\r';
		const char *names = arena_strndup(a, text, n - cr);
		pid_t pid;

		text += n + (text[n] == '\n');
		if (!names)
			return cli_nomem(who);
		if (!*names || *names == '#')
			continue;
		fflush(NULL); /* the child must not write it again */
		pid = fork();
		if (pid < 0)
			return cli_sys(who, "fork");
		if (!pid) {
			*ret_names = names;
			return -1;
		}
		any = true;
		code = each_variant_wait(who, names, pid);
		all = each_variant_worse(all, code);
	}
	if (!any)
		cli_remark(who, path, "the file names no device");
	return all;
}
