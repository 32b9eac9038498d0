/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_json.h -- the figures of an exploration as JSON,
 * "rung.explore/1" (docs/explore.schema.json).
 */
#ifndef CLI_EXPLORE_EXPLORE_JSON_H
#define CLI_EXPLORE_EXPLORE_JSON_H

#include <jansson.h>

#include "suite/explore/explore.h"

struct explore_json {
	uint64_t seed;
	const char *device; /* its specification */
	size_t findings;
	unsigned subjects, chairs; /* masks */
	json_t *boundary; /* of explore_json_boundary; NULL: no memory */
};

/*
 * explore_json returns the document; NULL if there is no memory.  It lists what
 * was never reached, and takes conf->boundary.
 */
json_t *explore_json(const struct explore *x, const struct explore_json *conf);

/*
 * explore_json_boundary appends the classes of a transport in a chair to the
 * array |all|, and returns it; NULL: |all| is NULL, or there is no memory.
 */
json_t *explore_json_boundary(json_t *all, const struct explore_boundary *b);

#endif
