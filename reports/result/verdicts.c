/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/verdicts.c -- writes findings, flows and totals of a capture.
 */
#include "reports/result/verdicts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "reports/format/json.h"
#include "reports/safe.h"

#define SCHEMA "rung.check/2"
#define RED    "\033[31m"
#define YELLOW "\033[33m"
#define OFF    "\033[0m"

static const struct req *finding_req(const struct rung_finding *f)
{
	return req_get((enum req_id)f->row);
}

static const char *finding_role(const struct rung_finding *f)
{
	return req_role_name((enum req_role)f->role);
}

/* The addresses of the ends of a flow, as text. */
struct end_names {
	char text[2][IP_ADDR_TEXT];
};

static struct end_names verdicts_ends(const struct rung_flow *f)
{
	struct end_names ret;
	struct ip_addr a;

	for (unsigned i = 0; i < 2; i++) {
		a.len = f->ends[i].len;
		memcpy(a.b, f->ends[i].bytes, sizeof(a.b));
		ip_addr_print(&a, ret.text[i]);
	}
	return ret;
}

/* ---- JSON ---- */

static json_t *flow_json(const char *a, const char *b, const uint16_t pdcid[2])
{
	return json_pack("{s:[s,s],s:[i,i]}", "ends", a, b, "pdcid", pdcid[0],
			 pdcid[1]);
}

static json_t *line(const struct verdict_opts *o, const char *type)
{
	return json_pack("{s:s,s:s,s:o}", "schema", SCHEMA, "type", type,
			 "file", json_any_string(o->file));
}

/* Ends a line and frees its object. */
static void verdicts_put(struct text *t, json_t *j)
{
	if (json_text(t, j, JSON_COMPACT))
		t->failed = true;
}

static void verdicts_add(json_t *j, const char *key, json_t *value)
{
	json_object_set_new(j, key, value);
}

static void add_text(json_t *j, const char *key, const char *s)
{
	struct text t = {0};

	safe_puts(&t, s);
	verdicts_add(j, key, json_string(text_cstr(&t)));
	text_free(&t);
}

void verdict_finding_members(json_t *j, const struct rung_finding *f)
{
	const struct req *q = finding_req(f);
	char citation[REQ_CITATION_MAX];

	verdicts_add(j, "requirement", json_string(q->id));
	verdicts_add(j, "role", json_string(finding_role(f)));
	verdicts_add(j, "level", json_string(req_level_name(q->level)));
	verdicts_add(j, "kind", json_string(f->timing ? "timing" : "protocol"));
	verdicts_add(j, "side", json_string(f->side));
	verdicts_add(j, "clause",
		     json_string(req_citation((enum req_id)f->row, citation)));
	verdicts_add(j, "frame", json_integer(f->frame));
	verdicts_add(j, "flow",
		     f->flow == RUNG_NO_FLOW
			     ? json_null()
			     : flow_json(f->ends[0], f->ends[1], f->pdcid));
	add_text(j, "text", f->text);
	add_text(j, "expected", f->expected);
	add_text(j, "actual", f->actual);
}

static void finding_json(struct text *t, const struct verdict_opts *o,
			 const struct rung_finding *f)
{
	json_t *j = line(o, "finding");

	verdict_finding_members(j, f);
	verdicts_put(t, j);
}

static json_t *span_json(int64_t ns)
{
	if (ns < 0)
		return json_null();
	return json_integer(ns);
}

static json_t *side_json(const struct rung_side_stats *s)
{
	return json_pack(
		"{s:I,s:I,s:I,s:I,s:I,s:{s:I,s:I,s:I},s:I,s:I}", "packets",
		(json_int_t)s->packets, "requests", (json_int_t)s->requests,
		"cps", (json_int_t)s->cps, "acks", (json_int_t)s->acks, "nacks",
		(json_int_t)s->nacks, "again", "timer",
		(json_int_t)s->again[RUNG_TIMER], "nack",
		(json_int_t)s->again[RUNG_NACK], "gap",
		(json_int_t)s->again[RUNG_GAP], "duplicates",
		(json_int_t)s->net_dups, "covered", (json_int_t)s->covered);
}

static void flow_line(struct text *t, const struct verdict_opts *o,
		      const struct rung_flow *f)
{
	const struct end_names ends = verdicts_ends(f);
	json_t *j = line(o, "flow");

	verdicts_add(j, "flow",
		     flow_json(ends.text[0], ends.text[1], f->pdcid));
	verdicts_add(j, "mode", json_string(f->mode));
	verdicts_add(j, "initiator",
		     f->initiator < 0 ? json_null()
				      : json_integer(f->initiator));
	verdicts_add(j, "whole", json_boolean(f->complete));
	verdicts_add(j, "first_frame", json_integer(f->first_frame));
	verdicts_add(j, "first_ns", json_integer((json_int_t)f->first_ns));
	verdicts_add(j, "last_ns", json_integer((json_int_t)f->last_ns));
	verdicts_add(j, "sides",
		     json_pack("[o,o]", side_json(&f->sides[0]),
			       side_json(&f->sides[1])));
	verdicts_add(j, "rtt_ns",
		     json_pack("{s:o,s:o,s:o}", "p50",
			       span_json(rung_flow_rtt(f, 500)), "p90",
			       span_json(rung_flow_rtt(f, 900)), "p99",
			       span_json(rung_flow_rtt(f, 990))));
	verdicts_put(t, j);
}

static json_t *limits_json(const struct verdict_sum *s)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < WATCH_LIMITS; i++)
		if (s->limit[i])
			json_array_append_new(
				list, json_pack("{s:s,s:I,s:s}", "name",
						watch_limit_name(i), "count",
						(json_int_t)s->limit[i], "text",
						watch_limit_text(i)));
	return list;
}

/* Counts frames of other protocols: untruncated, but of no family. */
static uint64_t others(const struct rung_counts *c)
{
	uint64_t n = 0;

	for (int i = 0; i < UNREADS; i++)
		if (i != UNREAD_FRAGMENT && i != UNREAD_SHORT)
			n += c->unread[i];
	return n;
}

static json_t *unread_json(const struct rung_counts *c)
{
	json_t *list = json_array();

	for (int i = 0; i < UNREADS; i++)
		if (c->unread[i])
			json_array_append_new(
				list,
				json_pack("{s:s,s:I,s:s}", "name",
					  unread_name((enum unread)i), "count",
					  (json_int_t)c->unread[i], "text",
					  unread_text((enum unread)i)));
	return list;
}

static json_t *nacks_json(const struct rung_counts *t)
{
	json_t *j = json_object();
	char code[8];

	for (unsigned i = 0; i < 256; i++) {
		if (!t->nacks[i])
			continue;
		snprintf(code, sizeof(code), "0x%02x", i);
		verdicts_add(j, code, json_integer((json_int_t)t->nacks[i]));
	}
	return j;
}

static json_t *queues_json(const struct verdict_sum *s)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < s->nqueues; i++)
		json_array_append_new(
			list,
			json_pack("{s:I,s:I}", "frames",
				  (json_int_t)s->queues[i].frames, "dropped",
				  (json_int_t)s->queues[i].dropped));
	return list;
}

static void summary_json(struct text *t, const struct verdict_opts *o,
			 const struct verdict_sum *s)
{
	const struct rung_counts *c = s->counts;
	json_t *j = line(o, "summary");

	verdicts_add(j, "frames", json_integer((json_int_t)c->frames));
	verdicts_add(j, "packets", json_integer((json_int_t)c->packets));
	if (c->tunnels)
		verdicts_add(j, "tunnels",
			     json_integer((json_int_t)c->tunnels));
	verdicts_add(j, "other", json_integer((json_int_t)others(c)));
	verdicts_add(j, "unread", unread_json(c));
	verdicts_add(j, "first_ns", json_integer((json_int_t)c->first_ns));
	verdicts_add(j, "last_ns", json_integer((json_int_t)c->last_ns));
	verdicts_add(j, "flows", json_integer((json_int_t)c->flows));
	verdicts_add(j, "whole_flows",
		     json_integer((json_int_t)s->flows_complete));
	verdicts_add(j, "fails", json_integer((json_int_t)s->fails));
	verdicts_add(j, "remarks", json_integer((json_int_t)s->remarks));
	verdicts_add(j, "not_shown", json_integer((json_int_t)s->untold));
	verdicts_add(j, "nacks", nacks_json(c));
	verdicts_add(j, "rtt_ns",
		     json_pack("{s:o,s:o,s:o}", "p50",
			       span_json(rung_counts_rtt(c, 500)), "p90",
			       span_json(rung_counts_rtt(c, 900)), "p99",
			       span_json(rung_counts_rtt(c, 990))));
	verdicts_add(j, "restrictions", limits_json(s));
	if (s->nqueues)
		verdicts_add(j, "queues", queues_json(s));
	verdicts_add(j, "error",
		     *s->error ? json_any_string(s->error) : json_null());
	verdicts_put(t, j);
}

static void requirement_json(struct text *t, const struct verdict_opts *o,
			     const struct verdict_req *r)
{
	const struct req *q = req_get(r->req);
	json_t *j = line(o, "requirement");

	verdicts_add(j, "requirement", json_string(q->id));
	verdicts_add(j, "role", json_string(req_role_name(r->role)));
	verdicts_add(j, "level", json_string(req_level_name(q->level)));
	verdicts_add(j, "seen", json_integer((json_int_t)r->seen));
	verdicts_add(j, "findings", json_integer((json_int_t)r->findings));
	verdicts_put(t, j);
}

/* ---- Text ---- */

/* Appends "10.0.0.1:0x0a0a 10.0.0.2:0x0b0b". */
static void flow_name(struct text *t, const char *a, const char *b,
		      const uint16_t pdcid[2])
{
	for (unsigned i = 0; i < 2; i++) {
		text_printf(t, "%s%s", text_between(i, " "), i ? b : a);
		if (pdcid[i])
			text_printf(t, ":0x%04x", pdcid[i]);
	}
}

static void finding_text(struct text *t, const struct verdict_opts *o,
			 const struct rung_finding *f)
{
	const enum req_id req = (enum req_id)f->row;
	const bool fails = req_fails(req, o->strict);
	char citation[REQ_CITATION_MAX];

	if (o->color)
		text_puts(t, fails ? RED : YELLOW);
	text_printf(t, "%s %s", fails ? "FAIL  " : "REMARK", f->requirement);
	if (o->color)
		text_puts(t, OFF);
	text_printf(t, " by %s in frame %" PRIu32 "%s\n", f->side, f->frame,
		    f->timing ? ", timing" : "");
	if (*f->text) {
		text_puts(t, "       ");
		safe_puts(t, f->text);
		text_puts(t, "\n");
	}
	if (*f->expected) {
		text_puts(t, "       expected  ");
		safe_puts(t, f->expected);
		text_puts(t, "\n");
	}
	if (*f->actual) {
		text_puts(t, "       actual    ");
		safe_puts(t, f->actual);
		text_puts(t, "\n");
	}
	text_puts(t, "       flow      ");
	if (f->flow == RUNG_NO_FLOW)
		text_puts(t, "none");
	else
		flow_name(t, f->ends[0], f->ends[1], f->pdcid);
	text_printf(t, "\n       clause    %s\n", req_citation(req, citation));
}

static void put_us(struct text *t, const char *name, int64_t ns)
{
	if (ns >= 0)
		text_printf(t, " %s %" PRId64 ".%03" PRId64, name,
			    ns / VSPAN_MS, ns % VSPAN_MS / VSPAN_US);
}

static void side_text(struct text *t, const struct rung_side_stats *s,
		      const char *addr)
{
	text_printf(t, "    %s sent %" PRIu32 " packets:", addr, s->packets);
	text_printf(t,
		    " %" PRIu32 " requests, %" PRIu32 " CPs, %" PRIu32
		    " ACKs, %" PRIu32 " NACKs",
		    s->requests, s->cps, s->acks, s->nacks);
	if (s->again[0] + s->again[1] + s->again[2])
		text_printf(t,
			    "; retransmitted %" PRIu32 " by timer, %" PRIu32
			    " by NACK, %" PRIu32 " by gap",
			    s->again[RUNG_TIMER], s->again[RUNG_NACK],
			    s->again[RUNG_GAP]);
	if (s->net_dups)
		text_printf(t, "; %" PRIu32 " duplicates", s->net_dups);
	if (s->acks && s->covered)
		text_printf(t, "; %.1f PSNs an ACK",
			    (double)s->covered / s->acks);
	text_puts(t, "\n");
}

static void flow_text(struct text *t, const struct verdict_opts *o,
		      const struct rung_flow *f)
{
	const struct end_names ends = verdicts_ends(f);
	const int64_t p50 = rung_flow_rtt(f, 500);

	(void)o;
	text_puts(t, "  flow ");
	flow_name(t, ends.text[0], ends.text[1], f->pdcid);
	text_printf(t, " %s, from frame %" PRIu32 "%s\n", f->mode,
		    f->first_frame, f->complete ? ", whole" : "");
	for (unsigned end = 0; end < 2; end++)
		side_text(t, &f->sides[end], ends.text[end]);
	if (p50 < 0)
		return;
	text_puts(t, "    answered within (ms)");
	put_us(t, "p50", p50);
	put_us(t, "p90", rung_flow_rtt(f, 900));
	put_us(t, "p99", rung_flow_rtt(f, 990));
	text_puts(t, "\n");
}

static void requirement_text(struct text *t, const struct verdict_opts *o,
			     const struct verdict_req *r)
{
	const struct req *q = req_get(r->req);
	char name[48];

	(void)o;
	snprintf(name, sizeof(name), "%s/%s", q->id, req_role_name(r->role));
	text_printf(t,
		    "  %-6s %-20s %" PRIu64 " findings, looked at %" PRIu64
		    " times\n",
		    !r->findings                     ? "ok"
		    : q->level == REQ_M || o->strict ? "fail"
						     : "remark",
		    name, r->findings, r->seen);
}

static void nacks_text(struct text *t, const struct rung_counts *n)
{
	bool any = false;

	for (unsigned i = 0; i < 256; i++) {
		if (!n->nacks[i])
			continue;
		text_printf(t, "%s0x%02x %" PRIu64 " time%s",
			    any ? ", " : "  NACKs: ", i, n->nacks[i],
			    text_plural(n->nacks[i]));
		any = true;
	}
	text_puts(t, any ? "\n" : "");
}

static void summary_text(struct text *t, const struct verdict_opts *o,
			 const struct verdict_sum *s)
{
	const struct rung_counts *c = s->counts;

	safe_puts(t, o->file);
	text_printf(t,
		    ": %" PRIu64 " frames, %" PRIu64 " packets in %" PRIu64
		    " flows, %" PRIu64 " of them whole: %" PRIu64
		    " findings, %" PRIu64 " remarks",
		    c->frames, c->packets, c->flows, s->flows_complete,
		    s->fails, s->remarks);
	if (s->untold)
		text_printf(t, ", %" PRIu64 " of them not shown", s->untold);
	text_puts(t, "\n");
	if (c->tunnels)
		text_printf(t,
			    "  in tunnels: %" PRIu64
			    " packets, judged by their inner headers\n",
			    c->tunnels);
	nacks_text(t, c);
	if (rung_counts_rtt(c, 500) >= 0) {
		text_puts(t, "  answered within (ms)");
		put_us(t, "p50", rung_counts_rtt(c, 500));
		put_us(t, "p90", rung_counts_rtt(c, 900));
		put_us(t, "p99", rung_counts_rtt(c, 990));
		text_puts(t, "\n");
	}
	for (unsigned i = 0; i < WATCH_LIMITS; i++)
		if (s->limit[i])
			text_printf(t, "  not known, %s (%" PRIu64 "): %s\n",
				    watch_limit_name(i), s->limit[i],
				    watch_limit_text(i));
	for (int i = 0; i < UNREADS; i++)
		if (c->unread[i])
			text_printf(t, "  not read, %s (%" PRIu64 "): %s\n",
				    unread_name((enum unread)i), c->unread[i],
				    unread_text((enum unread)i));
	for (unsigned i = 0; i < s->nqueues; i++)
		text_printf(t,
			    "  queue %u: %" PRIu64 " frames, %" PRIu64
			    " dropped\n",
			    i, s->queues[i].frames, s->queues[i].dropped);
	if (*s->error)
		text_printf(t, "  reading ended: %s\n", s->error);
}

void verdict_finding(struct text *t, const struct verdict_opts *o,
		     const struct rung_finding *f)
{
	(o->json ? finding_json : finding_text)(t, o, f);
}

void verdict_flow(struct text *t, const struct verdict_opts *o,
		  const struct rung_flow *f)
{
	(o->json ? flow_line : flow_text)(t, o, f);
}

void verdict_requirement(struct text *t, const struct verdict_opts *o,
			 const struct verdict_req *r)
{
	(o->json ? requirement_json : requirement_text)(t, o, r);
}

void verdict_summary(struct text *t, const struct verdict_opts *o,
		     const struct verdict_sum *s)
{
	(o->json ? summary_json : summary_text)(t, o, s);
}
