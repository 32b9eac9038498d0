/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/otlp.c -- writes the run as OTLP/JSON spans.
 *
 * Builders do not check each step: a NULL from jansson makes the object that
 * contains it NULL, and json_text reports it at the end.
 */
#include "reports/export/otlp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reports/export/export.h"
#include "reports/format/json.h"

#define ROOT "rung run"

/* SpanKind and StatusCode of trace.proto. */
enum { OTLP_INTERNAL = 1 };
enum otlp_status { OTLP_UNSET, OTLP_OK, OTLP_ERROR };

/* ---- Ids ---- */

/* FNV-1a, 64 bits: equal runs have equal ids of spans. */
static uint64_t otlp_hash(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * UINT64_C(0x100000001b3);
	return h;
}

/* Returns the id of a span; 0 is not a valid one. */
static uint64_t otlp_span_id(const char *name, uint32_t repeat)
{
	char number[16];
	uint64_t h = otlp_hash(UINT64_C(0xcbf29ce484222325), name);

	snprintf(number, sizeof(number), " %" PRIu32, repeat);
	h = otlp_hash(h, number);
	return h ? h : 1;
}

static json_t *otlp_id(uint64_t id)
{
	return json_sprintf("%016" PRIx64, id);
}

/* A run without an id has one that is made from its seed. */
static json_t *otlp_trace_id(const struct about *a)
{
	if (a->run && strlen(a->run) == 32)
		return json_any_string(a->run);
	return json_sprintf("72756e67%08x%016" PRIx64, 1u, a->seed);
}

/* ---- Attributes ---- */

static json_t *otlp_attr(const char *key, json_t *value)
{
	return json_pack("{s:s, s:o}", "key", key, "value", value);
}

static json_t *otlp_string(const char *key, const char *s)
{
	return otlp_attr(key,
			 json_pack("{s:o}", "stringValue", json_any_string(s)));
}

/* 64-bit numbers are strings in the JSON encoding. */
static json_t *otlp_number(const char *key, uint64_t n)
{
	return otlp_attr(key, json_pack("{s:o}", "intValue",
					json_sprintf("%" PRIu64, n)));
}

static json_t *otlp_rows(const char *key, const struct req_ref *refs, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		a = json_push(
			a,
			json_pack("{s:o}", "stringValue",
				  json_sprintf("%s/%s", req_get(refs[i].id)->id,
					       req_role_name(refs[i].role))));
	return otlp_attr(key,
			 json_pack("{s:{s:o}}", "arrayValue", "values", a));
}

/* Appends an attribute if it has a value. */
static json_t *otlp_push_string(json_t *a, const char *key, const char *s)
{
	if (s && *s)
		return json_push(a, otlp_string(key, s));
	return a;
}

static json_t *otlp_resource(const struct about *a)
{
	json_t *all = json_array();

	all = json_push(all, otlp_string("service.name", "rung"));
	all = otlp_push_string(all, "service.version", a->version);
	all = otlp_push_string(all, "host.name", a->host);
	all = otlp_push_string(all, "rung.device", about_device(a));
	all = otlp_push_string(all, "rung.dut", a->dut);
	all = otlp_push_string(all, "rung.release",
			       a->decl ? a->decl->release : NULL);
	all = otlp_push_string(all, "rung.operator", a->operator);
	all = otlp_push_string(all, "rung.bench", a->bench.name);
	all = otlp_push_string(all, "rung.firmware", a->bench.firmware);
	all = otlp_push_string(all, "rung.driver", a->bench.driver);
	return json_pack("{s:o}", "attributes", all);
}

/* ---- Spans ---- */

static json_t *otlp_time(int64_t ns)
{
	return json_sprintf("%" PRId64, ns);
}

static json_t *otlp_status(enum otlp_status code, const char *message)
{
	if (code == OTLP_ERROR)
		return json_pack("{s:i, s:o}", "code", (int)code, "message",
				 json_any_string(message));
	return json_pack("{s:i}", "code", (int)code);
}

static json_t *otlp_status_of(const struct summary_case *c)
{
	if (c->state == BASELINE_FIXED)
		return otlp_status(OTLP_ERROR, "unexpected pass");
	if (c->verdict == VERDICT_PASS && c->teardown == VERDICT_FAIL)
		return otlp_status(OTLP_ERROR, c->teardown_reason);
	if (c->verdict == VERDICT_PASS)
		return otlp_status(OTLP_OK, "");
	if (c->verdict == VERDICT_NA || c->state == BASELINE_KNOWN)
		return otlp_status(OTLP_UNSET, "");
	return otlp_status(OTLP_ERROR, c->reason);
}

static json_t *otlp_events(const struct about *a, const struct summary_case *c)
{
	json_t *all = json_array();

	for (size_t i = 0; i < c->nfindings; i++) {
		const struct rec_finding *f = &c->findings[i];
		json_t *attrs = json_array();

		if (f->req != REQ_NONE)
			attrs = json_push(
				attrs,
				otlp_attr("rung.requirement",
					  json_pack("{s:o}", "stringValue",
						    export_finding(f))));
		attrs = json_push(attrs, otlp_string("rung.text", f->text));
		attrs = otlp_push_string(attrs, "rung.expected", f->expected);
		attrs = otlp_push_string(attrs, "rung.actual", f->actual);
		all = json_push(all,
				json_pack("{s:o, s:s, s:o}", "timeUnixNano",
					  otlp_time(export_end(a, c)), "name",
					  "finding", "attributes", attrs));
	}
	return all;
}

static json_t *otlp_case_attrs(const struct about *a,
			       const struct summary_case *c)
{
	struct text capture = {0};
	const bool good = c->verdict == VERDICT_PASS;
	json_t *all = json_array();

	all = json_push(all, otlp_string("test.case.name", c->id));
	if (good || c->verdict == VERDICT_FAIL)
		all = json_push(all, otlp_string("test.case.result.status",
						 good ? "pass" : "fail"));
	all = json_push(all,
			otlp_string("rung.verdict", verdict_name(c->verdict)));
	all = otlp_push_string(all, "rung.kind", fail_kind_name(c->kind));
	all = otlp_push_string(all, "rung.title", c->title);
	all = otlp_push_string(all, "rung.reason", c->reason);
	all = json_push(all, otlp_number("rung.seed", c->seed));
	all = json_push(all, otlp_number("rung.repeat", c->repeat));
	all = json_push(all, otlp_rows("rung.requirements", c->reqs, c->nreqs));
	export_beside(&capture, a, c, "capture.pcapng");
	all = otlp_push_string(all, "rung.capture", text_cstr(&capture));
	text_free(&capture);
	return all;
}

static json_t *otlp_case(const struct about *a, const struct summary_case *c)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}",
			 "traceId", otlp_trace_id(a), "spanId",
			 otlp_id(otlp_span_id(c->id, c->repeat)),
			 "parentSpanId", otlp_id(otlp_span_id(ROOT, 0)), "name",
			 json_any_string(c->id), "kind", OTLP_INTERNAL,
			 "startTimeUnixNano", otlp_time(export_start(a, c)),
			 "endTimeUnixNano", otlp_time(export_end(a, c)),
			 "attributes", otlp_case_attrs(a, c), "events",
			 otlp_events(a, c), "status", otlp_status_of(c));
}

static json_t *otlp_totals(const struct summary *s, const struct about *a)
{
	json_t *all = json_array();

	all = json_push(all, otlp_number("rung.seed", a->seed));
	all = json_push(all, otlp_number("rung.planned", a->planned));
	all = json_push(all, otlp_attr("rung.interrupted",
				       json_pack("{s:b}", "boolValue",
						 (int)a->interrupted)));
	for (int v = 0; v < VERDICT_COUNT; v++) {
		char key[40];

		snprintf(key, sizeof(key), "rung.total.%s",
			 verdict_name((enum verdict)v));
		all = json_push(all, otlp_number(key, s->totals[v]));
	}
	return all;
}

/* Claims that the device does not keep belong to no case. */
static json_t *otlp_claims(const struct summary *s, int64_t at)
{
	json_t *all = json_array();

	for (size_t i = 0; i < s->nclaims; i++) {
		struct text line = {0};

		summary_claim_say(&line, s, i);
		all = json_push(
			all,
			json_pack("{s:o, s:s, s:[o]}", "timeUnixNano",
				  otlp_time(at), "name", "claim not kept",
				  "attributes",
				  otlp_string("rung.text", text_cstr(&line))));
		text_free(&line);
	}
	return all;
}

static json_t *otlp_root(const struct summary *s, const struct about *a)
{
	const int64_t begin = export_begin(a);
	const size_t fails = summary_fails(s);
	int64_t end = begin + (a->elapsed ? a->elapsed : s->wall_ns);
	char say[64];

	for (size_t i = 0; i < s->ncases; i++)
		if (end < export_end(a, &s->cases[i]))
			end = export_end(a, &s->cases[i]);
	snprintf(say, sizeof(say), "%zu of %zu fail", fails,
		 summary_results(s));
	return json_pack(
		"{s:o, s:o, s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "traceId",
		otlp_trace_id(a), "spanId", otlp_id(otlp_span_id(ROOT, 0)),
		"name", ROOT, "kind", OTLP_INTERNAL, "startTimeUnixNano",
		otlp_time(begin), "endTimeUnixNano", otlp_time(end),
		"attributes", otlp_totals(s, a), "events", otlp_claims(s, end),
		"status", otlp_status(fails ? OTLP_ERROR : OTLP_UNSET, say));
}

int otlp_report(struct text *t, const struct summary *s, const struct about *a)
{
	json_t *spans = json_push(json_array(), otlp_root(s, a));

	for (size_t i = 0; i < s->ncases; i++)
		spans = json_push(spans, otlp_case(a, &s->cases[i]));
	return json_text(t,
			 json_pack("{s:[{s:o, s:[{s:{s:s, s:o}, s:o}]}]}",
				   "resourceSpans", "resource",
				   otlp_resource(a), "scopeSpans", "scope",
				   "name", "rung", "version",
				   json_any_string(a->version), "spans", spans),
			 JSON_COMPACT);
}
