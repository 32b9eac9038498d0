/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_wire.h -- reserved bits and values.
 */
#ifndef JUDGE_UET_FORM_RULES_WIRE_H
#define JUDGE_UET_FORM_RULES_WIRE_H

#include "judge/findings.h"

/* rules_uet_unmatched judges a packet that belongs to no flow. */
void rules_uet_unmatched(struct pkt_ctx *l);

#endif
