/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_fault.h -- looks findings up.
 */
#ifndef REPORTS_LADDER_LADDER_FAULT_H
#define REPORTS_LADDER_LADDER_FAULT_H

#include <stdbool.h>

#include "suite/verdict/record.h"

/* finding_on returns true if there is a finding about a frame. */
bool finding_on(const struct record *r, uint32_t frame);

/*
 * finding_same returns true if both have the same reason and differ only in the
 * requirement.
 */
bool finding_same(const struct rec_finding *a, const struct rec_finding *b);

/* finding_again returns true if the finding before has the same sentence. */
bool finding_again(const struct record *r, const struct rec_finding *f);

#endif
