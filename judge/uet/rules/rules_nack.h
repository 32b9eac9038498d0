/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_nack.h -- the requirements of NACK codes.
 */
#ifndef JUDGE_UET_RULES_RULES_NACK_H
#define JUDGE_UET_RULES_RULES_NACK_H

#include "judge/findings.h"

/* nack_req returns the row of a NACK code; false: the code has no row. */
bool nack_req(uint8_t code, enum req_id *ret);

#endif
