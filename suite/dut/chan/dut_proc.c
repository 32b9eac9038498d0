/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_proc.c -- reads /proc for a program and its children: the
 * time spent waiting for a processor (schedstat), and the stopped state (stat).
 */
#include "suite/dut/chan/dut_proc.h"

#include <stdio.h>
#include <string.h>

#define TREE_MAX 16 /* processes examined at most */

/* Opens one of the files of a process. */
static FILE *proc_open(pid_t pid, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, what);
	return fopen(path, "re");
}

static vspan dut_proc_starved(pid_t pid)
{
	FILE *f = proc_open(pid, "schedstat");
	long long ran = 0, waited = 0;

	if (f && fscanf(f, "%lld %lld", &ran, &waited) != 2)
		waited = 0;
	if (f)
		fclose(f);
	return waited;
}

/* "12 (name) T ...": the name may hold anything. */
static bool is_stopped(pid_t pid)
{
	FILE *f = proc_open(pid, "stat");
	char line[256] = "";
	const char *end;

	if (f && !fgets(line, sizeof(line), f))
		line[0] = 0;
	if (f)
		fclose(f);
	end = strrchr(line, ')');
	return end &&
	       (strncmp(end, ") T", 3) == 0 || strncmp(end, ") t", 3) == 0);
}

/* Adds the children of |pid| to the |n| known processes. */
static size_t add_children(pid_t pid, pid_t *family, size_t n)
{
	char what[48];
	FILE *f;
	int child;

	snprintf(what, sizeof(what), "task/%d/children", (int)pid);
	f = proc_open(pid, what);
	while (f && n < TREE_MAX && fscanf(f, "%d", &child) == 1)
		family[n++] = child;
	if (f)
		fclose(f);
	return n;
}

vspan proc_starved(pid_t pid)
{
	pid_t family[TREE_MAX] = {pid};
	size_t n = 1;
	vspan sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += dut_proc_starved(family[i]);
		n = add_children(family[i], family, n);
	}
	return sum;
}

bool proc_stopped(pid_t pid)
{
	pid_t family[TREE_MAX] = {pid};
	size_t n = 1;

	for (size_t i = 0; i < n; i++) {
		if (is_stopped(family[i]))
			return true;
		n = add_children(family[i], family, n);
	}
	return false;
}
