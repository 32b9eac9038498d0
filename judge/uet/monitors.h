/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/monitors.h -- which monitors look at a packet.
 */
#ifndef JUDGE_UET_MONITORS_H
#define JUDGE_UET_MONITORS_H

#include "judge/uet/pkt_ctx.h"

/* monitors_ask has every monitor look at a packet that may find something, and
 * counts what the others would show. */
void monitors_ask(struct pkt_ctx *l);

#endif
