/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_shape.h -- the lengths of headers.
 */
#ifndef JUDGE_UET_FORM_RULES_SHAPE_H
#define JUDGE_UET_FORM_RULES_SHAPE_H

#include "judge/findings.h"

/* rules_uet_unread judges a packet whose PDS header cannot be parsed. */
void rules_uet_unread(struct pkt_ctx *l);

#endif
