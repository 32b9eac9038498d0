/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/hostile/alloc_fail.c -- an allocator that fails on request.
 *
 * Linked into a program, it replaces the allocator of the C library, or of
 * ASan, for the program and for all its libraries.  The environment controls
 * it:
 *
 *   ALLOC_FAIL=N        call N returns NULL, from 1; calls before main() do not
 *     count
 *    ALLOC_FAIL=N+       call N and all later ones return NULL
 *    ALLOC_COUNT=FILE    writes the number of calls at the end
 *    ALLOC_TRACE=1       writes the caller of call N to standard error
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OVER_ASAN
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

#define EXPORT __attribute__((visibility("default")))

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *p, size_t size);
void *REAL(memalign)(size_t align, size_t size);

static atomic_ullong calls;
static unsigned long long fail_at; /* 0: never */
static bool fail_on, trace, counting;

/* Writes the stack of the caller once, without an allocation of its own. */
static void alloc_fail_tell(void)
{
	void *at[40];

	counting = false;
	backtrace_symbols_fd(at, backtrace(at, 40), STDERR_FILENO);
	counting = true;
}

static bool alloc_fail_fails(void)
{
	unsigned long long n;

	if (!counting)
		return false;
	n = atomic_fetch_add(&calls, 1) + 1;
	if (!fail_at || n < fail_at || (n > fail_at && !fail_on))
		return false;
	if (trace && n == fail_at)
		alloc_fail_tell();
	errno = ENOMEM;
	return true;
}

EXPORT void *malloc(size_t size)
{
	if (alloc_fail_fails())
		return NULL;
	return REAL(malloc)(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
	if (alloc_fail_fails())
		return NULL;
	return REAL(calloc)(n, size);
}

EXPORT void *realloc(void *p, size_t size)
{
	if (alloc_fail_fails())
		return NULL;
	return REAL(realloc)(p, size);
}

EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, n * size);
}

EXPORT void *memalign(size_t align, size_t size);
EXPORT void *memalign(size_t align, size_t size)
{
	if (alloc_fail_fails())
		return NULL;
	return REAL(memalign)(align, size);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

EXPORT int posix_memalign(void **ret, size_t align, size_t size)
{
	const int kept = errno;
	void *p = memalign(align, size);

	errno = kept;
	if (!p)
		return ENOMEM;
	*ret = p;
	return 0;
}

EXPORT char *strdup(const char *s)
{
	const size_t n = strlen(s) + 1;
	char *p = malloc(n);

	if (p)
		return memcpy(p, s, n);
	return NULL;
}

EXPORT char *strndup(const char *s, size_t max)
{
	const size_t n = strnlen(s, max);
	char *p = malloc(n + 1);

	if (!p)
		return NULL;
	p[n] = 0;
	return memcpy(p, s, n);
}

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("ALLOC_FAIL");
	void *warm[1];

	trace = getenv("ALLOC_TRACE");
	if (trace)
		backtrace(warm, 1); /* loads libraries before any failure */
	if (at)
		fail_at = strtoull(at, NULL, 10);
	else
		fail_at = 0;
	fail_on = at && strchr(at, '+');
	counting = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("ALLOC_COUNT");
	char line[32];
	int fd, n;

	counting = false;
	if (!path)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	n = snprintf(line, sizeof(line), "%llu\n", (unsigned long long)calls);
	if (fd < 0 || write(fd, line, (size_t)n) != n)
		fprintf(stderr, "ALLOC_COUNT %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}
