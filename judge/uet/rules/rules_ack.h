/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_ack.h -- the PSNs of an ACK.
 */
#ifndef JUDGE_UET_RULES_RULES_ACK_H
#define JUDGE_UET_RULES_RULES_ACK_H

#include "judge/findings.h"

/*
 * pkt_echoes checks the fields that an answer copies from the packet it
 * answers.
 */
void pkt_echoes(struct pkt_ctx *l);

#endif
