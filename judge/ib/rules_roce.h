/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/rules_roce.h -- the rules of plain RoCEv2.
 */
#ifndef JUDGE_IB_RULES_ROCE_H
#define JUDGE_IB_RULES_ROCE_H

#include "judge/ib/roce_link.h"

/* These rules run before the packet changes the connection. */
void rules_roce_request(struct roce_item *x);
void rules_roce_answer(struct roce_item *x);

#endif
