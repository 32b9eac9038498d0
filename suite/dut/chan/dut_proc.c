/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_proc.c -- reads /proc for a program and its children: the
 * time that their threads waited for a processor (schedstat), and the stopped
 * state (stat).
 */
#include "suite/dut/chan/dut_proc.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define TREE_MAX 16 /* processes examined at most */

/* Opens one of the files of a process. */
static FILE *proc_open(pid_t pid, const char *what)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, what);
	return fopen(path, "re");
}

/* The processes of a family. */
struct dut_proc_family {
	pid_t pid[TREE_MAX];
	size_t n;
};

/* Adds the children that a thread of the process has started. */
static void add_children(struct dut_proc_family *family, pid_t pid,
			 const char *thread)
{
	char what[64];
	FILE *f;
	int child;

	snprintf(what, sizeof(what), "task/%.20s/children", thread);
	f = proc_open(pid, what);
	while (f && family->n < TREE_MAX && fscanf(f, "%d", &child) == 1)
		family->pid[family->n++] = child;
	if (f)
		fclose(f);
}

/* Returns the time that a thread was runnable without a processor. */
static vspan dut_proc_starved(pid_t pid, const char *thread)
{
	long long ran = 0, waited = 0;
	char what[64];
	FILE *f;

	snprintf(what, sizeof(what), "task/%.20s/schedstat", thread);
	f = proc_open(pid, what);
	if (f && fscanf(f, "%lld %lld", &ran, &waited) != 2)
		waited = 0;
	if (f)
		fclose(f);
	return waited;
}

/*
 * Adds the children of process |at| to the family, and to |starved|, unless it
 * is NULL, the time that its threads waited for a processor.
 */
static void dut_proc_visit(struct dut_proc_family *family, size_t at,
			   vspan *starved)
{
	const pid_t pid = family->pid[at];
	const struct dirent *e;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		if (starved)
			*starved += dut_proc_starved(pid, e->d_name);
		add_children(family, pid, e->d_name);
	}
	if (dir)
		closedir(dir);
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

vspan proc_starved(pid_t pid)
{
	struct dut_proc_family family = {.pid = {pid}, .n = 1};
	vspan sum = 0;

	for (size_t i = 0; i < family.n; i++)
		dut_proc_visit(&family, i, &sum);
	return sum;
}

bool proc_stopped(pid_t pid)
{
	struct dut_proc_family family = {.pid = {pid}, .n = 1};

	for (size_t i = 0; i < family.n; i++) {
		if (is_stopped(family.pid[i]))
			return true;
		dut_proc_visit(&family, i, NULL);
	}
	return false;
}
