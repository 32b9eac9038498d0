/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/report.c -- measures how long the reports of ten thousand results take.
 *
 * Every embedded case runs once in virtual time.  Its record is added again and
 * again under new ids, every twentieth as a failure, until there are ten
 * thousand results of as many cases.  BENCH_RESULTS sets another number,
 * BENCH_OUT names a folder for report.html and results.json, so that a browser
 * and rung compare can be measured (bench/browser.py).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/cases.h"
#include "cli/endpoint.h"
#include "cli/mutants.h"
#include "reports/compare/compare.h"
#include "reports/compare/compare_print.h"
#include "reports/format/json.h"
#include "reports/format/junit.h"
#include "reports/html/html.h"
#include "suite/dut/dut.h"
#include "suite/dut/dut_virtual.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_state.h"

#define DELAY   (10 * VSPAN_US)
#define RESULTS 10000
#define EVERY   20 /* one of so many results fails */

struct bench {
	struct corpus *corpus;
	struct decl *decl;
	struct dut *dut;
	struct runner *runner;
	struct record record;
	struct summary *summary;
	struct about about;
	size_t wanted, failed;
	double add_s, html_s, json_s, junit_s, parse_s, compare_s;
	size_t html_bytes, json_bytes;
};

/* Adds a finding at the last packet from the device. */
static void make_fail(struct bench *b)
{
	static const struct rec_finding finding = {
		.req = REQ_RUD_SEQ_76,
		.role = REQ_DST,
		.kind = KIND_PROTOCOL,
		.text = "The ACK covers a PSN that waits for its clear.",
		.expected = "ack ack_psn=333 cack_psn=332 req=clear | response "
			    "message_id=1",
		.actual =
			"ack ack_psn=333 cack_psn=333 | response message_id=1",
	};
	struct record *r = &b->record;

	if (!r->findings_size)
		r->findings = malloc(sizeof(*r->findings));
	if (!r->findings)
		return;
	if (!r->findings_size)
		r->findings_size = 1;
	r->findings[0] = finding;
	r->nfindings = 1;
	for (size_t i = 0; i < r->nrecs; i++)
		if (r->recs[i].kind == REC_RX)
			r->findings[0].frame = r->recs[i].frame;
	r->verdict = VERDICT_FAIL;
	r->kind = KIND_PROTOCOL;
	snprintf(r->reason, sizeof(r->reason), "%s", finding.text);
	b->failed++;
}

/* Adds the record as the result of a case of its own. */
static int bench_report_add(struct bench *b)
{
	char id[sizeof(b->record.id)], capture[256];
	const char *at = strrchr(b->record.id, '@');
	const size_t n = b->summary->ncases;
	double began;

	snprintf(id, sizeof(id), "%.*s-%zu%s", (int)(at - b->record.id),
		 b->record.id, n, at);
	memcpy(b->record.id, id, sizeof(id));
	snprintf(capture, sizeof(capture), "cases/%s/capture.pcapng", id);
	if (n % EVERY == EVERY - 1)
		make_fail(b);
	began = bench_cpu();
	if (summary_add(b->summary, &b->record, capture))
		return 1;
	b->add_s += bench_cpu() - began;
	return 0;
}

static int bench_report_lap(struct bench *b)
{
	const struct run_conf conf = {.decl = b->decl, .seed = 1};

	for (size_t i = 0; i < corpus_count(b->corpus); i++)
		for (int c = 0; c < CHAIR_COUNT; c++) {
			const struct test_case *k = corpus_at(b->corpus, i);

			if (k->family != FAMILY_UET || !k->chairs[c].present ||
			    b->summary->ncases == b->wanted)
				continue;
			if (run_case(b->runner, k, (enum chair)c, &conf,
				     &b->record) ||
			    bench_report_add(b))
				return 1;
		}
	return 0;
}

static int bench_report_set_up(struct bench *b)
{
	const char *wanted = getenv("BENCH_RESULTS");
	struct orc_conf conf;
	struct diag diag = {0};

	if (wanted)
		b->wanted = strtoul(wanted, NULL, 10);
	else
		b->wanted = RESULTS;
	if (endpoint_decl("bench_report", NULL, NULL, false, &b->decl))
		return 1;
	endpoint_conf(&conf, b->decl, FAMILY_UET, ip_addr_v4(0x7f000002));
	if (dut_virtual_new(&b->dut, &orc_reference, &conf,
			    ip_addr_v4(0x7f000001), DELAY))
		return 1;
	if (runner_new(&b->runner, b->dut, b->decl) ||
	    corpus_new(&b->corpus, NULL, NULL, &diag) ||
	    summary_new(&b->summary, false))
		return 1;
	summary_draw(b->summary, b->wanted);
	b->about = (struct about){.version = "bench",
				  .commit = "bench",
				  .dut = "virtual",
				  .decl = b->decl,
				  .seed = 1};
	return corpus_count(b->corpus) == 0;
}

static int save(const struct text *t, const char *name)
{
	const char *out = getenv("BENCH_OUT");
	char path[4096];
	FILE *f;

	if (!out)
		return 0;
	snprintf(path, sizeof(path), "%s/%s", out, name);
	f = fopen(path, "we");
	if (!f)
		return 1;
	fwrite(text_cstr(t), 1, t->len, f);
	return fclose(f);
}

static int measure_html(struct bench *b)
{
	struct kills *kills = NULL;
	struct text t = {0};
	double began = bench_cpu();
	int err;

	summary_sort(b->summary);
	err = kills_load("bench_report", &kills);
	if (!err)
		err = html_report(&t, b->summary, &b->about, kills, NULL);
	b->html_s = bench_cpu() - began + b->add_s;
	b->html_bytes = t.len;
	if (!err)
		err = save(&t, "report.html");
	kills_free(kills);
	text_free(&t);
	return err;
}

static int measure_json(struct bench *b, struct text *t)
{
	double began = bench_cpu();
	struct text xml = {0};

	if (json_report(t, b->summary, &b->about))
		return 1;
	b->json_s = bench_cpu() - began;
	b->json_bytes = t->len;
	if (save(t, "results.json"))
		return 1;
	began = bench_cpu();
	if (junit_report(&xml, b->summary, &b->about))
		return 1;
	b->junit_s = bench_cpu() - began;
	text_free(&xml);
	return 0;
}

/* Compares two runs from text to text, like rung compare. */
static int measure_compare(struct bench *b, const struct text *json)
{
	struct results *r[2] = {NULL, NULL};
	struct compare *c = NULL;
	struct diag diag = {0};
	struct text t = {0};
	double began = bench_cpu();
	int err = 0;

	for (int i = 0; i < 2 && !err; i++)
		err = results_parse(&r[i], "results.json", json->s, json->len,
				    &diag);
	b->parse_s = bench_cpu() - began;
	if (!err)
		err = compare_new(&c, r[0], r[1]);
	if (!err)
		err = compare_text(&t, c);
	b->compare_s = bench_cpu() - began;
	text_free(&t);
	compare_free(c);
	results_free(r[0]);
	results_free(r[1]);
	return err;
}

static int bench_report_measure(struct bench *b)
{
	struct text json = {0};
	int err = 0;

	while (!err && b->summary->ncases < b->wanted)
		err = bench_report_lap(b);
	if (!err)
		err = measure_html(b);
	if (!err)
		err = measure_json(b, &json);
	if (!err)
		err = measure_compare(b, &json);
	text_free(&json);
	return err;
}

static void bench_report_print(const struct bench *b)
{
	printf("{\"results\": %zu, \"failed\": %zu, \"html_s\": %.3f, "
	       "\"html_bytes\": %zu, \"draw_s\": %.3f, \"json_s\": %.3f, "
	       "\"json_bytes\": %zu, \"junit_s\": %.3f, \"compare_s\": %.3f, "
	       "\"compare_parse_s\": %.3f}\n",
	       b->summary->ncases, b->failed, b->html_s, b->html_bytes,
	       b->add_s, b->json_s, b->json_bytes, b->junit_s, b->compare_s,
	       b->parse_s);
}

int main(void)
{
	struct bench b = {0};
	int code = bench_report_set_up(&b) || bench_report_measure(&b);

	if (!code)
		bench_report_print(&b);
	else
		fprintf(stderr, "bench_report: cannot run\n");
	summary_free(b.summary);
	record_free(&b.record);
	runner_free(b.runner);
	if (b.dut)
		b.dut->ops->free(b.dut);
	decl_free(b.decl);
	corpus_free(b.corpus);
	return code;
}
