/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_tuples.h -- covers the pairs and triples of --strength.
 */
#ifndef CLI_EXPLORE_EXPLORE_TUPLES_H
#define CLI_EXPLORE_EXPLORE_TUPLES_H

#include "cli/explore/exploring.h"

/*
 * explore_cover_one covers the tuples of one transport in one chair, and prints
 * how many were run.
 * Return: as explore_run.
 */
int explore_cover_one(struct exploring *e, enum draft_subject s,
		      enum chair chair);

#endif
