/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_fault.c -- looks findings up: those of a frame, those
 * of the same reason, and those that are repeated.
 */
#include "reports/ladder/ladder_fault.h"

#include <string.h>

bool finding_on(const struct record *r, uint32_t frame)
{
	for (size_t i = 0; frame && i < r->nfindings; i++)
		if (r->findings[i].frame == frame)
			return true;
	return false;
}

/* All requirements of a line fail for the same reason. */
bool finding_same(const struct rec_finding *a, const struct rec_finding *b)
{
	return a->req != REQ_NONE && b->req != REQ_NONE &&
	       a->frame == b->frame && a->line == b->line &&
	       a->remark == b->remark && a->kind == b->kind &&
	       strcmp(a->text, b->text) == 0 &&
	       strcmp(a->expected, b->expected) == 0 &&
	       strcmp(a->actual, b->actual) == 0;
}

bool finding_again(const struct record *r, const struct rec_finding *f)
{
	return f > r->findings && finding_same(f - 1, f);
}
