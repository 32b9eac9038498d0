/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_over.h -- how a case continues after a deviation.
 */
#ifndef SUITE_RUN_BLAME_RUN_OVER_H
#define SUITE_RUN_BLAME_RUN_OVER_H

#include <stddef.h>
#include <stdint.h>

#include "suite/decl/deviation.h"
#include "suite/lang/case.h"
#include "suite/run/run_state.h"
#include "suite/verdict/blame.h"

/*
 * over_known returns the declared deviation that covers an item of a frame, or
 * NULL.  Frame 0: the item has no frame.
 */
const struct deviation *over_known(const struct runner *r, const char *item,
				   uint32_t frame);

/*
 * over_packet returns how the case continues after a packet of the record that
 * differs from a line in |what|.
 */
enum over over_packet(const struct runner *r, size_t index,
		      const struct blame *what);

/*
 * over_forbidden does the same for a packet that must not come; lines then skip
 * it.
 */
enum over over_forbidden(struct runner *r, size_t index, const char *item);

/*
 * over_missing does the same for a packet that did not come, over_report for a
 * report that differs, over_answer for the answer of a verb.
 */
enum over over_missing(const struct runner *r, const struct step *step,
		       const char *item);
enum over over_report(const struct runner *r, const struct step *step,
		      const char *item);
enum over over_answer(const struct runner *r, const char *item);

#endif
