/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the waits of all threads of a program are counted.
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
	const vspan enough = 100 * VSPAN_MS;
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
		waited = proc_starved(child);
		sched_yield();
	}
	assert_true(waited >= enough);
	assert_false(proc_stopped(child));
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_waits_of_all_threads_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
