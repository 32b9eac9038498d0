/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/fast_path.h -- the fast path of a packet that is the next of its
 * flow.
 *
 * For most packets it is known what the rules would find and which state
 * changes (judge/fast/predicted.h), as in TCP header prediction.  Such a packet
 * goes from its bytes to the state of its flow without a struct pkt_ctx in
 * between.  It changes what judge_push() would change.
 */
#ifndef JUDGE_FAST_FAST_PATH_H
#define JUDGE_FAST_FAST_PATH_H

#include <stdbool.h>

#include "judge/conf.h"
#include "judge/types.h"

/* fast_path_is_open returns whether the judge may use the fast path: it
 * predicts packets, and its caller asks for no facts beyond those of the
 * prediction. */
bool fast_path_is_open(const struct judge_conf *conf);

/*
 * judge_fast_path judges a packet that is predicted and the next of its flow.
 * It reads |p| and |len| of |p->pkt| alone: the packet need not be parsed.
 * Return: true: done, as by judge_push(), and there is no finding (the facts
 *         are those of conf.minimal_facts);
 *         false: judge_push() has to do it.
 */
bool judge_fast_path(struct judge *j, const struct judge_packet *p);

/*
 * fast_path_push is judge_fast_path.
 * Return: the enum condition (judge/uet/monitor.h) that sends the packet to the
 *         full path, or COND_NONE: done.  COND_KEY_PDS: the fast path takes no
 *         packets of this type.
 */
unsigned fast_path_push(struct judge *j, const struct judge_packet *p);

#endif
