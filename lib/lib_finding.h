/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_finding.h -- findings as rung.h shows them.
 */
#ifndef LIB_LIB_FINDING_H
#define LIB_LIB_FINDING_H

#include <stdint.h>

#include "judge/judge.h"
#include "lib/rung.h"

/* lib_finding clears *ret and sets its requirement and frame. */
void lib_finding(struct rung_finding *ret, enum req_id req, enum req_role role,
		 uint32_t frame);

/* lib_finding_judged sets *ret to a finding of a judge. */
void lib_finding_judged(struct rung_finding *ret, const struct finding *f);

#endif
