/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_boundary.c -- tries boundary values, and prints which
 * were left out.
 */
#include "cli/explore/explore_boundary.h"

#include <stdio.h>

#include "cli/explore/explore_budget.h"
#include "cli/explore/explore_json.h"
#include "suite/explore/boundary/boundary.h"
#include "suite/lang/chair.h"

/* Prints each class, with the values that were not tried. */
static void explore_tried(const struct exploring *e,
			  const struct explore_boundary *b)
{
	char value[BOUNDARY_TEXT];
	const char *class, *other;

	for (unsigned i = 0, end; i < b->n; i = end) {
		unsigned tried = 0, na = 0;

		boundary_name(b->subject, b->chair, i, &class, value);
		for (end = i; end < b->n; end++) {
			boundary_name(b->subject, b->chair, end, &other, value);
			if (other != class)
				break;
			tried += b->tried[end] == EXPLORE_TRIED;
			na += b->tried[end] == EXPLORE_NOT_APPLICABLE;
		}
		printf("%-5s %-9s %s: %u of %u values tried, %u not "
		       "applicable, %u left out\n",
		       draft_subject_name(b->subject), chair_name(b->chair),
		       class, tried, end - i, na, end - i - tried - na);
		for (unsigned k = i; k < end && e->list; k++) {
			boundary_name(b->subject, b->chair, k, &class, value);
			if (b->tried[k] == EXPLORE_NEVER)
				printf("  never: %s\n", value);
			else if (b->tried[k] == EXPLORE_NOT_APPLICABLE)
				printf("  never: %s: %s\n", value, b->why[k]);
		}
	}
}

int explore_boundary_one(struct exploring *e, enum draft_subject s,
			 enum chair chair)
{
	struct explore_boundary b;
	bool more = true;
	int err = explore_boundary_new(&b, s, chair);

	while (!err && more && explore_goes_on(e, e->explore))
		err = explore_boundary_run(e->explore, &b, &more);
	if (!err)
		explore_tried(e, &b);
	if (!err && e->json)
		e->json_boundary = explore_json_boundary(e->json_boundary, &b);
	explore_boundary_free(&b);
	return err;
}
