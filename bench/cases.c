/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/cases.c -- counts the cases per second that one core runs in virtual
 * time: all are parsed once, then run one after another on one device until
 * time is up.
 */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/cases.h"
#include "cli/endpoint.h"
#include "suite/dut/dut.h"
#include "suite/dut/dut_virtual.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_state.h"

#define DELAY (10 * VSPAN_US) /* one-way delay, as in cli/run/dut_setup.c */

struct bench {
	struct corpus *corpus;
	struct decl *decl;
	struct dut *dut;
	struct runner *runner;
	struct record record;
	uint64_t runs, packets, passed;
	double parse_seconds, seconds;
};

static void bench_cases_count(struct bench *b)
{
	b->runs++;
	b->passed += b->record.verdict == VERDICT_PASS;
	for (size_t i = 0; i < b->record.nrecs; i++)
		b->packets += b->record.recs[i].frame != 0;
}

/* Runs every case in every chair, once. */
static int bench_cases_lap(struct bench *b)
{
	const struct run_conf conf = {.decl = b->decl, .seed = 1};

	for (size_t i = 0; i < corpus_count(b->corpus); i++)
		for (int c = 0; c < CHAIR_COUNT; c++) {
			const struct test_case *k = corpus_at(b->corpus, i);

			if (k->family != FAMILY_UET || !k->chairs[c].present)
				continue;
			if (run_case(b->runner, k, (enum chair)c, &conf,
				     &b->record))
				return 1;
			bench_cases_count(b);
		}
	return 0;
}

static int bench_cases_measure(struct bench *b)
{
	double began = bench_now();

	do {
		if (bench_cases_lap(b))
			return 1;
		b->seconds = bench_now() - began;
	} while (b->seconds < bench_seconds());
	return 0;
}

static int bench_cases_set_up(struct bench *b)
{
	struct orc_conf conf;
	struct diag diag = {0};
	double began;

	if (endpoint_decl("bench_cases", NULL, NULL, false, &b->decl))
		return 1;
	endpoint_conf(&conf, b->decl, FAMILY_UET, ip_addr_v4(0x7f000002));
	if (dut_virtual_new(&b->dut, &orc_reference, &conf,
			    ip_addr_v4(0x7f000001), DELAY))
		return 1;
	if (runner_new(&b->runner, b->dut, b->decl))
		return 1;
	began = bench_now();
	if (corpus_new(&b->corpus, NULL, NULL, &diag))
		return 1;
	b->parse_seconds = bench_now() - began;
	return corpus_count(b->corpus) == 0;
}

static void bench_cases_print(const struct bench *b)
{
	double runs = (double)b->runs;

	printf("{\"files\": %zu, \"parse_us_per_file\": %.1f, "
	       "\"runs\": %llu, \"passed\": %llu, \"runs_per_second\": %.0f, "
	       "\"us_per_run\": %.1f, \"packets_per_second\": %.0f}\n",
	       corpus_count(b->corpus),
	       b->parse_seconds * 1e6 / (double)corpus_count(b->corpus),
	       (unsigned long long)b->runs, (unsigned long long)b->passed,
	       runs / b->seconds, b->seconds * 1e6 / runs,
	       (double)b->packets / b->seconds);
}

int main(void)
{
	struct bench b = {0};
	int code = bench_cases_set_up(&b) || bench_cases_measure(&b);

	if (!code)
		bench_cases_print(&b);
	else
		fprintf(stderr, "bench_cases: cannot run\n");
	record_free(&b.record);
	runner_free(b.runner);
	if (b.dut)
		b.dut->ops->free(b.dut);
	decl_free(b.decl);
	corpus_free(b.corpus);
	return code;
}
