/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_tuples.c -- covers pairs and triples, and prints which
 * were left out.
 */
#include "cli/explore/explore_tuples.h"

#include <stdio.h>

#include "cli/explore/explore_budget.h"
#include "suite/explore/cover/tuples.h"
#include "suite/lang/chair.h"

/* Prints the title of a part. */
static void explore_print_part(const struct learn_parts *p, bool open,
			       unsigned option)
{
	if (open && option == VALUES_NETWORK)
		fputs("network", stdout);
	else
		fputs(text_or(draft_option_title(p->subject, p->chair, open,
						 option),
			      DRAFT_DEFAULT),
		      stdout);
}

static void explore_print_tuple(const struct explore_cover *c, bool open,
				const unsigned *v, unsigned n)
{
	const struct learn_parts *p = &c->parts;

	printf("  %s %s: ", draft_subject_name(p->subject),
	       chair_name(p->chair));
	for (unsigned i = 0; i < n; i++) {
		fputs(text_between(i, "; "), stdout);
		explore_print_part(p, open && !i,
				   open && !i ? p->opens[v[i]]
					      : p->moves[v[i]]);
	}
	putchar('\n');
}

/* The same of values: "default: sack_base=1; The target drops it: mtu". */
static void explore_print_values(void *ctx, const struct cover_value *const *v,
				 unsigned n)
{
	const struct learn_parts *p = ctx;
	char name[48];

	printf("  %s %s: ", draft_subject_name(p->subject),
	       chair_name(p->chair));
	for (unsigned i = 0; i < n; i++) {
		fputs(text_between(i, "; "), stdout);
		explore_print_part(p, !v[i]->move, v[i]->part);
		if (v[i]->drawn.place == VALUES_NO_PLACE)
			continue;
		draft_value_name(&v[i]->drawn, name);
		printf(": %s", name);
	}
	putchar('\n');
}

/* Prints "12 of 20 pairs run, 0 not applicable, 8 left out". */
static void explore_print_counts(const struct exploring *e,
				 const struct tuples_counts *n)
{
	printf("%zu of %zu %s run, %zu not applicable, %zu left out\n",
	       n->covered, n->all, e->strength == 2 ? "pairs" : "triples",
	       n->refused, n->all - n->covered - n->refused);
}

static void explore_covered(const struct exploring *e, struct explore_cover *c)
{
	const struct learn_parts *p = &c->parts;
	struct tuples_counts n;
	unsigned v[TUPLES_SIZE];
	size_t at = 0;
	bool open;

	tuples_count(c->tuples, &n);
	printf("%-5s %-9s %u openings, %u moves: ",
	       draft_subject_name(p->subject), chair_name(p->chair), p->nopens,
	       p->nmoves);
	explore_print_counts(e, &n);
	while (e->list && tuples_left(c->tuples, &at, &open, v))
		explore_print_tuple(c, open, v, e->strength);
	values_count(c->values, &n);
	printf("%-5s %-9s %zu values of these: ",
	       draft_subject_name(p->subject), chair_name(p->chair),
	       values_size(c->values));
	explore_print_counts(e, &n);
	if (e->list)
		values_left(c->values, explore_print_values, &c->parts);
	if (!c->across)
		return;
	across_count(c->across, &n);
	printf("%-5s %-9s values of two moves: ",
	       draft_subject_name(p->subject), chair_name(p->chair));
	explore_print_counts(e, &n);
	if (e->list)
		across_left(c->across, explore_print_values, &c->parts);
}

int explore_cover_one(struct exploring *e, enum draft_subject s,
		      enum chair chair)
{
	struct explore_cover c;
	bool more = true;
	int err = explore_cover_new(&c, s, chair, e->strength, e->across);

	while (!err && more && explore_goes_on(e, e->explore))
		err = explore_cover_run(e->explore, &c, &more);
	if (!err)
		explore_covered(e, &c);
	explore_cover_free(&c);
	return err;
}
