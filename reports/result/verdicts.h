/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/verdicts.h -- the judge's results for a capture, as text and
 * as JSON Lines.
 *
 * Each line of JSON is an object with a "type"; docs/check.schema.json is the
 * schema of all of them.
 */
#ifndef REPORTS_RESULT_VERDICTS_H
#define REPORTS_RESULT_VERDICTS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/text.h"
#include "judge/core/watch.h"
#include "lib/rung.h"

struct verdict_opts {
	const char *file; /* name of the file, as given */
	bool json;
	bool color;
	bool strict; /* remarks fail as well */
};

/* A queue of a live port. */
struct verdict_queue {
	uint64_t frames, dropped;
};

/* The totals of a whole capture. */
struct verdict_sum {
	const struct rung_counts *counts;
	/* how often each limit applied; 0: never */
	uint64_t limit[WATCH_LIMITS];
	uint64_t fails, remarks; /* findings, by level */
	uint64_t untold;         /* findings not shown for lack of room */
	uint64_t flows_complete;
	const char *error;                  /* why reading ended, or "" */
	const struct verdict_queue *queues; /* of a live port */
	unsigned nqueues;
};

/* The counts of a requirement in a capture. */
struct verdict_req {
	enum req_id req;
	enum req_role role;
	uint64_t seen; /* how often it could have been violated */
	uint64_t findings;
};

/* Each appends one line of JSON, or lines of text. */
void verdict_finding(struct text *t, const struct verdict_opts *o,
		     const struct rung_finding *f);
void verdict_flow(struct text *t, const struct verdict_opts *o,
		  const struct rung_flow *f);
void verdict_requirement(struct text *t, const struct verdict_opts *o,
			 const struct verdict_req *r);
void verdict_summary(struct text *t, const struct verdict_opts *o,
		     const struct verdict_sum *s);

/*
 * verdict_finding_members adds the members of a finding to an object, as
 * docs/check.schema.json describes them.
 */
void verdict_finding_members(json_t *j, const struct rung_finding *f);

#endif
