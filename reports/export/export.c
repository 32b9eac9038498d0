/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/export.c -- the properties of a result that several formats of
 * other test systems need.
 */
#define _GNU_SOURCE
#include "reports/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "reports/excerpt.h"
#include "reports/format/json.h"

#define S_NS INT64_C(1000000000)

int64_t export_begin(const struct about *a)
{
	struct tm tm = {0};

	if (!a->date ||
	    sscanf(a->date, "%4d-%2d-%2dT%2d:%2d:%2dZ", &tm.tm_year, &tm.tm_mon,
		   &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 6)
		return 0;
	if (tm.tm_year < 1970 || tm.tm_mon < 1 || tm.tm_mon > 12 ||
	    tm.tm_mday < 1 || tm.tm_mday > 31)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	return timegm(&tm) * S_NS;
}

int64_t export_end(const struct about *a, const struct summary_case *c)
{
	const int64_t ended = c->ended > c->wall_ns ? c->ended : c->wall_ns;

	return export_begin(a) + ended;
}

int64_t export_start(const struct about *a, const struct summary_case *c)
{
	return export_end(a, c) - c->wall_ns;
}

void export_date(struct text *t, int64_t ns)
{
	const time_t s = ns / S_NS;
	char date[64];
	struct tm tm;

	gmtime_r(&s, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	text_printf(t, "%s.%03" PRId64 "Z", date, ns % S_NS / 1000000);
}

void export_beside(struct text *t, const struct about *a,
		   const struct summary_case *c, const char *file)
{
	const char *slash = c->capture ? strrchr(c->capture, '/') : NULL;

	if (!slash)
		return;
	if (a->out)
		text_printf(t, "%s/", a->out);
	text_add(t, c->capture, (size_t)(slash - c->capture) + 1);
	text_puts(t, file);
}

void export_ladder(struct text *t, const struct about *a,
		   const struct summary_case *c, size_t most)
{
	struct text where = {0};

	export_beside(&where, a, c, "ladder.txt");
	if (where.len)
		text_puts(&where, " has the whole");
	else
		text_puts(&where, "'rung run --out DIR' keeps the whole");
	excerpt_add(t, text_or(c->ladder, ""), most, text_cstr(&where));
	t->failed |= where.failed;
	text_free(&where);
}

json_t *export_rows(const struct req_ref *refs, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		a = json_push(a, json_sprintf("%s/%s", req_get(refs[i].id)->id,
					      req_role_name(refs[i].role)));
	return a;
}

json_t *export_finding(const struct rec_finding *f)
{
	if (f->req == REQ_NONE)
		return json_null();
	return json_sprintf("%s/%s", req_get(f->req)->id,
			    req_role_name(f->role));
}

json_t *export_baseline(const struct summary_case *c)
{
	struct text say = {0};

	if (c->state == BASELINE_NONE)
		return json_null();
	baseline_say(&say, c->state, c->entry);
	return export_text(&say);
}

json_t *export_text(struct text *t)
{
	json_t *o = text_err(t) ? NULL : json_any_string(text_cstr(t));

	text_free(t);
	return o;
}
