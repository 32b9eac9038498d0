/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/bench.h -- duration and clock of benchmarks.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* bench_now returns the monotonic clock in seconds. */
static inline double bench_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* bench_cpu returns the processor time of this program in seconds. */
static inline double bench_cpu(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/*
 * bench_seconds returns the duration of each measurement: BENCH_SECONDS from
 * the environment, 1 by default.
 */
static inline double bench_seconds(void)
{
	const char *s = getenv("BENCH_SECONDS");
	double v = s ? strtod(s, NULL) : 1.0;

	if (v > 0 && v < 3600)
		return v;
	return 1.0;
}

/* bench_keep makes the compiler assume that |v| is used. */
static inline void bench_keep(uint64_t v)
{
	__asm__ volatile("" : : "r"(v) : "memory");
}

#endif
