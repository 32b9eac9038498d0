/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/plan/budget.c -- chooses the cases of a run that may take only so long.
 *
 * Weighted set cover, greedily: no polynomial method is much better.  A case
 * covers the requirements that its lines and its head name, in the roles of its
 * chair.
 */
#include "cli/plan/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/file/results_file.h"
#include "reports/fold.h"
#include "suite/decl/capability.h"
#include "suite/run/run_sizes.h"

#define PAIRS (2 * REQ_COUNT) /* requirements in a role */
#define FEW   20 /* cases or requirements that a message names one by one */

/* A case of the whole selection. */
struct budget_case {
	struct pick pick;
	size_t at;      /* its place there */
	vspan lasts;    /* all repetitions */
	bool ruled_out; /* by the declaration */
	bool taken;
	unsigned gain; /* uncovered rows that it covered when last counted */
	uint8_t roles[REQ_COUNT]; /* roles in which it covers a row */
};

struct budget_plan {
	const struct budget *b;
	struct budget_case *at;
	size_t n, kept;
	vspan left; /* what is left of the budget */
	vspan spent;
	uint8_t covered[REQ_COUNT];
};

/* ---- Costs and covered requirements ---- */

static bool budget_claimed(const struct budget *b, const struct needs *needs)
{
	for (size_t i = 0; i < needs->n; i++) {
		const bool has =
			strcmp(needs->words[i], "control") == 0
				? b->control
				: decl_claims(b->decl, needs->words[i]);

		if (!has)
			return false;
	}
	return true;
}

/* Returns true if the device claims what the case needs. */
static bool budget_applies(const struct budget *b, const struct pick *p)
{
	const struct test_case *k = p->test_case;
	struct run_size size;

	return budget_claimed(b, &k->needs) &&
	       budget_claimed(b, &k->chairs[p->chair].needs) &&
	       run_sizes_fit(b->decl, k, p->chair, &size);
}

/* Fills in the recorded durations, and the mean where there is none. */
static void budget_weigh(struct budget_plan *p, const struct results *r)
{
	vspan sum = 0, mean = p->b->guess;
	size_t n = 0;

	for (size_t i = 0; i < p->n && r; i++) {
		char id[320];

		pick_id(&p->at[i].pick, id, sizeof(id));
		p->at[i].lasts = results_duration(r, id);
		if (p->at[i].ruled_out || p->at[i].lasts <= 0)
			continue;
		sum += p->at[i].lasts;
		n++;
	}
	if (n)
		mean = sum / (vspan)n;
	for (size_t i = 0; i < p->n; i++) {
		struct budget_case *c = &p->at[i];
		const vspan one = c->lasts > 0 ? c->lasts : mean;
		const vspan most = INT64_MAX / 2 / (p->b->repeat + 1);

		c->lasts = c->ruled_out ? 0 : one < most ? one : most;
		c->lasts *= p->b->repeat;
	}
}

static int budget_read(const char *who, struct budget_plan *p,
		       const struct selection *cases)
{
	struct results *r = NULL;
	int code = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct budget_case *c = &p->at[i];

		c->pick = cases->at[i];
		c->at = i;
		c->ruled_out = !budget_applies(p->b, &c->pick);
		chair_roles(c->pick.test_case, c->pick.chair, c->roles);
		if (c->ruled_out)
			memset(c->roles, 0, sizeof(c->roles));
		c->gain = PAIRS;
	}
	if (p->b->durations)
		code = results_load(who, p->b->durations, &r);
	if (!code)
		budget_weigh(p, r);
	results_free(r);
	return code;
}

/* ---- The choice ---- */

static unsigned budget_roles(uint8_t roles)
{
	return (roles & REQ_SRC ? 1u : 0) + (roles & REQ_DST ? 1u : 0);
}

/* Counts the uncovered requirements that a case covers. */
static unsigned budget_gain(const struct budget_plan *p,
			    const struct budget_case *c)
{
	unsigned n = 0;

	for (int id = 0; id < REQ_COUNT; id++) {
		const uint8_t more = c->roles[id] & ~p->covered[id];

		n += budget_roles(more);
	}
	return n;
}

static double budget_worth(const struct budget_case *c)
{
	return c->gain / (c->lasts > 0 ? (double)c->lasts : 1);
}

/*
 * Returns the case with the most uncovered requirements for its duration, or
 * NULL.  A gain only shrinks, so an old one is counted again only where it
 * could be the best.
 */
static struct budget_case *budget_best(const struct budget_plan *p)
{
	struct budget_case *best = NULL;

	for (size_t i = 0; i < p->n; i++) {
		struct budget_case *c = &p->at[i];
		const double most = best ? budget_worth(best) : 0;

		if (c->taken || c->lasts > p->left || budget_worth(c) <= most)
			continue;
		c->gain = budget_gain(p, c);
		if (budget_worth(c) > most)
			best = c;
	}
	return best;
}

/* Returns the shortest case that fits, or NULL. */
static struct budget_case *budget_shortest(const struct budget_plan *p)
{
	struct budget_case *best = NULL;

	for (size_t i = 0; i < p->n; i++) {
		struct budget_case *c = &p->at[i];

		if (c->taken || c->lasts > p->left)
			continue;
		if (!best || c->lasts < best->lasts)
			best = c;
	}
	return best;
}

static void budget_take(struct budget_plan *p, struct budget_case *c,
			struct selection *cases)
{
	c->taken = true;
	p->left -= c->lasts;
	p->spent += c->lasts;
	for (int id = 0; id < REQ_COUNT; id++)
		p->covered[id] |= c->roles[id];
	cases->at[p->kept++] = c->pick;
}

static void budget_choose(struct budget_plan *p, struct selection *cases)
{
	struct budget_case *c;

	while ((c = budget_best(p)))
		budget_take(p, c, cases);
	while ((c = budget_shortest(p)))
		budget_take(p, c, cases);
	cases->n = p->kept;
}

/* ---- The message ---- */

static void budget_put_time(struct text *t, vspan ns)
{
	const uint64_t ms = (uint64_t)(ns / VSPAN_MS);

	if (ms < 60000)
		text_printf(t, "%u.%03u s", (unsigned)(ms / 1000),
			    (unsigned)(ms % 1000));
	else
		text_printf(t, "%u min %u s", (unsigned)(ms / 60000),
			    (unsigned)(ms / 1000 % 60));
}

/* Counts the requirements that only cases that are left out cover. */
static size_t budget_lost_rows(const struct budget_plan *p,
			       uint8_t lost[REQ_COUNT])
{
	size_t n = 0;

	memset(lost, 0, REQ_COUNT);
	for (size_t i = 0; i < p->n; i++)
		for (int id = 0; id < REQ_COUNT; id++)
			lost[id] |= p->at[i].roles[id] & ~p->covered[id];
	for (int id = 0; id < REQ_COUNT; id++)
		n += budget_roles(lost[id]);
	return n;
}

/* Appends these requirements, each with its role. */
static void budget_put_rows(struct text *t, const uint8_t lost[REQ_COUNT])
{
	static const enum req_role roles[] = {REQ_SRC, REQ_DST};

	for (int i = 0; i < PAIRS; i++) {
		const enum req_id id = (enum req_id)(i / 2);

		if (lost[id] & roles[i % 2])
			text_printf(t, " %s/%s", req_get(id)->id,
				    req_role_name(roles[i % 2]));
	}
}

/* Returns the length of "UET-NACK" in "UET-NACK-0A". */
static size_t budget_group_len(const char *id)
{
	const char *dash = strrchr(id, '-');

	return dash ? (size_t)(dash - id) : strcspn(id, "0123456789");
}

/* Appends the groups of these requirements, each with their number. */
static void budget_put_groups(struct text *t, const uint8_t lost[REQ_COUNT])
{
	size_t count = 0;

	for (int id = 0; id < REQ_COUNT; id++) {
		const char *name = req_get((enum req_id)id)->id;
		const size_t len = budget_group_len(name);
		const char *next = id + 1 < REQ_COUNT
					   ? req_get((enum req_id)(id + 1))->id
					   : "";

		count += budget_roles(lost[id]);
		if (budget_group_len(next) == len && !memcmp(name, next, len))
			continue;
		if (count)
			text_printf(t, " %.*s (%zu)", (int)len, name, count);
		count = 0;
	}
}

/* Appends the ids of the cases that are left out. */
static void budget_put_cases(struct text *t, const struct budget_plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		char id[320];

		if (p->at[i].taken)
			continue;
		pick_id(&p->at[i].pick, id, sizeof(id));
		text_printf(t, " %s", id);
	}
}

/* Returns the length of "uet/rud" in "uet/rud/send-gtd". */
static size_t budget_folder_len(const char *id)
{
	const char *slash = strrchr(id, '/');

	return slash ? (size_t)(slash - id) : strlen(id);
}

static bool budget_same_folder(const char *a, const char *b)
{
	const size_t len = budget_folder_len(a);

	return budget_folder_len(b) == len && memcmp(a, b, len) == 0;
}

/* Appends the folders of these cases, each with their number. */
static void budget_put_folders(struct text *t, const struct budget_plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const char *id = p->at[i].pick.test_case->id;
		size_t first = 0, count = 0;

		while (!budget_same_folder(p->at[first].pick.test_case->id, id))
			first++;
		for (size_t j = i; first == i && j < p->n; j++)
			count += !p->at[j].taken &&
				 budget_same_folder(p->at[j].pick.test_case->id,
						    id);
		if (count)
			text_printf(t, " %.*s (%zu)",
				    (int)budget_folder_len(id), id, count);
	}
}

static int budget_say(const char *who, const struct budget_plan *p)
{
	struct text t = {0}, folded = {0};
	uint8_t lost[REQ_COUNT];
	const size_t n = budget_lost_rows(p, lost);
	const bool every = p->b->verbose;
	int err;

	text_printf(&t, "%s: the budget takes %zu of %zu cases, about ", who,
		    p->kept, p->n);
	budget_put_time(&t, p->spent / (p->b->workers ? p->b->workers : 1));
	text_puts(&t, "\n");
	if (p->kept < p->n) {
		text_printf(&t, "%s: left out:", who);
		if (every || p->n - p->kept <= FEW)
			budget_put_cases(&t, p);
		else
			budget_put_folders(&t, p);
		text_puts(&t, "\n");
	}
	if (n) {
		text_printf(&t, "%s: %zu requirement%s without a case:", who, n,
			    text_plural(n));
		if (every || n <= FEW)
			budget_put_rows(&t, lost);
		else
			budget_put_groups(&t, lost);
		text_puts(&t, "\n");
	} else {
		text_printf(&t,
			    "%s: every requirement of these cases keeps a "
			    "case\n",
			    who);
	}
	fold_text(&folded, text_cstr(&t), FOLD_WIDTH);
	folded.failed |= t.failed;
	err = text_err(&folded);
	fputs(text_cstr(&folded), stderr);
	text_free(&t);
	text_free(&folded);
	return err ? cli_nomem(who) : 0;
}

int budget_select(const char *who, const struct budget *b,
		  struct selection *cases)
{
	struct budget_plan p = {.b = b, .n = cases->n};
	int code;

	p.left = b->most < INT64_MAX / (vspan)(b->workers + 1)
			 ? b->most * (vspan)(b->workers ? b->workers : 1)
			 : INT64_MAX;
	p.at = memory_calloc(cases->n + 1, sizeof(*p.at));
	if (!p.at)
		return cli_nomem(who);
	code = budget_read(who, &p, cases);
	if (!code) {
		budget_choose(&p, cases);
		code = budget_say(who, &p);
	}
	if (!code && p.n && !p.kept)
		code = cli_usage(who, "--budget: no case is so short");
	free(p.at);
	return code;
}
