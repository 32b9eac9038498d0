/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_spawn.c -- starts a program like posix_spawn() and drops
 * its privileges before exec, which posix_spawn() does not offer.
 *
 * The child shares the memory of the tester until exec, so that nothing is
 * copied and other threads are not slowed down.  It has a stack, descriptors
 * and signal handlers of its own, and makes system calls only.
 */
#define _GNU_SOURCE
#include "suite/dut/chan/dut_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/memory.h"

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

#define STACK  ((size_t)256 << 10) /* bytes; execvpe() needs them */
#define STDIOS 3

/* ---- The environment ---- */

/* The variables to pass on; a name that ends with '*' is a prefix. */
static const char *const passed_on[] = {
	"PATH",   "HOME",          "USER",     "LOGNAME", "SHELL",
	"TERM",   "LANG",          "LANGUAGE", "LC_*",    "TZ",
	"TMPDIR", "SSH_AUTH_SOCK", "RUNG_*",
};

static bool is_passed_on(const char *variable)
{
	const size_t len = strcspn(variable, "=");

	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++) {
		const char *name = passed_on[i];
		const size_t n = strcspn(name, "*");

		if (strncmp(variable, name, n) == 0 && (name[n] || len == n))
			return true;
	}
	return false;
}

/*
 * Returns the program's environment.  The caller frees the array but not the
 * strings.
 */
static char **clean_environment(void)
{
	size_t n = 0, kept = 0;
	char **ret;

	while (environ && environ[n])
		n++;
	ret = memory_calloc(n + 1, sizeof(*ret));
	for (size_t i = 0; ret && i < n; i++)
		if (is_passed_on(environ[i]))
			ret[kept++] = environ[i];
	return ret;
}

/* ---- In the child ---- */

struct start {
	const struct spawn_conf *conf;
	char *const *argv, *const *env;
	sigset_t mask; /* the caller's signal mask */
	int error;     /* errno, set by the child */
};

/*
 * Moves all descriptors above the standard ones first, because one may occupy
 * the target of another.
 */
static int set_streams(const struct spawn_conf *conf)
{
	int fd[STDIOS] = {conf->in, conf->out, conf->err};

	for (int i = 0; i < STDIOS; i++)
		if (fd[i] >= 0 &&
		    (fd[i] = fcntl(fd[i], F_DUPFD_CLOEXEC, STDIOS)) < 0)
			return -1;
	for (int i = 0; i < STDIOS; i++)
		if (fd[i] >= 0 && dup2(fd[i], i) < 0)
			return -1;
	/*
	 * closes raw sockets, which libpcap and libnet leave open across an
	 * exec
	 */
	return close_range(STDIOS, ~0u, 0);
}

/* Resets all signals: a handler of rung would run in the tester's memory. */
static void reset_signals(void)
{
	struct sigaction sa;

	for (int i = 1; i < NSIG; i++)
		if (!sigaction(i, NULL, &sa) && sa.sa_handler != SIG_DFL &&
		    (sa.sa_handler != SIG_IGN || i == SIGPIPE)) {
			sa = (struct sigaction){.sa_handler = SIG_DFL};
			sigaction(i, &sa, NULL);
		}
}

/*
 * At exec, root regains the capabilities of the bounding set, which only
 * CAP_SETPCAP can empty. no_new_privs prevents that in any case.
 */
static int give_up_privileges(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	const struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	for (unsigned long cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0;
	     cap++)
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return (int)syscall(SYS_capset, &head, none);
}

static int dut_spawn_begin(void *ctx)
{
	struct start *s = ctx;

	reset_signals();
	if (!setpgid(0, 0) && !set_streams(s->conf) &&
	    (s->conf->privileged || !give_up_privileges()) &&
	    !sigprocmask(SIG_SETMASK, &s->mask, NULL))
		execvpe(s->argv[0], s->argv, s->env);
	s->error = errno;
	/*
	 * a system call, because sanitizers hook _exit() and examine the wrong
	 * stack
	 */
	syscall(SYS_exit_group, 127);
	return 0;
}

/* ---- In the tester ---- */

static pid_t dut_spawn_start(struct start *s)
{
	void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	sigset_t all;
	pid_t pid;
	int saved;

	if (stack == MAP_FAILED)
		return -1;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &s->mask);
	pid = clone(dut_spawn_begin, (uint8_t *)stack + STACK,
		    CLONE_VM | CLONE_VFORK | SIGCHLD, s);
	saved = errno;
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
	/* The child has not returned from its functions. */
	ASAN_UNPOISON_MEMORY_REGION(stack, STACK);
	munmap(stack, STACK);
	errno = saved;
	return pid;
}

int spawn_program(pid_t *ret, const struct spawn_conf *conf)
{
	struct start s = {.conf = conf};
	char **env = clean_environment();
	pid_t pid;

	if (!env) {
		errno = ENOMEM;
		return -1;
	}
	memcpy(&s.argv, &conf->argv,
	       sizeof(s.argv)); /* drops const: exec does not write */
	s.env = env;
	pid = dut_spawn_start(&s);
	free(env);
	if (pid < 0)
		return -1;
	if (s.error) {
		waitpid(pid, NULL, 0); /* reaps the child */
		errno = s.error;
		return -1;
	}
	*ret = pid;
	return 0;
}
