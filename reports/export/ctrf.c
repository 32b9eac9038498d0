/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/ctrf.c -- writes the run as CTRF.
 *
 * Builders do not check each step: a NULL from jansson makes the object that
 * contains it NULL, and json_text reports it at the end.
 */
#include "reports/export/ctrf.h"

#include <string.h>

#include "reports/export/export.h"
#include "reports/format/json.h"

#define TRACE_MAX 8192 /* bytes of a ladder */
#define MS_NS     1000000

enum ctrf_status {
	CTRF_PASSED,
	CTRF_FAILED,
	CTRF_SKIPPED,
	CTRF_OTHER,
	CTRF_STATUSES,
};

static const char *const ctrf_names[CTRF_STATUSES] = {"passed", "failed",
						      "skipped", "other"};

static enum ctrf_status ctrf_status_of(const struct summary_case *c)
{
	if (c->state == BASELINE_FIXED)
		return CTRF_FAILED;
	if (c->verdict == VERDICT_PASS)
		return c->teardown == VERDICT_FAIL ? CTRF_FAILED : CTRF_PASSED;
	if (c->verdict == VERDICT_NA || c->state == BASELINE_KNOWN)
		return CTRF_SKIPPED;
	if (c->verdict == VERDICT_FAIL)
		return CTRF_FAILED;
	return CTRF_OTHER;
}

/* Returns the folders of an id, one string each. */
static json_t *ctrf_suite(const char *id)
{
	json_t *a = json_array();
	const char *stop;

	for (; (stop = strchr(id, '/')); id = stop + 1)
		a = json_push(a, json_stringn(id, (size_t)(stop - id)));
	if (a && !json_array_size(a))
		a = json_push(a, json_string("rung"));
	return a;
}

static json_t *ctrf_attachment(const struct about *a,
			       const struct summary_case *c, const char *file,
			       const char *type)
{
	struct text path = {0};

	export_beside(&path, a, c, file);
	return json_pack("{s:s, s:s, s:o}", "name", file, "contentType", type,
			 "path", export_text(&path));
}

static json_t *ctrf_attachments(const struct about *a,
				const struct summary_case *c)
{
	json_t *all = json_array();

	all = json_push(all, ctrf_attachment(a, c, "capture.pcapng",
					     "application/x-pcapng"));
	return json_push(all,
			 ctrf_attachment(a, c, "ladder.txt", "text/plain"));
}

static json_t *ctrf_findings(const struct summary_case *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nfindings; i++) {
		const struct rec_finding *f = &c->findings[i];

		a = json_push(a,
			      json_pack("{s:o, s:o, s:o, s:o}", "requirement",
					export_finding(f), "text",
					json_any_string(f->text), "expected",
					json_any_string(f->expected), "actual",
					json_any_string(f->actual)));
	}
	return a;
}

static json_t *ctrf_extra(const struct summary_case *c)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "title",
			 json_any_string(c->title), "clause",
			 json_any_string(c->ref), "seed", json_u64(c->seed),
			 "findings", ctrf_findings(c), "reason_id",
			 reason_id(c->reason_id), "baseline",
			 export_baseline(c));
}

/* Adds what only some results have. */
static void ctrf_put_rest(json_t *o, const struct about *a,
			  const struct summary_case *c)
{
	struct text ladder = {0};
	const char *message = c->reason;

	if (c->verdict == VERDICT_PASS)
		message = c->teardown_reason;
	if (*message)
		json_object_set_new(o, "message", json_any_string(message));
	if (c->ladder) {
		export_ladder(&ladder, a, c, TRACE_MAX);
		json_object_set_new(o, "trace", export_text(&ladder));
	}
	if (c->capture)
		json_object_set_new(o, "attachments", ctrf_attachments(a, c));
	if (*c->path)
		json_object_set_new(o, "filePath", json_any_string(c->path));
	/* an empty label is no valid one */
	if (c->nreqs)
		json_object_set_new(o, "labels",
				    json_pack("{s:o}", "requirements",
					      export_rows(c->reqs, c->nreqs)));
}

static json_t *ctrf_case(const struct about *a, const struct summary_case *c)
{
	const int64_t stop = export_end(a, c) / MS_NS;
	json_t *o = json_pack(
		"{s:o, s:o, s:o, s:s, s:s, s:I, s:I, s:I, s:o, s:s, s:o}",
		"name", json_any_string(c->id), "testId",
		json_any_string(c->id), "executionId",
		json_sprintf("%s.%u", c->id, (unsigned)c->repeat + 1), "status",
		ctrf_names[ctrf_status_of(c)], "rawStatus",
		verdict_name(c->verdict), "duration",
		(json_int_t)(c->wall_ns / MS_NS), "start",
		(json_int_t)(export_start(a, c) / MS_NS), "stop",
		(json_int_t)stop, "suite", ctrf_suite(c->id), "type",
		"conformance", "extra", ctrf_extra(c));

	if (o)
		ctrf_put_rest(o, a, c);
	return o;
}

static json_t *ctrf_claim(const struct summary *s, size_t i)
{
	struct text line = {0};

	summary_claim_say(&line, s, i);
	return json_pack("{s:o, s:s, s:i, s:[s], s:o}", "name",
			 json_sprintf("declaration %s", s->claims[i].name),
			 "status", ctrf_names[CTRF_FAILED], "duration", 0,
			 "suite", "declaration", "message", export_text(&line));
}

static json_t *ctrf_tests(const struct summary *s, const struct about *a)
{
	json_t *all = json_array();

	for (size_t i = 0; i < s->ncases; i++)
		all = json_push(all, ctrf_case(a, &s->cases[i]));
	for (size_t i = 0; i < s->nclaims; i++)
		all = json_push(all, ctrf_claim(s, i));
	return all;
}

static json_t *ctrf_summary(const struct summary *s, const struct about *a)
{
	const int64_t start = export_begin(a) / MS_NS;
	const int64_t span = (a->elapsed ? a->elapsed : s->wall_ns) / MS_NS;
	size_t of[CTRF_STATUSES] = {0};

	for (size_t i = 0; i < s->ncases; i++)
		of[ctrf_status_of(&s->cases[i])]++;
	of[CTRF_FAILED] += s->nclaims;
	return json_pack(
		"{s:I, s:I, s:I, s:I, s:i, s:I, s:I, s:I, s:I, s:{s:b, s:I}}",
		"tests", (json_int_t)(s->ncases + s->nclaims), "passed",
		(json_int_t)of[CTRF_PASSED], "failed",
		(json_int_t)of[CTRF_FAILED], "skipped",
		(json_int_t)of[CTRF_SKIPPED], "pending", 0, "other",
		(json_int_t)of[CTRF_OTHER], "start", (json_int_t)start, "stop",
		(json_int_t)(start + span), "duration", (json_int_t)span,
		"extra", "interrupted", (int)a->interrupted, "planned",
		(json_int_t)a->planned);
}

static json_t *ctrf_environment(const struct about *a)
{
	return json_pack("{s:o, s:o, s:{s:o, s:o, s:o, s:o, s:o}}", "appName",
			 json_any_string(about_device(a)), "appVersion",
			 json_any_string(a->decl ? a->decl->release : NULL),
			 "extra", "dut", json_maybe_string(a->dut), "host",
			 json_maybe_string(a->host), "operator",
			 json_maybe_string(a->operator), "bench",
			 json_bench(&a->bench), "seed", json_u64(a->seed));
}

int ctrf_report(struct text *t, const struct summary *s, const struct about *a)
{
	json_t *o = json_pack(
		"{s:s, s:s, s:s, s:{s:{s:s, s:o}, s:o, s:o, s:o}}",
		"reportFormat", "CTRF", "specVersion", "0.0.0", "generatedBy",
		"rung", "results", "tool", "name", "rung", "version",
		json_any_string(a->version), "summary", ctrf_summary(s, a),
		"tests", ctrf_tests(s, a), "environment", ctrf_environment(a));

	if (o && a->run)
		json_object_set_new(o, "runId", json_any_string(a->run));
	return json_text(t, o, JSON_INDENT(1));
}
