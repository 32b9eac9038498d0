/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_uet.h -- the default fields of a UET line: ids, PSNs,
 * acknowledgements and the SES header.
 */
#ifndef SUITE_CRAFT_CRAFT_UET_H
#define SUITE_CRAFT_CRAFT_UET_H

#include <stdbool.h>

#include "suite/craft/craft_state.h"

/*
 * craft_type_is returns whether the packet of a line has the PDS type |word|.
 */
bool craft_type_is(const struct craft *c, const char *a, const char *b,
		   const char *d);

/* craft_is_request returns whether a line is a UET request. */
bool craft_is_request(const struct craft *c);

/*
 * craft_pds_defaults fills in the fields of the PDS header that a line
 * leaves out.
 */
void craft_pds_defaults(struct craft *c);

/*
 * craft_ses_defaults fills in the fields of the SES header that a line
 * leaves out.
 */
int craft_ses_defaults(struct craft *c);

#endif
