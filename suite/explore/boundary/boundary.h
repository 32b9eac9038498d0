/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/boundary/boundary.h -- values at the limits of fields, one
 * after another.
 *
 * A class is a field or a kind of fault with its values: numbers, the codes of
 * an enumeration, each reserved bit of the headers of a packet, each length to
 * which such a packet can be cut.  Codes, reserved bits and lengths come from
 * the header tables.  Each value has a case of its own.
 */
#ifndef SUITE_EXPLORE_BOUNDARY_BOUNDARY_H
#define SUITE_EXPLORE_BOUNDARY_BOUNDARY_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/explore/draft.h"

#define BOUNDARY_TEXT 64

/* boundary_count returns how many values a transport has in a chair. */
unsigned boundary_count(enum draft_subject s, enum chair chair);

/*
 * boundary_name writes the class and the value of number |i|: "mpr",
 * "127".
 */
void boundary_name(enum draft_subject s, enum chair chair, unsigned i,
		   const char **ret_class, char ret_value[BOUNDARY_TEXT]);

/* boundary_write writes the case of value |i| into an empty draft. */
void boundary_write(struct draft *d, unsigned i);

#endif
