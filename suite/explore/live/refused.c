/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/live/refused.c -- the list of refused settings.
 */
#include "suite/explore/live/refused.h"

#include <stdio.h>
#include <string.h>

bool refused_has(const struct refused *r, const struct draft *d)
{
	for (size_t i = 0; i < r->n; i++)
		if (draft_configures(d, r->words[i]))
			return true;
	return false;
}

void refused_take(struct refused *r, const struct draft *d, const char *reason)
{
	const char *at = strrchr(reason, '(');
	char key[REFUSED_WORD];

	if (!at || r->n == REFUSED_MOST || refused_has(r, d))
		return;
	snprintf(key, sizeof(key), "%.*s", (int)strcspn(at + 1, "=)"), at + 1);
	if (draft_setting_of(d, key, r->words[r->n], REFUSED_WORD))
		r->n++;
}
