/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_trim.h -- the answers to trimmed packets.
 */
#ifndef JUDGE_UET_RULES_RULES_TRIM_H
#define JUDGE_UET_RULES_RULES_TRIM_H

#include "judge/findings.h"

/* rules_uet_trim_end judges one PSN of a direction when the capture ends. */
void rules_uet_trim_end(struct absence *a, struct psn_state *s);

#endif
