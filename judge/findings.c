/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/findings.c -- how a monitor reports a finding.
 */
#include "judge/findings.h"

#include <stdarg.h>
#include <stdio.h>

#include "judge/core/state.h"

struct finding *judge_found(struct judge *j)
{
	struct finding *x = j->n < j->max ? &j->ret[j->n] : &j->over;

	j->n++;
	j->last = x;
	*x = (struct finding){0};
	return x;
}

static void begin_finding(struct judge *j, struct flow *f, unsigned end,
			  enum req_id req, enum req_role role, uint32_t frame)
{
	struct finding *x = judge_found(j);

	f->found = true;
	*x = (struct finding){.req = req,
			      .role = role,
			      .side = f->end[end].addr,
			      .frame = frame,
			      .flow = f->number,
			      .ends = {f->end[0].addr, f->end[1].addr},
			      .pdcid = {f->end[0].pdcid, f->end[1].pdcid}};
}

void pkt_blame(struct pkt_ctx *l, enum req_id req, enum req_role role)
{
	begin_finding(l->j, l->f, l->from, req, role, l->in->frame);
}

void pkt_owed(struct pkt_ctx *l, enum req_id req, uint32_t frame)
{
	begin_finding(l->j, l->f, !l->from, req, REQ_DST, frame);
}

bool lacks(struct absence *a, enum req_id req, enum req_role role, unsigned end,
	   uint32_t frame, bool missing)
{
	flow_side(a->j, a->f, end)->seen[req][role == REQ_DST]++;
	if (missing)
		begin_finding(a->j, a->f, end, req, role, frame);
	return missing;
}

static void write(char *s, size_t size, const char *fmt, va_list args)
	__attribute__((format(printf, 3, 0)));

static void write(char *s, size_t size, const char *fmt, va_list args)
{
	vsnprintf(s, size, fmt, args);
}

void expected(struct judge *j, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write(j->last->expected, sizeof(j->last->expected), fmt, args);
	va_end(args);
}

void actual(struct judge *j, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write(j->last->actual, sizeof(j->last->actual), fmt, args);
	va_end(args);
}

void too_early(struct judge *j)
{
	j->last->timing = true;
}

void unless_unread(struct judge *j, vspan span)
{
	j->last->unread = span;
}

void because(struct judge *j, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write(j->last->text, sizeof(j->last->text), fmt, args);
	va_end(args);
}
