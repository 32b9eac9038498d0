/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_finding.h -- findings as rung.h shows them.
 */
#ifndef LIB_LIB_FINDING_H
#define LIB_LIB_FINDING_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "judge/req.h"
#include "lib/rung.h"

/* lib_finding clears *ret and sets its requirement and frame. */
static inline void lib_finding(struct rung_finding *ret, enum req_id req,
			       enum req_role role, uint32_t frame)
{
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->requirement, sizeof(ret->requirement), "%s/%s",
		 req_get(req)->id, req_role_name(role));
	ret->frame = frame;
}

#endif
