/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/schedules_json.h -- the figures of "rung explore --all" as JSON,
 * "rung.schedules/1" (docs/schedules.schema.json), which can be added.
 */
#ifndef CLI_EXPLORE_SCHEDULES_JSON_H
#define CLI_EXPLORE_SCHEDULES_JSON_H

#include <jansson.h>

#include "suite/explore/schedule.h"

/* The schedules of a transport that were run. */
struct schedules_scope {
	enum draft_subject subject;
	bool whole;          /* all that were asked for */
	unsigned series, of; /* series that were run, and how many there are */
	uint64_t wrong;
	char first[320]; /* what is wrong with the first of these */
	struct schedule_totals totals;
};

struct schedules_json {
	const char *mutant; /* or variant; NULL: none */
	const char *chair;  /* its part */
	unsigned requests, faults;
	unsigned shard, shards; /* 1 of 1: all */
	json_t *transports;     /* of schedules_json_scope; taken */
};

/* schedules_json_scope returns a transport; NULL if there is no memory. */
json_t *schedules_json_scope(const struct schedules_scope *s);

/* schedules_json returns the document; NULL if there is no memory. */
json_t *schedules_json(const struct schedules_json *conf);

#endif
