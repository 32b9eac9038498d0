/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/flood.c -- measures how long each report of a record that a flood has
 * filled takes, in full and at a tenth of that: 10 times the entries should
 * cost at most 12 times.  A higher ratio is measured again, and reported.
 *
 * A case runs once in virtual time.  A packet that the device sent is repeated
 * until the record is full, or an event is, or the two in turn; there are as
 * many findings as a record holds.  Exit status 1: a report takes far more than
 * linear time, which load on the machine cannot explain.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bench/bench.h"
#include "cli/cases.h"
#include "cli/endpoint.h"
#include "reports/casefiles.h"
#include "reports/format/json.h"
#include "reports/format/junit.h"
#include "reports/format/markdown.h"
#include "reports/format/pcapng.h"
#include "reports/format/tap.h"
#include "reports/html/html.h"
#include "reports/ladder/ladder.h"
#include "reports/ladder/ladder_svg.h"
#include "reports/result/record_file.h"
#include "reports/result/record_read.h"
#include "reports/result/stream.h"
#include "reports/text/text.h"
#include "suite/dut/dut.h"
#include "suite/dut/dut_virtual.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_state.h"

#define DELAY (10 * VSPAN_US)
#define CASE  "uet/rud/send-gtd"
#define MOST  12.0
#define FAR   30.0
#define BRIEF 0.005 /* seconds below which the clock is too coarse */
#define TRIES 4     /* the shortest time counts */

struct flood {
	struct corpus *corpus;
	struct decl *decl;
	struct dut *dut;
	struct runner *runner;
	struct record seed;   /* record of the case */
	struct record record; /* record of the flood */
	struct summary *summary;
	struct text kept; /* record.jsonl of the flood */
	struct about about;
};

enum flood_kind { FLOOD_PACKETS, FLOOD_EVENTS, FLOOD_MIXED, FLOOD_KINDS };

static const char *const kind_names[FLOOD_KINDS] = {"packets", "events",
						    "mixed"};

/* ---- The measured reports ---- */

typedef int flood_fn(struct flood *f, struct text *t);

static int do_ladder(struct flood *f, struct text *t)
{
	ladder_print(t, &f->record, NULL);
	return text_err(t);
}

static int do_verbose(struct flood *f, struct text *t)
{
	casefile_ladder(t, &f->record);
	return text_err(t);
}

static int do_svg(struct flood *f, struct text *t)
{
	const struct svg_opts opts = {.form = SVG_INLINE, .prefix = "c0"};

	ladder_svg(t, &f->record, &opts);
	return text_err(t);
}

static int do_text(struct flood *f, struct text *t)
{
	const struct text_opts opts = {.ladder = {.verbose = true}};

	text_case(t, &f->record, &opts);
	return text_err(t);
}

/* Makes the summary of all reports, with the drawing of the page. */
static int do_summary(struct flood *f, struct text *t)
{
	(void)t;
	summary_free(f->summary);
	f->summary = NULL;
	if (summary_new(&f->summary, false))
		return 1;
	summary_draw(f->summary, 1);
	return summary_add(f->summary, &f->record, "capture.pcapng");
}

static int do_json(struct flood *f, struct text *t)
{
	return json_report(t, f->summary, &f->about);
}

/* Makes the summary anew, because the page packs the drawing the first time. */
static int do_html(struct flood *f, struct text *t)
{
	if (do_summary(f, t))
		return 1;
	return html_report(t, f->summary, &f->about, NULL, NULL);
}

static int do_junit(struct flood *f, struct text *t)
{
	return junit_report(t, f->summary, &f->about);
}

static int do_markdown(struct flood *f, struct text *t)
{
	return markdown_report(t, f->summary, &f->about);
}

static int do_stream(struct flood *f, struct text *t)
{
	return stream_case(t, &f->summary->cases[0], 1);
}

static int do_tap(struct flood *f, struct text *t)
{
	tap_case(t, &f->summary->cases[0], 1);
	return text_err(t);
}

static int do_pcapng(struct flood *f, struct text *t)
{
	const struct pcapng_opts opts = {
		.frame = {.udp_port = f->decl->udp_port}};

	return pcapng_report(t, &f->record, &f->about, &opts);
}

static int do_control(struct flood *f, struct text *t)
{
	return casefile_control(t, &f->record);
}

static int do_integrity(struct flood *f, struct text *t)
{
	return casefile_integrity(t, &f->record);
}

static int do_record(struct flood *f, struct text *t)
{
	const struct record_about about = {.run = "0"};
	int err = record_file_print(t, &f->record, &about);

	text_free(&f->kept);
	f->kept = *t;
	*t = (struct text){0};
	return err;
}

static int do_record_read(struct flood *f, struct text *t)
{
	struct record r = {0};
	struct record_about about;
	struct diag diag = {0};
	int err = record_file_parse(&r, &about, "record.jsonl", f->kept.s,
				    f->kept.len, &diag);

	(void)t;
	record_free(&r);
	return err;
}

/* In order: some use the output of earlier ones. */
static const struct {
	const char *name;
	flood_fn *fn;
	bool lends; /* later ones use its output */
} measures[] = {
	{"ladder", do_ladder, false},
	{"ladder_verbose", do_verbose, false},
	{"svg", do_svg, false},
	{"text", do_text, false},
	{"summary", do_summary, true},
	{"json", do_json, false},
	{"html", do_html, false},
	{"junit", do_junit, false},
	{"markdown", do_markdown, false},
	{"stream", do_stream, false},
	{"tap", do_tap, false},
	{"pcapng", do_pcapng, false},
	{"control", do_control, false},
	{"integrity", do_integrity, false},
	{"record", do_record, true},
	{"record_read", do_record_read, false},
};

#define NMEASURES (sizeof(measures) / sizeof(measures[0]))

/* ---- The flood ---- */

static size_t last_from_device(const struct record *r)
{
	size_t at = 0;

	for (size_t i = 0; i < r->nrecs; i++)
		if (r->recs[i].kind == REC_RX)
			at = i;
	return at;
}

static void flood_add_packet(struct flood *f, size_t i)
{
	const struct record *seed = &f->seed;
	struct rec e = seed->recs[last_from_device(seed)];
	static struct dgram d;

	record_dgram(seed, &e, &d);
	e.at = (vtime)i * VSPAN_US;
	e.frame = (uint32_t)i + 1;
	e.setup = false;
	record_add(&f->record, &e, &d, "again", NULL);
}

static void flood_add_event(struct flood *f, size_t i, size_t n)
{
	const struct rec e = {.kind = REC_EVENT,
			      .at = (vtime)i * VSPAN_US,
			      .setup = i < n / 2};

	record_add(&f->record, &e, NULL, NULL,
		   "{\"event\": \"recv\", \"len\": 64}");
}

static void flood_add_findings(struct record *r, size_t n)
{
	r->findings = calloc(RECORD_FINDINGS, sizeof(*r->findings));
	for (size_t i = 0; r->findings && i < RECORD_FINDINGS; i++) {
		struct rec_finding *f = &r->findings[i];

		f->req = REQ_RUD_SEQ_76;
		f->role = REQ_DST;
		f->kind = KIND_PROTOCOL;
		f->frame = (uint32_t)(i * (n / RECORD_FINDINGS)) + 1;
		snprintf(f->text, sizeof(f->text), "This is not so.");
		snprintf(f->expected, sizeof(f->expected), "ack cack_psn=1");
		snprintf(f->actual, sizeof(f->actual), "ack cack_psn=2");
		r->nfindings = r->findings_size = i + 1;
	}
}

static int flood_fill(struct flood *f, enum flood_kind kind, size_t n)
{
	struct record *r = &f->record;

	record_free(r);
	snprintf(r->id, sizeof(r->id), "%s", f->seed.id);
	r->test_case = f->seed.test_case;
	r->tester = f->seed.tester;
	r->dut = f->seed.dut;
	for (size_t i = 0; i < n; i++)
		if (kind == FLOOD_PACKETS || (kind == FLOOD_MIXED && i % 2))
			flood_add_packet(f, i);
		else
			flood_add_event(f, i, n);
	flood_add_findings(r, n);
	r->verdict = VERDICT_FAIL;
	r->kind = KIND_PROTOCOL;
	snprintf(r->reason, sizeof(r->reason), "It never ends.");
	return r->failed_alloc || !r->findings;
}

/* ---- Measuring ---- */

static int flood_measure(struct flood *f, size_t which, double *ret)
{
	struct text t = {0};
	const double began = bench_cpu();
	const int err = measures[which].fn(f, &t);
	const double took = bench_cpu() - began;

	text_free(&t);
	if (took < *ret)
		*ret = took;
	return err;
}

static double ratio_of(const double took[2])
{
	if (took[0] < BRIEF)
		return 1;
	return took[0] / took[1];
}

/* Measures those reports of a flood of |n| entries that |again| selects. */
static int flood_measure_all(struct flood *f, enum flood_kind kind, size_t n,
			     const bool *again, double *ret)
{
	if (flood_fill(f, kind, n))
		return 1;
	for (size_t i = 0; i < NMEASURES; i++)
		if (again[i] && flood_measure(f, i, &ret[i]))
			return 1;
	return 0;
}

static void flood_print_kind(enum flood_kind kind, double took[2][NMEASURES],
			     bool *far)
{
	printf("%s\"%s\": {", kind ? ", " : "{", kind_names[kind]);
	for (size_t i = 0; i < NMEASURES; i++) {
		const double pair[2] = {took[0][i], took[1][i]};

		printf("%s\"%s_s\": [%.4f, %.4f]", text_between(i, ", "),
		       measures[i].name, pair[0], pair[1]);
		*far |= ratio_of(pair) > FAR;
		if (ratio_of(pair) > MOST)
			fprintf(stderr,
				"bench_flood: %s of %s: %.1f times as long\n",
				measures[i].name, kind_names[kind],
				ratio_of(pair));
	}
	printf("}");
}

static int flood_measure_kind(struct flood *f, enum flood_kind kind, bool *far)
{
	double took[2][NMEASURES];
	bool again[NMEASURES], any = true;

	for (size_t i = 0; i < NMEASURES; i++) {
		took[0][i] = took[1][i] = 1e9;
		again[i] = true;
	}
	for (unsigned try = 0; try < TRIES && any; try++) {
		if (flood_measure_all(f, kind, RECORD_ENTRIES, again,
				      took[0]) ||
		    flood_measure_all(f, kind, RECORD_ENTRIES / 10, again,
				      took[1]))
			return 1;
		any = false;
		for (size_t i = 0; i < NMEASURES; i++) {
			const double pair[2] = {took[0][i], took[1][i]};

			again[i] = ratio_of(pair) > MOST;
			any |= again[i];
		}
		for (size_t i = 0; i < NMEASURES; i++)
			again[i] |= measures[i].lends;
	}
	flood_print_kind(kind, took, far);
	return 0;
}

static int flood_set_up(struct flood *f)
{
	char name[] = CASE;
	char *const selectors[] = {name};
	const struct corpus_want want = {.selectors = selectors, .n = 1};
	struct run_conf run = {.seed = 1};
	struct orc_conf orc;
	struct diag diag = {0};

	if (endpoint_decl("bench_flood", NULL, NULL, false, &f->decl))
		return 1;
	endpoint_conf(&orc, f->decl, FAMILY_UET, ip_addr_v4(0x7f000002));
	if (dut_virtual_new(&f->dut, &orc_reference, &orc,
			    ip_addr_v4(0x7f000001), DELAY) ||
	    runner_new(&f->runner, f->dut, f->decl) ||
	    corpus_new(&f->corpus, NULL, &want, &diag) ||
	    !corpus_count(f->corpus))
		return 1;
	f->about = (struct about){.version = "bench",
				  .commit = "bench",
				  .dut = "virtual",
				  .decl = f->decl,
				  .seed = 1};
	run.decl = f->decl;
	return run_case(f->runner, corpus_at(f->corpus, 0), CHAIR_TARGET, &run,
			&f->seed);
}

int main(void)
{
	struct flood f = {0};
	bool far = false;
	int code;

	/* The first measurement faults the memory in; the others reuse it. */
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	code = flood_set_up(&f);

	for (int kind = 0; !code && kind < FLOOD_KINDS; kind++)
		code = flood_measure_kind(&f, (enum flood_kind)kind, &far);
	if (!code)
		puts("}");
	else
		fprintf(stderr, "bench_flood: cannot run\n");
	summary_free(f.summary);
	text_free(&f.kept);
	record_free(&f.record);
	record_free(&f.seed);
	runner_free(f.runner);
	if (f.dut)
		f.dut->ops->free(f.dut);
	decl_free(f.decl);
	corpus_free(f.corpus);
	return code || far;
}
