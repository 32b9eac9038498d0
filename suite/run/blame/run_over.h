/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_over.h -- how a case goes on behind a deviation.
 */
#ifndef SUITE_RUN_BLAME_RUN_OVER_H
#define SUITE_RUN_BLAME_RUN_OVER_H

#include <stddef.h>
#include <stdint.h>

#include "suite/decl/deviation.h"
#include "suite/lang/case.h"
#include "suite/run/run_state.h"
#include "suite/verdict/blame.h"

/* over_known is the deviation of the declaration that covers an item of a frame
 * (0: of none), or NULL. */
const struct deviation *over_known(const struct runner *r, const char *item,
				   uint32_t frame);

/*
 * over_packet says how the case goes on behind a packet of the record that
 * differs from a line in |what|, as if the line had been met.
 */
enum over over_packet(const struct runner *r, size_t index,
		      const struct blame *what);

/* over_forbidden says so of a packet that must not come; lines then pass over
 * it. */
enum over over_forbidden(struct runner *r, size_t index, const char *item);

/* over_missing says so of a packet that did not come, over_report of a report
 * that differs, over_answer of the answer of a verb. */
enum over over_missing(const struct runner *r, const struct step *step,
		       const char *item);
enum over over_report(const struct runner *r, const struct step *step,
		      const char *item);
enum over over_answer(const struct runner *r, const char *item);

#endif
