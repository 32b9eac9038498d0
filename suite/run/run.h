/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run.h -- runs one case in one chair against one device, from start
 * to verdict.
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

/*
 * run_declared sets the times and sizes of a device in the judge's
 * configuration.
 */
void run_declared(const struct decl *decl, struct judge_conf *jc);

struct runner;

/*
 * runner_new makes a runner, with which one worker runs cases one after
 * another.  The runner owns the judge and the buffers, so that a run allocates
 * nothing in steady state.
 * Errors: ERR_NOMEM.
 */
int runner_new(struct runner **ret, struct dut *dut, const struct decl *decl);
void runner_free(struct runner *r);

/*
 * run_case runs one case.
 * It clears |ret| and fills in every packet, every finding and the verdict.
 * Errors: ERR_NOMEM.  Other failures are verdicts.
 */
int run_case(struct runner *r, const struct test_case *c, enum chair chair,
	     const struct run_conf *conf, struct record *ret);

#endif
