/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/json_memory.c -- the allocator of jansson: malloc(), then a static
 * reserve of 256 KiB.
 *
 * The reserve is a bump allocator that all threads share; its bytes are never
 * used again.  It costs no memory until its first use.
 */
#include "cli/json_memory.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/cli.h"

/* bytes; the system allocates its pages at first use */
enum { RESERVE = 1 << 18 };

static alignas(max_align_t) unsigned char reserve[RESERVE];
static atomic_size_t reserved; /* bytes given out; they are never freed */

static _Noreturn void json_memory_give_up(void)
{
	static const char why[] = "rung: out of memory\n";

	(void)!write(STDERR_FILENO, why, sizeof(why) - 1);
	_exit(EXIT_HARNESS);
}

static void *from_reserve(size_t size)
{
	const size_t align = alignof(max_align_t);
	size_t at;

	if (size > RESERVE)
		json_memory_give_up();
	at = atomic_fetch_add(&reserved, (size + align - 1) / align * align);
	if (at > RESERVE - size)
		json_memory_give_up();
	return reserve + at;
}

static void *json_take(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (p)
		return p;
	return from_reserve(size);
}

static void json_give(void *p)
{
	const uintptr_t at = (uintptr_t)p, from = (uintptr_t)reserve;

	if (at < from || at >= from + RESERVE)
		free(p);
}

void json_memory_use(void)
{
	json_set_alloc_funcs(json_take, json_give);
}
