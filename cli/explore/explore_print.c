/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_print.c -- the progress and the summary as text.
 */
#include "cli/explore/explore_print.h"

#include <stdio.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"
#include "judge/transport.h"
#include "suite/lang/chair.h"

void explore_print_progress(struct exploring *e, double now)
{
	const struct explore_totals *n = explore_totals(e->explore);

	if (e->quiet || !isatty(STDERR_FILENO) || now < e->drawn + 0.2)
		return;
	e->drawn = now;
	fprintf(stderr,
		"\r%6.1f s  %llu sequences  %zu transitions  %zu findings  ",
		now, (unsigned long long)n->runs,
		explore_reach(e->explore)->transitions, e->found);
}

static bool explore_explores(const struct exploring *e, enum family family)
{
	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		if (e->conf.subjects >> s & 1 &&
		    draft_family((enum draft_subject)s) == family)
			return true;
	return false;
}

/* The rows that nothing observed, of the transports that were explored. */
static void explore_unreached(const struct exploring *e)
{
	const struct explore_reach *r = explore_reach(e->explore);

	puts("requirements that no sequence observed:");
	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *q = req_get((enum req_id)i);

		if (!r->seen[i] && q->level == REQ_M &&
		    explore_explores(e, judge_req_family((enum req_id)i)))
			printf("  %-14s %s\n", q->id, q->statement);
	}
}

/* Differences of one sort: a row governs them, or none does. */
static void explore_differences(const struct differ *d, bool governed,
				const char *head)
{
	bool any = false;

	for (size_t i = 0; i < d->n; i++) {
		const struct differ_row *r = &d->rows[i];

		if ((r->req != REQ_NONE) != governed)
			continue;
		if (!any)
			printf("  %s\n", head);
		any = true;
		printf("    %-28s %5llu  sequence %llu: %s", r->item,
		       (unsigned long long)r->times, (unsigned long long)r->run,
		       r->device);
		if (*r->reference)
			printf(", reference %s", r->reference);
		if (governed)
			printf("  [%s]", req_get(r->req)->id);
		putchar('\n');
	}
}

/* Prints the differences from the reference. */
static void explore_compared(const struct differ *d)
{
	if (!d->runs)
		return;
	printf("%llu sequence%s passed, and the device did not do what the "
	       "reference does:\n",
	       (unsigned long long)d->runs, text_plural(d->runs));
	explore_differences(d, true, "allowed: a row governs it, and holds");
	explore_differences(d, false, "the specification is silent:");
}

/* Prints how many of the possible transitions were reached. */
static void explore_transitions(const struct exploring *e, enum draft_subject s,
				enum chair chair)
{
	const struct transition_set *t = &explore_reach(e->explore)->sets[s];
	struct transition_counts n;
	struct transition x;
	struct text line = {0};
	size_t at = 0;

	if (!t->made)
		return;
	transition_count(t, s, chair, &n);
	printf("%-5s %-9s %zu of %zu possible transitions\n",
	       draft_subject_name(s), chair_name(chair), n.reached, n.possible);
	while (e->list && transition_left(t, s, chair, &at, &x)) {
		text_clear(&line);
		transition_print(&t->table, &x, &line);
		printf("  never: %s\n", text_cstr(&line));
	}
	text_free(&line);
}

/* Calls |fn| with each transport and chair that is explored. */
static void explore_each(const struct exploring *e,
			 void (*fn)(const struct exploring *e,
				    enum draft_subject s, enum chair chair))
{
	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		for (int c = 0; c < CHAIR_COUNT; c++)
			if (e->conf.subjects >> s & 1 &&
			    e->conf.chairs >> c & 1)
				fn(e, (enum draft_subject)s, (enum chair)c);
}

void explore_print_summary(const struct exploring *e)
{
	const struct explore_totals *n = explore_totals(e->explore);
	const double took = exploring_elapsed(e);

	if (!e->quiet && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	printf("%llu sequence%s, %llu packets judged (%.0f a second), seed "
	       "%llu: %zu finding%s%s\n",
	       (unsigned long long)n->runs, text_plural(n->runs),
	       (unsigned long long)n->packets,
	       (double)n->packets / (took > 0 ? took : 1),
	       (unsigned long long)e->seed, e->found, text_plural(e->found),
	       cli_interrupted() ? "; interrupted" : "");
	printf("reached: %zu transitions, %zu orders of packets, %zu "
	       "requirements by role; not applicable: %llu, inconclusive: "
	       "%llu\n",
	       explore_reach(e->explore)->transitions,
	       explore_reach(e->explore)->orders,
	       reach_requirements(explore_reach(e->explore)),
	       (unsigned long long)n->not_applicable,
	       (unsigned long long)n->inconclusive);
	if (n->turns)
		printf("%llu of %llu openings and moves had their turn\n",
		       (unsigned long long)n->turns,
		       (unsigned long long)n->all_turns);
	if (n->once)
		printf("%llu sequence%s failed once, and not when repeated: "
		       "no finding: %s\n",
		       (unsigned long long)n->once, text_plural(n->once),
		       n->once_text);
	explore_each(e, explore_transitions);
	explore_compared(explore_differ(e->explore));
	if (n->unsound)
		printf("%llu sequence%s discarded, by rung's own mistake: %s\n",
		       (unsigned long long)n->unsound, text_plural(n->unsound),
		       n->unsound_why);
	if (e->list)
		explore_unreached(e);
}
