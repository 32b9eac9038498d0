/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_schedules.c -- runs every schedule in a small scope, or
 * drawn ones.
 */
#include "cli/explore/explore_schedules.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "cli/explore/explore_budget.h"
#include "cli/explore/schedules_json.h"
#include "cli/isolated/run_isolated.h"
#include "judge/transport.h"
#include "reports/format/json.h"
#include "suite/explore/schedule.h"
#include "suite/explore/schedule_draw.h"

/* Makes the run again, and prints its packets.  It does not count twice. */
static void explore_show_schedule(struct schedule *p)
{
	struct schedule_totals unused = {0};
	struct text trace = {0};
	char why[sizeof(p->text)];

	snprintf(why, sizeof(why), "%s", p->text);
	printf("FAIL %s: %s\n", draft_subject_name(p->subject), why);
	p->trace = &trace;
	schedule_again(p, &unused);
	p->trace = NULL;
	fputs(text_cstr(&trace), stdout);
	text_free(&trace);
}

static bool explore_all_goes_on(const struct exploring *e)
{
	if (*e->dut_setup.stop || (e->first && e->found))
		return false;
	return !e->budgeted || exploring_elapsed(e) * 1e9 < (double)e->budget;
}

/* Draws schedules, and reduces the first wrong one. */
static void explore_draws(struct exploring *e, struct schedule *p,
			  struct schedule_totals *t, double end)
{
	struct rng rng = {rng_mix(e->seed, draft_subject_name(p->subject))};
	const size_t found = e->found;

	while (!*e->dut_setup.stop && !(e->first && e->found) &&
	       (!e->runs || t->schedules < e->runs) &&
	       (end <= 0 || exploring_elapsed(e) < end)) {
		schedule_draw(p, &rng, t);
		if (!p->wrong || e->found++ > found)
			continue;
		schedule_reduce(p, t);
		explore_show_schedule(p);
		p->requests = e->requests;
	}
}

/* Runs a series, and shows the first schedule that is wrong.  Return: all. */
static bool explore_series(struct exploring *e, struct schedule *p,
			   struct schedules_scope *s)
{
	bool more = true;

	while (more && explore_all_goes_on(e)) {
		p->odometer.at = 0;
		schedule_run(p, &s->totals);
		if (p->wrong && !s->wrong++) {
			snprintf(s->first, sizeof(s->first), "%s", p->text);
			explore_show_schedule(p);
		}
		e->found += p->wrong;
		more = odometer_next(&p->odometer);
	}
	return !more;
}

/*
 * Returns whether a series belongs to the shard.  Each shard has one of N
 * neighbouring series, at changing places, since series with the same last
 * request take about as long.
 */
static bool explore_has_series(const struct exploring *e, unsigned i)
{
	const unsigned of = e->shard.of;

	return !of || (i + i / of) % of == e->shard.number - 1;
}

static void explore_runs_all(struct exploring *e, struct schedule *p,
			     struct schedules_scope *s)
{
	s->of = schedule_series_count(p);
	for (unsigned i = 0; i < s->of && s->whole; i++) {
		if (!explore_has_series(e, i))
			continue;
		schedule_series(p, i);
		s->whole = explore_series(e, p, s);
		s->series += s->whole;
	}
}

/* Returns whether the schedules of a subject are run. */
static bool explore_schedules_of(const struct exploring *e, int subject)
{
	return e->conf.subjects >> subject & 1 && subject != DRAFT_ROCE;
}

/* Returns whether a subject is the last one of its family. */
static bool explore_is_last(const struct exploring *e, enum draft_subject s)
{
	for (int later = (int)s + 1; later < DRAFT_SUBJECTS; later++)
		if (explore_schedules_of(e, later) &&
		    draft_family((enum draft_subject)later) == draft_family(s))
			return false;
	return true;
}

/* Adds the rows that the schedules of a subject checked to its family's. */
static void explore_add_seen(struct exploring *e, enum draft_subject s,
			     const struct schedule_totals *t)
{
	uint64_t(*seen)[2] = e->seen[draft_family(s)];

	for (int i = 0; i < REQ_COUNT; i++)
		for (int side = 0; side < 2; side++)
			seen[i][side] += t->seen[i][side];
}

/*
 * Prints the mandatory rows of a subject's family that no judge checked, of
 * those that the wire decides or of the others.
 */
static void explore_unchecked(const struct exploring *e, enum draft_subject s,
			      bool wire)
{
	const uint64_t(*seen)[2] =
		(const uint64_t(*)[2])e->seen[draft_family(s)];
	size_t n = 0;

	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *q = req_get((enum req_id)i);

		if (seen[i][0] || seen[i][1] || q->level != REQ_M ||
		    (q->seen == REQ_WIRE) != wire ||
		    judge_req_family((enum req_id)i) != draft_family(s))
			continue;
		if (!n++)
			printf("requirements of %s that no schedule "
			       "exercised, seen %s:\n",
			       family_name(draft_family(s)),
			       wire ? "on the wire"
				    : "with the control channel");
		printf("  %-14s %s\n", q->id, q->statement);
	}
}

/*
 * All schedules of a subject, or drawn ones until |end|, in seconds; 0: until
 * there were enough.
 */
static int explore_schedules(struct exploring *e, enum draft_subject s,
			     double end)
{
	const double began = exploring_elapsed(e);
	struct schedules_scope scope = {.subject = s, .whole = true};
	struct schedule_totals *t = &scope.totals;
	struct schedule *p;
	size_t rows = 0, found = e->found;
	double took;
	const struct orc_api *const api[2] = {
		e->chair == EXPLORE_TARGET ? &orc_reference : e->variants.api,
		e->chair == EXPLORE_INITIATOR ? &orc_reference
					      : e->variants.api};
	int err = schedule_new(&p, s, api, e->requests, e->faults);

	if (err)
		return cli_nomem(e->who);
	p->anew |= e->anew;
	if (e->draw)
		explore_draws(e, p, t, end);
	else
		explore_runs_all(e, p, &scope);
	for (int i = 0; i < REQ_COUNT; i++)
		rows += t->seen[i][0] || t->seen[i][1];
	took = exploring_elapsed(e) - began;
	printf("%-5s %10llu schedules, ", draft_subject_name(s),
	       (unsigned long long)t->schedules);
	if (!e->draw)
		printf("%llu ended in a known state, ",
		       (unsigned long long)t->pruned);
	printf("%llu packets judged (%.0f a second), %zu requirements checked, "
	       "%zu wrong%s\n",
	       (unsigned long long)t->packets,
	       (double)t->packets / (took > 0 ? took : 1), rows,
	       e->found - found, scope.whole ? "" : "; not all were run");
	explore_add_seen(e, s, t);
	if (e->json)
		e->json_schedules = json_push(e->json_schedules,
					      schedules_json_scope(&scope));
	if (e->list && explore_is_last(e, s)) {
		explore_unchecked(e, s, true);
		explore_unchecked(e, s, false);
	}
	fflush(stdout);
	schedule_free(p);
	return 0;
}

static int explore_schedules_json(const struct exploring *e)
{
	static const char *const chairs[] = {"both", "target", "initiator"};
	const struct schedules_json conf = {
		.mutant = e->dut_setup.mutant,
		.chair = chairs[e->chair],
		.requests = e->requests,
		.faults = e->faults,
		.shard = e->shard.of ? e->shard.number : 1,
		.shards = e->shard.of ? e->shard.of : 1,
		.transports = e->json_schedules};

	return exploring_write_json(e, schedules_json(&conf));
}

static int explore_all(struct exploring *e)
{
	const bool timed = e->budgeted || !e->runs;
	unsigned left = 0;
	int code = 0;

	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		left += explore_schedules_of(e, s);
	if (!left) {
		fprintf(stderr, "%s: --all has no schedules of roce\n", e->who);
		return EXIT_NOTHING;
	}
	e->seen = memory_calloc(FAMILIES, sizeof(*e->seen));
	if (!e->seen)
		return cli_nomem(e->who);
	e->json_schedules = e->json ? json_array() : NULL;
	for (int s = 0; s < DRAFT_SUBJECTS && !code; s++) {
		if (!explore_schedules_of(e, s))
			continue;
		code = explore_schedules(e, (enum draft_subject)s,
					 timed ? explore_share_end(e, left--)
					       : 0);
	}
	if (!code && e->json)
		code = explore_schedules_json(e);
	if (*e->dut_setup.stop)
		return EXIT_INTERRUPTED;
	if (!code && e->found)
		return EXIT_FAILED;
	return code;
}

int explore_all_apart(struct exploring *e)
{
	int code = RUN_ISOLATED_GOES_ON;

	if (e->variants.mutant)
		code = run_isolated(e->who, e->dut_setup.mutant);
	return code == RUN_ISOLATED_GOES_ON ? explore_all(e) : code;
}
