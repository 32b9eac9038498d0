/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/live/refused.h -- the settings that a device turned out not to
 * have, as words of a "configure" line: "mpr=1".
 */
#ifndef SUITE_EXPLORE_LIVE_REFUSED_H
#define SUITE_EXPLORE_LIVE_REFUSED_H

#include "suite/explore/draft.h"

#define REFUSED_MOST 256
#define REFUSED_WORD 48

struct refused {
	char words[REFUSED_MOST][REFUSED_WORD];
	size_t n;
};

/*
 * refused_take adds the setting that ends a reason, "... (mpr=1)", as the last
 * draft writes it.
 */
void refused_take(struct refused *r, const struct draft *d, const char *reason);

/* refused_has returns true if a draft needs a setting that was refused. */
bool refused_has(const struct refused *r, const struct draft *d);

#endif
