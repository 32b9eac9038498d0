/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/plan/budget.h -- chooses the cases of a run that may take only so long:
 * the cheapest cases that cover the most requirements come first.
 *
 * The choice depends on the selection, the declaration, the recorded durations
 * and the budget alone, so equal runs have equal cases.
 */
#ifndef CLI_PLAN_BUDGET_H
#define CLI_PLAN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"
#include "cli/select.h"
#include "suite/decl/decl.h"

/*
 * The assumed duration of a case if no duration is recorded at all: in real
 * time, and in virtual time.
 */
#define BUDGET_GUESS         (100 * VSPAN_MS)
#define BUDGET_GUESS_VIRTUAL VSPAN_MS

struct budget {
	vspan most;            /* 0: the run has no budget */
	const char *durations; /* a results.json, or NULL */
	vspan guess;           /* duration of a case if none is recorded */
	unsigned workers;      /* cases that run at a time */
	uint32_t repeat;       /* runs of each case */
	const struct decl *decl;
	bool control; /* the device has a control channel */
	bool verbose; /* name each case that is left out */
};

/*
 * budget_select keeps the cases that fit, in the order in which they should
 * run: each time the case with the most uncovered requirements for its
 * duration, then the others from the shortest on.  A case without a recorded
 * duration counts as the mean of the others.  A case that the declaration rules
 * out covers nothing and takes no time.  A message says which cases and which
 * requirements are left out.
 *
 * Return: 0; EXIT_USAGE: |durations| cannot be read, or no case fits;
 *         EXIT_HARNESS: no memory.  A message that begins with |who| was
 *         printed.
 */
int budget_select(const char *who, const struct budget *b,
		  struct selection *cases);

#endif
