/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rule.h -- all headers that a file of UET rules needs.
 */
#ifndef JUDGE_UET_RULE_H
#define JUDGE_UET_RULE_H

#include "judge/conf.h"
#include "judge/findings.h"
#include "judge/uet/flow/acks.h"
#include "judge/uet/flow/messages.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/monitor.h"
#include "judge/uet/pdcless/pdcless.h"
#include "judge/uet/pkt_ctx.h"
#include "judge/uet/pkt_place.h"
#include "judge/uet/pkt_read.h"
#include "judge/uet/pkt_shape.h"

#endif
