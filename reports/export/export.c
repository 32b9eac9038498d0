/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/export.c -- the properties of a result that several formats of
 * other test systems need.
 */
#include "reports/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reports/excerpt.h"
#include "reports/format/json.h"

#define DAY_S   86400
#define CYCLE   400    /* years after which the calendar repeats */
#define CYCLE_D 146097 /* days of 400 years */
#define EPOCH_D 719468 /* days from 0000-03-01 to 1970-01-01 */
#define S_NS    INT64_C(1000000000)

/* Counts days from 1970-01-01; a year begins in March, so leap days end it. */
static int64_t days_of(int64_t year, unsigned month, unsigned day)
{
	const int64_t y = month <= 2 ? year - 1 : year;
	const int64_t in_cycle = y % CYCLE;
	const unsigned in_year =
		(153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return y / CYCLE * CYCLE_D + in_cycle * 365 + in_cycle / 4 -
	       in_cycle / 100 + in_year - EPOCH_D;
}

int64_t export_begin(const struct about *a)
{
	unsigned year, month, day, hour, minute, second;

	if (!a->date || sscanf(a->date, "%4u-%2u-%2uT%2u:%2u:%2uZ", &year,
			       &month, &day, &hour, &minute, &second) != 6)
		return 0;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31)
		return 0;
	return (days_of(year, month, day) * DAY_S + hour * 3600 + minute * 60 +
		second) *
	       S_NS;
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
	const int64_t s = ns / S_NS;
	const int64_t days = s / DAY_S + EPOCH_D;
	const int64_t in_cycle = days % CYCLE_D;
	const int64_t year = (in_cycle - in_cycle / 1460 + in_cycle / 36524 -
			      in_cycle / (CYCLE_D - 1)) /
			     365;
	const int64_t in_year = in_cycle - (365 * year + year / 4 - year / 100);
	const int64_t march = (5 * in_year + 2) / 153;
	const int64_t month = march < 10 ? march + 3 : march - 9;
	const int64_t day = in_year - (153 * march + 2) / 5 + 1;

	text_printf(t,
		    "%04" PRId64 "-%02" PRId64 "-%02" PRId64 "T%02" PRId64
		    ":%02" PRId64 ":%02" PRId64 ".%03" PRId64 "Z",
		    days / CYCLE_D * CYCLE + year + (month <= 2), month, day,
		    s % DAY_S / 3600, s % 3600 / 60, s % 60,
		    ns % S_NS / 1000000);
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
