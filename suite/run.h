/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run.h -- one case in one chair against one device, start to verdict.
 */
#ifndef SUITE_RUN_H
#define SUITE_RUN_H

#include <stdbool.h>

#include "judge/judge.h"
#include "suite/case.h"
#include "suite/decl.h"
#include "suite/dut.h"
#include "suite/record.h"

struct run_conf {
	const struct decl *decl;
	uint64_t seed;   /* of the whole run; the case's own is derived */
	uint32_t repeat; /* which repetition, from 0 */
	vspan timeout;   /* the whole case may take so long; 0: 10 s */
	bool strict;     /* remarks fail */
	bool step_over;  /* go on behind a deviation that leaves the state of
			    both ends certain */
	const volatile bool *interrupted; /* or NULL: stop when it turns true */
};

/* run_declared tells the judge what a device declares of times and sizes. */
void run_declared(const struct decl *decl, struct judge_conf *jc);

struct runner;

/*
 * runner_new makes what a worker needs to run cases one after another; it owns
 * the judge and the buffers, so that a run allocates nothing in steady state.
 * Errors: ERR_NOMEM.
 */
int runner_new(struct runner **ret, struct dut *dut, const struct decl *decl);
void runner_free(struct runner *r);

/*
 * run_case runs one case and fills |ret| (cleared first): every packet, every
 * finding, the verdict.
 * Errors: ERR_NOMEM.  All else is a verdict.
 */
int run_case(struct runner *r, const struct kase *c, enum chair chair,
	     const struct run_conf *conf, struct record *ret);

#endif
