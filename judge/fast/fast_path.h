/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/fast_path.h -- the fast path for the next packet of a known flow.
 *
 * For most packets the result of the rules and the state changes are known in
 * advance (judge/fast/predicted.h), as in TCP header prediction.  The fast path
 * updates the state of the flow from the bytes of such a packet, without a
 * struct pkt_ctx.  It makes the same changes as judge_push().
 */
#ifndef JUDGE_FAST_FAST_PATH_H
#define JUDGE_FAST_FAST_PATH_H

#include <stdbool.h>

#include "judge/conf.h"
#include "judge/types.h"

/*
 * fast_path_is_open returns true if the judge may use the fast path: it
 * predicts packets, and its caller needs no facts beyond those of the
 * prediction.
 */
bool fast_path_is_open(const struct judge_conf *conf);

/*
 * fast_path_push does the same as judge_fast_path (judge/judge.h).
 * Return: COND_NONE if the packet is judged, else the enum condition
 *         (judge/uet/monitor.h) that it fails.  COND_KEY_PDS: the fast path
 *         takes no packets of this type.
 */
unsigned fast_path_push(struct judge *j, const struct judge_packet *p);

#endif
