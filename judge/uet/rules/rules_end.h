/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_end.h -- packets that a side owed and never sent.
 */
#ifndef JUDGE_UET_RULES_RULES_END_H
#define JUDGE_UET_RULES_RULES_END_H

#include "judge/findings.h"

/* rules_uet_end reports answers that are missing in a direction of a flow. */
void rules_uet_end(struct absence *a);

#endif
