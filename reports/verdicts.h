/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/verdicts.h -- what the judge found in a capture, as text and as JSON
 * Lines.
 *
 * Each line of JSON is an object with a "type"; docs/check.schema.json is the
 * schema of any of them.
 */
#ifndef REPORTS_VERDICTS_H
#define REPORTS_VERDICTS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/text.h"
#include "judge/watch.h"

struct verdict_opts {
	const char *file; /* as it was named */
	bool json;
	bool color;
	bool strict; /* remarks fail as well */
};

/* What there is to say of a whole capture. */
struct verdict_sum {
	const struct watch_counts *counts;
	const struct judge_totals *totals;
	uint64_t limit[WATCH_LIMITS]; /* how often each held; 0: not at all */
	uint64_t fails, remarks;      /* findings, by level */
	uint64_t untold;              /* of them, not shown for want of room */
	uint64_t flows_whole;
	const char *error; /* why reading ended, or "" */
};

/* A requirement in a capture. */
struct verdict_req {
	enum req_id req;
	enum req_role role;
	uint64_t seen; /* how often it could have been broken */
	uint64_t findings;
};

/* verdict_fails: the finding fails a device, it is no remark. */
bool verdict_fails(const struct finding *f, bool strict);

/* Each appends one line of JSON, or lines of text. */
void verdict_finding(struct text *t, const struct verdict_opts *o,
		     const struct finding *f);
void verdict_flow(struct text *t, const struct verdict_opts *o,
		  const struct judge_flow *f);
void verdict_requirement(struct text *t, const struct verdict_opts *o,
			 const struct verdict_req *r);
void verdict_summary(struct text *t, const struct verdict_opts *o,
		     const struct verdict_sum *s);

/*
 * verdict_finding_members adds what a finding says to an object, as
 * docs/check.schema.json has it.
 */
void verdict_finding_members(json_t *j, const struct finding *f);

/* verdict_flow_name appends "10.0.0.1:0x0a0a 10.0.0.2:0x0b0b". */
void verdict_flow_name(struct text *t, const struct ip_addr ends[2],
		       const uint16_t pdcid[2]);

#endif
