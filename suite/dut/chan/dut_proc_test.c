/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests how long want of a processor delayed a program with several threads.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "suite/dut/chan/dut_proc.h"

static void *spin(void *unused)
{
	(void)unused;
	for (;;)
		sched_yield();
	return NULL;
}

/* Ends in two threads that share a processor; the first thread waits for them.
 */
static void share_a_processor(void)
{
	pthread_t threads[2];
	cpu_set_t one;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* the threads never end */
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		_exit(1);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, spin, NULL))
			_exit(1);
	pthread_join(threads[0], NULL);
	_exit(1);
}

/* The first thread of the program sleeps; the others take turns. */
static void the_waits_of_all_threads_count(void **state)
{
	const struct proc_threads none = {.n = 0};
	const vspan enough = 100 * VSPAN_MS;
	struct proc_threads threads;
	vspan waited = 0;
	pid_t child;

	(void)state;
	if (access("/proc/self/schedstat", R_OK))
		skip();
	child = fork();
	assert_true(child >= 0);
	if (!child)
		share_a_processor();
	while (waited < enough && !waitpid(child, NULL, WNOHANG)) {
		proc_look(child, &threads);
		waited = proc_starved(&none, &threads, VSPAN_S);
		sched_yield();
	}
	assert_true(waited >= enough);
	assert_false(proc_stopped(child));
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Thread i + 1 ran and waited so long, in ms. */
static void dut_proc_test_set(struct proc_threads *ret, size_t n,
			      const int (*ms)[2])
{
	ret->n = n;
	for (size_t i = 0; i < n; i++)
		ret->thread[i] = (struct proc_thread){
			.id = (pid_t)i + 1,
			.ran = ms[i][0] * VSPAN_MS,
			.waited = ms[i][1] * VSPAN_MS,
		};
}

static void waits_of_a_program_add_up(void **state)
{
	static const int earlier[][2] = {{500, 100}, {500, 0}, {9, 1}};
	static const struct {
		int ms[3][2]; /* 100 ms later */
		vspan starved;
	} rows[] = {
		{{{500, 100}, {500, 0}, {9, 1}}, 0},
		/* each may have waited for the other */
		{{{520, 130}, {510, 25}, {9, 1}}, 55},
		/* two polled, and each had a processor half of the time */
		{{{550, 150}, {550, 50}, {9, 1}}, 50},
		{{{540, 160}, {560, 40}, {14, 6}}, 65},
		/* no longer than the time that passed */
		{{{500, 140}, {500, 40}, {9, 41}}, 100},
		/* but for a wait that began before it */
		{{{501, 350}, {500, 20}, {9, 1}}, 250},
		/* another thread with the number of one that has ended */
		{{{20, 30}, {500, 0}, {9, 1}}, 30},
	};
	static const int old[][2] = {{500, 100}, {500, 400}, {9, 1}};
	struct proc_threads before, after;

	(void)state;
	dut_proc_test_set(&before, 3, earlier);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		dut_proc_test_set(&after, 3, rows[i].ms);
		assert_int_equal(proc_starved(&before, &after, 100 * VSPAN_MS),
				 rows[i].starved * VSPAN_MS);
	}
	before.n = 1; /* the others began afterwards */
	dut_proc_test_set(&after, 3, rows[0].ms);
	assert_int_equal(proc_starved(&before, &after, 100 * VSPAN_MS),
			 VSPAN_MS);
	/* the second one is older than that: the list had no room for it */
	dut_proc_test_set(&after, 3, old);
	assert_int_equal(proc_starved(&before, &after, 100 * VSPAN_MS),
			 VSPAN_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_waits_of_all_threads_count),
		cmocka_unit_test(waits_of_a_program_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
