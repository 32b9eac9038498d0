/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_boundary.h -- tries the boundary values of --boundary.
 */
#ifndef CLI_EXPLORE_EXPLORE_BOUNDARY_H
#define CLI_EXPLORE_EXPLORE_BOUNDARY_H

#include "cli/explore/exploring.h"

/*
 * explore_boundary_one tries the boundary values of one transport in one chair,
 * prints how many were tried, and appends them to e->json_boundary, if the user
 * asked for JSON.
 * Return: as explore_run.
 */
int explore_boundary_one(struct exploring *e, enum draft_subject s,
			 enum chair chair);

#endif
