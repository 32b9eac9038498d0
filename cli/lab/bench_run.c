/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/bench_run.c -- prepares the bench of a run, and leaves it.
 *
 * The canary is a run of its own, 'rung run' with the same device.
 */
#include "cli/lab/bench_run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/atomic_file.h"
#include "cli/file/file.h"
#include "cli/lab/bench_hook.h"

#define BENCH_FILE  "bench.yaml"
#define CANARY_ARGS 32

/* ---- Reading ---- */

/* Makes |*path| relative to the folder of the bench file. */
static int bench_run_beside(struct bench_run *b, const char *file,
			    const char **path)
{
	const char *slash = strrchr(file, '/');
	struct text t = {0};

	if (!*path || **path == '/' || !slash)
		return 0;
	text_add(&t, file, (size_t)(slash - file) + 1);
	text_puts(&t, *path);
	*path = arena_strndup(&b->arena, text_cstr(&t), t.len);
	text_free(&t);
	return *path ? 0 : ERR_NOMEM;
}

int bench_run_read(const char *who, struct bench_run *b)
{
	const char *path = text_or(b->path, BENCH_FILE), *text;
	struct diag diag = {0};
	size_t len;
	int err = file_read(&b->arena, path, &text, &len);

	if (err == ERR_SYS) {
		cli_remark(who, path, "%s%s", strerror(errno),
			   b->path ? "" : "; --bench-file FILE names another");
		return EXIT_USAGE;
	}
	if (!err)
		err = bench_file_parse(&b->bench, &b->arena, path, text, len,
				       b->name, &diag);
	if (!err)
		err = bench_run_beside(b, path, &b->bench.decl);
	if (err)
		return cli_bad_text(who, err, &diag);
	snprintf(b->quarantine, sizeof(b->quarantine),
		 "%.3900s.%.100s.quarantine", path, b->name);
	return 0;
}

/* ---- Canary and quarantine ---- */

/* Starts 'rung run -q' of the canary, without output. */
static pid_t canary_start(const struct bench_run *b)
{
	char rung[] = "rung", run[] = "run", quiet[] = "-q";
	char *argv[CANARY_ARGS] = {rung, run, quiet};
	posix_spawn_file_actions_t files;
	size_t n = 3;
	pid_t pid = -1;
	int err;

	for (size_t at = 0; at < b->canary.len && n < CANARY_ARGS - 2;
	     at += strlen(b->canary.s + at) + 1)
		argv[n++] = b->canary.s + at;
	argv[n] = (char *)(uintptr_t)b->bench.canary;
	if (posix_spawn_file_actions_init(&files))
		return -1;
	err = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO,
					       "/dev/null", O_WRONLY, 0);
	if (!err)
		err = posix_spawn(&pid, "/proc/self/exe", &files, NULL, argv,
				  environ);
	posix_spawn_file_actions_destroy(&files);
	return err ? -1 : pid;
}

/* Runs the canary.  Return: its exit code. */
static int canary_run(const struct bench_run *b)
{
	pid_t pid;
	int status;

	if (!b->bench.canary)
		return EXIT_PASSED;
	pid = canary_start(b);
	if (pid < 0)
		return EXIT_HARNESS;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_HARNESS;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_HARNESS;
}

/* Takes the bench out of service.  Return: EXIT_HARNESS. */
static int quarantine_begin(const char *who, const struct bench_run *b,
			    const char *when, int code)
{
	struct text t = {0};

	text_printf(&t,
		    "The canary %s did not pass %s the run: 'rung run' ended "
		    "with %d.\n",
		    b->bench.canary, when, code);
	fprintf(stderr,
		"%s: bench %s goes into quarantine (%s): the canary %s did "
		"not pass %s the run\n",
		who, b->name, b->quarantine, b->bench.canary, when);
	if (text_err(&t))
		cli_nomem(who);
	else if (atomic_write(b->quarantine, text_cstr(&t), t.len))
		cli_sys(who, b->quarantine);
	text_free(&t);
	return EXIT_HARNESS;
}

/* Runs the canary before the run, after a power cycle once more. */
static int canary_before(const char *who, const struct bench_run *b)
{
	int code = canary_run(b);

	if (code && code != EXIT_INTERRUPTED && b->bench.power) {
		fprintf(stderr,
			"%s: the canary %s did not pass: cycling the power of "
			"bench %s\n",
			who, b->bench.canary, b->name);
		bench_hook_run(&b->bench, "power", b->bench.power);
		code = canary_run(b);
	}
	if (!code || code == EXIT_INTERRUPTED || code == EXIT_USAGE)
		return code;
	return quarantine_begin(who, b, "before", code);
}

/* ---- The run ---- */

static int bench_run_reset(const char *who, const struct bench_run *b)
{
	int code;

	if (!b->bench.reset)
		return 0;
	code = bench_hook_run(&b->bench, "reset", b->bench.reset);
	if (!code)
		return 0;
	fprintf(stderr, "%s: the reset of bench %s ended with %d\n", who,
		b->name, code);
	return EXIT_HARNESS;
}

/* Reads a fact by its command.  Return: 0 or an exit code. */
static int bench_run_fact(const char *who, const struct bench_run *b,
			  const char *what, const char *command, char *ret,
			  size_t size)
{
	if (!command || bench_hook_line(&b->bench, command, ret, size))
		return 0;
	fprintf(stderr, "%s: bench %s does not tell its %s: %s\n", who, b->name,
		what, command);
	return EXIT_HARNESS;
}

static int bench_run_facts(const char *who, struct bench_run *b)
{
	const struct bench *is = &b->bench;
	int code = bench_run_fact(who, b, "firmware", is->firmware, b->firmware,
				  sizeof(b->firmware));

	if (!code)
		code = bench_run_fact(who, b, "driver", is->driver, b->driver,
				      sizeof(b->driver));
	b->facts = (struct about_bench){
		.name = b->name,
		.firmware = is->firmware ? b->firmware : NULL,
		.driver = is->driver ? b->driver : NULL,
		.clock = is->clock,
		.cabling = is->cabling,
		.path = is->path,
		.tags = is->tags,
	};
	return code;
}

int bench_run_begin(const char *who, struct bench_run *b)
{
	int code;

	if (!access(b->quarantine, F_OK)) {
		fprintf(stderr,
			"%s: bench %s is in quarantine: %s says why; remove "
			"it when the bench is mended\n",
			who, b->name, b->quarantine);
		return EXIT_HARNESS;
	}
	code = lease_begin(&b->lease, who, &b->bench);
	if (!code)
		code = bench_run_reset(who, b);
	if (!code)
		code = bench_run_facts(who, b);
	if (!code)
		code = canary_before(who, b);
	if (code) {
		lease_end(b->lease);
		b->lease = NULL;
	}
	return code;
}

int bench_run_end(const char *who, struct bench_run *b, int code)
{
	if (lease_lost(b->lease)) {
		code = EXIT_HARNESS;
	} else if (code != EXIT_INTERRUPTED && code != EXIT_USAGE) {
		const int canary = canary_run(b);

		if (canary && canary != EXIT_INTERRUPTED)
			code = quarantine_begin(who, b, "after", canary);
	}
	lease_end(b->lease);
	b->lease = NULL;
	return code;
}

void bench_run_free(struct bench_run *b)
{
	lease_end(b->lease);
	text_free(&b->canary);
	arena_free(&b->arena);
}
