/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_proc.c -- reads /proc for a program and its children: how
 * long their threads ran and waited for a processor (schedstat), and the
 * stopped state (stat).
 */
#include "suite/dut/chan/dut_proc.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Stores the times of a thread, unless there are too many or it has ended. */
static void add_thread(struct proc_threads *threads, pid_t pid,
		       const char *thread)
{
	struct proc_thread t = {.id = (pid_t)atoi(thread)};
	long long ran = 0, waited = 0;
	char what[64];
	FILE *f;

	if (threads->n == PROC_THREADS)
		return;
	snprintf(what, sizeof(what), "task/%.20s/schedstat", thread);
	f = proc_open(pid, what);
	if (f && fscanf(f, "%lld %lld", &ran, &waited) == 2) {
		t.ran = ran;
		t.waited = waited;
		threads->thread[threads->n++] = t;
	}
	if (f)
		fclose(f);
}

/*
 * Adds the children of process |at| to the family, and its threads to
 * |threads|, unless it is NULL.
 */
static void dut_proc_visit(struct dut_proc_family *family, size_t at,
			   struct proc_threads *threads)
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
		if (threads)
			add_thread(threads, pid, e->d_name);
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

void proc_look(pid_t pid, struct proc_threads *ret)
{
	struct dut_proc_family family = {.pid = {pid}, .n = 1};

	ret->n = 0;
	for (size_t i = 0; i < family.n; i++)
		dut_proc_visit(&family, i, ret);
}

/*
 * Returns the times of a thread since |before|, which is |elapsed| ago.  A
 * thread that |before| lacks is new, unless it is too old for that: then it
 * stood behind the threads for which the list had room, and nothing is known.
 */
static struct proc_thread thread_since(const struct proc_threads *before,
				       const struct proc_thread *t,
				       vspan elapsed)
{
	for (size_t i = 0; i < before->n; i++) {
		const struct proc_thread *b = &before->thread[i];

		if (b->id == t->id && b->ran <= t->ran &&
		    b->waited <= t->waited)
			return (struct proc_thread){t->id, t->ran - b->ran,
						    t->waited - b->waited};
	}
	if (t->ran + t->waited > elapsed)
		return (struct proc_thread){.id = t->id};
	return *t;
}

vspan proc_starved(const struct proc_threads *before,
		   const struct proc_threads *after, vspan elapsed)
{
	vspan sum = 0, polling = 0, longest = 0;

	for (size_t i = 0; i < after->n; i++) {
		const struct proc_thread t =
			thread_since(before, &after->thread[i], elapsed);

		longest = vtime_max(longest, t.waited);
		if (t.ran + t.waited > elapsed / 2)
			polling = vtime_max(polling, t.waited);
		else
			sum += t.waited;
	}
	return vtime_max(longest, vtime_min(sum + polling, elapsed));
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
