/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_json.c -- writes what an exploration reached as JSON.
 */
#include "cli/explore/explore_json.h"

#include "reports/format/json.h"
#include "rung_version.h"
#include "suite/explore/boundary/boundary.h"
#include "suite/lang/chair.h"

/* Lists the possible transitions that no sequence reached. */
static json_t *explore_json_never(const struct transition_set *t,
				  enum draft_subject s, enum chair chair)
{
	json_t *all = json_array();
	struct transition x;
	struct text line = {0};
	size_t at = 0;

	while (transition_left(t, s, chair, &at, &x)) {
		text_clear(&line);
		transition_print(&t->table, &x, &line);
		all = json_push(all, text_err(&line)
					     ? NULL
					     : json_string(text_cstr(&line)));
	}
	text_free(&line);
	return all;
}

static json_t *explore_json_transitions(const struct explore *x,
					enum draft_subject s, enum chair chair)
{
	const struct transition_set *t = &explore_reach(x)->sets[s];
	struct transition_counts n;

	transition_count(t, s, chair, &n);
	return json_pack("{s:s,s:s,s:I,s:I,s:o}", "transport",
			 draft_subject_name(s), "chair", chair_name(chair),
			 "possible", (json_int_t)n.possible, "reached",
			 (json_int_t)n.reached, "never",
			 explore_json_never(t, s, chair));
}

static json_t *explore_json_sets(const struct explore *x,
				 const struct explore_json *conf)
{
	json_t *all = json_array();

	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		for (int c = 0; c < CHAIR_COUNT; c++)
			if (conf->subjects >> s & 1 && conf->chairs >> c & 1 &&
			    explore_reach(x)->sets[s].made)
				all = json_push(
					all, explore_json_transitions(
						     x, (enum draft_subject)s,
						     (enum chair)c));
	return all;
}

/* Appends the class that begins at value *at, and moves on to its end. */
static json_t *explore_json_class(json_t *all, const struct explore_boundary *b,
				  unsigned *at)
{
	json_t *never = json_array();
	char value[BOUNDARY_TEXT];
	const char *class, *other;
	const unsigned first = *at;
	unsigned tried = 0, na = 0, k = first;

	boundary_name(b->subject, b->chair, first, &class, value);
	for (; k < b->n; k++) {
		boundary_name(b->subject, b->chair, k, &other, value);
		if (other != class)
			break;
		tried += b->tried[k] == EXPLORE_TRIED;
		na += b->tried[k] == EXPLORE_NOT_APPLICABLE;
		if (b->tried[k] != EXPLORE_TRIED)
			never = json_push(never, json_string(value));
	}
	*at = k;
	return json_push(all,
			 json_pack("{s:s,s:s,s:s,s:I,s:I,s:I,s:o}", "transport",
				   draft_subject_name(b->subject), "chair",
				   chair_name(b->chair), "class", class,
				   "values", (json_int_t)(k - first), "tried",
				   (json_int_t)tried, "not_applicable",
				   (json_int_t)na, "never", never));
}

json_t *explore_json_boundary(json_t *all, const struct explore_boundary *b)
{
	for (unsigned i = 0; i < b->n;)
		all = explore_json_class(all, b, &i);
	return all;
}

json_t *explore_json(const struct explore *x, const struct explore_json *conf)
{
	const struct explore_totals *n = explore_totals(x);

	return json_pack(
		"{s:s,s:{s:s,s:s},s:o,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:o}",
		"schema", "rung.explore/1", "tool", "name", "rung", "version",
		RUNG_VERSION, "seed", json_u64(conf->seed), "device",
		json_any_string(conf->device), "sequences", (json_int_t)n->runs,
		"packets", (json_int_t)n->packets, "findings",
		(json_int_t)conf->findings, "discarded", (json_int_t)n->unsound,
		"not_applicable", (json_int_t)n->not_applicable, "inconclusive",
		(json_int_t)n->inconclusive, "requirements",
		(json_int_t)reach_requirements(explore_reach(x)), "transitions",
		explore_json_sets(x, conf), "boundary", conf->boundary);
}
