/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/monitors.h -- calls the monitors that check a packet.
 */
#ifndef JUDGE_UET_MONITORS_H
#define JUDGE_UET_MONITORS_H

#include "judge/uet/pkt_ctx.h"

/*
 * monitors_ask calls each monitor that may find something in a packet, and
 * counts the checks of the monitors whose result is predicted.
 */
void monitors_ask(struct pkt_ctx *l);

#endif
