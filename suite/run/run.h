/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run.h -- one case in one chair against one device, start to
 * verdict.
 */
#ifndef SUITE_RUN_RUN_H
#define SUITE_RUN_RUN_H

#include <stdbool.h>

#include "judge/judge.h"
#include "suite/decl/decl.h"
#include "suite/dut/dut.h"
#include "suite/lang/case.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_state.h"
#include "suite/verdict/record.h"

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
int run_case(struct runner *r, const struct test_case *c, enum chair chair,
	     const struct run_conf *conf, struct record *ret);

#endif
