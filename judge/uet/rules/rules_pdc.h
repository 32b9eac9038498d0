/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_pdc.h -- PDCIDs, SYN, PSN window and close.
 */
#ifndef JUDGE_UET_RULES_RULES_PDC_H
#define JUDGE_UET_RULES_RULES_PDC_H

#include "judge/findings.h"

/* rules_uet_foreign judges a packet whose PDCIDs are not those of its flow. */
void rules_uet_foreign(struct pkt_ctx *l);

#endif
